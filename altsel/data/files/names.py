"""Names of columns, as files and frames have them: checked, and made up where there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import pandas as pd

from altsel.data.findings.finding import options
from altsel.data.findings.row_names import UNNAMED
from altsel.errors import DataError, listing


def named(names: Iterable[Any]) -> list[str]:
    """Return the names as strings; a column without one is called by its index, as pandas does: Unnamed: 3.

    Raises
    ------
    DataError
        If one occurs twice: everything after is keyed by name.

    Examples
    --------
    >>> named(["", "a", None])
    ['Unnamed: 0', 'a', 'Unnamed: 2']
    """
    return checked_names(
        f"{UNNAMED}{index}" if name is None or name != name or not str(name) else str(name)  # noqa: PLR0124  (NaN)
        for index, name in enumerate(names)
    )


def unnamed_of(names: Iterable[Any], made: Iterable[str]) -> tuple[str, ...]:
    """Return the names that `named` made up."""
    return tuple(new for old, new in zip(names, made, strict=True) if str(old) != new)


def refuse_unnamed(frame: pd.DataFrame, unnamed: Collection[str]) -> None:
    """Raise a DataError if a column of a table has no name of its own."""
    for name in unnamed:
        if name in frame:
            raise DataError(
                f"column {int(name.removeprefix(UNNAMED)) + 1} has no name; name it, or leave it out "
                f"(drop=[{name!r}], command line: {options('drop', [name])}), or take it as {name!r} "
                f"(keep=, {options('keep', [name])})"
            )


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
