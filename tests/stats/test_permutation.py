"""Permutation tests of sets: against literal loops of the paper's procedure, and scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import altsel
from altsel.errors import DataError
from altsel.stats.equivalence.permutation import area
from tests.oracles.synthetic_tables import binary, with_copies


def literal_variance_test(before: np.ndarray, after: np.ndarray, swap: np.ndarray) -> float:
    observed = np.var(after - before)
    hits = 0
    for row in swap:
        one, other = np.where(row, after, before), np.where(row, before, after)
        hits += np.var(other - one) <= observed * (1 + 1e-12)
    return (1 + hits) / (1 + len(swap))


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(2, 40))
def test_the_variance_test_is_the_one_of_the_paper_and_one_of_the_mean(seed: int, rows: int) -> None:
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(size=rows), "b": random.normal(size=rows)})
    data = altsel.Dataset(X, random.normal(size=rows))
    models, signs = altsel.comparison.GLMModels(data), altsel.comparison.SignFlips(99, random_state=seed)
    message = altsel.comparison.PermutedVariance(models, signs)(["a"], ["b"])
    assert message.p == literal_variance_test(
        models.losses(["a"]), models.losses(["b"]), signs.exchanged(rows)
    )
    assert message.p == altsel.comparison.PermutedMean(models, signs)(["a"], ["b"]).p


def test_signs_are_fair_and_the_same_for_the_same_seed() -> None:
    values = np.random.default_rng(0).normal(size=1001)
    signs = altsel.comparison.SignFlips(4000)
    sums = signs.sums(values)
    assert np.array_equal(sums, altsel.comparison.SignFlips(4000).sums(values))
    expected = (np.where(signs.exchanged(1001), -1.0, 1.0) * values).sum(axis=1)
    assert sums == pytest.approx(expected)
    assert abs(sums.mean()) < 4 * np.linalg.norm(values) / np.sqrt(4000)
    assert not np.array_equal(sums, altsel.comparison.SignFlips(4000, random_state=1).sums(values))


@pytest.mark.slow
def test_auc_against_scikit_learn_and_a_loop() -> None:
    data = binary(3)
    models, signs = altsel.comparison.SklearnModels(data), altsel.comparison.SignFlips(60)
    message = altsel.comparison.PermutedAUC(models, signs)(["a"], ["c"])
    y, one, other = models.truth(), models.predictions(["a"]), models.predictions(["c"])
    assert message.difference == pytest.approx(roc_auc_score(y, one) - roc_auc_score(y, other))
    hits = 0
    for row in signs.exchanged(len(y)):
        left, right = np.where(row, other, one), np.where(row, one, other)
        hits += abs(roc_auc_score(y, left) - roc_auc_score(y, right)) >= abs(message.difference or 0) - 1e-12
    assert message.p == (1 + hits) / 61
    tied = np.array([[1.0, 1, 1, 2]])
    assert area(tied, np.array([0.0, 1, 0, 1]))[0] == roc_auc_score([0, 1, 0, 1], tied[0])
    with pytest.raises(DataError, match="two classes"):
        altsel.comparison.PermutedAUC(altsel.comparison.GLMModels(with_copies()), signs)(["a"], ["b"])


def test_predictions_that_differ_by_rounding_are_the_same() -> None:
    class Nearly:
        def __init__(self) -> None:
            self.models = altsel.comparison.SklearnModels(binary(3))

        def truth(self) -> Any:
            return self.models.truth()

        def predictions(self, names: Any) -> Any:
            one = self.models.predictions(["a"]).round(1)  # with ties, which rounding would break
            return one if list(names) == ["a"] else one + 1e-12 * np.arange(len(one)) * self.truth()

    models: Any = Nearly()
    message = altsel.comparison.PermutedAUC(models, altsel.comparison.SignFlips(60))(["a"], ["b"])
    assert (message.p, message.difference) == (1.0, 0.0)
