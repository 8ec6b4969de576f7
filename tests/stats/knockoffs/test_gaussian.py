"""Gaussian knockoffs against formulas of partitioned matrices, and exchanged moments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ks_2samp
from sklearn.covariance import EmpiricalCovariance

import altsel
from altsel.errors import ArgumentError, DataError
from altsel.knockoffs import Gaussian
from altsel.stats.knockoffs.gaussian import conditional, equal_conditional
from altsel.stats.knockoffs.shrinkage import Spectrum, spectrum

RNG = np.random.default_rng(5)
SIGMA = np.array([[1.0, 0.6, 0.2], [0.6, 1.0, 0.4], [0.2, 0.4, 1.0]])


def dataset(values: Any) -> altsel.Dataset:
    return altsel.Dataset(values, np.arange(len(values)) / 7, "regression")


def chain(rows: int, features: int) -> np.ndarray:
    values = RNG.normal(size=(rows, features))
    for j in range(1, features):
        values[:, j] = 0.6 * values[:, j - 1] + 0.8 * values[:, j]
    return values


def dense(root: Any) -> np.ndarray:
    return np.asarray(root(np.eye(len(root.vectors))))


def test_mean_and_covariance_are_those_of_the_partitioned_matrix() -> None:
    s = np.array([0.5, 0.3, 0.7])
    cross = SIGMA - np.diag(s)
    rows = RNG.normal(size=(4, 3))
    mean, root = conditional(rows, SIGMA, s)
    assert mean == pytest.approx(rows @ np.linalg.inv(SIGMA) @ cross)
    assert dense(root) @ dense(root).T == pytest.approx(SIGMA - cross @ np.linalg.inv(SIGMA) @ cross)


def test_equal_s_by_eigenvalues_is_the_same() -> None:
    rows = RNG.normal(size=(4, 3))
    values, vectors = np.linalg.eigh(SIGMA)
    mean, root = conditional(rows, SIGMA, np.full(3, 0.4))
    equal_mean, equal_root = equal_conditional(rows, Spectrum(values, vectors, 1.0), 0.4)
    assert equal_mean == pytest.approx(mean)
    assert dense(equal_root) @ dense(equal_root).T == pytest.approx(dense(root) @ dense(root).T)


def test_so_are_more_features_than_rows() -> None:
    table = chain(12, 30)
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    matrix = 0.7 * table.T @ table / 12 + 0.3 * np.eye(30)
    mean, root = conditional(table, matrix, np.full(30, 0.25))
    few_mean, few_root = equal_conditional(table, spectrum(table, 0.3), 0.25)
    assert few_mean == pytest.approx(mean)
    assert dense(few_root) @ dense(few_root).T == pytest.approx(dense(root) @ dense(root).T)


@pytest.mark.parametrize("how", [Gaussian(), Gaussian(scores=False), Gaussian(construction="mvr-equal")])
def test_covariances_stay_where_features_and_knockoffs_are_exchanged(how: Gaussian) -> None:
    values = chain(20_000, 4)
    drawn = how.fitted(dataset(values))(np.random.default_rng(1))
    both = np.corrcoef(np.hstack([values, drawn]).T)
    for swapped in ([4, 1, 2, 3, 0, 5, 6, 7], [4, 5, 2, 7, 0, 1, 6, 3]):
        assert both[np.ix_(swapped, swapped)] == pytest.approx(both, abs=0.04)
    assert both[0, 4] < 0.8


def test_knockoffs_of_skewed_features_have_their_values() -> None:
    values = np.exp(chain(3000, 3))
    values[:, 2] = np.round(values[:, 2])
    drawn = Gaussian().fitted(dataset(values))(np.random.default_rng(2))
    for own, other in zip(values.T, drawn.T, strict=True):
        assert set(other) <= set(own)
        assert ks_2samp(own, other).statistic < 0.06


@pytest.mark.parametrize("covariance", ["graphical-lasso", "ledoit-wolf", EmpiricalCovariance()])
def test_covariances_by_other_estimators_are_taken(covariance: Any) -> None:
    values = 5 + 100 * chain(400, 4)
    drawn = Gaussian(covariance).fitted(dataset(values))(np.random.default_rng(3))
    found = np.corrcoef(np.hstack([values, drawn]).T)
    assert found[0, 5] == pytest.approx(found[0, 1], abs=0.15)


def test_what_cannot_be_drawn_is_refused() -> None:
    table = pd.DataFrame({"a": RNG.normal(size=30), "sex": ["m", "f"] * 15})
    with pytest.raises(DataError, match=r"'sex' holds binary values.*'sequential'"):
        Gaussian().fitted(dataset(table))
    values = RNG.normal(size=(30, 3))
    values[:, 2] = values[:, 0] + values[:, 1]
    with pytest.raises(DataError, match="is singular: some are sums of others"):
        Gaussian(EmpiricalCovariance(), scores=False).fitted(dataset(values))
    for wrong, why in (
        ({"covariance": "mle"}, "covariance='mle'; use 'likelihood', 'ledoit-wolf', 'graphical-lasso'"),
        ({"covariance": EmpiricalCovariance}, "or an estimator such as"),
        ({"construction": "sdp"}, "construction='sdp'; use 'auto', 'mvr'"),
        ({"scores": "yes"}, "scores"),
    ):
        with pytest.raises(ArgumentError, match=why):
            Gaussian(**wrong)
