"""Ways to treat missing values by their names, and what each makes of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from altsel.errors import ArgumentError, did_you_mean, listing
from altsel.runtime.entries import Entry

if TYPE_CHECKING:
    import altsel
    from altsel.stats.imputation.several import SeveralTables

_DATASET = "altsel.data.dataset:Dataset"
_IMPUTATION = "altsel.imputation"

MISSING: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("error", _DATASET, {"missing": "error"}),
        Entry("drop rows", _DATASET, {"missing": "drop rows"}),
        Entry("category", _DATASET, {"missing": "category"}),
        Entry("complete rows", f"{_IMPUTATION}:AvailableCases"),
        Entry("impute", f"{_IMPUTATION}:impute"),
    )
}
"""What makes a data set, or several, of a table and arguments of `altsel.Dataset`."""
ASSUMES = {
    "complete rows": "each test and relevance is of the rows that have what it needs: right if values are "
    "missing completely at random",
    "impute": "{number} imputed tables, pooled: right if values are missing at random, given what the table "
    "shows",
}
"""What the ways with several tables assume, for a note."""


def several(name: str) -> bool:
    """Return whether a way makes several data sets of a table.

    Examples
    --------
    >>> [name for name in MISSING if several(name)]
    ['complete rows', 'impute']
    """
    return name in ASSUMES


def of_missing(given: Any, what: str = "missing") -> Callable[..., Any]:
    """Return what reads a table with gaps, of a name or a function of table, target and options.

    Raises
    ------
    ArgumentError
        If there is no such name; it lists them.
    """
    if callable(given):
        return given  # type: ignore[no-any-return]
    if given not in MISSING:
        raise ArgumentError(f"{what}={given!r}; use {listing(MISSING, 9)}{did_you_mean(str(given), MISSING)}")
    return MISSING[given].make


def is_several(table: Any) -> bool:
    """Return whether something stands for several data sets of one table with gaps."""
    from altsel.stats.imputation.several import SeveralTables  # noqa: PLC0415  (heavy)

    return isinstance(table, SeveralTables)


def each(table: altsel.Dataset | SeveralTables, make: Callable[[altsel.Dataset], Any], pool: str) -> Any:
    """Make a test or dependences of a data set, or of several, pooled; `pool` is "test" or "dependence"."""
    return getattr(table, pool)(make) if is_several(table) else make(table)  # type: ignore[arg-type]
