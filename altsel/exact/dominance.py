"""Which features suffice for an optimum of a plain sum, also where rules name all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from altsel._types import BoolArray, IntArray
from altsel.exact.rules.linear_rules import rule_rows
from altsel.models.dominance import candidates, mentioned
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.rule import Row

SURELY = 1e-6
"""Share of a row's largest term by which it must be broken."""


@dataclass(frozen=True, eq=False)
class Reduction:
    """What is known of a problem's rules, found out once for all its sets.

    Attributes
    ----------
    touched
        What `mentioned` says.
    rows
        What `rule_rows` says.
    """

    touched: set[str] | None
    rows: list[Row] | None

    def among(self, problem: Problem, known: Sequence[Collection[str]], count: int) -> IntArray | None:
        """Return the features that suffice, as `candidates` gives them, less those that rows let go."""
        kept = candidates(problem, known, count, self.touched)
        if kept is None or not self.rows:
            return kept
        free = kept[~features_excluded(self.rows)[kept]]
        return leave_out_dominated(
            problem, known, free if len(free) >= problem.sizes[1] else kept, self.rows, count
        )


def reduction(problem: Problem, sets: int) -> Reduction | None:
    """Examine the rules of a problem, for so many sets; None unless its objective is a plain sum."""
    if problem.objective.kind is not Kind.SUM:
        return None
    rows = None if problem.across else rule_rows(problem)
    return Reduction(mentioned(problem, sets), rows)


def features_excluded(rows: Sequence[Row]) -> BoolArray:
    """Return which features one row alone keeps out of every set, whatever else is in it.

    Their numbers are nobody's: one of 1e9 would only round the others away.

    Examples
    --------
    >>> features_excluded([(np.array([0.0, 1.0, 0.0]), -inf, 0.0), (np.array([2.0, 0.0, -1.0]), -inf, 0.5)])
    array([ True,  True, False])
    """
    upper = [(row, high) for row, _, high in rows] + [(-row, -low) for row, low, _ in rows]
    out = np.zeros(len(upper[0][0]), dtype=bool)
    for row, high in upper:
        fewest = np.minimum(row, 0.0).sum() - np.minimum(row, 0.0)  # what all others can make of it
        out |= row > high - fewest + SURELY * np.abs(row).max(initial=0.0)
    return out


def leave_out_dominated(
    problem: Problem, known: Sequence[Collection[str]], among: IntArray, rows: list[Row], count: int
) -> IntArray:
    """Leave out features that `count` others dominate.

    One feature dominates another if it is worth as much, weighs no more in every row with an upper
    limit and no less in every row with a lower one, and is in no known set that the other is not in.
    Of `count` dominators one is unused, as a solution has at most `count` features; in place of the
    other it keeps all rows and loses nothing. Dominance is transitive, so looking at kept features is
    enough.
    """
    objective = problem.objective
    upper = [row for row, _, high in rows if high < inf] + [-row for row, low, _ in rows if low > -inf]
    upper += [problem.mask(subset).astype(float) for subset in known]
    table = np.array(upper).reshape(-1, len(problem.index))[:, among].T
    order = np.lexsort((among, -objective.weights[among]))
    kept = np.empty((len(among), table.shape[1]))
    chosen: list[int] = []
    for j in order.tolist():
        better = (kept[: len(chosen)] <= table[j]).all(axis=1).sum()
        if better < count:
            kept[len(chosen)] = table[j]
            chosen.append(j)
    return np.sort(among[chosen])
