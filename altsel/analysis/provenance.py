"""Whether a table is the one that solutions were found in."""

from __future__ import annotations

from altsel.data.dataset import Dataset
from altsel.errors import DataError
from altsel.results.solutions import Solutions


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
