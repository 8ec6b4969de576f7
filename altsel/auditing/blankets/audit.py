"""The audit of a search for all Markov blankets."""

from __future__ import annotations

from altsel.auditing.blankets import claims
from altsel.auditing.blankets.best import Best
from altsel.auditing.blankets.case import Case
from altsel.auditing.blankets.completeness import Completeness
from altsel.auditing.blankets.problem import BlanketProblem
from altsel.auditing.blankets.retests import Retests
from altsel.exact.auto_solver import SolverLike
from altsel.exact.verification.verifier import Check
from altsel.results.solutions import Solutions
from altsel.runtime.clock import OutOfTimeError, clock

OLDER = (
    "that there is no other blanket: the file has no failed removals, as it is of a version before them; "
    "search again to have them"
)
"""What is said of a file without a dual."""


def audit_blankets(
    found: Solutions, problem: BlanketProblem, prove: SolverLike, most: int | None
) -> tuple[list[Check], list[str]]:
    """Check blankets, first by themselves, then what proves that there are no others, then by tests.

    Returns
    -------
    tuple of list
        The checks, and the claims that nothing was done about.
    """
    case = Case(found, problem)
    completeness, retests = Completeness(case, prove), Retests(case, most)
    best = Best(case, completeness)
    parts = [claims.question(case), claims.sets(case)]
    if found.dual is not None:
        parts += [claims.removals(case), claims.discarded(case), claims.meetings(case), claims.ends(case)]
        parts += [claims.roles(case)]
        parts += [best.figures()] if case.is_best else []
        parts += [completeness.checks(), best.proofs() if case.is_best else iter(()), retests.checks()]
    checks: list[Check] = []
    try:
        for part in parts:
            for check in part:
                checks.append(check)
                clock().check()
            if part in parts[1:4] and any(check.holds is False for check in checks):
                break  # what is no set of features of the data can be neither proved nor tested
    except OutOfTimeError:
        checks.append(Check("everything looked at", None, "time was up"))
    older = [] if found.dual is not None else [OLDER]
    return checks, [*older, *completeness.unproved, *retests.unproved, *claims.unchecked(case)]
