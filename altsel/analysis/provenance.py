"""Whether a table, or a test of one, is the one that solutions were found in."""

from __future__ import annotations

from altsel.data.dataset import Dataset
from altsel.errors import DataError
from altsel.results.solutions import Solutions
from altsel.stats.independence.base import innermost
from altsel.stats.independence.protocol import Independence


def refuse_other_data(found: Solutions, table: Dataset) -> None:
    """Refuse a table that is not the one that solutions were found in, as far as they say.

    Raises
    ------
    DataError
        If its target or its fingerprint is another.
    """
    meant = "if other data are meant, say so: --other-data, or other_data=True"
    if found.target not in {None, table.target}:
        raise DataError(f"the sets explain {found.target!r}, not {table.target!r}; {meant}")
    known = found.request.get("data")
    if found.members and not table.members:
        raise DataError("the sets were found in grouped data: give data.grouped(found.members)")
    if known is not None and known != table.fingerprint:
        raise DataError(f"these are not the data that the sets were found in (another fingerprint); {meant}")


def refuse_other_test(found: Solutions, test: Independence) -> None:
    """Refuse a test of another table than the one that solutions were found in, as far as both say.

    Compared is the table before its numbers were cut into bins, and with the groups of the solutions.

    Raises
    ------
    DataError
        If its fingerprint is another.
    """
    known, data = found.request.get("data"), getattr(innermost(test), "data", None)
    if known is None or not isinstance(data, Dataset) or known in data.fingerprints:
        return
    if found.members and known == data.with_members(found.members).fingerprint:
        return
    raise DataError(
        "the test is of other data than the sets were found in (another fingerprint): give one of that table "
        "or of bins of it, altsel.data.binned; if other data are meant, say so: other_data=True"
    )
