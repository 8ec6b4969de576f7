"""
Everything almost as good
=========================

All sets that lose at most 5 % of the best sum of mutual information, with the proof that there are
no others. A feature's bar says in how many of them it is: a single "best set" hides how many ways
there are to be nearly as good.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.Univariate(altsel.Dataset(X, y)), k=6)
near = altsel.near_optimal(problem, altsel.RelativeLoss(0.05))
assert near.stop is altsel.Stop.EXHAUSTED  # these are all

share = {f: np.mean([f in one for one in near]) for f in X.columns}
share = dict(sorted(((f, s) for f, s in share.items() if s), key=lambda item: item[1]))
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
left.barh(list(share), [100 * s for s in share.values()], color="C0")
left.set_xlabel(f"% of the {len(near)} sets that have it")
right.plot([100 * (1 - one.score / near[0].score) for one in near], color="C1")
right.set_xlabel("sets, best first")
right.set_ylabel("% of the best lost")
