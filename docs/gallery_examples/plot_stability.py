"""
Is the choice stable?
=====================

The search is repeated on resampled rows. How often is each feature selected, by the best set alone
and by any of four sets?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
random = np.random.default_rng(0)
first, any_of = dict.fromkeys(X.columns, 0), dict.fromkeys(X.columns, 0)
REPEATS = 20
for _ in range(REPEATS):
    rows = random.choice(len(X), len(X) // 2, replace=False)
    data = altsel.Dataset(X.iloc[rows], y.iloc[rows])
    quality = altsel.Univariate(altsel.dependence(data, altsel.measures.absolute_pearson))
    found = altsel.sequential(altsel.Problem(quality, k=4), altsel.Dice(0.5), alternatives=3)
    for f in X.columns:
        first[f] += f in found[0]
        any_of[f] += any(f in one for one in found)

names = sorted((f for f in X.columns if any_of[f]), key=lambda f: (first[f], any_of[f]))
place = np.arange(len(names))
fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.barh(place + 0.2, [100 * any_of[f] / REPEATS for f in names], 0.4, label="in any of four sets")
ax.barh(place - 0.2, [100 * first[f] / REPEATS for f in names], 0.4, label="in the best set")
ax.set_yticks(place, names)
ax.set_xlabel(f"% of {REPEATS} halves of the rows")
ax.legend(loc="lower right")

# %%
# With corrected indices and intervals: `altsel.stability`.
