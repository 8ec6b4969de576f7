"""Plain text tables whose lines stay lines, whatever a column is called."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from math import exp, floor, isfinite, log
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.errors import ArgumentError, hidden, printable
from altsel.results.fitting import aligned, fitted_rows, shown_width, width_in_force

WIDEST = 80
"""Spaces of an indent at most."""
LONG_NUMBER = re.compile(
    r"np\.float\d+\((-?\d+\.\d+(?:e[+-]?\d+)?)\)|(?<![\w.])-?\d+\.\d{5,}(?:e[+-]?\d+)?(?![\w.])"
)
"""A float as `repr` writes it, with more digits than anybody reads."""


def json_text(value: Any, indent: int | None = None) -> str:
    r"""Write JSON that any terminal may show: letters as they are, control and direction marks escaped.

    Examples
    --------
    >>> json_text({"é": "a" + chr(0x202E)})
    '{"é": "a\\u202e"}'
    """
    if indent is not None and (type(indent) is not int or not 0 <= indent <= WIDEST):
        write = f"Path({str(indent)!r}).write_text(result.to_json(), encoding='utf-8')"
        fix = f"; {write} writes a file" if isinstance(indent, str | Path) else ""
        raise ArgumentError(f"indent={indent!r}; use a number of spaces, at most {WIDEST}, or None{fix}")
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(json.dumps(c)[1:-1] if c != "\n" and hidden(c) else c for c in text)


def csv_text(table: pd.DataFrame, index_label: str | None = None) -> str:
    """Write CSV in which no cell is a formula of a spreadsheet, or a mark that a terminal obeys.

    A text that begins like one (``=``, ``+``, ``-``, ``@``, a quote) or holds such marks is written as JSON:
    in quotes of its own. `read_cell` turns it back.
    """
    message = table.copy()
    for name in message:
        if not pd.api.types.is_numeric_dtype(message[name]) and not pd.api.types.is_bool_dtype(message[name]):
            message[name] = message[name].map(_safe)
    return str(message.to_csv(index=index_label is not None, index_label=index_label, lineterminator="\n"))


def read_cell(cell: str) -> str:
    """Turn a cell of `csv_text` back into the text it stands for.

    Examples
    --------
    >>> read_cell('"=1+1"'), read_cell("plain")
    ('=1+1', 'plain')
    """
    return str(json.loads(cell)) if cell.startswith('"') else cell


def _safe(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    formula = value[:1] in {"=", "+", "-", "@", '"', "\t", "\r"} or value != value.strip()
    return json_text(value) if formula or printable(value) != value else value


def text_table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Collection[int] = (),
    prose: Collection[int] = (),
) -> list[str]:
    """Lay out rows under their head, columns as wide as their widest cell, or for the width in force.

    Parameters
    ----------
    head, rows
        Cells as text, already printable.
    right
        Indices of the columns set flush right, which never wrap.
    prose
        Indices of columns that wrap at spaces; the others are lists of names, which wrap at commas.

    Returns
    -------
    list of str
        The head's line, then one a row; more where cells wrap, see `altsel.results.fitting.fit_tables`.

    Examples
    --------
    >>> text_table(["name", "n"], [["ab", "10"]], right={1})
    ['name   n', 'ab    10']
    """
    table = [list(head), *map(list, rows)]
    widths = [max(shown_width(line[j]) for line in table) for j in range(len(head))]
    width = width_in_force()
    if width is not None and sum(widths) + 2 * (len(head) - 1) > width:
        return fitted_rows(table, right, prose, width)
    return [aligned(line, widths, right) for line in table]


def meanings(head: Sequence[str], said: Mapping[str, str]) -> list[str]:
    """Return a line that says what the columns of a table mean, those that are said; none if none is.

    Examples
    --------
    >>> meanings(["set", "lost"], {"lost": "share of the best score", "gap": "not there"})
    ['lost: share of the best score']
    """
    line = "; ".join(f"{name}: {said[name]}" for name in head if name in said)
    return [line] if line else []


def percent(share: float | None) -> str:
    """Show a share as a percentage of two digits, from 100 % on of whole ones; nothing for None.

    Examples
    --------
    >>> percent(0.0123), percent(0.997), percent(3.986), percent(None)
    ('1.2 %', '99.7 %', '399 %', '')
    """
    if share is None:
        return ""
    if 0.99 <= share < 1:  # never rounded to the whole
        return f"{min(100 * share, 99.9):.1f} %"
    return f"{100 * share:.2g} %" if share < 1 or not isfinite(share) else f"{100 * share:,.0f} %"


def number_text(value: float | None) -> str:
    """Show a number with three digits; nothing for None."""
    return "" if value is None else f"{value:.3g}"


def p_text(log_p: float | None) -> str:
    """Show p with two digits, also where it is too small for a float.

    Examples
    --------
    >>> p_text(-4.398), p_text(-2302.585093), p_text(None)
    ('0.012', '1e-1000', 'not tested')
    """
    if log_p is None:
        return "not tested"
    if log_p > -600:
        return f"{exp(log_p):.2g}"
    exponent = floor(log_p / log(10))
    lead = 10 ** (log_p / log(10) - exponent)
    return f"{lead:.2g}e{exponent}" if round(lead, 1) < 10 else f"1e{exponent + 1}"


def rounded(words: str) -> str:
    """Round the floats that `repr` wrote into words to four digits.

    Examples
    --------
    >>> rounded("sequential, Dice(tau=0.3333333333333333), alternatives=2")
    'sequential, Dice(tau=0.3333), alternatives=2'
    """
    return LONG_NUMBER.sub(lambda one: f"{float(one[1] or one[0]):.4g}", words)


def number_of(count: int, noun: str) -> str:
    """Count things in words.

    Examples
    --------
    >>> number_of(1, "blanket"), number_of(0, "test")
    ('1 blanket', '0 tests')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def least_p(permutations: int) -> str:
    """Report how small a p can be that so many permutations give; nothing where their number is not known.

    Examples
    --------
    >>> least_p(19), least_p(0)
    ('; with 19 permutations at least 0.05', '')
    """
    if not permutations:
        return ""
    return f"; with {number_of(permutations, 'permutation')} at least {number_text(1 / (1 + permutations))}"
