"""Small continuous variables in units of their own: how small they are follows from rows, step by step."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
import scipy.sparse as sp

from altsel.solvers.column_scaling import scaled_columns
from altsel.solvers.rows import Rows, binary_rows


def rows_of(matrix: list[list[float]], low: list[float], high: list[float]) -> Rows:
    """Make rows over x, which is 0 or 1, and continuous variables without bounds."""
    width = len(matrix[0])
    free = np.arange(width) > 0
    return replace(
        binary_rows([f"v{j}" for j in range(width)]),
        matrix=sp.csr_array(np.array(matrix)),
        low=np.array(low),
        high=np.array(high),
        lower=np.where(free, -inf, 0.0),
        upper=np.where(free, inf, 1.0),
        integer=~free,
    )


def test_units_follow_along_a_chain() -> None:
    """v1 = 1e-5 x, v2 = 1e-5 v1, in whatever order the rows are."""
    chain = rows_of([[0.0, -1e-5, 1.0], [-1e-5, 1.0, 0.0], [0.0, 0.0, 1.0]], [0, 0, -inf], [0, 0, 0.5e-10])
    scaled, units = scaled_columns(chain)
    assert units[0] == 1
    np.testing.assert_array_less(units[1:], [1.0001e-5, 1.0001e-10])
    np.testing.assert_array_less([0.2e-5, 0.2e-10], units[1:])
    assert (np.abs(scaled.matrix.toarray()).max(axis=1) >= 512).all()
    point = np.array([1.0, 1e-5, 1e-10])
    before, after = chain.matrix @ point - chain.high, scaled.matrix @ (point / units) - scaled.high
    assert before[2] == pytest.approx(0.5e-10)
    assert after[2] > 256
    np.testing.assert_allclose(after[:2], 0, atol=1e-9)


def test_one_side_at_a_time() -> None:
    """From below by one row, from above by the last: sizes are known only once both ends are."""
    grows = rows_of([[-1e-4, 1.0, 0.0], [0.0, -1e-4, 1.0], [0.0, 0.0, 1.0]], [0, 0, -inf], [inf, inf, 2e-8])
    np.testing.assert_array_less(scaled_columns(grows)[1][1:], [1e-3, 1e-7])


def test_limits_that_cross_tell_the_unit_as_well() -> None:
    crossed = rows_of([[-1e-8, 1.0], [0.0, 1.0]], [0, 2e-8], [0, inf])
    assert scaled_columns(crossed)[1][1] < 1e-7


@pytest.mark.parametrize("high", [1.0, inf])
def test_what_is_not_small_is_left(high: float) -> None:
    rows = rows_of([[-1.0, 1.0]], [-inf], [high])
    assert scaled_columns(rows)[0] is rows
