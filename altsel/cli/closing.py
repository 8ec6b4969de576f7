"""The sentence that closes a result: what it says, and which command looks further."""

from __future__ import annotations

import shlex
from pathlib import Path

from altsel.errors import printable
from altsel.results.feature_set import Proof
from altsel.results.shares import shares_of_best
from altsel.results.solutions import Solutions
from altsel.results.text import number_of, percent

LITTLE = 0.05
"""Share of the best score up to which an alternative is said to lose little."""


def closing(found: Solutions, data: Path) -> str:
    """Return what the best sets of a criterion say, and the next command, in one sentence; empty for none."""
    if not found.sets:
        return ""
    target = printable(found.target or "the target")
    noise, best = found.noise, max(one.score for one in found)
    if noise is not None and not noise.exceeded_by(best):
        look = f"altsel rank {_quoted(data)} --target {shlex.quote(found.target or '')}"
        return f"No set tells more of {target!r} than chance does; each feature by itself: {look}"
    if len(found) == 1:
        said = f"No other set of this size tells more of {target!r}"
        said = said if found[0].proof is Proof.OPTIMAL else f"This is the best set found for {target!r}"
        return f"{said}; others that tell nearly as much: add --alternatives 5"
    shares = shares_of_best(found)
    then = f"altsel performance found.json {_quoted(data)}"
    kept = f"whether they predict as well: add --output found.json, then {then}"
    if not shares:
        return f"Next, {kept}"
    lost = 1 - min(shares)
    if lost <= LITTLE + 1e-9:
        return f"The alternatives lose at most {percent(lost)} of the best score; {kept}"
    worse = sum(share < 1 - LITTLE - 1e-9 for share in shares)
    lose = "loses" if worse == 1 else "lose"
    return (
        f"{number_of(worse, 'set')} {lose} more than {percent(LITTLE)} of the best score, up to "
        f"{percent(lost)}; what differing costs: altsel front {_quoted(data)} --target "
        f"{shlex.quote(found.target or '')}"
    )


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))
