"""One set, or all above a value, by the fit of linear models: exact without a model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.linear_fit.diagonal import Root, root
from altsel.exact.linear_fit.tree import ROUNDING, Limits, Tree
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.rules.linear_rules import dissimilarity_rows
from altsel.exact.rules.rule_system import Row
from altsel.exact.run import Run, log
from altsel.exact.sources.model.infeasibility import prove_infeasible
from altsel.exact.sources.model.warm_start import starting_sets
from altsel.exact.sources.source import Above
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, clock
from altsel.runtime.memory import shortage
from altsel.solvers import Outcome
from altsel.stats.least_squares import Design

ROUNDED = 1e-12
"""What rounding may take off what all features explain."""
CLOSE = 1e-10
"""Gap at which a branch is closed, relative to the best set's value."""


class LeastSquares:
    """Choose features of a linear model one by one; a separable bound on what others add closes branches.

    The bound holds for all sets under a diagonal found once a size; rules and overlaps are rows, and
    rounding is added to it.
    """

    name, criterion = "branch and bound on least squares", "fit by least squares"
    lists_at_once = True

    def reads(self, question: Question) -> bool:
        """Return whether the criterion is a fit by least squares."""
        return question.kind is Kind.LEAST_SQUARES

    def why_not(self, question: Question) -> str | None:
        """Return why rules and distances are no rows, or there are too many columns, if so."""
        if question.structure.rows is None:
            return "a rule is more than linear rows over the features"
        low, high = question.problem.sizes
        for size in range(low, high + 1):
            if dissimilarity_rows(question.problem, question.diversity, question.known, size) is None:
                return "similarity to known sets is not linear in the features"
        design = question.problem.objective.least_squares
        n, most = len(design.columns), int(np.sort(design.widths)[-high:].sum())
        return shortage(8 * n * n * (most + 8), f"products of {n:,} columns at each of {most} levels")

    def best_after(self, question: Question, run: Run) -> Answer:
        """Search all sizes, the largest first; whether there is any set is for a solver to say."""
        began = time.perf_counter()
        start = starting_sets(question, run.incumbent)
        start = start if question.keeps_all(start) else []
        outcome = prove_infeasible(question, run, start)
        if outcome is not None:
            return Answer([], outcome)
        best, stop, bound = _searched(question, run, start)
        seconds = time.perf_counter() - began
        if not best:
            known = bound if bound < inf else None
            none = stop is Stop.EXHAUSTED and bound == -inf
            outcome = Outcome.infeasible(seconds) if none else Outcome.unfinished(stop, None, known, seconds)
            return Answer([], outcome, final=True)
        value = question.quality(best)
        if bound == -inf:
            return Answer(best, Outcome.optimal(value, seconds))
        return Answer(best, Outcome.unfinished(stop, value, max(bound, value), seconds), final=True)

    def why_no_list(self, question: Question) -> str | None:
        """Return why its sets cannot be listed, if they cannot: as `why_not`."""
        return self.why_not(question)

    def above(self, question: Question, run: Run, wanted: Above) -> tuple[list[IntArray], bool]:
        """List the sets above a floor, the smallest first."""
        parts, whole = dict[int, list[IntArray]](), True
        for size, columns in reversed(_sizes(question)):
            worth, tree = _Worth(question, columns), _tree(question, size, columns, ())
            stop, sets, explained = tree.listed(worth.needed(wanted.floor) - worth.rounding, wanted.most)
            run.nodes += tree.nodes
            values = worth.of(explained)
            kept = sets[values > wanted.floor if wanted.strictly else values >= wanted.floor]
            parts.setdefault(size, []).append(_features(tree.design, kept).reshape(len(kept), size))
            clock().check()
            whole = stop is Stop.EXHAUSTED
            if not whole:
                log.info("gave up listing after %d sets and %d nodes", len(sets), tree.nodes)
                break
        return [np.concatenate(some) for some in parts.values()], whole


class _Worth:
    """What sets of a size are worth by what they explain: just that, or less a penalty."""

    def __init__(self, question: Question, size: int) -> None:
        objective: Any = question.problem.objective
        self.penalty, self.size, self.whole = objective.penalty, size, objective.least_squares.whole
        self.rounding = 1e-13 if self.penalty else 0.0
        if self.penalty:
            self.penalty.coefficients(size)  # refuses a size before it is searched

    def of(self, explained: Any) -> Any:
        """Return the worth."""
        return self.penalty.worth(explained, self.size) if self.penalty else explained

    @property
    def most(self) -> float:
        """What a set would be worth that explains what all features together do, rounded upwards."""
        return float(self.of(min(self.whole + ROUNDED, 1.0)))

    def needed(self, worth: float) -> float:
        """Return what must be explained for it."""
        return float(self.penalty.needed(worth, self.size)) if self.penalty and worth > -inf else worth

    def close(self, worth: float) -> float:
        """Return the relative gap in what is explained at which a branch is closed."""
        if not self.penalty:
            return CLOSE
        scale = max(abs(worth), 1.0) if worth > -inf else 1.0
        steepness = self.penalty.steepness(self.whole, self.size)
        return float(min(CLOSE, CLOSE * scale / steepness))


