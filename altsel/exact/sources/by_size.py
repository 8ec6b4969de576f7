"""What sources share that search one size of sets after another, with rules and distances as rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.infeasibility import prove_infeasible
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.rules.limits import Limits, limits_of
from altsel.exact.rules.linear_rules import dissimilarity_rows
from altsel.exact.run import Run, log
from altsel.exact.sources.source import Above
from altsel.exact.starts.warm_start import starting_sets
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, clock
from altsel.solvers import Outcome

Sizes = tuple[int, int]


@dataclass
class Found:
    """The best set met, as indices of its features, and its worth."""

    best: IntArray | None
    value: float


Search = Callable[[Question, Sizes, Found], tuple[Stop, float, int]]
"""Searches some sizes for a better set; returns why it ended, a bound on the rest (minus infinity if all is
done), and the nodes."""
Listed = Callable[[Question, Sizes, Above], tuple[Stop, Sequence[IntArray], FloatArray, int]]
"""Lists sets of some sizes; returns why it ended, the sets, their worth, and the nodes."""


def why_no_rows(question: Question) -> str | None:
    """Return why rules and distances from known sets are no rows over the features; None if they are."""
    if question.structure.rows is None:
        return "a rule is more than linear rows over the features"
    low, high = question.problem.sizes
    for size in range(low, high + 1):
        if dissimilarity_rows(question.problem, question.diversity, question.known, size) is None:
            return "similarity to known sets is not linear in the features"
    return None


def limits_at(question: Question, size: int, known: Sequence[object]) -> Limits:
    """Return the rules, and what makes sets of a size differ enough from known ones."""
    rows = [*(question.structure.rows or [])]
    if known:
        rows += dissimilarity_rows(question.problem, question.diversity, question.known, size) or []
    return limits_of(rows, len(question.problem.index))


def each_size(question: Question) -> list[Sizes]:
    """Return the sizes one by one, the largest first."""
    low, high = question.problem.sizes
    return [(size, size) for size in range(high, low - 1, -1)]


def best_of_sizes(question: Question, run: Run, sizes: Sequence[Sizes], search: Search) -> Answer:
    """Search sizes in order; whether there is any set is for a solver to say."""
    began = time.perf_counter()
    start = starting_sets(question, run.incumbent)
    start = start if question.keeps_all(start) else []
    outcome = prove_infeasible(question, run, start)
    if outcome is not None:
        return Answer([], outcome)
    best, stop, bound = _searched(question, run, start, (sizes, search))
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


def _searched(
    question: Question, run: Run, start: Sets, how: tuple[Sequence[Sizes], Search]
) -> tuple[Sets, Stop, float]:
    """Search the sizes; return the best set, why it ended, and the bound on the rest, -inf if all is done."""
    problem, (all_sizes, search) = question.problem, how
    best = np.array(sorted(problem.index[f] for f in start[0]), dtype=np.int64) if start else None
    found = Found(best, question.quality(start) if start else -inf)

    def named() -> Sets:
        return [] if found.best is None else [[problem.objective.features[j] for j in found.best]]

    for sizes in all_sizes:
        try:
            stop, bound, nodes = search(question, sizes, found)
        except STOPPED as fault:
            run.clock.note(fault)
            return named(), run.stop, problem.objective.most
        run.nodes += nodes
        if stop is not Stop.EXHAUSTED:  # of smaller sets no more is known
            return named(), stop, bound if sizes == all_sizes[-1] else problem.objective.most
    return named(), Stop.EXHAUSTED, -inf


def list_of_sizes(
    question: Question, run: Run, wanted: Above, how: tuple[Sequence[Sizes], Listed]
) -> tuple[list[IntArray], bool]:
    """List the sets above a floor, as `altsel.exact.sources.source.Source.above` does."""
    parts: list[IntArray] = []
    all_sizes, listed = how
    for sizes in all_sizes:
        stop, sets, values, nodes = listed(question, sizes, wanted)
        run.nodes += nodes
        kept = values > wanted.floor if wanted.strictly else values >= wanted.floor
        for size in range(sizes[0], sizes[1] + 1):
            some = [one for one, keep in zip(sets, kept, strict=True) if keep and len(one) == size]
            parts.append(np.array(some, dtype=np.int64).reshape(len(some), size))
        clock().check()
        if stop is not Stop.EXHAUSTED:
            log.info("gave up listing after %d sets and %d nodes", len(sets), nodes)
            return parts, False
    return parts, True
