"""
Everything almost as good
=========================

All sets that lose at most 5 % of the best sum of mutual information, with the proof that there are
no others: a single "best set" hides how many ways there are to be nearly as good.
"""

from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.Univariate(altsel.Dataset(X, y)), k=6)
near = altsel.near_optimal(problem, altsel.RelativeLoss(0.05))
assert near.stop is altsel.Stop.EXHAUSTED  # these are all
near.plot()

# %%
# In how many of the sets a feature is:
print({feature: f"{count} of {len(near)}" for feature, count in near.counts().items()})

# %%
# What sets lose without a feature, and with it; the dot is what it costs to give it up, or to insist on it:
altsel.importance_range(near).plot()
