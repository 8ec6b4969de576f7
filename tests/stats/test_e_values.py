"""E-values: the threshold by a loop, e-BH over all subsets, and the bound for sets chosen afterwards."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from altsel.results.discoveries import Discoveries, TestedFeature
from altsel.stats.e_values import e_bh, knockoff_e_values, knockoff_threshold, q_values

RNG = np.random.default_rng(11)


def subsets(number: int) -> list[np.ndarray]:
    sizes = range(1, number + 1)
    return [np.isin(range(number), part) for size in sizes for part in combinations(range(number), size)]


def level_of(e_values: np.ndarray, chosen: np.ndarray) -> float:
    """Return the smallest level at which a set is covered, as users ask for it."""
    tested = tuple(TestedFeature(f"x{j}", 0.0, 0.0, e, 1.0, False) for j, e in enumerate(e_values.tolist()))
    found = Discoveries(tested, 0.1, 0.05, 1, "by hand", "none")
    return found.claim([[f"x{j}" for j in np.flatnonzero(chosen)]]).q


def test_e_bh_of_a_table_by_hand() -> None:
    # p = 5, level .1: sorted 80, 30, 25, 10, 0 against 50, 25, 16.7, 12.5, 10: the third is the last above.
    e_values = np.array([25.0, 0, 80, 10, 30])
    assert e_bh(e_values, 0.1).tolist() == [True, False, True, False, True]
    assert q_values(e_values) == pytest.approx([5 / 75, 1, 5 / 80, 5 / 40, 5 / 75])
    assert level_of(e_values, np.array([1, 0, 1, 0, 0], dtype=bool)) == pytest.approx(0.1)
    assert level_of(e_values, np.array([0, 1, 0, 0, 0], dtype=bool)) == 1
    assert level_of(e_values, np.zeros(5, dtype=bool)) == 0


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.1, 0.3])
def test_e_bh_is_the_largest_self_consistent_set(level: float) -> None:
    parts = np.array(subsets(6))
    sizes = parts.sum(axis=1)
    for _ in range(20):
        e_values = RNG.choice([0.0, 2, 5, 9, 14, 30], 6)
        least = np.where(parts, e_values, np.inf).min(axis=1)
        consistent = least >= 6 / (level * sizes) - 1e-9
        assert e_bh(e_values, level).tolist() == parts[consistent].any(axis=0).tolist()
        named = [level_of(e_values, part) <= level + 1e-9 for part in parts]
        assert named == consistent.tolist()


def test_q_is_the_smallest_level_that_selects() -> None:
    e_values = RNG.exponential(20, 12)
    levels = np.linspace(0.001, 1, 1000)
    selected = np.array([e_bh(e_values, level) for level in levels])
    for found, column in zip(q_values(e_values), selected.T, strict=True):
        first = levels[column.argmax()] if column.any() else 1.0
        assert first - 0.001 <= found <= first + 1e-9


def by_loop(statistics: np.ndarray, level: float) -> float:
    for t in sorted({abs(one) for one in statistics if one != 0}):
        positive = sum(one >= t for one in statistics)
        negative = sum(one <= -t for one in statistics)
        if positive < 1 / level - 1e-9 or (1 + negative) / positive <= level + 1e-9:
            return float(t)
    return float("inf")


@pytest.mark.parametrize("level", [0.05, 0.1, 0.25])
def test_the_threshold_is_that_of_the_definition(level: float) -> None:
    for _ in range(40):
        statistics = RNG.normal(RNG.choice([0, 3], 60), 1).round(1)
        threshold = by_loop(statistics, level)
        assert knockoff_threshold(statistics, level) == threshold
        worth = 60 / (1 + (statistics <= -threshold).sum())
        assert knockoff_e_values(statistics, level).tolist() == [
            worth if one >= threshold else 0 for one in statistics
        ]
    assert knockoff_e_values(np.zeros(5), 0.1).tolist() == [0] * 5


def worst_false_share(e_values: np.ndarray, false: np.ndarray, level: float) -> float:
    """Return the largest false share of all self-consistent sets."""
    worst = 0.0
    for least in np.unique(e_values[e_values > 0]):
        needed = int(np.ceil(len(e_values) / (level * least) - 1e-9))
        wrong, right = (int((kind & (e_values >= least)).sum()) for kind in (false, ~false))
        if wrong + right >= needed:
            worst = max(worst, wrong / max(wrong, needed))
    return worst


def test_false_shares_of_all_sets_are_bounded_in_the_mean() -> None:
    # 40 features tell nothing: fair signs, whatever the sizes; 20 are positive more often than not.
    false = np.arange(60) >= 20
    level, sums, worst, chosen = 0.2, [], [], []
    for _ in range(400):
        size = RNG.exponential(1 + 2 * ~false)
        means = np.zeros(60)
        for _ in range(3):  # draws that share sizes depend on each other
            signs = RNG.random(60) < np.where(false, 0.5, 0.95)
            means += knockoff_e_values(np.where(signs, size, -size), level / 2) / 3
        sums.append(means[false].sum())
        selected = e_bh(means, level)
        chosen.append((selected & false).sum() / max(1, selected.sum()))
        worst.append(worst_false_share(means, false, level))
        assert worst[-1] <= level * sums[-1] / 60 + 1e-12
        assert chosen[-1] <= worst[-1] + 1e-12
    errors = 3 * np.std(sums) / np.sqrt(len(sums))
    assert np.mean(sums) <= 60 + errors
    assert np.mean(worst) <= level + 3 * np.std(worst) / np.sqrt(len(worst))
    assert np.mean(chosen) > 0.01
