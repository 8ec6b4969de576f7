"""What the first rows of a scan say of its columns: which are no features."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from altsel.data.conversion import DATES, NUMERIC
from altsel.data.findings import Finding
from altsel.data.findings.numerals import LIMITS
from altsel.data.findings.recognition import recognise_columns
from altsel.data.reading import Reading
from altsel.data.scanning.partitions import Partition
from altsel.errors import ArgumentError

ROWS = 10_000
"""First rows that are looked at."""
NOT_BY_SOME = {"empty", "unnamed and empty"}
"""What a column can be called only when all of its rows are known."""


def recognised(
    parts: Sequence[Partition], names: Sequence[str], target: str, keep: Collection[str], form: Reading
) -> list[Finding]:
    """Recognise columns as a `Dataset` of the first rows would; nothing is read as other than it is.

    Parameters
    ----------
    parts
        The partitions, the first of which are looked into.
    names, target
        The columns in use, and the target among them.
    keep
        Columns that are features whatever they hold.
    form
        How the files are written.

    Returns
    -------
    list of Finding
        Their fixes are those that a scan has.
    """
    frame = pd.concat(list(_first(parts, names)) or [pd.DataFrame()], ignore_index=True)
    if not len(frame):
        return []
    found = recognise_columns(frame, target, keep=keep, decimal=form.decimal)
    return [_as_possible(one) for one in found if one.kind not in NOT_BY_SOME]


def _as_possible(one: Finding) -> Finding:
    """Let the fix hold the table where a scan cannot do it: it reads no text as numbers."""
    if not one.fix.startswith(("--kind", "--thousands")):
        return one
    return replace(one, fix=f"--no-scan {one.fix}", argument=f"altsel.Dataset(…, {one.argument})")


def _first(parts: Sequence[Partition], names: Sequence[str]) -> Iterator[pd.DataFrame]:
    """Yield the first rows, batch by batch, until there are enough."""
    left = ROWS
    for part in parts:
        for batch in part.batches(None, ROWS):
            if len(batch):
                there = set(batch.schema.names)
                yield batch.select([name for name in names if name in there]).slice(0, left).to_pandas()
            left -= len(batch)
            if left <= 0:
                return


def refuse_conversions(kinds: Mapping[str, Any], form: Reading) -> None:
    """Raise an ArgumentError if text is to be read as numbers, which a scan does not do."""
    asked = [
        f"kinds={{{name!r}: {kind!r}}}" for name, kind in kinds.items() if kind in (*DATES, NUMERIC, *LIMITS)
    ]
    asked += [f"thousands={form.thousands!r}"] if form.thousands is not None else []
    asked += [f"sheet={form.sheet!r}"] if form.sheet is not None else []
    if asked:
        raise ArgumentError(
            f"{', '.join(asked)}: a scan reads text as it is; hold the table (altsel.Dataset, "
            "command line: --no-scan), or write the column as numbers"
        )
