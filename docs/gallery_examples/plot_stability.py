"""
Is the choice stable?
=====================

The search is repeated on resampled rows. How often is each feature selected, by the best set alone
and by any of four sets?
"""

from sklearn.datasets import load_breast_cancer

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)


def search(data):
    """Return the best set and three alternatives in some rows."""
    quality = altsel.Univariate(altsel.dependence(data, altsel.measures.absolute_pearson))
    return altsel.sequential(altsel.Problem(quality, k=4), altsel.Dice(0.5), alternatives=3)


measured = altsel.stability(search, altsel.Dataset(X, y), resamples=20)
measured.plot()

# %%
# Indices corrected for chance, with their intervals:
print(measured)
