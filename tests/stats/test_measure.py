"""`Dependence`: a user's measure, given numbers, normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import ArgumentError, DataError, Dataset, Dependence, dependence
from altsel.measures import symmetric_uncertainty


def test_a_users_function(mixed: Dataset) -> None:
    def covariance(a: Any, b: Any) -> float:
        return float(abs(np.cov(a, b)[0, 1]))

    found = dependence(mixed, covariance)
    assert found.measure == "covariance"
    assert found.relevance["noisy"] == pytest.approx(covariance(mixed.X["noisy"], mixed.y))
    assert found.redundancy.loc["noisy", "count"] == pytest.approx(
        covariance(mixed.X["noisy"], mixed.X["count"])
    )
    with pytest.raises(ArgumentError, match="neither a measure"):
        dependence(mixed, "pearson")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"criterion": 5}, "criterion=5; give a criterion that names its measure, such as altsel.FCBF"),
        ({"criterion": "fcbf"}, "criterion='fcbf'; give a criterion"),
        ({"criterion": int}, "give a criterion"),
        ({"criterion": altsel.FCBF, "measure": symmetric_uncertainty}, "leave out one"),
    ],
)
def test_the_measure_of_a_criterion_is_asked_for_by_a_criterion(
    mixed: Dataset, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message):
        dependence(mixed, **options)


def test_redundancy_is_computed_when_needed(mixed: Dataset) -> None:
    calls = []

    def counted(a: Any, b: Any) -> float:
        calls.append(1)
        return 1.0

    found = dependence(mixed, counted)
    assert len(calls) == 4
    _ = found.redundancy, found.redundancy
    assert len(calls) == 4 + 10


def test_normalised_relevances_sum_to_one(mixed: Dataset) -> None:
    found = dependence(mixed, symmetric_uncertainty)
    scaled = found.normalized()
    assert scaled.relevance.sum() == pytest.approx(1)
    ratio = found.redundancy / found.relevance["noisy"]
    pd.testing.assert_frame_equal(scaled.redundancy / scaled.relevance["noisy"], ratio)
    with pytest.raises(DataError, match="cannot be normalised"):
        Dependence([0.0, 0.0]).normalized()


@pytest.mark.parametrize(
    ("relevance", "message"),
    [
        ([], "no relevances"),
        ([1, np.nan], "'x1'"),
        ([1, np.inf], "'x1'"),
        (["a", "b"], "must be numbers"),
        ([[1, 2]], "shape"),
        (pd.Series([1, 2], index=["a", "a"]), "more than once"),
        (pd.Series([1, 2], index=["a", ""]), "no name"),
    ],
)
def test_given_numbers_are_checked(relevance: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Dependence(relevance)


def test_given_redundancy_is_checked() -> None:
    q = pd.Series({"a": 1.0, "b": 2.0})
    good = pd.DataFrame([[1, 0.5], [0.5, 1]], index=["a", "b"], columns=["a", "b"])
    assert Dependence(q, good).redundancy.equals(good)
    assert Dependence(q, good.to_numpy()).redundancy.equals(good)
    assert altsel.MRMR(Dependence([0.5, 0.2], [[1, 0.5], [0.5, 1]])).features == ("x0", "x1")
    for bad, message in (
        (np.array([[1, 0.5], [0.5 + 1e-7, 1]]), "symmetric"),
        (np.eye(3), r"shape \(3, 3\); 2 features need \(2, 2\)"),
        ([["a", "b"], ["c", "d"]], "must be numbers"),
        (good * 1e120, "divide all by one number"),
        (good.rename(index={"a": "z"}), "names"),
        (good * np.nan, "missing"),
        (
            pd.DataFrame([[1, 0.5], [0.4, 1]], index=["a", "b"], columns=["a", "b"]),
            "of 'a', 'b' it is 0.5 and 0.4",
        ),
    ):
        with pytest.raises(DataError, match=message):
            Dependence(q, bad)