def _searched(question: Question, run: Run, start: Sets) -> tuple[Sets, Stop, float]:
    """Search the sizes; return the best set, why it ended, and the bound on the rest, -inf if all is done."""
    index, features = question.problem.index, question.problem.objective.features
    design, sizes = question.problem.objective.least_squares, _sizes(question)
    best = design.columns_of(np.array(sorted(index[f] for f in start[0]), dtype=np.int64)) if start else None
    value = question.quality(start) if start else -inf

    def named() -> Sets:
        return [] if best is None else [[features[j] for j in _features(design, best[None])]]

    for size, columns in sizes:
        try:
            worth = _Worth(question, columns)
            if value > -inf and worth.most <= value:  # all features together would not be worth more
                continue
            tree = _tree(question, size, columns, question.known)
            tree.best, tree.value = best, worth.needed(value)
            stop, bound = tree.search(worth.close(value))
        except STOPPED as fault:
            run.clock.note(fault)
            return named(), run.stop, question.problem.objective.most
        run.nodes += tree.nodes
        if tree.best is not best:
            best, value = tree.best, float(worth.of(tree.value))
        if stop is not Stop.EXHAUSTED:  # of smaller sets no more is known
            last = (size, columns) == sizes[-1]
            left = float(worth.of(bound)) if last else question.problem.objective.most
            return named(), stop, left
    return named(), Stop.EXHAUSTED, -inf


def _sizes(question: Question) -> list[tuple[int, int]]:
    """Return the sizes of sets, each with how many columns such a set may have, the largest first."""
    widths = question.problem.objective.least_squares.widths
    low, high = question.problem.sizes
    if len(widths) == widths.sum():
        return [(size, size) for size in range(high, low - 1, -1)]
    sums: list[set[int]] = [{0}, *(set() for _ in range(high))]
    for width in widths.tolist():
        for size in range(high, 0, -1):
            sums[size] |= {one + width for one in sums[size - 1]}
    return [(size, one) for size in range(high, low - 1, -1) for one in sorted(sums[size], reverse=True)]


def _features(design: Design, sets: IntArray) -> IntArray:
    """Return the features of sets of columns, one set a row, all in one array."""
    if not design.has_categories:
        return np.asarray(sets.ravel())
    first = np.searchsorted(design.owner, design.owner)
    return np.asarray(design.owner[sets[first[sets] == sets]])


def _as_columns(design: Design, rows: list[Row], size: int) -> list[Row]:
    """Write rows over features as rows over columns, of which those of a category are chosen together."""
    if not design.has_categories:
        return rows
    first = np.searchsorted(design.owner, np.arange(len(design.features)))
    n, made = len(design.columns), [(np.ones(len(first)), float(size), float(size)), *rows]
    wide = []
    for row, low, high in made:
        spread = np.zeros(n)
        spread[first] = row
        wide.append((spread, low, high))
    for j, start in zip(range(n), first[design.owner], strict=True):
        if j != start:
            same = np.zeros(n)
            same[[start, j]] = 1.0, -1.0
            wide.append((same, 0.0, 0.0))
    return wide


def _tree(question: Question, size: int, columns: int, known: Sequence[object]) -> Tree:
    """Make the search of a size, and a number of columns."""
    problem, design = question.problem, question.problem.objective.least_squares
    rows = [*(question.structure.rows or [])]
    if known:
        rows += dissimilarity_rows(problem, question.diversity, question.known, size) or []
    wide = _as_columns(design, rows, size)
    return Tree(design, columns, limits_of(wide, len(design.columns)), _root(question, columns))


def limits_of(rows: Sequence[Row], features: int) -> Limits:
    """Write rows with a least and a largest sum as upper limits."""
    upper = [(row, high) for row, _, high in rows if high < inf]
    upper += [(-row, -low) for row, low, _ in rows if low > -inf]
    table = np.array([row for row, _ in upper], dtype=float).reshape(-1, features)
    limits: FloatArray = np.array([limit for _, limit in upper], dtype=float)
    return Limits(table, limits)


def _root(question: Question, size: int) -> Root:
    """Find the root's diagonal once a criterion and size: it holds whatever the rules and the known sets."""
    objective: Any = question.problem.objective
    found: dict[int, Root] = objective.found
    if size not in found:
        design = objective.least_squares
        relaxed = root(design.columns, design.target, size, ROUNDING)
        if clock().over:
            return relaxed
        found[size] = relaxed
    return found[size]
