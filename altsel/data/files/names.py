"""Names of columns, as files and frames have them: checked, and made up where there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import pandas as pd

from altsel.data.findings.finding import options
from altsel.data.findings.row_names import UNNAMED
from altsel.errors import DataError, listing


def unique_names(names: Iterable[Any]) -> list[str]:
    """Return the names as strings, no two of them the same.

    A column without a name is called by its index, as pandas does, one whose name an earlier one has by their
    number.

    Raises
    ------
    DataError
        If one is no Unicode.

    Examples
    --------
    >>> unique_names(["", "a", None, "a"])
    ['Unnamed: 0', 'a', 'Unnamed: 2', 'a (2)']
    """
    texts = [
        f"{UNNAMED}{index}" if name is None or name != name or not str(name) else str(name)  # noqa: PLR0124  (NaN)
        for index, name in enumerate(names)
    ]
    seen: Counter[str] = Counter()
    for index, name in enumerate(texts):
        seen[name] += 1
        if seen[name] > 1:
            texts[index] = f"{name} ({seen[name]})"
    return checked_names(texts)


def unnamed_of(names: Iterable[Any], made: Iterable[str]) -> tuple[str, ...]:
    """Return the names that `unique_names` made up."""
    return tuple(new for old, new in zip(names, made, strict=True) if str(old) != new)


def refuse_unnamed(frame: pd.DataFrame, unnamed: Collection[str]) -> None:
    """Raise a DataError if a column of a table has no name of its own."""
    for name in unnamed:
        if name in frame:
            number = name.removeprefix(UNNAMED)
            what = f"column {int(number) + 1} has no name; name it" if number.isdecimal() else _repeated(name)
            out = f"leave it out (drop=[{name!r}], command line: {options('drop', [name])})"
            raise DataError(f"{what}, or {out}, or take it as {name!r} (keep=, {options('keep', [name])})")


def _repeated(name: str) -> str:
    return f"column names occur more than once: {name.rpartition(' (')[0]!r}; rename one"


def checked_names(names: Iterable[Any]) -> list[str]:
    """Return the names as strings.

    Raises
    ------
    DataError
        If one is empty or occurs twice.
    """
    texts = ["" if name is None or name != name else str(name) for name in names]  # noqa: PLR0124  (NaN)
    empty = [index for index, name in enumerate(texts, 1) if not name]
    if empty:
        raise DataError(
            f"column {empty[0]} has no name; name it or leave it out "
            "(pandas writes such a column unless to_csv is given index=False)"
        )
    broken = [name for name in texts if not is_unicode(name)]
    if broken:
        raise DataError(f"column names are no Unicode: {', '.join(map(ascii, broken))}; rename them")
    if len(set(texts)) < len(texts):
        twice = [name for name, times in Counter(texts).items() if times > 1]
        raise DataError(f"column names occur more than once: {listing(twice)}; rename them")
    return texts


def is_unicode(name: str) -> bool:
    """Return whether a text can be written in UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return True
