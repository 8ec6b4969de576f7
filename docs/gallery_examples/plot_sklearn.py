"""
For which rows does the set matter?
===================================

One model a set, in one ensemble: `spread` says how much the models differ on a row. Rows that are
predicted wrong are those on which they differ.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import altsel

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, X_test, y, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
selector = altsel.sklearn.AlternativeFeatureSelector(
    "mrmr", relevance="correlation-ratio", k=4, alternatives=3, tau=0.75
)
model = make_pipeline(StandardScaler(), LogisticRegression())
ensemble = altsel.sklearn.AlternativeEnsemble(model, selector).fit(X, y)

spread, wrong = ensemble.spread(X_test), ensemble.predict(X_test) != y_test
fig, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
ax.boxplot([spread[~wrong], spread[wrong]], showmeans=True)
ax.set_xticks([1, 2], [f"right ({(~wrong).sum()})", f"wrong ({wrong.sum()})"])
ax.set_ylabel("spread of the four models'\npredictions on a row")
