"""Sides of the members of a blanket as text, and as a table of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from altsel.display.html import Table, name_cell, page
from altsel.errors import printable
from altsel.results.text import text_table

if TYPE_CHECKING:
    from altsel.results.feature_set import FeatureSet
    from altsel.results.orientation import Orientation


def text(found: Orientation) -> str:
    """Return the members with their sides and reasons, and what was learned."""
    rows = [[printable(one.feature), one.side.value, printable(one.why)] for one in found.members]
    table = text_table(["feature", "side", "why"], rows, prose={2})
    return "\n".join([_title(found), *table, _learned(found)])


def family_lines(sets: Sequence[FeatureSet]) -> list[str]:
    """Tabulate in how many blankets each feature is what, and why in the first of these."""
    counts: Counter[tuple[str, str]] = Counter()
    why: dict[tuple[str, str], str] = {}
    for one in sets:
        for member in () if one.orientation is None else one.orientation.members:
            key = (member.feature, member.side.value)
            counts[key] += 1
            why.setdefault(key, member.why)
    if not counts:
        return []
    order = {key: number for number, key in enumerate(why)}
    rows = [
        [printable(name), side, str(counts[name, side]), printable(why[name, side])]
        for name, side in sorted(order, key=lambda key: (order[key], key))
    ]
    return text_table(["feature", "side", "sets", "why, in the first of these"], rows, right={2}, prose={3})


def html(found: Orientation) -> str:
    """Show the same as a table."""
    names = [one.feature for one in found.members]
    rows = ([name_cell(one.feature, names), one.side.value, one.why] for one in found.members)
    table = Table("Sides", ["feature", "side", "why"], rows, len(names), "member", {0, 1, 2})
    return page(_title(found), [table, _learned(found)])


def _title(found: Orientation) -> str:
    counts = Counter(one.side.value for one in found.members)
    told = ", ".join(f"{number} {side}" for side, number in counts.items()) or "no members"
    return f"blanket of {printable(found.target)}: {told}"


def _learned(found: Orientation) -> str:
    sure = "hidden common causes are possible" if found.hidden else "if no common cause is hidden"
    return f"learned around {len(found.learned)} variables by {found.tests:,} tests; {sure}"
