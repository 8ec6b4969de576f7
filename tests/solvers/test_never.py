"""Rows with a variable that can never be 1 beside what the row is about: solvers see the rest."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from altsel.solvers.never import without_never
from altsel.solvers.rows import Rows, binary_rows


def rows_of(weights: list[float], low: float, high: float, lower: list[float] | None = None) -> Rows:
    made = binary_rows([f"x{j}" for j in range(len(weights))])
    sides = {"low": np.array([low]), "high": np.array([high])}
    own = made.lower if lower is None else np.array(lower)
    return Rows(**{**vars(made), "matrix": sp.csr_array([weights]), "lower": own, **sides})


@pytest.mark.parametrize(
    ("weights", "low", "high", "upper"),
    [
        ([1e9, 2.0, 3.0], -np.inf, 4.0, [0, 1, 1]),
        ([-1e9, -2.0, -3.0], -4.0, np.inf, [0, 1, 1]),
        ([1e9, -1e9, 3.0], -np.inf, 4.0, [1, 1, 1]),  # the two may cancel
        ([1e9, 2.0, 3.0], -np.inf, 2e9, [1, 1, 1]),
        ([1e9, 2.0, 3.0], 1.0, np.inf, [1, 1, 1]),
        ([1e9, 2.0, 1e9 - 1], -np.inf, 1e9 - 1, [1, 1, 1]),  # missed by what rounding may be
        ([5.0, 2.0, 3.0], -np.inf, 4.0, [1, 1, 1]),  # engines see that
    ],
)
def test_what_alone_breaks_a_row_is_fixed(
    weights: list[float], low: float, high: float, upper: list[int]
) -> None:
    assert without_never(rows_of(weights, low, high)).upper.tolist() == upper


def test_what_must_be_1_and_never_can_leaves_no_solution() -> None:
    fixed = without_never(rows_of([1e9, 1.0], -np.inf, 4.0, lower=[1.0, 0.0]))
    assert fixed.lower[0] > fixed.upper[0]
