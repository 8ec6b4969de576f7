"""On which side of the target the members of blankets are."""

from __future__ import annotations

from typing import Any

from altsel.errors import printable
from altsel.report.parts import Numbers
from altsel.results.solutions import Solutions

SHOWN = 50
"""Blankets whose sides a page holds."""


def sides_of(found: Solutions, numbers: Numbers) -> dict[str, Any] | None:
    """Return the sides of the members of each set, with what says so; None if none is told."""
    told = [(index, one.orientation) for index, one in enumerate(found) if one.orientation is not None]
    if not told:
        return None
    rows = [
        [index, numbers([one.feature]), one.side.value, one.p, printable(one.why)]
        for index, sides in told[:SHOWN]
        for one in sides.members
    ]
    return {"rows": rows, "hidden": told[0][1].hidden, "more": max(len(told) - SHOWN, 0)}
