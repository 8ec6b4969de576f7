"""Domain constraints as plain rows over the features, for searches that use no model."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import floor, inf
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.errors import RangeError
from altsel.exact.rules.rule_system import System
from altsel.models.dissimilarity import Dissimilarity, largest_overlap
from altsel.models.problem import Problem
from altsel.models.ranges import refuse_wide_rules
from altsel.models.rule import Row
from altsel.models.rules_alone import RulesAlone, rules_alone
from altsel.models.soft_diversity import SoftDiversity
from altsel.solvers.standard_form import InfeasibleRowError, to_rows

FEASIBLE = 1e-7
"""Slack of rows where sets are only narrowed down."""
ROUNDING = 1e-9
"""Share of a row's terms, or of its limit, by which a set may miss it."""


@dataclass(frozen=True, eq=False)
class Rules:
    """Domain constraints as rows.

    Attributes
    ----------
    rows
        Over the features alone.
    on_quality
        Rows that hold the quality too, each with its coefficient there.
    """

    rows: list[Row]
    on_quality: list[tuple[Row, float]]

    def admit(self, members: IntArray, qualities: FloatArray) -> BoolArray:
        """Return which sets keep the rows on the quality; members are indices, shape (sets, k)."""
        good = np.ones(len(members), dtype=bool)
        for (row, low, high), weight in self.on_quality:
            good &= keeps(np.column_stack([row[members], weight * qualities]), low, high)
        return good


def rule_rows(problem: Problem) -> list[Row] | None:
    """Read the domain constraints as rows over the features; None if they are more than that."""
    rules = read_rules(problem)
    return None if rules is None or rules.on_quality else rules.rows


def read_rules(problem: Problem) -> Rules | None:
    """Read the domain constraints as rows over the features and the quality; None if they are more.

    Helper variables of rules are eliminated where that takes few rows: see `Inequalities.project`. Like the
    model of `rules_alone`, what is read is kept with the problem: every search of good sets asks for it.
    """
    if not problem.subject_to:
        return Rules([], [])
    alone = rules_alone(problem)
    if "read" not in alone.kept:
        alone.kept["read"] = _read(problem)
    read: Rules | None = alone.kept["read"]
    return read


def _read(problem: Problem) -> Rules | None:
    system = rule_system(problem)
    if system is None:
        return None
    if system.helpers.shape[1]:
        if any(row[-1] for row, _, _ in system.rows):
            return None  # the quality is no 0/1 variable, as eliminations take all others to be
        alone = system.inequalities().project()
        if alone is None:
            return None
        return _binding(
            [(row, -inf, float(limit)) for row, limit in zip(alone.features, alone.limits, strict=True)]
        )
    return _binding(system.rows)


def partial_rules(problem: Problem) -> Rules:
    """Read those rows of the domain constraints that hold no helper variable; all valid sets keep them."""
    if not problem.subject_to:
        return Rules([], [])
    system = _system(rules_alone(problem))
    free = [row for row, helpers in zip(system.rows, system.helpers, strict=True) if not helpers.any()]
    return _binding(free)


def _binding(rows: Sequence[Row]) -> Rules:
    """Sort rows by whether they hold the quality, the last column; leave out those that nothing breaks."""
    binding = [(row, low, high) for row, low, high in rows if row.any() or not low <= 0 <= high]
    plain = [(row[:-1], low, high) for row, low, high in binding if not row[-1]]
    return Rules(plain, [((row[:-1], low, high), float(row[-1])) for row, low, high in binding if row[-1]])


def rule_system(problem: Problem) -> System | None:
    """Read the domain constraints as rows over the features, the quality and helper variables.

    None if a rule is evaluated on sets. One that cannot be kept whatever the features are is a row without
    features and helper variables. The rows are kept with the problem: counts and lists both ask for them.
    """
    alone = rules_alone(problem)
    if any(alone.evaluated):
        return None
    if "system" not in alone.kept:
        alone.kept["system"] = _system(alone)
    system: System = alone.kept["system"]
    return None if system.helpers.shape[1] and _too_wide(problem) else system


