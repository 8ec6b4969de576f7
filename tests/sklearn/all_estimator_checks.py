"""scikit-learn's own checks of every kind of estimator, minutes of them: ``nox -s estimators``."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import altsel
from altsel.sklearn import AlternativeFeatureSelector
from tests.sklearn.estimators import ALL
from tests.sklearn.test_estimator_checks import EXPECTED


def test_rules_travel_to_other_processes() -> None:
    X, y = load_wine(return_X_y=True, as_frame=True)
    rules = [altsel.domain.at_most(1, ["flavanoids", "total_phenols"])]
    model = make_pipeline(
        AlternativeFeatureSelector(k=3, rules=rules), DecisionTreeClassifier(random_state=0)
    )
    scores = [cross_val_score(model, X, y, cv=3, n_jobs=jobs).tolist() for jobs in (1, 2)]
    assert scores[0] == scores[1]


@parametrize_with_checks(ALL)  # type: ignore[untyped-decorator]
def test_checks(estimator: Any, check: Any) -> None:
    check(estimator)


for warning in EXPECTED:
    test_checks = pytest.mark.filterwarnings(warning)(test_checks)
