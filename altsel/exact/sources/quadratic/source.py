"""Quadratic forms, and ratios whose levels are: branch and bound, then convex programs; without a model."""

from __future__ import annotations

from dataclasses import replace

from altsel._types import IntArray
from altsel.exact.infeasibility import prove_infeasible
from altsel.exact.partial_answers import better
from altsel.exact.question import Answer, Question
from altsel.exact.rules.linear_rules import dissimilarity_rows
from altsel.exact.run import Run
from altsel.exact.sources.levels import best_sets
from altsel.exact.sources.quadratic.branching import briefly_first, by_branching, patience, plain_nodes
from altsel.exact.sources.quadratic.convexified.tree import search_form
from altsel.exact.sources.quadratic.listing import MOST_NODES, TreeList
from altsel.exact.sources.quadratic.ratio_levels import best_ratio, improve_ratio, in_one_tree
from altsel.exact.sources.source import Above
from altsel.exact.starts.warm_start import starting_sets
from altsel.models.objective import Kind
from altsel.results.stop import Stop

MOST_REWRITTEN = 1_500
"""Features up to which a form is rewritten: a step takes the eigenvectors of a matrix of that size."""


class Quadratic:
    """Search for one set under a quadratic form, or under the forms of a ratio's levels.

    After some thousand nodes the form is rewritten so that most of it is convex, and convex programs bound
    the nodes: a better bound where features share factors. CFS of one size is then one tree, whose level
    rises.
    """

    name, criterion = "branch and bound", "quadratic form"
    lists_at_once = False

    def reads(self, question: Question) -> bool:
        """Return whether the criterion is a quadratic form, or a ratio whose levels are."""
        return question.quadratic

    def why_not(self, question: Question) -> str | None:
        """Return why rules and distances are no rows, if they are none."""
        if question.structure.rows is None:
            return "a rule is more than linear rows over the features"
        low, high = question.problem.sizes
        for size in range(low, high + 1):
            if dissimilarity_rows(question.problem, question.diversity, question.known, size) is None:
                return "similarity to known sets is not linear in the features"
        return None

    def best_after(self, question: Question, run: Run) -> Answer:
        """Search from the best set at hand; whether there is any is for a solver to say."""
        start = starting_sets(question, run.incumbent)
        outcome = prove_infeasible(question, run, start)
        if outcome is not None:
            return Answer([], outcome)
        handing = why_not_rewritten(question) is None
        solve = by_branching(question, run, handing=handing)
        sets, outcome = best_sets(question, run, solve, start)
        found = Answer(sets, outcome, final=True)
        if not handing or outcome.stop is not Stop.LIMIT:
            return found
        before, run.incumbent = run.incumbent, sets or run.incumbent
        try:
            return better(question, run, _by_convex_programs(question, run), found)
        finally:
            run.incumbent = before

    def why_no_list(self, question: Question) -> str | None:
        """Return why its sets cannot be listed, if they cannot: as `why_not`."""
        return self.why_not(question)

    def above(self, question: Question, run: Run, wanted: Above) -> tuple[list[IntArray], bool]:
        """List the sets above a floor: those of a ratio are above 0 at its level."""
        stated = question.problem
        if question.kind is Kind.RATIO:
            stated = replace(stated, objective=stated.objective.parametric(max(wanted.floor, 0.0)))
            wanted = replace(wanted, floor=0.0)
        handing = why_not_rewritten(question) is None
        nodes = plain_nodes(len(question.problem.index)) * patience(question) if handing else MOST_NODES
        return TreeList(question, run, wanted, stated, nodes, handing).sets()


def _by_convex_programs(question: Question, run: Run) -> Answer:
    """Take up what the branch and bound left, from the best set at hand."""
    start = improve_ratio(question, starting_sets(question, run.incumbent))
    found = best_ratio(question, run, start) if in_one_tree(question, start) else None
    if found is not None:
        return Answer(*found, final=True)
    low, high = question.problem.sizes
    method = search_form if low == high else briefly_first
    sets, outcome = best_sets(question, run, by_branching(question, run, method), start)
    return Answer(sets, outcome, final=True)


def why_not_rewritten(question: Question) -> str | None:
    """Return why a quadratic form is not rewritten, if it is not."""
    if question.problem.objective.conflict is not None:
        return "its pairs only exclude each other"
    n = len(question.problem.index)
    return f"{n:,} features are more than {MOST_REWRITTEN:,}" if n > MOST_REWRITTEN else None
