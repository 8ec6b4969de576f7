"""
What difference costs
=====================

The more an alternative has to differ from the best set, the worse it is. The exact front says by how much.
"""

from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.Univariate(altsel.Dataset(X, y)), k=5)
front = altsel.pareto_front(problem, altsel.Dice(0))
print(front)
