"""The exact signed-rank test, against a count of all signs and a second library."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from altsel.stats.independence.predictive.printed import log_signed_rank


def counted(differences: Sequence[float]) -> float:
    """P(W+ <= w) by trying all signs of the differences that are not 0."""
    size = stats.rankdata(np.abs(differences))
    signs = np.sign(differences)
    halves = size[signs == 0].sum() / 2
    free = size[signs != 0]
    reached = size[signs > 0].sum() + halves
    sums = [
        sum(rank for rank, up in zip(free, ups, strict=True) if up) + halves
        for ups in product([0, 1], repeat=len(free))
    ]
    return float(np.mean(np.array(sums) <= reached + 1e-9))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_ties_and_zeros_are_counted(differences: list[int]) -> None:
    assert np.exp(log_signed_rank(np.array(differences, dtype=float))) == pytest.approx(
        counted(differences), abs=1e-12
    )


@given(st.integers(0, 10_000), st.integers(1, 50))
def test_without_ties_it_is_the_exact_test_of_scipy(seed: int, size: int) -> None:
    differences = np.random.default_rng(seed).normal(-0.3, size=size)
    known = stats.wilcoxon(differences, alternative="less", method="exact").pvalue
    assert np.exp(log_signed_rank(differences)) == pytest.approx(known, rel=1e-12)


def test_extremes() -> None:
    assert log_signed_rank(np.zeros(5)) == 0.0
    assert log_signed_rank(-np.arange(1.0, 101)) == pytest.approx(-100 * np.log(2))
    assert log_signed_rank(np.arange(1.0, 101)) == 0.0
