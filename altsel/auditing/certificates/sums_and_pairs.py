"""Plain sums, quadratic forms and ratios, in the numbers of a certificate."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter, sqrt
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.bounds.pairs import PairsBounds
from altsel.auditing.certificates.bounds.sums import SumBounds
from altsel.auditing.certificates.criterion import Stated, lower, of_all_sizes
from altsel.auditing.certificates.lines import hexadecimal
from altsel.auditing.certificates.rows import NotCoveredError, Rows, exact_sum
from altsel.auditing.certificates.tree import Bounds
from altsel.models.objective import Objective


def of_sum(objective: Objective, sizes: range) -> Stated:
    """State a plain sum by its weights."""
    weights = np.asarray(objective.weights, dtype=float)
    line = {"kind": "sum", "weights": hexadecimal(weights)}
    return Stated(
        of_all_sizes(sizes, line),
        lambda size, limit, rows, name: SumBounds(weights, limit),
        sizes[-1] * float(np.abs(weights).max()),
        exact=lambda members: exact_sum(weights[members]),
    )


def of_pairs(objective: Objective, sizes: range) -> Stated:
    """State a quadratic form, one for each size."""
    forms = {}
    for size in sizes:
        single, pairs = objective.quadratic(size)
        if not np.isfinite(pairs).all():
            raise NotCoveredError(f"{objective.name} excludes pairs of features")
        forms[size] = single, (pairs + pairs.T) / 2
    lines = {
        size: (
            f"score of {size}",
            {"kind": "pairs", "size": size, "single": hexadecimal(single), "pairs": lower(pairs)},
        )
        for size, (single, pairs) in forms.items()
    }
    terms = max(
        size * float(np.abs(single).max()) + size * size * float(np.abs(pairs).max())
        for size, (single, pairs) in forms.items()
    )

    def exact(members: list[int]) -> Fraction:
        single, pairs = forms[len(members)]
        return exact_sum(single[members]) - _exact_pairs(pairs, members)

    return Stated(
        lines,
        lambda size, limit, rows, name: PairsBounds(*forms[size], size, limit, rows=rows, name=name),
        terms,
        exact=exact,
    )


def _exact_pairs(pairs: FloatArray, members: list[int]) -> Fraction:
    """Sum the entries of pairs of a set exactly."""
    chosen = pairs[np.ix_(members, members)]
    return exact_sum(chosen[np.tril_indices(len(members), -1)])


def of_ratio(objective: Any, sizes: range) -> Stated:
    """State a ratio of a sum and the root of a quadratic form."""
    q, r = objective.relevance, objective.redundancy

    def bounds(size: int, limit: float, rows: Rows, name: str) -> Bounds:
        pairs = 2 * (limit * limit * r - np.outer(q, q))
        np.fill_diagonal(pairs, 0.0)
        return PairsBounds(q * q - limit * limit, pairs, size, 0.0, rows=rows, name=name)

    line = {"kind": "ratio", "single": hexadecimal(q), "pairs": lower(r)}

    def most(members: list[int]) -> tuple[float, None]:
        above, below = exact_sum(q[members]), len(members) + 2 * _exact_pairs(r, members)
        level = max(float(above), 0.0) / sqrt(below)
        while above > 0 and Fraction(level) ** 2 * below < above**2:
            level = nextafter(level, inf)
        return level, None

    terms = sizes[-1] * float(np.abs(q).max())
    return Stated(of_all_sizes(sizes, line), bounds, terms, 0.0, unit=lambda size: 0.0, most=most)
