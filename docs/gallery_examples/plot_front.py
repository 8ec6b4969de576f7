"""
What difference costs
=====================

The more an alternative has to differ from the best set, the worse it is. The exact front says by
how much: no set that is at least as different is better, and that is proved point by point.
"""

from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.Univariate(altsel.Dataset(X, y)), k=8)
front = altsel.pareto_front(problem, altsel.Dice(0))
front.plot()

# %%
# The points, each with its set:
print(front)
