"""One set of any size under a quadratic form by branch and bound, and what it leaves open."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf

from altsel.exact.question import Question, Sets
from altsel.exact.run import Run
from altsel.exact.sources.levels import Solve
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.exact.sources.quadratic.conditions import Conditions
from altsel.exact.sources.quadratic.convexified.tree import search_form
from altsel.exact.sources.quadratic.lagrangian_bound import Form, root_bound
from altsel.models.problem import Problem
from altsel.results.stop import Stop
from altsel.solvers import CLOSED, Outcome

VALUE_ROUNDING = 1e-13
"""Rounding of a value, relative to the terms of the set it belongs to."""
NODES_WITHOUT_TOLERANCE = 20_000
"""Most nodes of a search without a tolerance."""
SLACKS_THAT_MAY_BE_MISSED = 5
"""Slacks of a level that may be missed: the ratio is then known to half of what is called optimal."""
NODES_PER_FEATURE, MOST_PLAIN, MOST_IF_FAR = 4, 250, 100
"""Nodes after which convex programs take over: so many for each feature, at most so many, and so many
where the bound at the root is far off. To rewrite a form takes about as long (1 s of 200 features)."""
PATIENCE_UNDER_RULES = 8
"""Times as many under rules, of which convex programs know little (a budget: 40 times slower at n = 47)."""
Method = Callable[[Search, Form], tuple[Stop, float]]
"""Searches all sets of a form."""


def plain_nodes(features: int) -> float:
    """Return the number of nodes after which convex programs take over."""
    return min(MOST_PLAIN, NODES_PER_FEATURE * features)


def patience(question: Question) -> int:
    """Return how many times as long the branch and bound goes on before it leaves the rest."""
    return PATIENCE_UNDER_RULES if question.problem.subject_to else 1


def by_branching(question: Question, run: Run, method: Method = Search.run, handing: bool = False) -> Solve:
    """Solve by branch and bound; `why_no_form` has nothing against it.

    Parameters
    ----------
    question, run
        What is requested, and the run that requests it.
    method
        How one form is searched.
    handing
        Whether another engine takes up what is left after some nodes.
    """
    longer = patience(question)
    most_nodes = plain_nodes(len(question.problem.index)) * longer if handing else inf

    def solve(stated: Problem, start: Sets) -> tuple[Sets, Outcome]:
        rows = Conditions(stated, question.diversity, question.known, question.structure.rows or [])
        search = Search(rows.score, slack=stated.objective.slack, most_nodes=most_nodes)
        search.most_if_far = MOST_IF_FAR * longer if handing else inf
        if start:
            search.offer([stated.index[f] for f in start[0]])
        found, outcome = _search_sizes(rows, search, len(start[0]) if start else stated.sizes[0], method)
        run.nodes += search.nodes
        return found, outcome

    return solve


def _search_sizes(rows: Conditions, search: Search, first: int, method: Method) -> tuple[Sets, Outcome]:
    """Search all sizes, beginning with the most promising one."""
    began = time.perf_counter()
    low, high = rows.problem.sizes
    most = rows.problem.objective.most
    sizes = sorted(range(low, high + 1), key=lambda m: abs(m - first))
    stop, bound = Stop.EXHAUSTED, -inf
    for index, size in enumerate(sizes):
        if search.value >= most:
            break  # no size can do better
        stop, bound = method(search, rows.form(size))
        if stop is not Stop.EXHAUSTED:
            bound = max([bound, *(root_bound(rows.form(m)) for m in sizes[index + 1 :])])
            break
    coarse = search.missed > SLACKS_THAT_MAY_BE_MISSED * search.slack
    if stop is Stop.EXHAUSTED and search.best is not None and coarse and not _closed(rows, search):
        _settle(rows, search, sizes, method)
    return _answer(rows, search, stop, bound, time.perf_counter() - began)


def _settle(rows: Conditions, search: Search, sizes: Sequence[int], method: Method) -> None:
    """Search again without a tolerance, where numbers far apart or a value near 0 left one too large."""
    missed, search.missed = search.missed, 0.0
    search.exact, search.most_nodes = True, search.nodes + NODES_WITHOUT_TOLERANCE
    for size in sizes:
        if method(search, rows.form(size))[0] is not Stop.EXHAUSTED:
            search.missed = missed
            return


def _closed(rows: Conditions, search: Search) -> bool:
    """Whether no set is better than the best one by more than one that is called optimal allows."""
    if search.missed <= CLOSED * abs(search.value):
        return True
    assert search.best is not None
    return search.missed <= VALUE_ROUNDING * rows.form(len(search.best)).terms(search.best)


def _answer(
    rows: Conditions, search: Search, stop: Stop, bound: float, seconds: float
) -> tuple[Sets, Outcome]:
    if search.best is None:
        if stop is Stop.EXHAUSTED:
            return [], Outcome.infeasible(seconds)
        return [], Outcome.unfinished(stop, None, bound if bound < inf else None, seconds)
    names = [rows.problem.objective.features[j] for j in search.best]
    limit = max(bound, search.value + search.missed)
    if stop is Stop.EXHAUSTED and _closed(rows, search):
        return [names], Outcome.optimal(search.value, seconds)
    return [names], Outcome.unfinished(stop, search.value, limit if limit < inf else None, seconds)


def briefly_first(search: Search, form: Form) -> tuple[Stop, float]:
    """Search a form of one size among many: most are closed sooner than rewritten."""
    most = search.most_nodes
    search.most_nodes = min(most, search.nodes + MOST_IF_FAR)
    stop, bound = search.run(form)
    search.most_nodes = most
    if stop is not Stop.LIMIT or search.nodes > most:
        return stop, bound
    stop, other = search_form(search, form)
    return stop, min(bound, other)
