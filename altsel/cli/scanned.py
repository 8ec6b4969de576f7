"""When a command scans its table instead of holding it, and what it prints of that."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from contextlib import suppress
from glob import has_magic
from math import inf
from pathlib import Path

import altsel
from altsel.cli.messages import note
from altsel.cli.reading_options import ReadingOptions
from altsel.data.scanning import Scan
from altsel.data.scanning.sources import PARQUET, files, require_pyarrow
from altsel.errors import ArgumentError
from altsel.runtime.memory import available, size_text
from altsel.runtime.phases import READING, phase

SCAN_BINS = 5
"""Bins of equal frequency of numbers, unless --scan-bins says others."""
SHARE = 0.5
"""Share of the available memory that a table in memory may take."""
PER_CELL = 22
"""Bytes a cell of a Parquet file takes while a data set is made: floats 21.7, integers 19.4, text 12.7."""
PER_COLUMN, PER_CHUNK = 4_000, 1_100
"""Bytes a column takes besides, and what a file says of a column in each of its row groups."""
PER_BYTE, PACKED = 8, 5
"""Bytes in memory a byte of a CSV file, and how much compression makes of one."""
MANY_ROWS = 1_000
"""Rows from which a scan holds less than a data set: it takes some 20 kB a column, whatever the rows."""


def why_scan(data: Path, wanted: bool | None) -> str | None:
    """Return why a table is scanned; None if it is held.

    Parameters
    ----------
    data
        A file, a folder or a pattern.
    wanted
        What the user said.

    Raises
    ------
    ArgumentError
        If several files are not to be scanned.
    """
    several = data.is_dir() or (not data.exists() and has_magic(str(data)))
    if several and wanted is False:
        raise ArgumentError(f"--no-scan: {data} names several files, which are scanned; name one file")
    if several:
        return "a folder" if data.is_dir() else "a pattern"
    if wanted is not None:
        return "requested by --scan" if wanted else None
    have = available() if data.is_file() else None
    needed = 0 if have is None else in_memory(data)
    if have is None or needed <= SHARE * have or rows_in(data) < MANY_ROWS:
        return None
    return f"in memory it may take {size_text(needed)} of {size_text(have)}"


def refuse_options(need_rows: Mapping[str, object], data: Path, why: str) -> None:
    """Raise an ArgumentError if an option was given that needs rows in memory."""
    given = [name for name, value in need_rows.items() if value]
    if given:
        raise ArgumentError(
            f"{given[0]} needs the rows, and {data} is scanned ({why}): leave it out, hold one file by "
            "--no-scan, or use a sample of the rows, from Python: "
            "altsel.Dataset.scan(…).sample(100_000, random_state=0)"
        )


def in_memory(path: Path) -> int:
    """Return about how many bytes a data set of a file takes while it is made."""
    size = path.stat().st_size
    if not path.name.lower().endswith(PARQUET):
        if path.suffix.lower() in {".gz", ".bz2", ".xz", ".zst"}:
            size = max(PACKED * size, unpacked_by_gzip(path))
        return size * PER_BYTE
    with suppress(Exception):  # what reads it says what is wrong with it
        import pyarrow.parquet as pq  # noqa: PLC0415  (heavy, and an extra)

        found = pq.read_metadata(path)
        of_column = found.num_rows * PER_CELL + PER_COLUMN + found.num_row_groups * PER_CHUNK
        return int(found.num_columns * of_column)
    return 0


def rows_in(path: Path) -> float:
    """Return about how many rows a file has, for all that is known; of text as if all were of one length."""
    if path.name.lower().endswith(PARQUET):
        with suppress(Exception):  # what reads it says what is wrong with it
            import pyarrow.parquet as pq  # noqa: PLC0415  (heavy, and an extra)

            return int(pq.read_metadata(path).num_rows)
    if path.suffix.lower() not in {".csv", ".tsv"}:
        return inf
    with path.open("rb") as file:
        return path.stat().st_size / max(len(file.readline()), 1)


def unpacked_by_gzip(path: Path) -> int:
    """Return how many bytes a file says that gzip made it of, modulo 2^32; 0 of another file.

    The last four bytes of each of its parts (RFC 1952) say so; parts before the last are not looked at.
    """
    with path.open("rb") as file:
        if file.read(2) != b"\x1f\x8b":
            return 0
        file.seek(-4, os.SEEK_END)
        return int.from_bytes(file.read(4), "little")


@phase(READING)
def scan_of(data: Path, target: str, reading: ReadingOptions, bins: int, why: str) -> Scan:
    """Scan a table, and print that it is, and how its numbers are cut."""
    require_pyarrow()
    number = len(files([data]))
    note(f"{data} is scanned ({why}), not held in memory")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "columns are copies of others", altsel.DataWarning)
        scan = altsel.Dataset.scan(
            data,
            target,
            reading.task,
            bins=bins,
            missing=reading.way,
            kinds=reading.kinds(),
            drop=tuple(reading.drop or ()),
            reading=reading.reading(),
            keep=tuple(reading.keep or ()),
            rows_lost=reading.most_lost,
        )
    cut = [one.name for one in scan.layout.columns if one.edges is not None]
    if cut:
        note(
            f"columns of numbers cut into {bins} bins of equal frequency where counts are needed: {len(cut)}"
        )
    files_ = "1 file" if number == 1 else f"{number} files"
    note(f"{scan.rows:,} rows in {files_}; copies of columns are not looked for in a scan")
    return scan
