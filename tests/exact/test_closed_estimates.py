"""Estimates of families and of numbers of sets, beside all of them."""

from __future__ import annotations

from itertools import combinations
from math import inf, log

import numpy as np
import pytest

from altsel.exact.closed_estimates import average_bound, log_number_above


@pytest.mark.parametrize("seed", range(30))
def test_the_number_of_sets_above_a_floor_is_about_right(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(8, 20)), int(rng.integers(2, 5))
    values = np.sort(rng.exponential(size=n) if seed % 2 else rng.random(n))[::-1]
    sums = np.array([values[list(one)].sum() for one in combinations(range(n), k)])
    floor = float(np.quantile(sums, rng.random()))
    number = int((sums >= floor).sum())
    if number >= 10:
        assert log_number_above(values, k, floor) == pytest.approx(log(number), abs=1.0)


def test_what_no_set_reaches_is_no_set() -> None:
    values = np.array([3.0, 2.0, 1.0])
    assert log_number_above(values, 2, 5.5) == 0.0
    assert log_number_above(np.ones(6), 3, 0.0) == pytest.approx(log(20), abs=0.5)


@pytest.mark.parametrize("seed", range(30))
def test_no_family_is_better_on_average_than_its_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k, shared = int(rng.integers(4, 8)), 2 + seed % 2, int(rng.integers(0, 2))
    values = np.sort(rng.random(n))[::-1]
    sets = [frozenset(one) for one in combinations(range(n), k)]
    for number in (2, 3):
        best = max(
            (
                float(np.mean([sum(values[j] for j in one) for one in family]))
                for family in combinations(sets, number)
                if all(len(one & other) <= shared for one, other in combinations(family, 2))
            ),
            default=-inf,
        )
        assert average_bound(values, number, k, shared) >= best - 1e-12
