"""`check_test` passes sound tests, and names what is wrong with others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr

import altsel
from altsel.independence import Custom, GSquare, LikelihoodRatio, PartialCorrelation, check_test


def marginal(x: Any, y: Any, given: Any) -> float:
    return float(pearsonr(x, y).pvalue)


def always(x: Any, y: Any, given: Any) -> float:
    return 1.0


class ByPlace(PartialCorrelation):
    """Tells more of columns that come first."""

    def __call__(self, candidates: Any, given: Any = ()) -> Any:
        found = super().__call__(candidates, given)
        shift = [0.1 * self.features.index(name) for name in candidates]
        return altsel.independence.TestResults(
            found.candidates, found.log_p - shift, found.statistic, found.dof, found.effect, found.tested
        )


def failed(make: Any, columns: Any = "numbers") -> set[str]:
    told = check_test(make, columns, repeats=25, raises=False)
    return set(told[~told.ok].check)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "columns"),
    [(PartialCorrelation, "numbers"), (GSquare, "categories"), (LikelihoodRatio, "mixed")],
)
def test_sound_tests_pass(make: Any, columns: Any) -> None:
    assert failed(make, columns) == set()


@pytest.mark.slow
def test_what_is_wrong_is_named() -> None:
    assert failed(lambda data: Custom(data, marginal)) == {"level, given what explains"}
    assert failed(lambda data: Custom(data, always)) == {"finds a dependence"}
    assert failed(ByPlace) == {"order of columns"}
    random = np.random.default_rng(0)
    lucky = failed(lambda data: Custom(data, lambda x, y, given: random.random()))
    assert {"the same again", "candidates together", "can be sent to processes"} <= lucky


@pytest.mark.slow
def test_failures_are_one_error() -> None:
    with pytest.raises(altsel.ArgumentError, match="fails: level, given what explains: rejected"):
        check_test(lambda data: Custom(data, marginal), repeats=20)
    with pytest.raises(altsel.ArgumentError, match=r"is a test: ArgumentError"):
        check_test(lambda data: len(data.y), repeats=10)  # type: ignore[arg-type, return-value]
    with pytest.raises(altsel.ArgumentError, match="columns='words'"):
        check_test(PartialCorrelation, "words")  # type: ignore[arg-type]
