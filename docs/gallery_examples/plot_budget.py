"""
Quality against budget
======================

Features cost money. For every budget, the best set that it pays for, exactly: where a panel is
bought as a whole, the curve has steps.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
quality = altsel.Univariate(altsel.dependence(altsel.Dataset(X, y), altsel.measures.absolute_pearson))
costs = {f: 3.0 if f.startswith("worst") else 1.0 for f in X.columns}
image = [f for f in X.columns if "fractal" in f or "concav" in f]  # they need an image analysis, paid once

budgets = np.arange(4, 17)
best = []
for budget in budgets:
    rule = altsel.domain.budget(costs, limit=float(budget), fixed=[(4.0, image)])
    best.append(altsel.sequential(altsel.Problem(quality, k=4, subject_to=[rule]), altsel.Dice(0.5), 0)[0])

fig, ax = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
ax.step(budgets, [one.score for one in best], where="post", marker="o")
for budget, one, before in zip(budgets[1:], best[1:], best, strict=False):
    if any(f in image for f in one) and not any(f in image for f in before):
        ax.annotate(
            "image analysis pays",
            (budget, one.score),
            (budget - 1, one.score - 0.25),
            arrowprops={"arrowstyle": "->"},
        )
ax.set_xlabel("budget")
ax.set_ylabel("sum of absolute correlations")
