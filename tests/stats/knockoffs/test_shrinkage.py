"""Shares of shrinkage by left-out rows, against scikit-learn's likelihoods; spectra against matrices."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.covariance import ShrunkCovariance, log_likelihood

from altsel.stats.knockoffs.shrinkage import FOLDS, HALF, SHARES, likeliest, spectrum


def standardised(rows: int, columns: int) -> np.ndarray:
    values = np.random.default_rng(columns).normal(size=(rows, columns))
    values[:, 1:] += 0.8 * values[:, :-1]
    return np.asarray((values - values.mean(axis=0)) / values.std(axis=0))


@pytest.mark.parametrize(("rows", "columns"), [(60, 8), (20, 30)])
def test_the_share_is_half_of_the_likeliest(rows: int, columns: int) -> None:
    table = standardised(rows, columns)
    fold = np.arange(rows) % FOLDS
    total = np.zeros(len(SHARES))
    for number in range(FOLDS):
        learnt, left = table[fold != number], table[fold == number]
        for place, share in enumerate(SHARES):
            known = (1 - share) * learnt.T @ learnt / len(learnt) + share * np.eye(columns)
            total[place] += log_likelihood(left.T @ left / len(left), np.linalg.inv(known))
    assert likeliest(table) == pytest.approx(HALF * SHARES[total.argmax()])


@pytest.mark.parametrize(("rows", "columns"), [(60, 8), (20, 30), (20, 20)])
def test_a_spectrum_is_that_of_the_shrunk_matrix(rows: int, columns: int) -> None:
    table = standardised(rows, columns)
    found = spectrum(table, 0.2)
    matrix = ShrunkCovariance(shrinkage=0.2, assume_centered=True).fit(table).covariance_
    assert np.sort(found.all) == pytest.approx(np.linalg.eigvalsh(matrix))
    along = found.vectors * (found.values - found.rest)
    assert along @ found.vectors.T + found.rest * np.eye(columns) == pytest.approx(matrix)
