"""Problems for one set whose objective is a quadratic form for every size: exact without a model."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf

from altsel.exact.branch_and_bound import Search
from altsel.exact.convexified.tree import searched as searched_convexified
from altsel.exact.engines.conditions_as_rows import Conditions
from altsel.exact.engines.milp import Solve, best_sets
from altsel.exact.engines.ratio_levels import best_ratio, in_one_tree, raised
from altsel.exact.lagrangian_bound import Form, root_bound
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.rules.linear_rules import dissimilarity_rows
from altsel.exact.run import Run
from altsel.exact.warm_start import starting_sets
from altsel.models.feasibility_only import conditions_only
from altsel.models.objective import Kind
from altsel.models.overlap_rows import differ_from
from altsel.models.problem import Problem, model_of_sets
from altsel.results.stop import Stop
from altsel.solvers import CLOSED, Outcome

OWN = 1e-13
"""Rounding of a value, relative to the terms of the set it belongs to."""
SETTLING = 20_000
"""Most nodes of a search without a tolerance."""
ENOUGH = 5
"""Slacks of a level that may be missed: the ratio is then known to half of what is called optimal."""
NODES, MOST_PLAIN, MOST_IF_FAR = 4, 500, 100
"""Nodes after which convex programs take over: so many for each feature, at most so many, and so many
where the bound at the root is far off. To rewrite a form takes about as long (1 s of 200 features)."""
RULED = 8
"""Times as many under rules, of which convex programs know little (a budget: 40 times slower at n = 47)."""
MOST_REWRITTEN = 1_500
"""Features up to which a form is rewritten: a step takes the eigenvectors of a matrix of that size."""
Method = Callable[[Search, Form], tuple[Stop, float]]
"""Searches all sets of a form."""


class BranchAndBound:
    """Search for one set under a quadratic form, or under the forms of a ratio's levels.

    After some thousand nodes it leaves the rest to the search by convex programs, where that can answer.
    """

    name = "branch and bound"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        return question.why_not_alone() or why_no_form(question)

    def answer(self, question: Question, run: Run) -> Answer:
        """Search from the best set at hand; whether there is any is for a solver to say."""
        start = starting_sets(question, run.incumbent)
        outcome = impossible(question, run, start)
        if outcome is not None:
            return Answer([], outcome)
        handing = why_not_convexified(question) is None
        solve = by_branching(question, run, handing=handing)
        sets, outcome = best_sets(question, run, solve, start)
        cut_short = handing and outcome.stop is Stop.LIMIT
        return Answer(sets, outcome, final=not cut_short, cut_short=cut_short)


class Convexified:
    """Take the same up where features share factors: rewrite the form once so that most of it is convex.

    Convex programs bound the nodes; CFS of one size is one tree, whose level rises. With
    ``joblib.parallel_config(n_jobs=...)``, or ``--jobs``, processes share a tree of more than some seconds.
    """

    name = "branch and bound by convex programs"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        return BranchAndBound().why_not(question) or why_not_convexified(question)

    def answer(self, question: Question, run: Run) -> Answer:
        """Search from the best set at hand, after the other branch and bound has given up."""
        start = raised(question, starting_sets(question, run.incumbent))
        found = best_ratio(question, run, start) if in_one_tree(question, start) else None
        if found is not None:
            return Answer(*found, final=True)
        low, high = question.problem.sizes
        method = searched_convexified if low == high else _briefly_first
        sets, outcome = best_sets(question, run, by_branching(question, run, method), start)
        return Answer(sets, outcome, final=True)


def _briefly_first(search: Search, form: Form) -> tuple[Stop, float]:
    """Search a form of one size among many: most are closed sooner than rewritten."""
    most = search.most_nodes
    search.most_nodes = min(most, search.nodes + MOST_IF_FAR)
    stop, bound = search.run(form)
    search.most_nodes = most
    if stop is not Stop.LIMIT or search.nodes > most:
        return stop, bound
    stop, other = searched_convexified(search, form)
    return stop, min(bound, other)


def why_not_convexified(question: Question) -> str | None:
    """Return why a quadratic form is not rewritten, if it is not."""
    if question.problem.objective.conflict is not None:
        return "its pairs only exclude each other"
    n = len(question.problem.index)
    return f"{n:,} features are more than {MOST_REWRITTEN:,}" if n > MOST_REWRITTEN else None


def best_one(question: Question, run: Run) -> Answer:
    """Answer a question for one set by one branch and bound, then by the other."""
    found = BranchAndBound().answer(question, run)
    if not found.cut_short:
        return found
    run.incumbent = found.sets
    run.engines[Convexified.name] = None
    try:
        return Convexified().answer(question, run)
    finally:
        run.incumbent = []


def plain_nodes(features: int) -> float:
    """Return the number of nodes after which convex programs take over."""
    return min(MOST_PLAIN, NODES * features)


def patience(question: Question) -> int:
    """Return how many times as long the branch and bound goes on before it leaves the rest."""
    return RULED if question.problem.subject_to else 1


def why_no_form(question: Question) -> str | None:
    """Return why a question is none of a quadratic form under linear rows, if it is none."""
    if not question.quadratic:
        return (
            "the model of a plain sum is solved sooner"
            if question.kind is Kind.SUM
            else f"a {question.kind} is no quadratic form"
        )
    if question.structure.rows is None:
        return "a rule is more than linear rows over the features"
    low, high = question.problem.sizes
    for size in range(low, high + 1):
        if dissimilarity_rows(question.problem, question.diversity, question.known, size) is None:
            return "similarity to known sets is not linear in the features"
    return None


def by_branching(question: Question, run: Run, method: Method = Search.run, handing: bool = False) -> Solve:
    """Solve by branch and bound; `why_no_form` has nothing against it.

    Parameters
    ----------
    question, run
        What is asked, and by whom.
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
        found, outcome = _searched(rows, search, len(start[0]) if start else stated.sizes[0], method)
        run.nodes += search.nodes
        return found, outcome

    return solve


def impossible(question: Question, run: Run, start: Sets) -> Outcome | None:
    """Let a solver say that no set keeps rules and distances; None if some may, or `start` does."""
    if start or not question.problem.subject_to or question.soft is not None:
        return None
    objective = conditions_only(question.problem.objective, wanted=False)
    model = model_of_sets(replace(question.problem, objective=objective))
    for subset in question.known:
        differ_from(question.distance, model.sets[0], subset, question.problem.sizes)
    outcome = run.solve(model)
    return outcome if outcome.stop is Stop.INFEASIBLE else None


def _searched(rows: Conditions, search: Search, first: int, method: Method) -> tuple[Sets, Outcome]:
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
    coarse = search.missed > ENOUGH * search.slack
    if stop is Stop.EXHAUSTED and search.best is not None and coarse and not _closed(rows, search):
        _settle(rows, search, sizes, method)
    return _answer(rows, search, stop, bound, time.perf_counter() - began)


def _settle(rows: Conditions, search: Search, sizes: Sequence[int], method: Method) -> None:
    """Search again without a tolerance, where numbers far apart or a value near 0 left one too large."""
    missed, search.missed = search.missed, 0.0
    search.exact, search.most_nodes = True, search.nodes + SETTLING
    for size in sizes:
        if method(search, rows.form(size))[0] is not Stop.EXHAUSTED:
            search.missed = missed
            return


def _closed(rows: Conditions, search: Search) -> bool:
    """Whether no set is better than the best one by more than one that is called optimal allows."""
    if search.missed <= CLOSED * abs(search.value):
        return True
    assert search.best is not None
    return search.missed <= OWN * rows.form(len(search.best)).terms(search.best)


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
