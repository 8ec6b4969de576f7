"""The correction of the best loss, against a loop that is written as the algorithm is."""

from __future__ import annotations

import numpy as np
import pytest

import altsel
from altsel.stats.bias_corrected import bias_corrected, percentile_estimate


def by_the_algorithm(losses: np.ndarray, resamples: int, seed: int) -> list[tuple[int, float]]:
    """Draw rows, choose by those drawn, judge by the others."""
    random, rows, found = np.random.default_rng(seed), len(losses), []
    for _ in range(resamples):
        drawn = random.integers(0, rows, rows)
        others = [row for row in range(rows) if row not in set(drawn.tolist())]
        chosen = int(np.argmin([losses[drawn, c].mean().round(12) for c in range(losses.shape[1])]))
        found.append((chosen, float(losses[others, chosen].mean())))
    return found


def test_it_is_the_algorithm() -> None:
    losses = np.random.default_rng(1).normal(size=(30, 5))
    corrected = bias_corrected(losses, 40, 7)
    expected = by_the_algorithm(losses, 40, 7)
    assert corrected.chosen.tolist() == [chosen for chosen, _ in expected]
    np.testing.assert_allclose(corrected.values, [value for _, value in expected])
    np.testing.assert_allclose(corrected.of(losses + 1), corrected.values + 1)
    assert corrected.share_chosen(5).sum() == pytest.approx(1)


def test_the_best_of_pure_luck_is_no_better() -> None:
    """60 configurations that are all alike: their least loss is far too small, the corrected one not."""
    errors, naive = [], []
    for seed in range(30):
        losses = np.random.default_rng(seed).normal(1, 1, size=(80, 60))
        errors.append(bias_corrected(losses, 200, seed).estimate().value - 1)
        naive.append(losses.mean(axis=0).min() - 1)
    assert abs(np.mean(errors)) < 2 * np.std(errors) / np.sqrt(30) + 0.01
    assert np.mean(naive) < -0.2


def test_what_is_plainly_best_keeps_its_loss() -> None:
    losses = np.column_stack([np.full(50, 0.1), np.full(50, 0.9)])
    corrected = bias_corrected(losses)
    assert corrected.estimate().value == pytest.approx(0.1)
    assert corrected.of_one(losses[:, 1]).mean() == pytest.approx(0.9)


def test_equal_configurations_are_told_apart_by_their_order() -> None:
    column = np.random.default_rng(0).normal(size=(50, 1))
    assert set(bias_corrected(np.repeat(column, 4, axis=1), 100).chosen.tolist()) == {0}


def test_rows_of_which_all_are_drawn_are_drawn_again() -> None:
    assert np.isfinite(bias_corrected(np.array([[0.0], [1.0]]), 100).values).all()


@pytest.mark.parametrize("losses", [np.zeros(3), np.zeros((1, 2)), np.zeros((3, 0)), np.full((3, 2), np.nan)])
def test_no_table_of_losses_is_refused(losses: np.ndarray) -> None:
    with pytest.raises(altsel.ArgumentError, match="a column a configuration"):
        bias_corrected(losses)


def test_percentiles() -> None:
    known = percentile_estimate(np.arange(101.0), 0.9)
    assert [known.value, known.low, known.high] == pytest.approx([50, 5, 95])
