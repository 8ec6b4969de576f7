"""Rows of a question: rules and distances as sums of features that have a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.question import Question, Structure
from altsel.exact.rules.linear_rules import dissimilarity_rows
from altsel.exact.shared_structures import structure_of
from altsel.models.dissimilarity import Dice
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.models.soft_diversity import is_soft

MISSED = 1e-9
"""Share of the limit of a mean similarity by which a set may miss it, as rounding goes."""


class NotCoveredError(Exception):
    """A claim, or a criterion, of which certificates say nothing."""


@dataclass(frozen=True, eq=False)
class Rows:
    """``features @ x <= limits`` for sets x.

    Attributes
    ----------
    names
        Of the rows.
    features
        Coefficients, shape (rows, features).
    limits
        Shape (rows,).
    """

    names: tuple[str, ...]
    features: FloatArray
    limits: FloatArray

    def __len__(self) -> int:
        return len(self.names)

    def kept(self, members: Sequence[int]) -> bool:
        """Return whether a set keeps the rows exactly."""
        sums = (sum(map(Fraction, row[list(members)].tolist())) for row in self.features)
        return all(total <= Fraction(float(limit)) for total, limit in zip(sums, self.limits, strict=True))

    def lines(self) -> Iterator[dict[str, Any]]:
        """Write the rows as lines of a question."""
        for name, row, limit in zip(self.names, self.features, self.limits, strict=True):
            used = {str(j): float(row[j]).hex() for j in np.flatnonzero(row)}
            yield {"row": name, "features": used, "at most": float(limit).hex()}


def rows_of(
    problem: Problem,
    diversity: Any,
    known: Sequence[Collection[str]],
    size: int,
    found: Sequence[IntArray],
    part: str = "",
) -> Rows:
    """Write rules and distances from known sets as rows, for sets of a size.

    Distances of a part of the answer that has a diversity of its own are named after it.

    Limits are those of the rules, raised where a set that was found keeps them only but for rounding.

    Raises
    ------
    NotCoveredError
        If they are more than rows.
    """
    soft = diversity if known and is_soft(diversity) else None
    hard = diversity if known and soft is None else Dice(0)
    question = Question(structure_of(problem), hard, [] if soft else list(known)).stated
    members = [one for one in found if len(one) == size]
    rules = _upper(_rules(question.as_sum.structure), size)
    named = [
        (f"rule {number} for {size}", row, _raised(limit, row, members)) for number, (row, limit) in rules
    ]
    named += _apart(
        problem, soft or question.diversity, known if soft else question.known, size, members, part
    )
    table = np.array([row for _, row, _ in named]).reshape(len(named), len(problem.index))
    return Rows(tuple(name for name, _, _ in named), table, np.array([limit for _, _, limit in named]))


def _apart(
    problem: Problem,
    diversity: Any,
    known: Sequence[Collection[str]],
    size: int,
    found: Sequence[IntArray],
    part: str,
) -> Iterator[tuple[str, FloatArray, float]]:
    """Write distances from known sets as named rows with upper limits."""
    rows = dissimilarity_rows(problem, diversity, known, size) if known else []
    if rows is None:
        raise NotCoveredError("sets may be similar, at a penalty or on an average that is no row")
    for number, (row, _, limit) in enumerate(rows):
        each = number < len(known)
        name = f"apart from known set {number}" if each else f"apart on average from {len(known)} known sets"
        near = [one for one in found if row[one].sum() <= limit + MISSED * abs(limit)]
        if limit < inf:
            yield f"{part}: {name} for {size}".removeprefix(": "), row, _raised(limit, row, near)


def _rules(structure: Structure) -> list[Row]:
    """Read rules, and conditions of the criterion, as rows over the features."""
    objective, rules = structure.problem.objective, structure.rules
    if rules is None:
        raise NotCoveredError("a rule is more than rows over the features")
    if rules.on_quality and objective.kind is not Kind.SUM:
        raise NotCoveredError("a rule is on the quality")
    of_sums = [(row + weight * objective.weights, low, high) for (row, low, high), weight in rules.on_quality]
    conditions = [*(objective.rows or [])] if objective.conditional else []
    return [*rules.rows, *of_sums, *conditions]


def _upper(rows: Sequence[Row], size: int) -> Iterator[tuple[int, tuple[FloatArray, float]]]:
    """Write rows with upper limits only, numbered; without those that all sets of a size keep by counting."""
    both = ((row, low, high) for row, low, high in rows if not ((row == 1.0).all() and low <= size <= high))
    upper = ((sign * row, limit) for row, low, high in both for sign, limit in ((1, high), (-1, -low)))
    yield from enumerate(one for one in upper if one[1] < inf)


def _raised(limit: float, row: FloatArray, found: Sequence[IntArray]) -> float:
    """Raise a limit to the largest exact sum of the sets found, if that is above it."""
    exact = Fraction(float(limit))
    most = max((sum(map(Fraction, row[one].tolist()), Fraction(0)) for one in found), default=exact)
    return float(limit) if most <= exact else upwards(most)


def upwards(value: Fraction) -> float:
    """Round a fraction to a float, upwards."""
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)
