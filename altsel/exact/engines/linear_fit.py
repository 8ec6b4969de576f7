"""One set, or all above a value, by the fit of linear models: exact without a model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.engines.quadratic import impossible
from altsel.exact.linear_fit.diagonal import Root, root
from altsel.exact.linear_fit.tree import ROUNDING, Limits, Tree
from altsel.exact.linear_rules import dissimilarity_rows
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.rule_system import Row
from altsel.exact.run import Run, log
from altsel.exact.warm_start import starting_sets
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, clock
from altsel.runtime.memory import shortage
from altsel.solvers import Outcome

CLOSE = 1e-10
"""Gap at which a branch is closed, relative to the best set's value."""


class LeastSquares:
    """Choose features of a linear model one by one; a separable bound on what others add closes branches.

    The bound holds for all sets under a diagonal found once a size; rules and overlaps are rows, and
    rounding is added to it.
    """

    name = "branch and bound on least squares"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        return question.why_not_alone() or why_no_tree(question)

    def answer(self, question: Question, run: Run) -> Answer:
        """Search all sizes, the largest first; whether there is any set is for a solver to say."""
        began = time.perf_counter()
        start = starting_sets(question, run.incumbent)
        start = start if question.keeps_all(start) else []
        outcome = impossible(question, run, start)
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


def why_no_tree(question: Question) -> str | None:
    """Return why a question is none of least squares under linear rows, if it is none."""
    if question.kind is not Kind.LEAST_SQUARES:
        return f"a {question.kind} is no least squares"
    if question.structure.rows is None:
        return "a rule is more than linear rows over the features"
    low, high = question.problem.sizes
    for size in range(low, high + 1):
        if dissimilarity_rows(question.problem, question.diversity, question.known, size) is None:
            return "similarity to known sets is not linear in the features"
    n = len(question.problem.index)
    return shortage(8 * n * n * (high + 8), f"products of {n:,} columns at each of {high} levels")


def listed_fits(
    question: Question, run: Run, floor: float, most: int, strictly: bool
) -> tuple[list[IntArray], bool]:
    """List all admissible sets of at least a score, or of more than it; see `threshold.listed`."""
    parts, whole = [], True
    for size in range(question.problem.sizes[0], question.problem.sizes[1] + 1):
        worth, tree = _Worth(question, size), _tree(question, size, ())
        stop, sets, explained = tree.listed(worth.needed(floor) - worth.rounding, most)
        run.nodes += tree.nodes
        values = worth.of(explained)
        parts.append(sets[values > floor if strictly else values >= floor])
        clock().check()
        whole = stop is Stop.EXHAUSTED
        if not whole:
            log.info("gave up listing after %d sets and %d nodes", len(sets), tree.nodes)
            break
    return parts, whole


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
    low, high = question.problem.sizes
    best = np.array(sorted(index[f] for f in start[0]), dtype=np.int64) if start else None
    value = question.quality(start) if start else -inf
    for size in range(high, low - 1, -1):
        try:
            worth, tree = _Worth(question, size), _tree(question, size, question.known)
            tree.best, tree.value = best, worth.needed(value)
            stop, bound = tree.search(worth.close(value))
        except STOPPED as fault:
            run.clock.note(fault)
            return _named(features, best), run.stop, question.problem.objective.most
        run.nodes += tree.nodes
        if tree.best is not best:
            best, value = tree.best, float(worth.of(tree.value))
        if stop is not Stop.EXHAUSTED:  # of smaller sets no more is known
            left = float(worth.of(bound)) if size == low else question.problem.objective.most
            return _named(features, best), stop, left
    return _named(features, best), Stop.EXHAUSTED, -inf


def _named(features: Sequence[str], best: IntArray | None) -> Sets:
    return [] if best is None else [[features[j] for j in best]]


def _tree(question: Question, size: int, known: Sequence[object]) -> Tree:
    """Make the search of a size."""
    problem = question.problem
    rows = [*(question.structure.rows or [])]
    if known:
        rows += dissimilarity_rows(problem, question.diversity, question.known, size) or []
    return Tree(
        problem.objective.least_squares, size, limits_of(rows, len(problem.index)), _root(question, size)
    )


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
