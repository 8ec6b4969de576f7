"""
Copies are one feature
======================

Every measure is in the table twice, in two units. Taken as columns, alternatives are the same
measures in other units; grouped, an alternative measures something else.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import altsel

random = np.random.default_rng(3)
units = {"height": ("cm", "in", 2.54), "weight": ("kg", "lb", 0.45), "waist": ("cm", "in", 2.54)}
units |= {"glucose": ("mg/dl", "mmol/l", 18.0), "lipids": ("mg/dl", "mmol/l", 38.7)}
values = random.normal(size=(200, len(units)))
table = pd.DataFrame(
    {f"{name}, {unit}": v / s for (name, (a, b, f)), v in zip(units.items(), values.T, strict=True)
     for unit, s in [(a, 1), (b, f)]}
)  # fmt: skip
risk = values @ [0.5, 1.0, 0.8, 1.2, 0.7] + random.normal(size=200)

plain = altsel.Dataset(table, risk)
fig, axes = plt.subplots(2, 1, figsize=(7, 7), layout="constrained")
for ax, data, title in [(axes[0], plain, "columns"), (axes[1], plain.grouped(), "groups of copies")]:
    quality = altsel.Univariate(altsel.dependence(data, altsel.measures.absolute_pearson))
    found = altsel.sequential(altsel.Problem(quality, k=2), altsel.Dice(0.5), alternatives=4)
    found.plot(ax).set_title(f"Sets of two {title}", loc="left")

# %%
# Results name the members of every group:
print(found)