def _system(alone: RulesAlone) -> System:
    """Read the rows of the model, and append those that rules give as numbers."""
    system = _of_model(alone)
    if not alone.given:
        return system
    rows = [*system.rows, *((np.append(row, 0.0), low, high) for row, low, high in alone.given)]
    return replace(
        system,
        rows=rows,
        helpers=np.vstack([system.helpers, np.zeros((len(alone.given), system.helpers.shape[1]))]),
    )


def _of_model(alone: RulesAlone) -> System:
    block, n = alone.block, len(alone.block.x)
    index = {id(x): j for j, x in enumerate(block.x.values())} | {id(block.unknown): n}
    try:
        form = to_rows(alone.model)
    except InfeasibleRowError:
        nothing = np.zeros(0)
        return System([(np.zeros(n + 1), 1.0, inf)], np.zeros((1, 0)), nothing, nothing, np.zeros(0, bool))
    where = np.array([index.get(id(v), -1) for v in form.variables], dtype=np.int64)
    used = np.diff(form.matrix.tocsc().indptr) > 0
    helper = (where < 0) & used
    table = form.matrix.toarray()
    own = np.zeros((len(table), n + 1))
    own[:, where[where >= 0]] = table[:, where >= 0]
    rows = [(row, float(low), float(high)) for row, low, high in zip(own, form.low, form.high, strict=True)]
    return System(rows, table[:, helper], form.lower[helper], form.upper[helper], form.integer[helper])


def _too_wide(problem: Problem) -> bool:
    """Return whether solvers cannot tell the numbers of rules apart: one checks answers by its helpers."""
    try:
        refuse_wide_rules(problem)
    except RangeError:
        return True
    return False


def keeps_rows(rows: Sequence[Row], mask: BoolArray) -> bool:
    """Return whether a set keeps rows."""
    return all(keeps(row[mask], low, high) for row, low, high in rows)


def keeps(terms: FloatArray, low: float, high: float) -> Any:
    """Return whether sums of terms, along the last axis, keep their limits, but for rounding of the terms."""
    total = terms.sum(axis=-1)
    size = np.abs(terms).sum(axis=-1)
    above = np.maximum(size, abs(high) if high < inf else 0.0)
    below = np.maximum(size, abs(low) if low > -inf else 0.0)
    return (total <= high + ROUNDING * above) & (total >= low - ROUNDING * below)


def loosen(rows: FloatArray, limits: FloatArray, size: int) -> FloatArray:
    """Return limits that no set of a size is above if `keeps` admits it: what bounds are proved of.

    Where coefficients and limit are integers nothing is rounded, and they stay.
    """
    largest = np.abs(rows)
    if 0 < size < rows.shape[1]:
        largest = np.partition(largest, rows.shape[1] - size, axis=1)[:, rows.shape[1] - size :]
    admitted = ROUNDING * np.maximum(np.abs(limits), largest.sum(axis=1))
    exact = (rows == np.round(rows)).all(axis=1) & (limits == np.round(limits)) & (admitted < 0.5)
    return np.where(exact, limits, limits + 2 * admitted)


def dissimilarity_rows(
    problem: Problem, diversity: Dissimilarity | SoftDiversity, known: Sequence[Collection[str]], size: int
) -> list[Row] | None:
    """Write what keeps a set of a size from known ones as rows; None if it is more than that.

    An average is one row where the similarity grows evenly with the overlap; a penalty is none.
    """
    masks = [problem.mask(subset).astype(float) for subset in known]
    if not isinstance(diversity, SoftDiversity):
        limits = [largest_overlap(diversity, len(subset), size) for subset in known]
        return [(mask, -inf, float(limit)) for mask, limit in zip(masks, limits, strict=True)]
    limits = [floor((len(subset) + size - 1) / 2) for subset in known]
    rows = [(mask, -inf, float(limit)) for mask, limit in zip(masks, limits, strict=True)]
    slopes = [np.diff(diversity.similarities(len(subset), size)) for subset in known]
    if diversity.penalty or any(np.ptp(slope) > 1e-12 for slope in slopes):
        return None
    total = sum(
        (slope[0] * mask for slope, mask in zip(slopes, masks, strict=True)), np.zeros(len(problem.index))
    )
    return [*rows, (total, -inf, diversity.limit(len(known)))]
