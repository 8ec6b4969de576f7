"""A look as a page for any browser: findings and their options, pictures of columns, the next command."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from altsel._version import __version__
from altsel.display.document import digest, document
from altsel.display.html import name_cell
from altsel.errors import printable
from altsel.looking.picture import bars
from altsel.looking.text import by_effect, headline

if TYPE_CHECKING:
    from altsel.data.findings.finding import Finding
    from altsel.looking.result import ColumnSummary, Look

ENDINGS = (".html", ".htm")
HEAD = ("column", "", "kind", "why", "distribution", "values", "missing", "alone", "relevance", "p")

SHOWN = 1000
"""Columns that have a row."""
EXPLAINED = (
    "missing: rows without a value; alone: rows in which this column alone has none, which is what it costs. "
    "relevance: association with the target, from 0 to 1; p: how often independence "
    "would give as much."
)


def page(look: Look, table: str | Path | None = None) -> str:
    """Return the page; `table` is a file that says how the table is read, for the next command."""
    style = (files("altsel.looking") / "page.css").read_text(encoding="utf-8")
    sections = [_findings(head, found) for head, found in by_effect(look)]
    title = printable(f"{look.source}: before a search")
    body = f"""<h1>{escape(title)}</h1>
<p>{escape(headline(look))}</p>
{"".join(sections)}
{_columns(look)}
{_next(look, table)}"""
    policy = f"default-src 'none'; style-src {digest(style)}; img-src data:"
    return document(title, style, body, policy, __version__)


def _findings(head: str, found: list[Finding]) -> str:
    items = "".join(
        f"<li><b>{escape(one.kind)}</b>: {escape(printable(one.message))}<br>"
        + "".join(f"<pre>{escape(printable(way))}</pre>" for way in (one.fix, one.argument) if way)
        + "</li>\n"
        for one in found
    )
    return f"<section><h2>{escape(head)}</h2>\n<ul>\n{items}</ul></section>\n"


def _next(look: Look, table: str | Path | None) -> str:
    if look.fault:
        return f"<section><h2>It cannot be searched yet</h2><p>{escape(printable(look.fault))}</p></section>"
    return f"<section><h2>Next</h2><pre>{escape(printable(look.command(table)))}</pre></section>"


def _columns(look: Look) -> str:
    head = "".join(f'<th scope="col">{one}</th>' for one in HEAD)
    rows, more = "".join(map(_row, look.columns[:SHOWN])), len(look.columns) - SHOWN
    rest = f"<p>… and {more:,} more columns; JSON and CSV have all.</p>" if more > 0 else ""
    return (
        '<section><h2>Columns</h2><div class="scroll"><table>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>"
        f"{rest}<p>{EXPLAINED}</p></section>"
    )


def _row(one: ColumnSummary) -> str:
    numbers = [
        "" if one.values is None else f"{one.values:,}",
        f"{one.missing:,}" if one.missing else "",
        f"{one.alone:,}" if one.alone else "",
        "" if one.relevance is None else f"{one.relevance:.2f}",
        "" if one.p is None else f"{one.p:.2g}",
    ]
    picture = bars(one.shape, one.name) if one.shape else ""
    words = [one.kind, one.why, one.shape.words if one.shape else ""]
    cells = [f"<td>{picture}</td>", *(f"<td>{escape(printable(word))}</td>" for word in words)]
    cells += [f'<td class="number">{number}</td>' for number in numbers]
    out = ' class="out"' if one.values is None else ""
    return f'<tr{out}><th scope="row">{name_cell(one.name)}</th>{"".join(cells)}</tr>\n'
