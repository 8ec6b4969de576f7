"""scikit-learn's own checks of estimators, for selectors and ensembles of every kind."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from altsel.sklearn import AlternativeEnsemble, AlternativeFeatureSelector, MarkovBlanketSelector

SELECTORS = [
    AlternativeFeatureSelector(k=2),
    AlternativeFeatureSelector("univariate", k=2, alternatives=1),
    AlternativeFeatureSelector("fcbf", k=(1, 2)),
    AlternativeFeatureSelector("cfs", k=2, alternatives=1, set_index="union"),
    AlternativeFeatureSelector("mrmr", relevance="correlation-ratio", k=2, search="most-different", within=0.1),
    MarkovBlanketSelector(),
    MarkovBlanketSelector("iamb", alpha=0.05),
    MarkovBlanketSelector("mmmb"),
    MarkovBlanketSelector("fbs"),
    MarkovBlanketSelector(multiple=True),
    MarkovBlanketSelector(multiple="tmfbs"),
]
CHEAP = AlternativeFeatureSelector("univariate", relevance="correlation-ratio", k=2, alternatives=1)
ENSEMBLES = [
    AlternativeEnsemble(LogisticRegression(), CHEAP),
    AlternativeEnsemble(LogisticRegression(), CHEAP, voting="hard"),
    AlternativeEnsemble(LinearRegression(), CHEAP),
]


@pytest.mark.filterwarnings("ignore::altsel.DataWarning", "ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:No features were selected", "ignore::altsel.FalseDiscoveryWarning")
@parametrize_with_checks([*SELECTORS, *ENSEMBLES])  # type: ignore[untyped-decorator]
def test_checks(estimator: Any, check: Any) -> None:
    check(estimator)
