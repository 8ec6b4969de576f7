"""
All linear models almost as good
================================

The best linear model of eight columns explains 75.5 % of the variance of the diagnosis, and hundreds of
others explain nearly as much: these are all that lose at most 1 % of it, which is proved. A bar says in how
many of them a column is. What one of them leaves out another one has: only few columns are needed by nearly
all.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.LinearFit(altsel.Dataset(X, y)), k=8)
near = altsel.near_optimal(problem, altsel.RelativeLoss(0.01), limit=1000)
assert near.stop is altsel.Stop.EXHAUSTED  # these are all

share = {f: np.mean([f in one for one in near]) for f in X.columns}
share = dict(sorted(((f, s) for f, s in share.items() if s), key=lambda item: item[1]))
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 5), layout="constrained")
colors = ["C0" if name in near[0] else "C7" for name in share]
left.barh(list(share), [100 * s for s in share.values()], color=colors)
left.tick_params("y", labelsize="small")
left.set_xlabel(f"% of the {len(near)} models that have it (blue: the best one)")
right.plot([one.score for one in near], color="C1")
right.set_xlabel("models, best first")
right.set_ylabel("$R^2$")
