"""Bounds that follow from rows: no solution is lost, by brute force over all points."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import inf

import numpy as np
import pytest
import scipy.sparse as sp

from altsel.exact.verification.propagation import propagate
from altsel.solvers.rows import Rows, binary_rows


def drawn(seed: int) -> Rows:
    """Draw rows over four integers, some without a side, with numbers from 1e-3 to 1e3."""
    draw = np.random.default_rng(seed)
    matrix = draw.integers(-3, 4, (3, 4)) * draw.choice([1e-3, 0.1, 1.0, 1e3], (3, 1))
    low = np.where(draw.random(3) < 0.3, -inf, draw.integers(-6, 4, 3) * np.abs(matrix).max(axis=1) / 3)
    high = np.where(draw.random(3) < 0.3, inf, low + draw.integers(0, 3, 3))
    lower = draw.integers(-2, 1, 4).astype(float)
    rows = replace(
        binary_rows(list("abcd")), matrix=sp.csr_array(matrix), low=low, high=np.maximum(low, high)
    )
    return replace(rows, lower=lower, upper=lower + draw.integers(0, 4, 4))


@pytest.mark.slow
def test_no_solution_is_lost_and_some_are_told() -> None:
    none = decided = 0
    for seed in range(400):
        rows = drawn(seed)
        ranges = (range(int(a), int(b) + 1) for a, b in zip(rows.lower, rows.upper, strict=True))
        points = np.array(list(product(*ranges)), dtype=float)
        sums, slack = points @ rows.matrix.toarray().T, 1e-9 * (1 + np.abs(rows.matrix.toarray()).sum(axis=1))
        kept = points[((sums >= rows.low - slack) & (sums <= rows.high + slack)).all(axis=1)]
        bounds = propagate(rows)
        if bounds is None:
            assert not len(kept)
            none += 1
            continue
        assert (kept >= bounds.lower).all()
        assert (kept <= bounds.upper).all()
        assert ((bounds.lower >= rows.lower) & (bounds.upper <= rows.upper)).all()
        decided += bool((bounds.lower == bounds.upper).all())
    assert none > 40
    assert decided > 10


@pytest.mark.parametrize(("beyond", "clear"), [(1e-8, False), (2.5e-6, False), (1e-3, True)])
def test_what_is_missed_by_little_is_left_to_solvers(beyond: float, clear: bool) -> None:
    rows = replace(
        binary_rows(["a"]), matrix=sp.csr_array(np.array([[1.0], [1.0]])), integer=np.array([False])
    )
    both = replace(rows, low=np.array([0.5 + beyond, -inf]), high=np.array([inf, 0.5]))
    assert (propagate(both) is None) == clear


def test_variables_without_bounds_get_them() -> None:
    rows = replace(binary_rows(["a", "b"]), matrix=sp.csr_array(np.array([[1.0, 2.0], [1.0, -1.0]])))
    rows = replace(rows, lower=np.array([-inf, 0.0]), upper=np.array([inf, inf]))
    bounds = propagate(replace(rows, low=np.array([-inf, 1.0]), high=np.array([8.0, inf])))
    assert bounds is not None
    assert (bounds.lower.tolist(), bounds.upper.tolist()) == ([1.0, 0.0], [8.0, 3.0])
    free = propagate(replace(rows, low=np.array([0.0, -inf]), high=np.array([inf, inf])))
    assert free is not None
    assert (free.lower.tolist(), free.upper.tolist()) == ([-inf, 0.0], [inf, inf])
