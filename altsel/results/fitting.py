"""Text that fits a width: tables whose long cells wrap, lines that go on under what they say."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

GAP = 2
"""Spaces between columns, and before what a line goes on with."""
DEEPEST = 16
"""Widest label under whose text a line goes on."""
LEAST = 8
"""Characters that a wrapped column has at least, where its longest name is no wider."""

_in_force: ContextVar[int | None] = ContextVar("altsel_text_width", default=None)


@contextmanager
def fitted(width: int | None) -> Iterator[None]:
    """Lay out all tables inside for a width in characters; None: as wide as they are.

    Examples
    --------
    >>> with fitted(20):
    ...     print(labelled("set 0: ", "height, weight, age"))
    set 0: height,
           weight, age
    """
    token = _in_force.set(width)
    try:
        yield
    finally:
        _in_force.reset(token)


def width_in_force() -> int | None:
    """Return the characters that a line may have; None: any number."""
    return _in_force.get()


def labelled(label: str, text: str) -> str:
    """Write a label and a list of names, which goes on under its first name where the line ends."""
    width = _in_force.get()
    if width is None:
        return label + text
    first, *rest = wrapped(text, max(width - shown_width(label), 1))
    return "\n".join([label + first, *(" " * shown_width(label) + line for line in rest)])


def folded(text: str, width: int) -> str:
    """Wrap every line that is wider at spaces, and go on under what follows its label."""
    return "\n".join(_folded(line, width) for line in text.split("\n"))


def _folded(line: str, width: int) -> str:
    if shown_width(line) <= width:
        return line
    body = line.lstrip(" ")
    begins = len(line) - len(body)
    label, colon, _ = body.partition(": ")
    deeper = len(label) + 2 if colon and len(label) + 2 <= DEEPEST else GAP
    indent = " " * (begins + deeper if begins + deeper <= width // 2 else GAP)
    first, *rest = wrapped(body, width - begins, prose=True)
    further = wrapped(" ".join(rest), width - len(indent), prose=True) if rest else []
    return "\n".join([" " * begins + first, *(indent + more for more in further)])


def wrapped(text: str, width: int, *, prose: bool = False) -> list[str]:
    """Break a list of names at its commas, prose at spaces.

    A name that is too long breaks between its words. A single word that is wider than the width stays whole.

    Examples
    --------
    >>> wrapped("fixed acidity, pH, sulphates", 18), wrapped("fixed acidity, pH", 8)
    (['fixed acidity, pH,', 'sulphates'], ['fixed', 'acidity,', 'pH'])
    """
    pieces = _pieces(text, prose)
    lines: list[str] = []
    for piece in pieces:
        if lines and shown_width(lines[-1]) + 1 + shown_width(piece) <= width:
            lines[-1] += f" {piece}"
        elif prose or shown_width(piece) <= width:
            lines.append(piece)
        else:
            lines += wrapped(piece, width, prose=True)
    return lines


def fitted_rows(
    table: Sequence[Sequence[str]], right: Collection[int], prose: Collection[int], width: int
) -> list[str]:
    """Lay out a head and rows for a width: wrap columns set flush left, or else write each row as a record.

    The widest columns give way first, and none below its longest name. Where that is not enough, each
    row becomes lines of head and cell, as in the expanded display of psql.
    """
    columns = range(len(table[0]))
    widths = [max(shown_width(row[j]) for row in table) for j in columns]
    least = [
        widths[j]
        if j in right
        else max(_longest(row[j], j in prose or i == 0) for i, row in enumerate(table))
        for j in columns
    ]
    least = [min(max(least[j], LEAST), widths[j]) for j in columns]
    gaps = GAP * (len(widths) - 1)
    if sum(least) + gaps > width:
        return _records(table, prose, width)
    while sum(widths) + gaps > width:
        slack = [j for j in columns if widths[j] > least[j]]
        widths[max(slack, key=lambda j: widths[j])] -= 1
    lines = []
    for i, row in enumerate(table):
        cells = [wrapped(cell, widths[j], prose=j in prose or i == 0) for j, cell in enumerate(row)]
        for depth in range(max(map(len, cells))):
            parts = [cell[depth] if depth < len(cell) else "" for cell in cells]
            lines.append(aligned(parts, widths, right))
    return lines


def aligned(cells: Sequence[str], widths: Sequence[int], right: Collection[int]) -> str:
    """Write one line of a table."""
    return (" " * GAP).join(_pad(cell, widths[j], j in right) for j, cell in enumerate(cells)).rstrip()


def _records(table: Sequence[Sequence[str]], prose: Collection[int], width: int) -> list[str]:
    head, *rows = table
    label = max(map(shown_width, head)) + GAP
    lines: list[str] = []
    for row in rows:
        lines += [""] if lines else []
        for j, cell in enumerate(row):
            if not cell:
                continue
            below = width - label < max(LEAST, min(_longest(cell, j in prose), width - GAP))
            indent = GAP if below else label
            parts = wrapped(cell, width - indent, prose=j in prose)
            lines += [head[j]] if below else []
            first = " " * GAP if below else _pad(head[j], label, False)
            lines += [first + parts[0], *(" " * indent + part for part in parts[1:])]
    return lines


def _longest(cell: str, prose: bool) -> int:
    """Return the width of the longest piece that is best kept whole: a name of a list, a word of prose."""
    return max(map(shown_width, _pieces(cell, prose)))


def _pieces(text: str, prose: bool) -> list[str]:
    return text.split(" ") if prose else text.replace(", ", ",\0").split("\0")


def shown_width(text: str) -> int:
    """Return the columns that a text takes: none for marks over a letter, two for wide letters."""
    marks = sum(unicodedata.combining(c) != 0 for c in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in "WF" for c in text)


def _pad(cell: str, width: int, right: bool) -> str:
    space = " " * (width - shown_width(cell))
    return space + cell if right else cell + space
