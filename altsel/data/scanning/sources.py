"""From what a user names (files, folders, patterns, batches) to the partitions of a scan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from glob import glob, has_magic
from importlib import util
from pathlib import Path
from typing import Any

from altsel.data.files.refusals import refuse_pipe
from altsel.data.reading import Reading
from altsel.data.scanning.partitions import (
    BatchesPart,
    CSVPart,
    ParquetPart,
    Partition,
    pa,
    pq,
    stamped,
)
from altsel.data.scanning.reading_faults import reading
from altsel.errors import ArgumentError, ConfigurationError, DataWarning, checked_path, listing
from altsel.runtime.caller import warn_caller

PARQUET = (".parquet", ".pq")
TEXT = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.bz2", ".tsv.bz2")
PART_ROWS = 1 << 20
"""Row groups of a Parquet file are put together to partitions of about so many rows."""


def require_pyarrow() -> None:
    """Raise a ConfigurationError if pyarrow is not installed."""
    if util.find_spec("pyarrow") is None:
        raise ConfigurationError('scans need pyarrow: pip install "altsel[parquet]"')


def partitions(source: Any, form: Reading | None = None) -> tuple[Partition, ...]:
    """Return the partitions of files, or of batches.

    Parameters
    ----------
    source
        As of ``Dataset.scan``.
    form
        How CSV files are written.

    Raises
    ------
    ArgumentError
        If nothing is there, a file is named twice, or batches can be read only once.
    ConfigurationError
        Without pyarrow.
    """
    require_pyarrow()
    if isinstance(source, (str, Path)):
        return _of_files([source], form)
    if isinstance(source, (list, tuple)) and any(isinstance(one, (str, Path)) for one in source):
        return _of_files(source, form)
    return (BatchesPart(_again(source)),)


def files(named: Iterable[str | Path]) -> list[Path]:
    """Return the files that paths, folders and patterns stand for, in order.

    Raises
    ------
    ArgumentError
        If there are none, or a file is named twice.
    """
    found = [path for one in named for path in _files(checked_path("a file of the list", one))]
    twice = [str(path) for path, times in Counter(path.resolve() for path in found).items() if times > 1]
    if twice:
        raise ArgumentError(f"files are named twice, their rows would count twice: {listing(twice)}")
    return found


def _of_files(named: Iterable[str | Path], form: Reading | None) -> tuple[Partition, ...]:
    found = files(named)
    _note_named_by_folders(found)
    return tuple(part for path in found for part in _parts(path, form or Reading()))


def _note_named_by_folders(found: Iterable[Path]) -> None:
    """Warn that folders, such as ``year=2024``, name values of a column, which the files do not hold."""
    by_folders = dict.fromkeys(
        part.partition("=")[0] for path in found for part in path.parts[:-1] if "=" in part
    )
    if by_folders:
        warn_caller(
            f"columns that folders name, {listing(by_folders)}, are not read; for these hand over batches: "
            "lambda: pyarrow.dataset.dataset(folder, partitioning='hive').to_batches()",
            DataWarning,
        )


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if path.is_dir():
        inside = sorted(one for one in path.rglob("*") if one.is_file() and not _hidden(one, path))
        found = [one for one in inside if one.name.lower().endswith((*PARQUET, *TEXT))]
        if not found:
            raise ArgumentError(f"the folder {path} has no Parquet or CSV files: {', '.join(PARQUET + TEXT)}")
        _refuse_both_formats(found)
        return found
    if has_magic(str(path)):
        like = glob(str(path), recursive=True)  # noqa: PTH207 (Path.glob takes no absolute pattern)
        found = sorted(Path(one) for one in like if Path(one).is_file())
        if not found:
            raise ArgumentError(f"no file is like {str(path)!r}")
        return found
    refuse_pipe(path)
    raise ArgumentError(f"no such file or folder: {path}")


def _refuse_both_formats(found: Iterable[Path]) -> None:
    """Raise an ArgumentError if a folder seems to have a table twice: as Parquet, and as CSV."""
    first: dict[Path, Path] = {}
    for path in found:
        ending = next(one for one in (*PARQUET, *TEXT) if path.name.lower().endswith(one))
        other = first.setdefault(path.with_name(path.name[: -len(ending)]), path)
        if path.name.lower().endswith(PARQUET) != other.name.lower().endswith(PARQUET):
            raise ArgumentError(
                f"{other} and {path.name} seem to be one table in two formats, whose rows would count twice; "
                f"name those of one, such as {str(path.parent / '*.parquet')!r}"
            )


def _hidden(path: Path, folder: Path) -> bool:
    """Return whether a file is one of those that writers of folders leave, such as _SUCCESS."""
    return any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)


def _parts(path: Path, form: Reading) -> Iterator[Partition]:
    stamp = stamped(path)
    if not path.name.lower().endswith(PARQUET):
        yield CSVPart(path, form, stamp)
        return
    with reading(path):
        metadata = pq.read_metadata(path)
    sizes = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    if not sizes:
        yield ParquetPart(path, (), stamp, True)
    groups: list[int] = []
    for group, size in enumerate(sizes):
        groups.append(group)
        if sum(sizes[one] for one in groups) + size > PART_ROWS or group == len(sizes) - 1:
            yield ParquetPart(path, tuple(groups), stamp, len(groups) == len(sizes))
            groups = []


def _again(source: Any) -> Callable[[], Iterable[Any]]:
    """Return a function that gives the batches, as often as it is called."""
    if isinstance(source, pa.RecordBatch):
        return lambda: [source]
    if hasattr(source, "__arrow_c_stream__") and not isinstance(source, pa.RecordBatchReader):
        return lambda: source
    if callable(source):
        return source  # type: ignore[no-any-return]
    if not isinstance(source, Iterable):
        kind = type(source).__name__
        raise ArgumentError(
            f"a {kind} cannot be scanned: give files, a folder, a pattern such as 'data/*.parquet', or "
            "record batches of pyarrow in a list, or a function that returns them"
        )
    if iter(source) is source:
        raise ArgumentError(
            f"a {type(source).__name__} gives its batches once, but a scan reads them several times: give a "
            "function that makes a new one each time, such as lambda: connection.execute(query).arrow()"
        )
    return lambda: source
