"""A ratio by one tree of convex programs, at a level that rises with the best set met."""

from __future__ import annotations

import time
from dataclasses import replace
from math import inf

import numpy as np

from altsel._types import IntArray
from altsel.exact.question import Question, Sets
from altsel.exact.run import Run, log
from altsel.exact.sources.levels import solved_by_levels
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.exact.sources.quadratic.conditions import Conditions
from altsel.exact.sources.quadratic.convexified.rising import Level, Rising
from altsel.exact.sources.quadratic.convexified.tree import make_tree, search_form
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.runtime.clock import clock
from altsel.solvers import CLOSED, Outcome


def at_level(question: Question, level: float, size: int) -> Level:
    """State the form of a ratio's level, for sets of a size."""
    stated = replace(question.problem, objective=question.problem.objective.parametric(level))
    rows = Conditions(stated, question.diversity, question.known, question.structure.rows or [])
    return Level(rows.form(size), stated.objective.slack, rows.score)


def _names_of(question: Question, indices: IntArray) -> Sets:
    return [[question.problem.objective.features[j] for j in indices.tolist()]]


def improve_ratio(question: Question, start: Sets) -> Sets:
    """Raise the ratio of a set by exchanges at its level, before that is searched."""
    while question.kind is Kind.RATIO and start and not clock().over:
        level = question.quality(start)
        now = at_level(question, max(level, 0.0), len(start[0]))
        search = Search(now.score, value=now.slack)
        tree = make_tree(search, now.form)
        if tree is not None:
            tree.climb()
        if search.best is None:
            break
        found = _names_of(question, search.best)
        if question.quality(found) <= level:
            break  # no better but for rounding: large redundancies
        start = found
    return start


def in_one_tree(question: Question, start: Sets) -> bool:
    """Return whether a ratio is searched at a level that rises: of one size, from a set."""
    low, high = question.problem.sizes
    if low < high or not solved_by_levels(question) or not start or not question.keeps_all(start):
        return False
    return question.quality(start) > 0


def best_ratio(question: Question, run: Run, start: Sets) -> tuple[Sets, Outcome] | None:
    """Find the set of the largest ratio, from one that is known.

    Parameters
    ----------
    question
        For one set; `in_one_tree` is true of it.
    run
        The search; its nodes are counted.
    start
        The set.

    Returns
    -------
    tuple or None
        The best set met, with the bound on the ratio. None if rounding hides more than is allowed, or `start`
        breaks a condition.
    """
    began = time.perf_counter()
    ratio, size = question.problem.objective, question.problem.sizes[0]
    first = np.sort(np.array([question.problem.index[f] for f in start[0]], dtype=np.int64))
    level = question.quality(start)
    now = at_level(question, level, size)
    value = now.score(first)
    if value == -inf:
        return None
    search = Rising(
        now.score,
        best=first,
        value=value,
        slack=now.slack,
        at=lambda level: at_level(question, level, size),
        ratio=lambda indices: question.quality(_names_of(question, indices)),
        least=ratio.denominators(question.problem.sizes)[0],
        level=level,
    )
    stop, bound = search_form(search, now.form)
    run.nodes += search.nodes
    log.info("level %.6g: %s", search.level, stop)
    best = search.best if search.better is None else search.better
    assert best is not None
    sets = _names_of(question, best)
    value, seconds = question.quality(sets), time.perf_counter() - began
    excess = max(bound, search.value + search.missed)
    limit = ratio.bound_from_excess(search.level, excess, question.problem.sizes) if excess < inf else None
    if stop is Stop.EXHAUSTED:
        closed = limit is not None and limit - value <= CLOSED * value
        return (sets, Outcome.optimal(value, seconds)) if closed else None
    limit = None if limit is None else max(limit, value)
    return sets, Outcome.unfinished(stop, value, limit, seconds)
