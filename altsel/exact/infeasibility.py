"""No set at all: what a solver says of the rules and the distances alone."""

from __future__ import annotations

from dataclasses import replace

from altsel.exact.question import Question, Sets
from altsel.exact.run import Run
from altsel.models.feasibility_only import conditions_only
from altsel.models.overlap_rows import differ_from
from altsel.models.problem import model_of_sets
from altsel.results.stop import Stop
from altsel.solvers import Outcome


def prove_infeasible(question: Question, run: Run, start: Sets) -> Outcome | None:
    """Let a solver say that no set keeps rules and distances; None if some may, or `start` does."""
    if start or not question.problem.subject_to or question.soft is not None:
        return None
    objective = conditions_only(question.problem.objective, wanted=False)
    model = model_of_sets(replace(question.problem, objective=objective))
    for subset in question.known:
        differ_from(question.distance, model.sets[0], subset, question.problem.sizes)
    outcome = run.solve(model)
    return outcome if outcome.stop is Stop.INFEASIBLE else None
