"""Solutions from a file, the table they were found in, and a division of its rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy.typing as npt

import altsel
from altsel.analysis.provenance import refuse_other_data
from altsel.cli.kept_apart import Parted, like, parted_as, print_rows_apart
from altsel.cli.kept_reading import options_of
from altsel.cli.leaks import note_leaks
from altsel.cli.options import FoundOptions
from altsel.cli.reading_options import ReadingOptions
from altsel.cli.told_notes import known_from, notes_in
from altsel.data.frames import raw_table
from altsel.errors import ArgumentError, DataError, did_you_mean
from altsel.results.kinds import kind_of
from altsel.results.request import read_request
from altsel.results.solutions import Solutions
from altsel.runtime.phases import READING, phase

Result = TypeVar("Result")
ORDER = "Files of solutions come before it"


@phase(READING)
def read_result(path: Path, reader: Callable[[str], Result], what: str) -> Result:
    """Read what another command wrote as JSON; every error names the file, and what it is if it is known."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as fault:
        raise ArgumentError(f"{path} is not text, so not {what}: is it the table? {ORDER}") from fault
    except OSError as fault:
        raise ArgumentError(f"cannot read {path}: {fault.strerror or fault}") from fault
    try:
        return reader(text)
    except DataError as fault:
        held = kind_of(text)
        if held is not None and held.name not in what:
            raise DataError(f"{path} holds {held.name}, not {what}: {held.taken}") from fault
        if text.lstrip()[:1] not in {"{", "["}:
            raise DataError(f"{path} is not JSON; write {what} with --format json") from fault
        raise DataError(f"{path}: {fault}; write {what} with --format json") from fault


def read_solutions(path: Path, what: str = "solutions", *, repeated: bool = False) -> Solutions:
    """Read solutions that a search wrote as JSON; sets may be `repeated` only where none need differ."""
    found = read_result(path, _with_request, what)
    diversity = found.request.get("diversity") or {}
    free = diversity.get("tau") == 0
    seen: dict[frozenset[str], int] = {}
    for number, subset in enumerate(found.sets):
        first = seen.setdefault(frozenset(subset.features), number)
        if first != number and not (repeated or free):
            raise DataError(f"{path}: set {number} is set {first} again, in another order or the same")
    return found


def read_start(path: Path | None) -> list[tuple[str, ...]]:
    """Read the sets that a search begins with; none if no file is named."""
    return [] if path is None else [one.features for one in read_solutions(path, repeated=True)]


def _with_request(text: str) -> Solutions:
    """Read solutions, and check the kinds of what they say was requested."""
    found = Solutions.from_json(text)
    read_request(found.request)
    return found


def table_of(
    found: Solutions, source: FoundOptions, reading: ReadingOptions, apart: str = "they are not used"
) -> altsel.Dataset:
    """Read the rows that solutions were found in; see `rows_of`."""
    return rows_of(found, source, reading, apart)[0]


def rows_of(found: Solutions, source: FoundOptions, reading: ReadingOptions, apart: str) -> Parted:
    """Read the table that solutions were found in, or others that are meant to be.

    What is not said of the task and of how the file is written is as it was when the sets were found. Rows
    that the search kept apart are returned by themselves; `apart` tells the user what becomes of them.
    """
    name = source.target or found.target
    if name is None:
        raise ArgumentError("the solutions do not name their target: give --target")
    before = options_of(found.request) if name == found.target else {}
    known_from(source.solutions, notes_in(found.request))
    whole, held = reading.or_as(before).dataset(source.data, name), None
    if not source.other_data:
        whole, held = parted_as(found.request, whole)
        print_rows_apart(whole, held, apart)
    table = grouped_as(whole, found.members)
    absent = {name for subset in found for name in subset} - set(table.features)
    if absent:
        raise DataError(f"{source.data} lacks features of the solutions: {', '.join(sorted(absent)[:5])}")
    if not source.other_data:
        if before.get("scan"):
            raise ArgumentError(
                "the sets were found in a scan, whose fingerprint is of counts, not of rows, so it cannot be "
                f"told whether {source.data} holds the same: --other-data looks at them on its rows"
            )
        refuse_other_data(found, table)
    note_leaks(found, table, source.data)
    return table, like(table, held)


def groups_of(name: str, table: altsel.Dataset, data: Path) -> npt.NDArray[Any] | str:
    """Return a column that says which rows belong together: by name, or from the file if it is no feature.

    Raises
    ------
    ArgumentError
        If the file has no such column.
    DataError
        If it lacks a row's group.
    """
    if name in table.features:
        return name
    rows = raw_table(data, table.reading, [other for other in table.left_out if other != name]).frame
    if name not in rows or name == table.target:
        hint = did_you_mean(name, (other for other in rows if other != table.target))
        raise ArgumentError(f"--groups {name!r} is no column of {data} that could be one of groups{hint}")
    if table.dropped:
        used = rows.drop(columns=[other for other in table.left_out if other in rows])
        rows = rows[used.notna().all(axis=1)]
    if len(rows) != len(table.y):
        raise DataError(
            f"--groups {name!r}: copies of rows were left out, and it is not known of which: keep them"
        )
    if rows[name].isna().any():
        raise DataError(f"{name!r} has missing values: give every row its group, or drop such rows")
    return rows[name].to_numpy()


def grouped_as(table: altsel.Dataset, members: Any) -> altsel.Dataset:
    """Return a table with its columns grouped as they were when solutions were found.

    Raises
    ------
    DataError
        If the table has no such columns.
    """
    if not members:
        return table
    try:
        return table.grouped(members)
    except ArgumentError as fault:
        raise DataError(f"the table lacks features of the solutions: {fault}") from fault
