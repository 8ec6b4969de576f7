"""
What difference costs
=====================

The more an alternative has to differ from the best set, the worse it is. The exact front says by
how much: no set that is at least as different is better, and that is proved point by point.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.Univariate(altsel.Dataset(X, y)), k=8)
front = altsel.pareto_front(problem, altsel.Dice(0))

best = front[0].quality
fig, ax = plt.subplots(figsize=(6, 4), layout="constrained")
ax.step([p.dissimilarity for p in front], [p.quality for p in front], where="pre", color="C0", marker="o")
ax.set_xlabel("Dice dissimilarity from the best set, at least")
ax.set_ylabel("sum of mutual information")
lost = ax.secondary_yaxis("right", functions=(lambda q: 100 * (1 - q / best), lambda p: best * (1 - p / 100)))
lost.set_ylabel("% of the best lost")
ax.set_title("Breast cancer, k = 8")

# %%
# The points, each with its set:
print(front)
