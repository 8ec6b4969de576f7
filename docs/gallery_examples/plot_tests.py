"""
One test, all candidates at once
================================

A test of conditional independence answers for all candidates in one call. Given one feature, its
relatives lose what they seemed to tell.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
test = altsel.independence.LikelihoodRatio(altsel.Dataset(X, y))
others = [f for f in X.columns if f != "worst perimeter"]
alone = test(others, given=[]).log_p
given = test(others, given=["worst perimeter"]).log_p

fig, ax = plt.subplots(figsize=(6, 5), layout="constrained")
ax.scatter(-np.array(alone) / np.log(10), -np.array(given) / np.log(10))
for f, a, g in zip(others, alone, given, strict=True):
    if f.startswith("worst"):
        ax.annotate(
            f, (-a / np.log(10), -g / np.log(10)), fontsize=7, xytext=(3, 3), textcoords="offset points"
        )
ax.set_xlabel("$-\\log_{10} p$, alone")
ax.set_ylabel("$-\\log_{10} p$, given worst perimeter")
ax.margins(x=0.15)
ax.axhline(2, color="0.6", linestyle=":")
