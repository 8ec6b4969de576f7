"""
The best set and its alternatives
=================================

Six sets of five features, each different from all before in at least 40 % of its features. Which
features return in every set, and which have stand-ins?
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.Univariate(altsel.Dataset(X, y)), k=5)
found = altsel.sequential(problem, altsel.Dice(0.4), alternatives=5)

used = [f for f in X.columns if any(f in one for one in found)]
inside = np.array([[f in one for f in used] for one in found])
fig, (ax, bar) = plt.subplots(1, 2, figsize=(8, 3.6), width_ratios=[3, 1], sharey=True, layout="constrained")
ax.imshow(inside, cmap="GnBu", vmax=1.3, aspect="auto")
ax.set_xticks(range(len(used)), used, rotation=45, ha="right")
ax.set_yticks(range(len(found)), ["best", *(f"alternative {i}" for i in range(1, len(found)))])
bar.barh(range(len(found)), [100 * (1 - one.score / found[0].score) for one in found], color="C0")
bar.set_xlabel("% of the best lost")
fig.suptitle(f"{found.criterion}; all proved")

# %%
print(found)
