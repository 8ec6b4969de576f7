"""Rows of a question: rules and distances as sums of features that have a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, nextafter
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.auditing.certificates.lines import hexadecimal
from altsel.exact.question import Question, Structure
from altsel.exact.rules.linear_rules import dissimilarity_rows, loosen, rule_system
from altsel.exact.rules.rule_system import System
from altsel.exact.shared_structures import structure_of
from altsel.models.dissimilarity import Dice
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.soft_diversity import is_soft


class NotCoveredError(Exception):
    """A claim, or a criterion, of which certificates say nothing."""


@dataclass(frozen=True, eq=False)
class Rows:
    """``features @ x + helpers @ u <= limits`` for sets x, helper variables u between ``least`` and ``most``.

    Attributes
    ----------
    names
        Of the rows.
    features, helpers
        Coefficients, shapes (rows, features) and (rows, helpers).
    limits
        Shape (rows,).
    least, most, integer
        Of the helper variables.
    """

    names: tuple[str, ...]
    features: FloatArray
    helpers: FloatArray
    limits: FloatArray
    least: FloatArray
    most: FloatArray
    integer: BoolArray

    def __len__(self) -> int:
        return len(self.names)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Write helper variables and rows as lines of a question."""
        used = np.flatnonzero(self.helpers.any(axis=0)) if len(self) else ()
        for j in used:
            least, most = hexadecimal((self.least[j], self.most[j]))
            yield {"helper": f"u{j}", "least": least, "most": most, "integer": bool(self.integer[j])}
        for i, name in enumerate(self.names):
            line: dict[str, Any] = {"row": name, "features": _sparse(self.features[i])}
            if self.helpers[i].any():
                line["helpers"] = _sparse(self.helpers[i], "u")
            yield {**line, "at most": float(self.limits[i]).hex()}

    def and_(self, others: Sequence[tuple[str, FloatArray, float]]) -> Rows:
        """Return these rows and others over features alone: name, coefficients, limit."""
        if not others:
            return self
        names, table, limits = zip(*others, strict=True)
        return Rows(
            (*self.names, *names),
            np.vstack([self.features, np.array(table)]),
            np.vstack([self.helpers, np.zeros((len(others), self.helpers.shape[1]))]),
            np.append(self.limits, limits),
            self.least,
            self.most,
            self.integer,
        )


def _sparse(row: FloatArray, prefix: str = "") -> dict[str, str]:
    return {f"{prefix}{j}": float(row[j]).hex() for j in np.flatnonzero(row)}


def rows_of(
    problem: Problem, diversity: Any, known: Sequence[Collection[str]], size: int, found: Sequence[IntArray]
) -> Rows:
    """Write rules and distances from known sets as rows, for sets of a size.

    Limits are those of the rules, raised where a set that was found keeps them only but for rounding.

    Raises
    ------
    NotCoveredError
        If they are more than rows.
    """
    if known and is_soft(diversity):
        raise NotCoveredError("sets may be similar, at a penalty or on average")
    question = Question(structure_of(problem), diversity if known else Dice(0), list(known)).stated
    system = _system(question.as_sum.structure, size)
    rows = _of_rules(system, size, len(problem.index), [one for one in found if len(one) == size])
    if not question.known:
        return rows
    apart = dissimilarity_rows(problem, question.diversity, question.known, size) or []
    names = (f"apart from known set {number} for {size}" for number in range(len(apart)))
    return rows.and_([(name, row, high) for name, (row, _, high) in zip(names, apart, strict=True)])


def _system(structure: Structure, size: int) -> System:
    """Read rules as rows over the features; over helper variables too where these cannot be eliminated."""
    nothing, objective = np.zeros(0), structure.problem.objective
    conditions = [*(objective.rows or [])] if objective.conditional else []
    if structure.rules is not None and not structure.rules.on_quality:
        rows = [(np.append(row, 0.0), low, high) for row, low, high in [*structure.rules.rows, *conditions]]
        return System(rows, np.zeros((len(rows), 0)), nothing, nothing, nothing.astype(bool))
    system = rule_system(structure.problem)
    if system is None:
        raise NotCoveredError("a rule is evaluated on sets")
    if any(row[-1] for row, _, _ in system.rows) and objective.kind is Kind.SUM:
        weights = np.append(objective.weights, -1.0)
        system = replace(system, rows=[(row + row[-1] * weights, low, high) for row, low, high in system.rows])
    if any(row[-1] for row, _, _ in system.rows):
        raise NotCoveredError("a rule is on the quality")
    if conditions:
        raise NotCoveredError(f"{objective.name} has conditions beside rules with variables of their own")
    return _without_sizes(system, size)


def _of_rules(system: System, size: int, n: int, found: Sequence[IntArray]) -> Rows:
    """Write rows with upper limits."""
    used = system.helpers.any(axis=0)
    if not (np.isfinite(system.least[used]).all() and np.isfinite(system.most[used]).all()):
        raise NotCoveredError("a rule has a variable of its own without bounds")
    if not system.rows:
        nothing = np.zeros(0)
        return Rows((), np.zeros((0, n)), np.zeros((0, 0)), nothing, nothing, nothing, nothing.astype(bool))
    table = np.array([row[:-1] for row, _, _ in system.rows])
    low, high = np.array([(least, most) for _, least, most in system.rows]).T
    above, below = high < inf, low > -inf
    features = np.vstack([table[above], -table[below]])
    helpers = np.vstack([system.helpers[above], -system.helpers[below]])[:, used]
    least, most = system.least[used], system.most[used]
    both = np.hstack([features, helpers * np.maximum(np.abs(least), np.abs(most))])
    limits = np.concatenate([high[above], -low[below]])
    if helpers.shape[1]:
        limits = loosen(both, limits, size + helpers.shape[1])
    else:
        limits = np.array([_raised(*each, found) for each in zip(limits, features, strict=True)])
    names = tuple(f"rule {number} for {size}" for number in range(len(limits)))
    return Rows(names, features, helpers, limits, least, most, system.integer[used])


def _raised(limit: float, row: FloatArray, found: Sequence[IntArray]) -> float:
    """Raise a limit to the largest exact sum of the sets found, if that is above it."""
    exact = Fraction(float(limit))
    most = max((sum(map(Fraction, row[one].tolist())) for one in found), default=exact)
    return float(limit) if most <= exact else nextafter(float(most), inf)


def _without_sizes(system: System, size: int) -> System:
    """Leave out the rows that all sets of a size keep, as they count features."""
    ones = [(row[:-1] == 1.0).all() and low <= size <= high for row, low, high in system.rows]
    kept = [i for i, one in enumerate(ones) if not one or system.helpers[i].any()]
    return replace(system, rows=[system.rows[i] for i in kept], helpers=system.helpers[kept])


def helper_values(rows: Rows, members: Collection[int]) -> dict[str, str]:
    """Find values of the helper variables with which a set keeps the rows."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415

    limits = rows.limits - rows.features[:, list(members)].sum(axis=1)
    found = milp(
        np.zeros(rows.helpers.shape[1]),
        integrality=rows.integer.astype(int),
        bounds=Bounds(rows.least, rows.most),
        constraints=LinearConstraint(rows.helpers, ub=limits),
    )
    values = np.where(rows.integer, np.round(found.x), np.clip(found.x, rows.least, rows.most))
    return {f"u{j}": float(value).hex() for j, value in enumerate(values)}
