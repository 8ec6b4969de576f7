"""
The Markov blanket of ALARM's heart rate
========================================

A network whose truth is known: parents, children and their other parents of the heart rate make all
other 30 variables superfluous. HITON-MB finds them by tests on sampled rows.
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
place = nx.nx_agraph.graphviz_layout(graph, "dot")
fig, ax = plt.subplots(figsize=(9, 5.5), layout="constrained")
nx.draw_networkx_edges(graph, place, edge_color="0.75", node_size=500, ax=ax)
others = [n for n in graph if n != "HR" and n not in found[0]]
for names, color in [(others, "0.92"), (found[0], "lightblue"), (["HR"], "salmon")]:
    box = {"facecolor": color, "edgecolor": "none", "boxstyle": "round"}
    nx.draw_networkx_labels(graph, place, {n: n for n in names}, font_size=6, bbox=box, ax=ax)
ax.set_title("red: heart rate; blue: the blanket found, which is the true one")
ax.set_axis_off()
