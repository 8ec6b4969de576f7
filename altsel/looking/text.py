"""A look as text for a terminal: what was found, the columns, the command to run next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from altsel.data.findings.finding import Effect, Finding
from altsel.display.names import short
from altsel.errors import printable
from altsel.results.fitting import width_in_force, wrapped
from altsel.results.text import number_of, text_table

if TYPE_CHECKING:
    from altsel.looking.result import ColumnSummary, Look

HEAD = ("column", "kind", "values", "missing", "alone", "shape", "relevance")
WIDE = 76
"""Characters from which there is room for all of them."""
SHOWN = 60
"""Columns that a terminal shows; all are in files and pipes, the page, JSON and CSV."""
EXPLAINED = (
    "alone: rows in which this column alone has no value; shape: how its values are distributed, from the "
    "lowest number or the most frequent level on; relevance: association with the target"
)
IN_FULL = 5
"""Findings of a kind that are written in full; all are in the page and JSON."""
HEADS = {
    Effect.PROPOSED: "Fixed by the command below",
    Effect.SKIPPED: "Skipped when read",
    Effect.LEFT_OUT: "Left out when read; the option keeps it",
    Effect.WARNING: "For you to decide",
    Effect.REMARK: "Good to know",
}
"""What is done about findings, in the order in which they are shown."""


def text(look: Look, table: str | Path | None = None) -> str:
    """Write all that was found; `table` is a file that says how the table is read, for the next command."""
    lines = [headline(look), ""]
    for head, found in by_effect(look):
        lines += [f"{head}:", *(line for kind in _by_kind(found) for line in _lines(kind)), ""]
    lines += [*_columns(look), ""]
    return "\n".join([*lines, *next_lines(look, table)])


def headline(look: Look) -> str:
    """Report what the table is, in one line."""
    left = "" if look.left == look.rows else f"{look.left:,} of "
    copies = f" ({look.units} without copies)" if look.units < look.features else ""
    task = f" ({look.task})" if look.task else ""
    what = f"{left}{look.rows:,} rows, {number_of(look.features, 'feature')}{copies}"
    found = number_of(len(look.findings), "finding")
    return f"{printable(look.source)}: {what}, target {look.target!r}{task}; {found}"


def by_effect(look: Look) -> Iterator[tuple[str, list[Finding]]]:
    """Yield heads and what was found, by what is done about it."""
    for effect, head in HEADS.items():
        found = [one for one in look.findings if one.effect is effect]
        if found:
            yield head, found


def _by_kind(found: list[Finding]) -> Iterator[list[Finding]]:
    for kind in dict.fromkeys(one.kind for one in found):
        yield [one for one in found if one.kind == kind]


def _lines(found: list[Finding]) -> Iterator[str]:
    """Write what was found of one kind: the first few in full, of the others the columns and the options."""
    for one in found[:IN_FULL]:
        yield from _indented(f"{one.kind}: {printable(one.message)}", "  ", "    ")
        if one.fix:  # whole, so that it can be pasted
            yield f"      {printable(one.fix)}"
    rest = found[IN_FULL:]
    if rest:
        names = printable(", ".join(repr(name) for one in rest for name in one.columns))
        yield from _indented(f"{rest[0].kind}, {len(rest)} more: {names}", "  ", "    ")
        fixes = " ".join(dict.fromkeys(one.fix for one in rest if one.fix))
        yield from ([f"      {printable(fixes)}"] if fixes else [])


def _indented(words: str, first: str, rest: str) -> list[str]:
    width = width_in_force()
    if width is None:
        return [first + words]
    head, *more = wrapped(words, max(width - len(rest), 20), prose=True)
    return [first + head, *(rest + line for line in more)]


def _columns(look: Look) -> list[str]:
    """Tabulate the columns; on a narrow terminal what matters most of each."""
    width = width_in_force()
    places = [*range(len(HEAD))] if width is None or width >= WIDE else [0, 1, 3, 6]
    longest = 40 if width is None else max(width - sum(len(HEAD[j]) + 8 for j in places[1:]), 12)
    names = [one.name for one in look.columns]
    most = len(names) if width is None else SHOWN
    rows = [[short(one.name, longest, names), *_cells(one)] for one in look.columns[:most]]
    right = {place for place, j in enumerate(places) if j in {2, 3, 4, 6}}
    table = [[row[j] for j in places] for row in rows]
    lines = text_table([HEAD[j] for j in places], table, right, prose={1})
    if (more := len(names) - most) > 0:
        lines.append(f"and {number_of(more, 'column')} more: --format csv lists all")
    return lines + (_indented(EXPLAINED, "", "  ") if 4 in places else [])


def _cells(one: ColumnSummary) -> list[str]:
    return [
        one.kind if one.values is not None else one.why,
        "" if one.values is None else f"{one.values:,}",
        f"{one.missing:,}" if one.missing else "",
        f"{one.alone:,}" if one.alone else "",
        one.shape.ticks if one.shape else "",
        "" if one.relevance is None else f"{one.relevance:.2f}",
    ]


def next_lines(look: Look, table: str | Path | None) -> list[str]:
    """Report which command is next, or why there is none yet."""
    if look.fault:
        return ["It cannot be searched yet:", *_indented(printable(look.fault), "  ", "  ")]
    return ["Next:", f"  {printable(look.command(table))}"]
