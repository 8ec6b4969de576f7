"""Problems for one set whose objective is a quadratic form for every size: exact without a model."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from altsel._types import IntArray
from altsel.exact.branch_and_bound import Search
from altsel.exact.lagrangian_bound import Form, root_bound
from altsel.exact.linear_rules import Row, apart_rows, keeps, rule_rows
from altsel.exact.milp import Ask, Sets
from altsel.exact.run import Auto, Run
from altsel.models.dissimilarity import Dissimilarity
from altsel.models.objective import Quadratic, feasible, solved_by_levels
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.solutions import Proof, Stop
from altsel.solvers import CLOSED, Outcome

OWN = 1e-13
"""Rounding of a value, relative to the terms of the set it belongs to."""
SETTLING = 20_000
"""Most nodes of a search without a tolerance."""


def by_branching(
    run: Run, dissimilarity: Dissimilarity | SoftDiversity, known: Sequence[Collection[str]]
) -> Ask | None:
    """Ask a branch and bound for the best set that differs enough from all known ones.

    Parameters
    ----------
    run
        The search; its solver is not forced.
    dissimilarity, known
        What to differ from, and by how much.

    Returns
    -------
    function or None
        None if a solver is forced, the objective is no quadratic form, or a domain constraint
        or the diversity on the distances is more than rows over the features.
    """
    problem, engine = run.problem, run.engine
    objective = problem.objective
    quadratic = isinstance(objective, Quadratic) or solved_by_levels(objective)
    if not isinstance(engine, Auto) or not quadratic:
        return None
    rules = rule_rows(problem)
    low, high = problem.sizes
    apart = (apart_rows(problem, dissimilarity, known, size) for size in range(low, high + 1))
    if rules is None or any(rows is None for rows in apart):
        return None

    def ask(stated: Problem, start: Sets) -> tuple[Sets, Outcome]:
        rows = Conditions(stated, dissimilarity, known, rules)
        search = Search(rows.score, slack=getattr(stated.objective, "slack", 0.0))
        if start:
            search.offer([problem.index[f] for f in start[0]])
        found, outcome = _searched(rows, search, len(start[0]) if start else problem.sizes[0])
        run.nodes += search.nodes
        return found, outcome

    return ask


def _searched(rows: Conditions, search: Search, first: int) -> tuple[Sets, Outcome]:
    """Search all sizes, beginning with the most promising one."""
    began = time.perf_counter()
    low, high = rows.problem.sizes
    most = getattr(rows.problem.objective, "most", inf)
    sizes = sorted(range(low, high + 1), key=lambda m: abs(m - first))
    stop, bound = Stop.EXHAUSTED, -inf
    for index, size in enumerate(sizes):
        if search.value >= most:
            break  # no size can do better
        stop, bound = search.run(rows.form(size))
        if stop is not Stop.EXHAUSTED:
            bound = max([bound, *(root_bound(rows.form(m)) for m in sizes[index + 1 :])])
            break
    if stop is Stop.EXHAUSTED and search.best is not None and not _closed(rows, search):
        _settle(rows, search, sizes)
    return _answer(rows, search, stop, bound, time.perf_counter() - began)


def _settle(rows: Conditions, search: Search, sizes: Sequence[int]) -> None:
    """Search again without a tolerance, where numbers far apart or a value near 0 left one too large."""
    missed, search.missed = search.missed, 0.0
    search.exact, search.most_nodes = True, search.nodes + SETTLING
    for size in sizes:
        if search.run(rows.form(size))[0] is not Stop.EXHAUSTED:
            search.missed = missed
            return


def _closed(rows: Conditions, search: Search) -> bool:
    """Whether no set is better than the best one by more than one that is called optimal allows."""
    if search.missed <= CLOSED * abs(search.value):
        return True
    assert search.best is not None
    return search.missed <= OWN * rows.form(len(search.best)).terms(search.best)


@dataclass(frozen=True, eq=False)
class Conditions:
    """The conditions of a problem as rows, for every size of the set."""

    problem: Problem
    dissimilarity: Dissimilarity | SoftDiversity
    known: Sequence[Collection[str]]
    rules: list[Row]
    _made: dict[int, list[Row]] = field(default_factory=dict)

    def of(self, size: int) -> list[Row]:
        """Rows over the features with their least and largest sums."""
        if size not in self._made:
            self._made[size] = self._make(size)
        return self._made[size]

    def _make(self, size: int) -> list[Row]:
        overlaps = apart_rows(self.problem, self.dissimilarity, self.known, size)
        return [*(overlaps or []), *self.rules, *getattr(self.problem.objective, "rows", ())]

    def form(self, size: int, among: IntArray | None = None) -> Form:
        """Quadratic form of a size, with all rows as upper limits; of a plain sum among some features."""
        objective: Any = self.problem.objective
        if among is None:
            linear, pairs = objective.quadratic(size)
        else:
            linear, pairs = objective.weights[among], np.zeros((len(among), len(among)))
        upper = [(row, high) for row, _, high in self.of(size) if high < inf]
        upper += [(-row, -low) for row, low, _ in self.of(size) if low > -inf]
        table = np.array([row if among is None else row[among] for row, _ in upper])
        limits = np.array([limit for _, limit in upper], dtype=float)
        return Form(linear, pairs, size, table.reshape(-1, len(linear)), limits)

    def score(self, indices: IntArray) -> float:
        """Evaluate the objective's formula; -inf for a set that breaks a condition."""
        objective: Any = self.problem.objective
        if not all(keeps(row[indices], low, high) for row, low, high in self.of(len(indices))):
            return -inf
        mask = np.zeros(len(objective.features), dtype=bool)
        mask[indices] = True
        return float(objective.score(mask)) if feasible(objective, mask) else -inf


def _answer(
    rows: Conditions, search: Search, stop: Stop, bound: float, seconds: float
) -> tuple[Sets, Outcome]:
    if search.best is None:
        if stop is Stop.EXHAUSTED:
            return [], Outcome(Stop.INFEASIBLE, None, None, None, seconds)
        return [], Outcome(stop, None, None, bound if bound < inf else None, seconds)
    names = [rows.problem.objective.features[j] for j in search.best]
    limit = max(bound, search.value + search.missed)
    if stop is Stop.EXHAUSTED and _closed(rows, search):
        return [names], Outcome(stop, Proof.OPTIMAL, search.value, search.value, seconds)
    return [names], Outcome(stop, Proof.FEASIBLE, search.value, limit if limit < inf else None, seconds)
