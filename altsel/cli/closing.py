"""The sentence that closes a result: what it says, and which command looks further."""

from __future__ import annotations

import shlex
from dataclasses import fields
from pathlib import Path

from altsel.cli.reading_options import ReadingOptions
from altsel.errors import printable
from altsel.results.feature_set import Proof
from altsel.results.shares import shares_of_best
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.results.text import number_of, percent

LITTLE = 0.05
"""Share of the best score up to which an alternative is said to lose little."""


def closing(found: Solutions, data: Path) -> str:
    """Return what the best sets of a criterion say, and the next command, in one sentence; empty for none."""
    if not found.sets or found.stop is Stop.INFEASIBLE:
        return ""
    target = printable(found.target or "the target")
    noise, best = found.noise, max(one.score for one in found)
    if noise is not None and not noise.exceeded_by(best):
        look = f"altsel rank {_table(found, data)} --method mim -k {len(found.universe)}"
        return f"No set tells more of {target!r} than chance does; each feature by itself: {look}"
    if len(found) == 1:
        said = f"No other set of this size tells more of {target!r}"
        said = said if found[0].proof is Proof.OPTIMAL else f"This is the best set found for {target!r}"
        return f"{said}; others that tell nearly as much: add --alternatives 5"
    shares = shares_of_best(found)
    then = f"altsel performance found.json {shlex.quote(str(data))}"
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
        f"{percent(lost)}; {kept}"
    )


def _table(found: Solutions, data: Path) -> str:
    """Write a table, its target and how it is read, as the command that found solutions was told."""
    command = found.request.get("command")
    given = command.get("options", {}) if isinstance(command, dict) else {}
    words = [str(data), "--target", found.target or ""]
    for name in (one.name for one in fields(ReadingOptions) if one.name in given):
        option, value = f"--{name.replace('_', '-')}", given[name]
        for each in value if isinstance(value, list) else [value]:
            words += [option] if each is True else [option, str(each)]
    return shlex.join(words)
