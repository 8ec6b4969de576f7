"""The parts of an audit one after the other, until one ends early: what was looked at then stays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from altsel.exact.verification.verifier import Check
from altsel.runtime.clock import STOPPED, clock

WHOLE = "everything looked at"
"""The claim of an audit that is left open if it ends early."""


def looked_at(
    parts: Mapping[str, Iterable[Check]], later: Collection[str] = (), needed: Collection[str] = ()
) -> tuple[list[Check], bool]:
    """Return the checks of all parts, and whether those after may begin.

    Parameters
    ----------
    parts
        Checks by what they look at, in words.
    later
        What is looked at after these parts.
    needed
        Parts after which nothing more is looked at if a check does not hold.

    Returns
    -------
    tuple
        The checks; if time was up, or the user stopped it, the last one is left open and names the part under
        way and those after it.
    """
    checks: list[Check] = []
    left = [*parts, *later]
    try:
        for name, part in parts.items():
            for check in part:
                checks.append(check)
                clock().check()
            left.remove(name)
            if name in needed and any(check.holds is False for check in checks):
                return checks, False
    except STOPPED as fault:
        clock().note(fault)
        checks.append(unfinished(fault, left))
        return checks, False
    return checks, True


def unfinished(fault: BaseException, left: Collection[str] = ()) -> Check:
    """Report that an audit ended early, and what it did not look at."""
    why = "interrupted" if isinstance(fault, KeyboardInterrupt) else "time was up"
    head, *rest = [*left, ""]
    also = f"; not: {', '.join(filter(None, rest))}" if any(rest) else ""
    return Check(WHOLE, None, f"{why}; not, or in part: {head}{also}" if head else why)
