"""The engine of models: one MILP on a solver, or several for a ratio; never worse than the start."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import Any

from altsel.exact.predicted_seconds import predicted
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.run import Run
from altsel.exact.sources.levels import Solve, best_sets
from altsel.exact.starts.warm_start import starting_sets
from altsel.exact.verification.neighbour_check import unbeaten
from altsel.models.objective import Kind
from altsel.models.overlap_rows import differ_from
from altsel.models.problem import (
    Problem,
    chosen,
    clear_start,
    complete_products,
    exclude,
    holds,
    model_of_sets,
    start_from,
)
from altsel.models.ranges import refuse_wide_rules
from altsel.models.rule_slack import widen_rules
from altsel.models.simultaneous import formulate_together
from altsel.models.soft_diversity import (
    SoftDiversity,
    differ_softly,
    differ_softly_from,
    propose_similarities,
)
from altsel.solvers import Outcome


class Model:
    """Formulate the question, and let a solver answer it."""

    name = "model"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        return "nothing is known of a black box but its values" if question.kind is Kind.BLACK_BOX else None

    def expected_seconds(self, question: Question) -> float:
        """Predict the CPU seconds it takes; for one set the others are sooner where they can answer."""
        return predicted(self.name, question) if question.count > 1 else inf

    def answer(self, question: Question, run: Run) -> Answer:
        """Solve it from the best sets at hand."""
        start = starting_sets(question, run.incumbent)
        solve = by_model(question, run)
        sets, outcome = unbeaten(question, run, start, lambda sets: best_sets(question, run, solve, sets))
        return Answer(sets, outcome, question.penalty_of(sets))


def by_model(question: Question, run: Run) -> Solve:
    """Solve by a model.

    Some models only bound the quality from above, and rows of rules have room for rounding. Where the set
    found breaks a rule by what lies between, it is excluded, and the model is solved again.
    """
    objective = question.problem.objective
    on_quality = question.structure.on_quality

    def solve(stated: Problem, start: Sets) -> tuple[Sets, Outcome]:
        refuse_wide_rules(question.problem)
        model = _formulate(question, stated, start)
        more = question.structure.breaking() if on_quality else iter(())
        while True:
            outcome = run.solve(model, question.packing, stated)
            blocks = list(model.sets.values())
            sets = [] if outcome.value is None else map(chosen, blocks)
            found = [list(question.problem.ordered(subset)) for subset in sets]
            broken = [
                subset for subset in found if not objective.checked_feasible(question.problem.mask(subset))
            ]
            broken += [subset for subset in found if not question.keeps_rules(subset)]
            if not broken:
                return found, outcome
            broken += map(
                list, more
            )  # at once: one by one, a model that is loose from one side takes very many solves
            for block, one in product(blocks, broken):
                exclude(block, one)

    return solve


def _formulate(question: Question, problem: Problem, start: Sets) -> Any:
    """Build the model of a question, with another problem that has the same rules, and a start."""
    diversity, count, total = question.diversity, question.count, question.total
    among = None if question.among is None else question.among.tolist()
    if isinstance(diversity, SoftDiversity):
        model = model_of_sets(problem, count, total=total, among=among)
        if count > 1:
            differ_softly(diversity, model, problem.sizes)
        else:
            differ_softly_from(diversity, model, question.known, problem.sizes)
    else:
        model = formulate_together(problem, diversity, count, total, among)
        for subset in question.known:
            differ_from(diversity, model.sets[0], subset, problem.sizes)
    widen_rules(model, problem.sizes[1])
    if start:
        _begin(question, problem, model, start)
    return model


def _begin(question: Question, problem: Problem, model: Any, start: Sets) -> None:
    """Propose sets to a model, if they hold there; one set surely does where there are no rules."""
    blocks = list(model.sets.values())
    for block, subset in zip(blocks, start, strict=True):
        start_from(problem, block, subset)
    soft = question.soft
    if soft is not None or question.count > 1:
        complete_products(model)
    if soft is not None:
        propose_similarities(soft, model, question.known)
    sure = soft is None and question.count == 1 and not problem.subject_to and not problem.across
    if not sure and not holds(model):
        for block in blocks:
            clear_start(block)
