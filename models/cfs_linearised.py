"""A relevance over the root of a redundancy, ``Q = N / sqrt(D)``, in one linear model.

With ``u = 1 / D``, ``y_i = u x_i`` and ``z_ij = u x_i x_j`` (Charnes and Cooper 1962), ``Q^2`` is
linear: ``sum_i q_i^2 y_i + 2 sum_{i<j} q_i q_j z_ij``. The quality is a variable below the
root's tangents, which are exact where they touch. A model starts with a few; `cut_ratio`
adds the one of the set found, until quality and formula agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import Any, Protocol

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.errors import RangeError
from altsel.pyomo_on_demand import pyo
from altsel.runtime.clock import clock

TANGENTS = 12
ROOM = 1.01
"""Factor by which the bounds of a denominator are wider than need be."""
WIDEST = 1e6
"""Largest ratio of two denominators for which the model is made."""
EXACT = 1e-10
"""Relative excess of the quality over the formula that needs no further tangent."""


class Fraction(Protocol):
    """What the encoding needs to know of an objective ``N / sqrt(D)``."""

    @property
    def features(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def relevance(self) -> FloatArray: ...  # noqa: D102

    @property
    def redundancy(self) -> FloatArray: ...  # noqa: D102

    def score(self, mask: BoolArray) -> float: ...  # noqa: D102

    def fraction(self, inside: IntArray) -> tuple[float, float]: ...  # noqa: D102

    def denominators(self, sizes: tuple[int, int]) -> tuple[float, float]: ...  # noqa: D102


def express_ratio(block: Any, ratio: Fraction, sizes: tuple[int, int]) -> None:
    """Add ``block.quality <= N / sqrt(D)`` to a block, as closely as its tangents go."""
    smallest, largest = denominators(ratio, sizes)
    if largest > WIDEST * smallest:
        raise RangeError(
            f"the redundancies range too widely for a linear model of the ratio: its denominators reach from "
            f"{smallest:.3g} to {largest:.3g}; limit them, or ask for one set or the minimum by "
            f"encoding='parametric'"
        )
    model = block.model()
    model.imprecision = max(getattr(model, "imprecision", 1.0), largest / smallest / 10)
    r, n, least = ratio.redundancy / smallest, len(ratio.features), smallest / largest
    x = [block.x[f] for f in ratio.features]
    # all in units of the smallest denominator, so that nothing is small beside a solver's tolerance
    block.u = pyo.Var(bounds=(least, 1))
    block.y = pyo.Var(range(n), bounds=(0, 1))
    block.z = pyo.Var(list(combinations(range(n), 2)), bounds=(0, 1))
    block.scaled = pyo.ConstraintList()
    for i, y in block.y.items():
        block.scaled.add(y <= x[i])
        block.scaled.add(y >= least * x[i])
        block.scaled.add(y <= block.u - least * (1 - x[i]))
        block.scaled.add(y >= block.u - (1 - x[i]))
    current = clock()
    for (i, j), z in block.z.items():
        current.check()
        block.scaled.add(z <= block.y[i])
        block.scaled.add(z <= block.y[j])
        block.scaled.add(z >= block.y[i] + block.y[j] - block.u)
    _sum_rows(block, sizes)
    # "<=": the quality wants u to be large, and an equality would not suit a solver of integers
    redundancy = pyo.quicksum(2 * float(r[index]) * z for index, z in block.z.items())
    block.unit = pyo.Constraint(expr=pyo.quicksum(block.y.values()) / smallest + redundancy <= 1)
    _quality(block, ratio, sizes)


def denominators(ratio: Fraction, sizes: tuple[int, int]) -> tuple[float, float]:
    """Bound D with some slack: where all sets have nearly the same, u would have none to move in."""
    smallest, largest = ratio.denominators(sizes)
    return smallest / ROOM, largest * ROOM


def _sum_rows(block: Any, sizes: tuple[int, int]) -> None:
    """Add the reformulation-linearisation rows of the cardinality, times u."""
    low, high = sizes
    block.cardinality_scaled = pyo.ConstraintList()
    total = pyo.quicksum(block.y.values())
    block.cardinality_scaled.add(total <= high * block.u)
    block.cardinality_scaled.add(total >= low * block.u)
    for i, y in block.y.items():
        partners = pyo.quicksum(block.z[min(i, j), max(i, j)] for j in block.y if j != i)
        block.cardinality_scaled.add(partners <= (high - 1) * y)
        block.cardinality_scaled.add(partners >= (low - 1) * y)


def _quality(block: Any, ratio: Fraction, sizes: tuple[int, int]) -> None:
    """Express the quality in units of the most it can be."""
    best = np.sort(ratio.relevance)[::-1]
    smallest, _ = denominators(ratio, sizes)
    total = float(np.maximum(best[: sizes[1]], 0).sum()) or 1.0
    q = ratio.relevance / total
    own = pyo.quicksum(float(q[i] ** 2) * y for i, y in block.y.items())
    cross = pyo.quicksum(float(2 * q[i] * q[j]) * z for (i, j), z in block.z.items())
    block.smallest, block.most = smallest, total / sqrt(smallest)
    block.square = pyo.Expression(expr=own + cross)
    block.ratio = pyo.Var(bounds=(0, 1))
    block.quality = pyo.Expression(expr=block.most * block.ratio)
    relevance = pyo.quicksum(float(v) * block.x[f] for f, v in zip(ratio.features, q, strict=True))
    block.touched = set()
    block.below = pyo.ConstraintList()
    block.below.add(block.ratio <= relevance)
    for value in np.geomspace(1 / 30, 1.0, TANGENTS).tolist():
        block.below.add(_tangent(block, value))


def _tangent(block: Any, value: float) -> Any:
    """Bound the root of the square by its tangent at ``value ** 2``."""
    return block.ratio <= value / 2 + block.square / (2 * value)


def cut_ratio(block: Any, ratio: Fraction) -> bool:
    """Touch the root at the block's set, unless the quality is right already."""
    if block.component("ratio") is None:
        return False
    value = ratio.score(_mask(block, ratio)) / block.most
    if block.ratio.value is None or block.ratio.value <= value + EXACT * max(value, 1e-3):
        return False
    if value <= 0 or value in block.touched:
        return False  # what is left is the solver's tolerance
    block.ratio.set_value(value, skip_validation=True)
    block.touched.add(value)
    block.below.add(_tangent(block, value))
    return True


def set_ratio_helpers(block: Any, ratio: Fraction) -> None:
    """Set u, y, z and the quality to the values that follow from those of ``x``."""
    if block.component("ratio") is None:
        return
    mask = _mask(block, ratio)
    _, below = ratio.fraction(np.flatnonzero(mask))
    below /= block.smallest
    block.u.set_value(1 / below, skip_validation=True)
    for i, y in block.y.items():
        y.set_value(float(mask[i]) / below, skip_validation=True)
    for (i, j), z in block.z.items():
        z.set_value(float(mask[i] and mask[j]) / below, skip_validation=True)
    block.ratio.set_value(ratio.score(mask) / block.most, skip_validation=True)


def _mask(block: Any, ratio: Fraction) -> BoolArray:
    return np.array([(block.x[f].value or 0) > 0.5 for f in ratio.features])
