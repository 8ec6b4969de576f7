"""Codes of the levels of all columns of a partition in a file, so that later passes need not decode again."""

from __future__ import annotations

import json
import logging
import shutil
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from altsel.data.scanning.coding import Codes
from altsel.data.scanning.layout import Layout
from altsel.data.scanning.partitions import Partition
from altsel.data.scanning.passes import Columns, coded_columns
from altsel.errors import ArgumentError, DataError
from altsel.runtime.clock import clock
from altsel.runtime.files import replacing
from altsel.runtime.own_folders import own_folder

VERSION = 3
"""Changes when what the files hold does."""
WORD = np.dtype("<u4")
"""How the head of a block says how many rows it has, and what its codes add up to."""
SPARE = 2
"""Disk must have so many times the room that the codes take; else they are not kept."""
ATTEMPTS = 2
"""A file that is damaged however often it was written ends the pass."""
NOT_KEPT: set[Path] = set()
"""Files that this process could not write: it decodes their partitions, and does not try again."""
log = logging.getLogger("altsel.scan")


def narrowest(size: int) -> np.dtype[Any]:
    """Return the narrowest type that holds the codes of so many levels.

    Examples
    --------
    >>> [narrowest(size).name for size in (2, 256, 257, 70_000)]
    ['uint8', 'uint8', 'uint16', 'uint32']
    """
    return np.dtype(np.min_scalar_type(max(size - 1, 0))).newbyteorder("<")


@dataclass(frozen=True, eq=False)
class CodedColumns:
    """Codes of columns, partition by partition: of files where they are kept, else decoded.

    The file of a partition is whole or absent. It holds block after block of rows: a head, which is the
    number of rows, a checksum of the codes of each column, and one of the head; then the codes of one column
    after another. A head without rows ends it. Workers of other machines that do not see the folder decode.

    Attributes
    ----------
    columns, layout
        How the scan reads, and what it has.
    folder
        Where the files are; None: nowhere.
    """

    columns: Columns
    layout: Layout
    folder: Path | None = None

    def blocks(self, part: Partition, used: Sequence[int]) -> Iterator[list[Codes]]:
        """Yield the codes of some columns of a partition, block by block.

        Raises
        ------
        DataError
            If the partition has changed since the scan began, or holds a value the scan has not seen.
        """
        path, done, written = self._path(part), 0, 0
        part.refuse_changed()
        while path is not None and path not in NOT_KEPT:
            try:
                for codes in islice(self._read(path, used), done, None):
                    clock().check()
                    done += 1
                    yield codes
            except OSError as fault:  # absent or damaged: it is written, and read from where reading ended
                written += 1
                if (not self._write(path, part) and done) or written > ATTEMPTS:
                    raise DataError(f"{path} was damaged while it was in use; scan again") from fault
            else:
                return
        chosen = [self.layout.columns[j] for j in used]
        for batch in self.columns.batches(part, [one.name for one in chosen]):
            yield coded_columns(chosen, batch, part)

    @cached_property
    def bytes_of_row(self) -> int:
        """Bytes that the codes of a row take."""
        return sum(kind.itemsize for kind in self._types.values())

    def _path(self, part: Partition) -> Path | None:
        if self.folder is None or not self.folder.is_dir():
            return None
        text = json.dumps([self._what, part.identity or part.name], default=str)
        return self.folder / f"{sha256(text.encode()).hexdigest()[:32]}.codes"

    @cached_property
    def _what(self) -> str:
        """Return what tells these codes from other columns' or levels'; slow for wide tables."""
        plain = ["codes", VERSION, self.columns.missing, self.columns.needed, self.layout.plain()]
        return sha256(json.dumps(plain, default=str).encode()).hexdigest()

    @cached_property
    def _types(self) -> dict[int, np.dtype[Any]]:
        return {j: narrowest(self.layout.columns[j].size) for j in self.layout.coded.tolist()}

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        """Return of each column which one it is of a file, and after how many bytes of a row it begins."""
        starts = np.cumsum([0, *(kind.itemsize for kind in self._types.values())]).tolist()
        return {j: (place, starts[place]) for place, j in enumerate(self._types)}

    def _write(self, path: Path, part: Partition) -> bool:
        """Write the file of a partition; return whether that could be done, and say so once where not."""
        used = [self.layout.columns[j] for j in self._types]
        try:
            with replacing(path) as temporary, temporary.open("wb") as file:
                for batch in self.columns.batches(part, [one.name for one in used]):
                    codes = zip(coded_columns(used, batch, part), self._types.values(), strict=True)
                    rows = [code.astype(kind).data for code, kind in codes]
                    file.write(_head(batch.rows, [crc32(row) for row in rows]))
                    file.writelines(rows)
                file.write(_head(0, [0] * len(used)))
        except ArgumentError as fault:
            if not any(one.parent == path.parent for one in NOT_KEPT):
                log.info("codes are not kept, each pass decodes the data again: %s", fault)
            NOT_KEPT.add(path)
        return path not in NOT_KEPT

    def _read(self, path: Path, used: Sequence[int]) -> Iterator[list[Codes]]:
        """Yield the codes in a file; an OSError if it is not as it was written."""
        with path.open("rb", buffering=0) as file:
            while True:
                head = _numbers(file, WORD, len(self._types) + 2)
                rows, *checks = head[:-1].tolist()
                first = file.tell()
                if crc32(head[:-1].data) != head[-1]:
                    raise OSError("a damaged head")
                if not rows:
                    return
                codes = []
                for j in used:
                    place, start = self._places[j]
                    file.seek(first + start * rows)
                    codes.append(_numbers(file, self._types[j], rows))
                    if crc32(codes[-1].data) != checks[place]:  # no code may leave a table
                        raise OSError("damaged codes")
                yield codes
                file.seek(first + self.bytes_of_row * rows)


def _head(rows: int, checks: Sequence[int]) -> bytes:
    words = np.array([rows, *checks], dtype=WORD)
    return np.append(words, WORD.type(crc32(words.data))).astype(WORD).tobytes()


def _numbers(file: Any, kind: np.dtype[Any], count: int) -> npt.NDArray[Any]:
    made = np.empty(count, dtype=kind)
    if file.readinto(made.data) != made.nbytes:
        raise OSError("it ends too soon")
    return made


def coded(store: Path | None, columns: Columns, layout: Layout, rows: int) -> CodedColumns:
    """Return the codes of a scan's columns, kept in files where there is enough room.

    Parameters
    ----------
    store
        The folder of the scan; None: one for temporary files, which is removed with what is returned.
    columns, layout
        As of `CodedColumns`.
    rows
        Number of rows of the scan.
    """
    NOT_KEPT.clear()  # there may be room by now
    with suppress(OSError):
        if store is not None:
            store.mkdir(parents=True, exist_ok=True)
        folder, remove = own_folder("altsel-codes-") if store is None else (store, None)
        made = CodedColumns(columns, layout, folder)
        if remove is not None:
            weakref.finalize(made, remove)
        if shutil.disk_usage(folder).free >= SPARE * rows * made.bytes_of_row:
            return made
    log.info("no room on disk for the codes of %d rows: each pass decodes the data again", rows)
    return CodedColumns(columns, layout)
