"""
Does every set predict as well?
===============================

The sets are scored by one model on the same folds, beside all features and none. Sets that were chosen
by a filter on rows that are scored later look too good, so the search is done on other rows than the
scoring.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
search, rest, y_search, y_rest = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
problem = altsel.Problem(altsel.MRMR(altsel.Dataset(search, y_search)), k=5)
found = altsel.sequential(problem, altsel.Dice(0.6), alternatives=4)

scored = altsel.performance(found, altsel.Dataset(rest, y_rest), other_data=True)
scored.plot()

# %%
# Differences from the best set on the same folds, with p corrected for the number of sets:
print(scored)
