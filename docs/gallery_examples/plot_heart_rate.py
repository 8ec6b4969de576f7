"""
The Markov blanket of ALARM's heart rate
========================================

A network whose truth is known: parents, children and their other parents of the heart rate make all other 30 variables
superfluous. HITON-MB finds them by tests on sampled rows.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import networkx as nx

import altsel

alarm = altsel.read_network(Path(altsel.__file__).parents[1] / "examples/data/alarm.bif")
rows = alarm.sample(5000, random_state=0)
test = altsel.independence.GSquare(altsel.Dataset(rows.drop(columns="HR"), rows["HR"]))
found = altsel.blankets.hiton_mb(test, alpha=0.01)
assert set(found[0].features) == set(alarm.blanket("HR"))

graph = nx.DiGraph(alarm.graph())
place = nx.spring_layout(graph, seed=4, k=0.7)
color = ["C3" if n == "HR" else "C0" if n in found[0] else "0.85" for n in graph]
fig, ax = plt.subplots(figsize=(7.5, 5.5), layout="constrained")
nx.draw_networkx(graph, place, node_color=color, edge_color="0.7", font_size=6, node_size=380, ax=ax)
ax.set_title("red: heart rate; blue: the blanket found, which is the true one")
ax.set_axis_off()
