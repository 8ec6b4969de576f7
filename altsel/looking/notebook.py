"""A look in a notebook: what was found, and the columns, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from altsel.display.html import Cell, Table, name_cell, page
from altsel.looking.text import by_effect, headline

if TYPE_CHECKING:
    from altsel.looking.result import Look


def shown(look: Look) -> str:
    """Write the findings, the columns and the next command as HTML of less than 20 kB."""
    parts: list[Table | str] = []
    for head, found in by_effect(look):
        rows: list[list[Cell]] = [[one.kind, one.message, one.fix] for one in found]
        parts.append(Table(head, ["finding", "what", "option"], rows, len(found), "finding", {0, 1, 2}))
    names = [one.name for one in look.columns]
    columns: list[list[Cell]] = [
        [
            name_cell(one.name, names),
            one.kind if one.values is not None else one.why,
            one.shape.words if one.shape else "",
            "" if one.values is None else f"{one.values:,}",
            f"{one.missing:,}",
            "" if one.relevance is None else f"{one.relevance:.2f}",
        ]
        for one in look.columns
    ]
    heads = ["column", "kind", "distribution", "values", "missing", "relevance"]
    parts.append(Table("Columns", heads, columns, len(names), "column", {0, 1, 2}))
    parts.append(f"It cannot be searched yet: {look.fault}" if look.fault else f"Next: {look.command()}")
    return page(headline(look), parts)
