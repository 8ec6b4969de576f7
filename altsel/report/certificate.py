"""What proves that all blankets were found: in words, and the failed removals with what confirms each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altsel.results.certificate_text import CONFIRMED_BY, certificate_lines
from altsel.results.solutions import Solutions

if TYPE_CHECKING:
    from altsel.report.parts import Numbers

SHOWN = 200
"""Failed removals that a page holds."""


def certificate_of(found: Solutions, numbers: Numbers) -> dict[str, Any] | None:
    """Return the certificate of a search for all blankets, and its smallest removals; None without one."""
    lines = certificate_lines(found)
    if found.dual is None or not lines:
        return None
    failed = sorted(found.dual.failed, key=lambda one: len(one.removed))
    return {
        "lines": [f"{line[0].upper()}{line[1:]}." for line in lines],
        "rows": [
            [
                numbers(one.removed),
                CONFIRMED_BY[one.evidence],
                [] if one.feature is None else numbers([one.feature]),
                one.log_p,
                numbers(one.left),
            ]
            for one in failed[:SHOWN]
        ],
        "more": max(len(failed) - SHOWN, 0),
    }
