"""An audit of the sets, made when the page is written, so that it is of these sets and of no others."""

from __future__ import annotations

from altsel.auditing.audit import Audit, audit
from altsel.errors import ArgumentError
from altsel.report.parts import Parts
from altsel.results.front import Front
from altsel.results.solutions import Solutions


def audited(found: Solutions | Front, parts: Parts) -> Audit | None:
    """Compute all again that can be, if that is wanted; proofs are not made again.

    Raises
    ------
    ArgumentError
        If what was wanted of the sets is not known here.
    """
    if not parts.audit:
        return None
    if isinstance(found, Front):
        raise ArgumentError("audit: a front is audited by 'altsel audit', which computes it again")
    problem, diversity = (parts.problem, None) if parts.problem is not None else (found.asked or (None, None))
    if problem is None:
        raise ArgumentError(
            "audit: what was wanted of sets that were read from a file is not known here; "
            "give it on the command line: altsel report FILE --data TABLE --audit"
        )
    return audit(found, problem, diversity)
