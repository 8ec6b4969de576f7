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
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop

REMOVALS = "failed removals"
UNFOUNDED = (
    "nothing in the file proves it: it has no failed removals, as if of a version before them; search again "
    "to have them"
)
"""What is said of a file without a dual."""
CLAIMING = (Stop.EXHAUSTED, Stop.INFEASIBLE)
"""How a search ends that claims to know all blankets."""


def without_dual(found: Solutions) -> tuple[list[Check], list[str]]:
    """Report what becomes of the claims of a family without failed removals: open, if there are any."""
    if found.dual is not None:
        return [], []
    if found.stop in CLAIMING:
        return [Check(f"there is no other blanket ('{found.stop.value}')", None, UNFOUNDED)], []
    if any(one.proof is Proof.OPTIMAL for one in found):
        return [Check("no other blanket costs less ('optimal')", None, UNFOUNDED)], []
    return [], [f"that there is no other blanket: {UNFOUNDED}"]


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
    unfounded, older = without_dual(found)
    told = [*claims.not_claimed(case), *older, *completeness.unproved, *retests.unproved]
    return [*checks, *unfounded], [*told, *claims.unchecked(case)]
