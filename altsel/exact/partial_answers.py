"""What an engine leaves open goes on to the next: with the sets and the bounds of those before."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from altsel.errors import SolverError
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.run import Run
from altsel.exact.verification.solver_claims import or_the_model, refuse_false_claims
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.solvers import Outcome


def answer_unproved(question: Question, sets: Sets, stop: Stop) -> Answer:
    """Return sets at hand as an answer, of which nothing is proved."""
    return Answer(sets, Outcome.unfinished(stop, question.value(sets)), question.penalty_of(sets))


def is_settled(found: Answer) -> bool:
    """Return whether nothing is left to search: an optimum, none at all, or no time."""
    if found.cut_short:
        return False
    return found.final or found.outcome.proof is Proof.OPTIMAL or found.outcome.stop is not Stop.EXHAUSTED


def better(question: Question, run: Run, found: Answer, before: Answer) -> Answer:
    """Return the better of two answers with the smaller of their bounds; refuse what the first refutes.

    Raises
    ------
    SolverError
        If the later one is called optimal, or impossible, and the earlier one shows that it is not.
    """
    outcome = replace(found.outcome, value=question.value(found.sets) if found.sets else None)
    known = question.value(before.sets) if before.sets else -inf
    if before.sets and (outcome.proof is Proof.OPTIMAL or outcome.stop is Stop.INFEASIBLE):
        refuse_false_claims(run, outcome, known, before.sets)
    if outcome.stop is Stop.INFEASIBLE:
        return found
    bounds = [one.outcome.bound for one in (found, before) if one.outcome.bound is not None]
    if outcome.proof is Proof.OPTIMAL:
        slack = max(one.outcome.slack(outcome.value or 0.0) for one in (found, before))
        if outcome.value is not None and bounds and outcome.value > min(bounds) + slack:
            raise SolverError(
                f"{run.answered_by!r}: a bound of {min(bounds)!r} was proved, yet {outcome.value!r} found"
                f"{or_the_model(question.problem.objective)}"
            )
        return found
    if before.sets and (outcome.value is None or outcome.value < known):
        outcome = replace(outcome, proof=before.outcome.proof, value=known)
        found = replace(found, sets=before.sets, penalty_paid=before.penalty_paid)
    return replace(found, outcome=replace(outcome, bound=min(bounds, default=None)))
