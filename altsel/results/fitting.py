"""Text that fits a width: tables whose long cells wrap, lines that go on under what they say."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import zip_longest

GAP = 2
"""Spaces between columns, and before what a line goes on with."""
DEEPEST = 16
"""Widest label under whose text a line goes on."""
LEAST = 8
"""Characters that a wrapped column has at least, where its longest name is no wider."""

_in_force: ContextVar[int | None] = ContextVar("altsel_text_width", default=None)


@contextmanager
def fit_tables(width: int | None) -> Iterator[None]:
    """Lay out all tables inside for a width in characters; None: as wide as they are.

    Examples
    --------
    >>> with fit_tables(20):
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
    pieces: list[str] = []
    for piece in _kept_whole(text, False, prose):
        pieces += [piece] if shown_width(piece) <= width else piece.split(" ")
    return _filled(pieces, width)


def fitted_rows(
    table: Sequence[Sequence[str]], right: Collection[int], prose: Collection[int], width: int
) -> list[str]:
    """Lay out a head and rows for a width: wrap columns set flush left, or else write each row as a record.

    The widest columns give way first, and none below its longest name, number or word of its head. Where
    that is not enough, each row becomes lines of head and cell, as in the expanded display of psql.
    """
    columns = range(len(table[0]))
    cells = [
        [_kept_whole(cell, i > 0 and j in right, i == 0 or j in prose) for j, cell in enumerate(row)]
        for i, row in enumerate(table)
    ]
    widths = [max(shown_width(row[j]) for row in table) for j in columns]
    least = [max(shown_width(piece) for row in cells for piece in row[j]) for j in columns]
    least = [width if j in right else min(max(width, LEAST), widths[j]) for j, width in enumerate(least)]
    gaps = GAP * (len(widths) - 1)
    if sum(least) + gaps > width:
        return _records(table, prose, width)
    while sum(widths) + gaps > width:
        slack = [j for j in columns if widths[j] > least[j]]
        widths[max(slack, key=lambda j: widths[j])] -= 1
    lines = []
    for row in cells:
        parts = [_filled(pieces, widths[j]) for j, pieces in enumerate(row)]
        for line in zip_longest(*parts, fillvalue=""):
            lines.append(aligned(line, widths, right))
    return lines


def aligned(cells: Sequence[str], widths: Sequence[int], right: Collection[int]) -> str:
    """Write one line of a table."""
    return (" " * GAP).join(_pad(cell, widths[j], j in right) for j, cell in enumerate(cells)).rstrip()


def _records(table: Sequence[Sequence[str]], prose: Collection[int], width: int) -> list[str]:
    head, *rows = table
    label = max((shown_width(name) for name in head if shown_width(name) <= width // 2), default=0) + GAP
    lines: list[str] = []
    for row in rows:
        lines += [""] if lines else []
        for j, cell in enumerate(row):
            lines += _entry(head[j], cell, j in prose, label, width) if cell else []
    return lines


def _entry(name: str, cell: str, prose: bool, label: int, width: int) -> list[str]:
    """Write a cell beside its head, or below it if one of the two is too long for that."""
    if shown_width(name) > label - GAP and shown_width(name) + GAP + shown_width(cell) <= width:
        return [name + " " * GAP + cell]
    longest = max(map(shown_width, _kept_whole(cell, False, prose)))
    if shown_width(name) > label - GAP or longest > width - label:
        below = wrapped(cell, width - GAP, prose=prose)
        return [*wrapped(name, width, prose=True), *(" " * GAP + line for line in below)]
    first, *rest = wrapped(cell, width - label, prose=prose)
    return [_pad(name, label, False) + first, *(" " * label + more for more in rest)]


def _kept_whole(cell: str, number: bool, prose: bool) -> list[str]:
    """Divide a cell into what is best kept whole: a number, the names of a list, the words of prose."""
    if number:
        return [cell]
    return cell.split(" ") if prose else cell.replace(", ", ",\0").split("\0")


def _filled(pieces: Sequence[str], width: int) -> list[str]:
    """Fill each line with as many pieces as it has room for."""
    lines: list[str] = []
    for piece in pieces:
        if lines and shown_width(lines[-1]) + 1 + shown_width(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines


def shown_width(text: str) -> int:
    """Return the columns that a text takes: none for marks over a letter, two for wide letters."""
    marks = sum(unicodedata.combining(c) != 0 for c in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in "WF" for c in text)


def _pad(cell: str, width: int, right: bool) -> str:
    space = " " * (width - shown_width(cell))
    return space + cell if right else cell + space
