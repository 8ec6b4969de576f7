"""`Dataset.scan`: a table that is read in passes, by the arguments of a `Dataset`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from altsel.data.cleaning import ROWS_LOST
from altsel.data.kinds import Declared
from altsel.data.reading import Reading
from altsel.data.scanning.alike import Request
from altsel.data.scanning.scan import Scan, ScanOptions, scanned
from altsel.data.schema import Task
from altsel.errors import checked_path, list_of_names


def scan(  # noqa: PLR0913 (options, as of the constructor)
    source: Any,
    target: str,
    task: Task | str | None = None,
    *,
    bins: int | None = None,
    missing: str = "error",
    kinds: Mapping[str, Declared] | None = None,
    drop: Collection[str] = (),
    reading: Reading | None = None,
    keep: Collection[str] = (),
    rows_lost: float = ROWS_LOST,
    like: Any = None,
    store: str | Path | None = None,
    n_jobs: int | None = None,
    batch_rows: int = 65_536,
    table_bytes: int = 128_000_000,
) -> Scan:
    """Scan a table that need not fit in memory: Parquet or CSV files, or batches handed over.

    One pass finds kinds, levels and ranges as a `Dataset` would have them. If numbers are cut into bins,
    two to four passes over them alone find the edges: those of bins of equal frequency of all rows,
    exactly as `binned` has them, by counting the digits of the order statistics (`bins`). Then
    ``scan.statistics()`` counts all pairs in one pass.

    Parameters
    ----------
    source
        A file, a folder, a pattern such as ``"data/*.parquet"``, or a list of these; or record batches of
        pyarrow in a list, or a function that returns them anew each time it is called, such as
        ``lambda: connection.execute(query).arrow()``.
    target
        Name of the target's column.
    task, missing, kinds, drop, reading, keep, rows_lost
        As of `Dataset`; what columns are is recognised by the first rows, and text is not read as
        numbers: kinds that do so are refused. An ordered dictionary of Arrow is refused: list the order
        in `kinds`.
    bins
        Cut numbers into so many bins of equal frequency, so that they have counts. Counts are then those
        of ``binned(Dataset(…), bins)``, moments those of the numbers as they are.
    like
        Another scan, or its statistics: columns, levels and edges are taken from it, so that the
        statistics of both can be added. A target, task, bins or kinds that it has otherwise are refused.
    store
        Folder that keeps what is done of each partition of files, so that a scan that was stopped goes
        on where it was. What was kept of a file that has changed since is not used.
    n_jobs
        Workers for partitions; default: those of ``joblib.parallel_config``, else 1.
    batch_rows
        Most rows held at once.
    table_bytes
        Bytes that tables of several columns may take, which tests given others count.

    Returns
    -------
    Scan
        The table's names and kinds, without its rows.

    Raises
    ------
    ConfigurationError
        Without pyarrow, which ``pip install "altsel[parquet]"`` brings.
    ArgumentError
        If nothing is there to read, or batches can be read only once.
    DataError
        If a file lacks a column, holds another kind of values, or lacks a value; names file and column.

    References
    ----------
    Munro and Paterson, Theoretical Computer Science 12 (1980), for selection in several passes.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from altsel import Dataset
    >>> batches = [pa.record_batch({"x": [0.5, 2.5], "y": ["a", "b"]})] * 3
    >>> scan = Dataset.scan(batches, "y", bins=2)
    >>> scan.statistics().table("x", "y").tolist()
    [[3, 0], [0, 3]]
    """
    folder = None if store is None else checked_path("store", store).absolute()
    options = ScanOptions(reading, missing, keep, rows_lost, folder, batch_rows, table_bytes, n_jobs)
    left_out = list_of_names("drop", drop)
    return scanned(
        source, Request(target, task, {} if kinds is None else kinds, bins), left_out, options, like
    )
