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

SHOWN = 60
"""Columns that are tabulated; all are in the page, JSON and CSV."""
IN_FULL = 5
"""Findings of a kind that are written in full; all are in the page and JSON."""
HEADS = {
    Effect.PROPOSED: "Fixed by the command below",
    Effect.SKIPPED: "Skipped when the table is read",
    Effect.LEFT_OUT: "Left out when the table is read; the option makes it a feature",
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
    return "\n".join([*lines, *_next(look, table)])


def headline(look: Look) -> str:
    """Say what the table is, in one line."""
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
        fixes = " ".join(one.fix for one in rest if one.fix)
        yield from ([f"      {printable(fixes)}"] if fixes else [])


def _indented(words: str, first: str, rest: str) -> list[str]:
    width = width_in_force()
    if width is None:
        return [first + words]
    head, *more = wrapped(words, max(width - len(rest), 20), prose=True)
    return [first + head, *(rest + line for line in more)]


def _columns(look: Look) -> list[str]:
    head = ["column", "kind", "values", "missing", "alone", "shape", "association", "p"]
    shown = look.columns[:SHOWN]
    lines = text_table(head, [_row(one) for one in shown], right={2, 3, 4, 6, 7}, prose={1})
    more = len(look.columns) - len(shown)
    return lines + ([f"and {number_of(more, 'column')} more"] if more else [])


def _row(one: ColumnSummary) -> list[str]:
    values = "" if one.values is None else f"{one.values:,}"
    return [
        short(one.name),
        one.kind if one.values is not None else one.why,
        values,
        f"{one.missing:,}" if one.missing else "",
        f"{one.alone:,}" if one.alone else "",
        one.shape.ticks if one.shape else "",
        "" if one.association is None else f"{one.association:.2f}",
        "" if one.p is None else f"{one.p:.2g}",
    ]


def _next(look: Look, table: str | Path | None) -> list[str]:
    if look.fault:
        return ["It cannot be searched yet:", *_indented(printable(look.fault), "  ", "  ")]
    return ["Next:", f"  {printable(look.command(table))}"]
