"""
Does every set predict as well?
===============================

The sets are scored by one model on the same folds, beside all features. Sets that were chosen by a
filter on rows that are scored later look too good, so the search is done on other rows than the
scoring.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
search, rest, y_search, y_rest = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
problem = altsel.Problem(altsel.MRMR(altsel.Dataset(search, y_search)), k=5)
found = altsel.sequential(problem, altsel.Dice(0.6), alternatives=4)

model = make_pipeline(StandardScaler(), LogisticRegression())
scores = {"all 30": cross_val_score(model, rest, y_rest, cv=10)}
for i, one in enumerate(found):
    scores["best" if i == 0 else f"alternative {i}"] = cross_val_score(model, rest[list(one)], y_rest, cv=10)

fig, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
ax.boxplot(list(scores.values()), showmeans=True)
ax.set_xticks(range(1, len(scores) + 1), scores)
ax.set_ylabel("accuracy on ten folds of rows\nthat the search has not seen")

# %%
# Intervals for the differences, a null level and corrections for having looked at many sets:
# `altsel.performance` and `altsel.shadow`.
