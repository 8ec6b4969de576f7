"""The audit of a search for all Markov blankets."""

from __future__ import annotations

from altsel.auditing.blankets import claims
from altsel.auditing.blankets.best import Best
from altsel.auditing.blankets.case import Case
from altsel.auditing.blankets.completeness import Completeness
from altsel.auditing.blankets.problem import BlanketProblem
from altsel.auditing.blankets.retests import Retests
from altsel.auditing.looked_at import looked_at
from altsel.exact.auto_solver import SolverLike
from altsel.exact.verification.verifier import Check
from altsel.results.solutions import Solutions

REMOVALS = "failed removals"
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
    parts = {"what was asked": claims.question(case), "each set": claims.sets(case)}
    if found.dual is not None:
        parts |= {REMOVALS: claims.removals(case), "discarded sets": claims.discarded(case)}
        parts |= {"what meets the removals": claims.meetings(case), "how the search ended": claims.ends(case)}
        parts |= {"roles": claims.roles(case)}
        parts |= {"costs": best.figures()} if case.is_best else {}
        parts |= {"that there is no other": completeness.checks()}
        parts |= {"that none is better": best.proofs()} if case.is_best else {}
        parts |= {"tests on the data": retests.checks()}
    needed = ("each set", REMOVALS, "discarded sets")  # without these nothing can be proved or tested
    checks, _ = looked_at(parts, needed=needed)
    older = [] if found.dual is not None else [OLDER]
    return checks, [*older, *completeness.unproved, *retests.unproved, *claims.unchecked(case)]
