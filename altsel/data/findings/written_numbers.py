"""Columns of text whose labels are numbers, all of them or but for a few."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

import numpy as np

from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.findings.numerals import HALF, LIMIT, MULTIPLES, WHOLE, Numerals, numerals_of
from altsel.data.findings.text_columns import TextColumn
from altsel.data.schema import FEW_LEVELS
from altsel.errors import listing

MOSTLY, FEW_WORDS = 0.8, 3
"""Share of the cells that are numbers, and how many words besides are few."""
MEASURED = 5
"""Different numbers besides limits, such as <1, from which a column holds measurements and no classes."""
OF_LIMITS = f"; {HALF} reads those below one as half of it, {WHOLE} as the limit itself"
"""What may be done about limits."""


def written_numbers(
    column: TextColumn, decimal: str, tokens: Collection[str], from_file: bool = True
) -> Iterator[Finding]:
    """Yield what is to be said of a column of text that holds numbers; nothing if it holds labels.

    Words besides them are one fault, how the numbers are written another.

    Parameters
    ----------
    column
        The column.
    decimal
        Decimal sign of the file.
    tokens
        What stands for a missing value elsewhere in the file, and is to be named again.
    from_file
        Whether plain numbers would have been read as such: in a frame few of them as text are meant.
    """
    found = numerals_of(column, 0.5, decimal)
    if found is None or (len(found.units) > 1 and not {*found.units} <= {*MULTIPLES}):  # as in 12 Oak Street
        return
    is_number, limits = found.is_number, found.beyond != 0
    if limits.any() and int((is_number & ~limits).sum()) < MEASURED:
        return
    share = float(column.counts[is_number].sum() / column.rows)
    words = [str(label) for label, good in zip(column.labels, is_number.tolist(), strict=True) if not good]
    if words:
        few = len(words) <= FEW_WORDS and int(is_number.sum()) > FEW_LEVELS
        if share >= MOSTLY or few:
            others = [word for word in words if not _names_limit(word)]
            if others:
                yield _with_words(column, others, tokens)
            usual = found.bare and (found.thousands, found.decimal) == ("", decimal)
            if not usual or len(others) < len(words):
                yield _of_numbers(column, found, decimal)
    elif from_file or not found.plain or len(column.labels) > FEW_LEVELS:
        yield _of_numbers(column, found, decimal)


def _names_limit(word: str) -> bool:
    """Return whether a word is a limit that is written unlike the numbers: it is no missing value."""
    return re.match(LIMIT, word.strip()) is not None and any(map(str.isdigit, word))


def is_spurious(column: TextColumn) -> bool:
    """Return whether text differs in more than half of the rows."""
    return len(column.labels) > max(FEW_LEVELS, column.rows // 2)


def _with_words(column: TextColumn, words: list[str], tokens: Collection[str]) -> Finding:
    name = column.name
    all_ = list(dict.fromkeys([*words[:FEW_WORDS], *tokens]))
    return Finding(
        "missing token",
        (name,),
        f"{name!r} holds numbers, and {listing(words, FEW_WORDS)}: if that means a missing value, say so",
        options("na", all_),
        f"reading=Reading(missing={tuple(all_)!r})",
        _effect(column),
    )


def _of_numbers(column: TextColumn, found: Numerals, decimal: str) -> Finding:
    name, kind = column.name, found.kind
    if kind == "decimal comma" and decimal == ",":  # of the whole file already
        kind = "number as text"
    told: Mapping[str, tuple[str, str, str]] = {
        "thousands": (
            f"with {found.thousands!r} between thousands",
            _all_options(found),
            f"reading=Reading({_arguments(found)})",
        ),
        "decimal comma": ("with a decimal comma", options("decimal", [","]), "reading=Reading(decimal=',')"),
        "number as text": (
            "as text",
            options("kind", [f"{name}=numeric"]),
            f"kinds={{{name!r}: 'numeric'}}",
        ),
        "limit": (
            f"and {int(column.counts[found.beyond != 0].sum()):,} values beyond a limit "
            f"({listing([column.labels[j] for j in np.flatnonzero(found.beyond)], 2)})",
            options("kind", [f"{name}={HALF}"]),
            f"kinds={{{name!r}: {HALF!r}}}",
        ),
    }
    what, fix, argument = told.get(
        kind,
        (
            f"with {listing(found.units)}",
            options("kind", [f"{name}=numeric"]),
            f"kinds={{{name!r}: 'numeric'}}",
        ),
    )
    if not found.comparable:
        what, fix, argument = f"of several units, {listing(found.units)}", "", ""
    so = "" if is_spurious(column) else ", taken for categories"
    so += OF_LIMITS if kind == "limit" else ""
    return Finding(kind, (name,), f"{name!r} holds numbers {what}{so}", fix, argument, _effect(column))


def _all_options(found: Numerals) -> str:
    decimal = f" {options('decimal', [','])}" if found.decimal == "," else ""
    return options("thousands", [found.thousands]) + decimal


def _arguments(found: Numerals) -> str:
    return f"thousands={found.thousands!r}" + (", decimal=','" if found.decimal == "," else "")


def _effect(column: TextColumn) -> Effect:
    return Effect.LEFT_OUT if is_spurious(column) else Effect.WARNING
