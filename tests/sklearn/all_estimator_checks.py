"""scikit-learn's own checks of every kind of estimator, minutes of them: ``nox -s estimators``."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.sklearn.estimators import ALL
from tests.sklearn.test_estimator_checks import EXPECTED


@parametrize_with_checks(ALL)  # type: ignore[untyped-decorator]
def test_checks(estimator: Any, check: Any) -> None:
    check(estimator)


for warning in EXPECTED:
    test_checks = pytest.mark.filterwarnings(warning)(test_checks)
