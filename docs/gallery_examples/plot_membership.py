"""
The best set and its alternatives
=================================

Six sets of five features, each different from all before in at least 40 % of its features. Which
features return in every set, and which have stand-ins?
"""

from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
problem = altsel.Problem(altsel.Univariate(altsel.Dataset(X, y)), k=5)
found = altsel.sequential(problem, altsel.Dice(0.4), alternatives=5)
found.plot()

# %%
print(found)
