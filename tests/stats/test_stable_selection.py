"""Bounds of stability selection: formulas by hand, and tails against random r-concave distributions."""

from __future__ import annotations

import numpy as np
import pytest

from altsel.stats.stable_selection import largest_tail, r_concave, unimodal, worst_case


def test_bounds_by_hand() -> None:
    assert worst_case(20, 200, 0.9) == pytest.approx(400 / (200 * 0.8))
    assert unimodal(20, 200, 0.7, 50) == pytest.approx(2 / (2 * (0.4 - 0.01)))
    assert unimodal(20, 200, 0.9, 50) == pytest.approx(2 * 4 * (0.1 + 0.01) / 1.02)
    assert unimodal(20, 200, 0.51, 50) is None  # below 1/2 + 1/B
    assert unimodal(120, 200, 0.9, 50) is None  # more than 1/sqrt(3) of the features


def test_stronger_assumptions_promise_less_errors() -> None:
    for threshold in (0.6, 0.75, 0.9):
        known = (
            worst_case(8, 100, threshold),
            unimodal(8, 100, threshold, 20),
            r_concave(8, 100, threshold, 20),
        )
        assert known[0] > (known[1] or 0) > known[2] > 0
    shares = [r_concave(8, 100, threshold, 20) for threshold in (0.6, 0.7, 0.8, 0.9, 1)]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("mean", "r", "least"),
    [(0.1, -0.5, 5), (0.1, -0.25, 5), (0.05, -0.5, 8), (0.2, -0.5, 7), (0.05, -0.25, 12)],
)
def test_no_r_concave_distribution_has_a_larger_tail(mean: float, r: float, least: int) -> None:
    random, number, best = np.random.default_rng(0), 12, 0.0
    bound = largest_tail(mean, least, number, r)
    for _ in range(6000):
        last = random.integers(least, number + 1)
        points = np.arange(last + 1)
        convex = np.exp(random.uniform(-6, 4)) + points * 1.0  # the power r of it, and a bend
        if random.random() < 0.7:
            convex += np.maximum(points - random.integers(0, last + 1), 0) * np.exp(random.normal(0, 2))
        shares = convex ** (1 / r)
        shares /= shares.sum()
        if shares @ points <= mean * number:
            best = max(best, shares[least:].sum())
    assert best <= bound + 1e-12
    assert best > 0.97 * bound


def test_tails_at_the_edges() -> None:
    assert largest_tail(0.3, 5, 10, -0.5) == 1.0  # nothing is known up to twice the mean
    assert largest_tail(0.1, 11, 10, -0.5) == 0.0
    assert largest_tail(0.0, 1, 10, -0.5) == 0.0
