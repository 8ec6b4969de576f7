"""What a solver claims of a model, against a set at hand."""

from __future__ import annotations

from altsel.errors import SolverError, listing
from altsel.exact.question import Sets
from altsel.exact.run import Run
from altsel.models.objective import Objective, is_own
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.solvers import Outcome


def refuse_false_claims(run: Run, outcome: Outcome, known: float, start: Sets) -> None:
    """Refuse an answer that a set at hand refutes.

    Raises
    ------
    SolverError
        If the solver calls the problem infeasible, or a poorer set optimal.
    """
    names = "; ".join(listing(subset) for subset in start)
    who, or_model = f"solver {run.answered_by!r}", or_the_model(run.problem.objective)
    slack = outcome.slack(known)
    if outcome.stop is Stop.INFEASIBLE:
        raise SolverError(f"{who} calls the problem infeasible, yet {names} keeps all conditions{or_model}")
    if outcome.proof is Proof.OPTIMAL and (outcome.value is None or known - outcome.value > slack):
        raise SolverError(f"{who} calls {outcome.value!r} optimal, yet {names} has {known!r}{or_model}")
    if outcome.bound is not None and known - outcome.bound > slack:
        raise SolverError(f"{who} claims a bound of {outcome.bound!r}, yet {names} has {known!r}{or_model}")


def or_the_model(objective: Objective) -> str:
    """Report in a message that blames a solver that a model of the user's own may be wrong instead."""
    return f"; the model of {objective.name} is wrong, or the solver" if is_own(objective) else ""
