"""Estimators to be checked by scikit-learn's own checks: every criterion, search, method and ensemble."""

from __future__ import annotations

from functools import partial

from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import altsel
from altsel.catalogue import LEARNERS
from altsel.sklearn import AlternativeEnsemble, AlternativeFeatureSelector, MarkovBlanketSelector

CHEAP = partial(AlternativeFeatureSelector, relevance="correlation-ratio", k=2)

SOME = [
    CHEAP("cfs", alternatives=1, set_index="union"),
    MarkovBlanketSelector("fbs"),
    AlternativeEnsemble(LogisticRegression(), CHEAP("univariate", alternatives=1)),
]
"""For every run of the tests."""

ALL = [
    AlternativeFeatureSelector("univariate", k=2, alternatives=1),
    AlternativeFeatureSelector("fcbf", k=(1, 2)),
    AlternativeFeatureSelector("mrmr", k=2),
    AlternativeFeatureSelector("cfs", k=2),
    AlternativeFeatureSelector(altsel.LinearFit, k=1, task="regression"),
    CHEAP("mrmr-k2"),
    CHEAP("cfs-linearised"),
    CHEAP(altsel.MRMR, relevance=altsel.measures.absolute_spearman, task="regression"),
    *[CHEAP("mrmr", alternatives=1, tau=0, search=search) for search in ("sum", "min")],
    *[CHEAP("cfs", within=0.3, search=search) for search in ("near-optimal", "most-different")],
    CHEAP("univariate", alternatives=1, set_index="intersection"),
    *[MarkovBlanketSelector(method) for method in LEARNERS.own],
    MarkovBlanketSelector("fbs", test=altsel.independence.LikelihoodRatio),
    MarkovBlanketSelector(multiple=True),
    MarkovBlanketSelector("iamb", multiple=True, set_index="union"),
    MarkovBlanketSelector(multiple="tmfbs"),
    AlternativeEnsemble(LogisticRegression(), CHEAP("univariate", alternatives=1), voting="hard"),
    AlternativeEnsemble(DecisionTreeClassifier(random_state=0), CHEAP("mrmr", alternatives=1)),
    AlternativeEnsemble(LogisticRegression(), MarkovBlanketSelector(multiple=True)),
    AlternativeEnsemble(LinearRegression(), CHEAP("univariate", alternatives=1)),
    AlternativeEnsemble(LinearRegression()),
]
"""The others, by ``nox -s estimators``."""
