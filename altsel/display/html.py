"""HTML tables for notebooks: static, escaped, accessible, and below 20 kB however large what they show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from html import escape

from altsel.display.names import short
from altsel.errors import printable

LARGEST = 19_000
"""Bytes of a page at most."""
ROWS = 20
"""Rows of a table that are shown."""
NAMES = 12
"""Names of a list that are shown."""
LONGEST = 60
"""Characters of a name that are shown."""
CLASSES = "altsel tex2jax_ignore mathjax_ignore"
"""Notebooks read no formulas into names within these."""


class Html(str):
    """Text that is HTML already, and so is not escaped again."""

    __slots__ = ()


Cell = str
"""Text of any kind, which is escaped, or `Html`."""


@dataclass(frozen=True)
class Table:
    """A table whose first column heads its rows.

    Attributes
    ----------
    caption
        What it shows.
    head
        Heads of the columns.
    rows
        Cells, row by row; no more are asked for than are shown.
    total
        How many rows there are.
    noun
        What a row is, for the line that says how many more there are.
    left
        Places of columns with text, set flush left; the others hold numbers.
    folded
        Whether it is shown when its caption is clicked only.
    """

    caption: str
    head: Sequence[Cell]
    rows: Iterable[Sequence[Cell]]
    total: int
    noun: str = "row"
    left: Collection[int] = ()
    folded: bool = False


def page(title: str, parts: Sequence[Table | str]) -> str:
    r"""Write tables and lines of text below a title, in fewer than 20,000 bytes.

    Tables share what room there is; one that is too long ends with a line that says how many more rows there
    are. There are no colours, so that it can be read on dark and light ground.

    Parameters
    ----------
    title
        What is shown, in words.
    parts
        Tables and lines, in order.

    Returns
    -------
    str
        HTML: well formed, without script, style sheet or anything that is loaded.

    Examples
    --------
    >>> shown = page("Prices", [Table("", ["name", "price"], [["<b>", "3"]], 1, left={0})])
    >>> "&lt;b&gt;" in shown, "<b>" in shown
    (True, False)
    """
    begin, end = f'<div class="{CLASSES}">\n<p><strong>{text(title, 300)}</strong></p>\n', "</div>"
    lines = {number: _line(part) for number, part in enumerate(parts) if isinstance(part, str)}
    room = LARGEST - _size(begin + end + "".join(lines.values()))
    waiting = len(parts) - len(lines)
    written = []
    for number, part in enumerate(parts):
        if isinstance(part, Table):
            written.append(_table(part, room // waiting))
            room -= _size(written[-1])
            waiting -= 1
        else:
            written.append(lines[number])
    return "".join([begin, *written, end])


def text(words: str, longest: int = LONGEST) -> Html:
    """Escape text, show control characters, and cut what is long.

    Examples
    --------
    >>> text("a & b"), text("abcdef", 4)
    ('a &amp; b', 'abc…')
    """
    if isinstance(words, Html):
        return words
    shown = printable(words[: longest + 1])
    return Html(escape(shown if len(shown) <= longest else f"{shown[: longest - 1]}…"))


def name_cell(word: str, among: Sequence[str] = ()) -> Html:
    """Escape a name, whose direction of writing is its own affair; cut, it differs from those beside it."""
    return Html(f"<bdi>{escape(short(word, LONGEST, among))}</bdi>")


def names_cell(words: Sequence[str], shown: int = NAMES, among: Sequence[str] = ()) -> Html:
    """List names; of many the first, and how many more there are.

    Examples
    --------
    >>> names_cell(["a", "b", "c"], 2)
    '<bdi>a</bdi>, <bdi>b</bdi> and 1 more'
    """
    if not words:
        return Html("<em>nothing</em>")
    listed = ", ".join(name_cell(word, among or words) for word in words[:shown])
    return Html(listed + (f" and {len(words) - shown:,} more" if len(words) > shown else ""))


def picture(svg: bytes, words: str) -> Html:
    """Show an SVG as an image, in which nothing runs, with what it shows in words."""
    from base64 import b64encode  # noqa: PLC0415  (only for pictures)

    source = f"data:image/svg+xml;base64,{b64encode(svg).decode()}"
    return Html(f'<p><img alt="{text(words, 300)}" style="max-width:100%" src="{source}"></p>\n')


def _table(table: Table, room: int) -> str:
    """Write as many rows as there is room for."""
    scope = '<th scope="col" style="text-align:{}">{}</th>'
    head = "".join(scope.format(_side(table, j), text(cell)) for j, cell in enumerate(table.head))
    caption = f'<caption style="text-align:left;white-space:nowrap">{text(table.caption, 300)}</caption>\n'
    begin = f"<table>\n{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n"
    end = "</tbody>\n</table>\n"
    if table.folded:
        begin = f"<details><summary>{text(table.caption, 300)}</summary>\n{begin}"
        end += "</details>\n"
    left = room - _size(begin + end) - 200  # for the line that says how many more
    rows: list[str] = []
    for cells in table.rows if table.total else ():
        row = _row(table, cells)
        left -= _size(row)
        if left < 0 or len(rows) == ROWS:
            break
        rows.append(row)
    more = table.total - len(rows)
    if more > 0:
        what = f"{more:,} {'more ' if rows else ''}{table.noun}{'' if more == 1 else 's'}"
        shown = f"… and {what}" if rows else f"{what}, too long to show"
        rows.append(f'<tr><td colspan="{len(table.head)}" style="text-align:left">{text(shown)}</td></tr>\n')
    return "".join([begin, *rows, end])


def _row(table: Table, cells: Sequence[Cell]) -> str:
    first, *rest = cells
    head = f'<th scope="row" style="text-align:{_side(table, 0)}">{text(first)}</th>'
    data = (
        f'<td style="text-align:{_side(table, j)}">{text(cell) if j in table.left else _number(cell)}</td>'
        for j, cell in enumerate(rest, 1)
    )
    return f"<tr>{head}{''.join(data)}</tr>\n"


def _number(cell: Cell) -> str:
    """Write a number on one line, with what belongs to it: a unit, an interval."""
    return text(cell) if isinstance(cell, Html) else text(cell).replace(" ", "&nbsp;")


def _side(table: Table, place: int) -> str:
    return "left" if place in table.left else "right"


def _line(words: str) -> str:
    return words if isinstance(words, Html) and words.startswith("<p") else f"<p>{text(words, 600)}</p>\n"


def _size(written: str) -> int:
    return len(written.encode())
