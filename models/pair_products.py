"""Products of all pairs of a set's variables, ``t_ij = x_i x_j``, as linear rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

from altsel._types import BoolArray, FloatArray
from altsel.pyomo_on_demand import pyo
from altsel.runtime.clock import clock
from altsel.runtime.memory import require

Pairs = BoolArray
PER_PAIR = 4_000
"""Bytes a pair, in the model and in a solver; found by measuring."""


def multiply(block: Any, features: Sequence[str], sizes: tuple[int, int], upper: Pairs | None = None) -> None:
    """Add ``block.t[i, j]``, i < j, to a block: continuous, and the products in some optimum.

    ``t_ij >= x_i + x_j - 1`` for all pairs. For k fixed, the reformulation-linearisation rows
    ``sum_j t_ij = (k - 1) x_i`` make the bound strong, and with the former rows they make t
    the products exactly. For k free, ``(k_min - 1) x_i <= sum_j t_ij <= (k_max - 1) x_i``, and
    ``t_ij <= x_i``, ``t_ij <= x_j`` for the pairs of `upper`.

    Parameters
    ----------
    block
        A block with ``x`` and the model's suffix ``implied``.
    features
        Names, in the order of the indices i, j.
    sizes
        Smallest and largest number of features.
    upper
        Pairs whose product the model would like to be larger, shape (features, features).

    Raises
    ------
    ArgumentError
        If the pairs would need more memory than is available.
    """
    low, high = sizes
    pairs = comb(len(features), 2)
    require(PER_PAIR * pairs, f"a model of {pairs:,} products", "choose among fewer features first")
    x = [block.x[f] for f in features]
    block.t = pyo.Var(list(combinations(range(len(features)), 2)), bounds=(0, 1))
    implied = block.model().implied
    block.product = pyo.ConstraintList()
    current = clock()
    for (i, j), t in block.t.items():
        current.check()
        implied[t] = 1
        block.product.add(t >= x[i] + x[j] - 1)
        if low < high and upper is not None and upper[i, j]:
            block.product.add(t <= x[i])
            block.product.add(t <= x[j])
    block.rlt = pyo.Constraint(pyo.Any)
    for i in range(len(features)):
        partners = pyo.quicksum(block.t[min(i, j), max(i, j)] for j in range(len(features)) if j != i)
        if low == high:
            block.rlt[i] = partners == (low - 1) * x[i]
        else:
            block.rlt[i, "most"] = partners <= (high - 1) * x[i]
            if low > 1:
                block.rlt[i, "least"] = partners >= (low - 1) * x[i]


def quadratic_form(block: Any, features: Sequence[str], linear: FloatArray, pairs: FloatArray) -> Any:
    """Write ``sum_i a_i x_i + sum_{i<j} b_ij t_ij`` with the products of `multiply`."""
    alone = pyo.quicksum(a * block.x[f] for f, a in zip(features, linear.tolist(), strict=True))
    return alone + pyo.quicksum(float(pairs[index]) * t for index, t in block.t.items())


def set_products(block: Any, features: Sequence[str]) -> None:
    """Return the products the values that follow from those of ``x``."""
    value = [block.x[f].value for f in features]
    for (i, j), t in block.t.items():
        t.set_value(value[i] * value[j], skip_validation=True)
