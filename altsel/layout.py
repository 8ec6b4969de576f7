"""Plain text tables whose lines stay lines, whatever a column is called."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence


def printable(name: str) -> str:
    r"""Show control characters (a newline, an escape) as ``\n``, ``\x1b``; the rest as it is.

    Examples
    --------
    >>> printable("two" + chr(10) + "lines") == r"two\nlines"
    True
    """
    return "".join(
        c if unicodedata.category(c)[0] != "C" else c.encode("unicode_escape").decode() for c in name
    )


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Lay out rows under their head, columns as wide as their widest cell.

    Parameters
    ----------
    head, rows
        Cells as text, already printable.
    right
        Places of the columns set flush right.

    Returns
    -------
    list of str
        The head's line, then one a row.

    Examples
    --------
    >>> text_table(["name", "n"], [["ab", "10"]], right={1})
    ['name   n', 'ab    10']
    """
    table = [list(head), *map(list, rows)]
    widths = [max(_width(line[j]) for line in table) for j in range(len(head))]
    return [
        "  ".join(_pad(cell, widths[j], j in right) for j, cell in enumerate(line)).rstrip() for line in table
    ]


def percent(share: float | None) -> str:
    """Show a share as a percentage of two digits; nothing for None."""
    return "" if share is None else f"{100 * share:.2g} %"


def number_text(value: float | None) -> str:
    """Show a number with three digits; nothing for None."""
    return "" if value is None else f"{value:.3g}"


def _width(text: str) -> int:
    marks = sum(unicodedata.combining(c) != 0 for c in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in "WF" for c in text)


def _pad(cell: str, width: int, right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if right else cell + space
