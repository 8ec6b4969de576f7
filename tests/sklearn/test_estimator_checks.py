"""scikit-learn's own checks of estimators; those of every kind of estimator by ``nox -s estimators``."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.sklearn.estimators import SOME

EXPECTED = [
    "ignore::altsel.DataWarning",  # tables of one column, and of columns that are copies
    "ignore::altsel.FalseDiscoveryWarning",
    "ignore:No features were selected",
    "ignore::sklearn.exceptions.ConvergenceWarning",
]


@parametrize_with_checks(SOME)  # type: ignore[untyped-decorator]
def test_checks(estimator: Any, check: Any) -> None:
    check(estimator)


for warning in EXPECTED:
    test_checks = pytest.mark.filterwarnings(warning)(test_checks)
