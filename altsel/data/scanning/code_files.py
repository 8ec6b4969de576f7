"""Codes of the levels of all columns of a partition in a file, so that later passes need not decode again."""

from __future__ import annotations

import json
import logging
import shutil
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from altsel._types import IntArray
from altsel.data.scanning.coding import Codes
from altsel.data.scanning.layout import Layout
from altsel.data.scanning.partitions import Partition
from altsel.data.scanning.passes import Columns, coded_columns
from altsel.errors import ArgumentError, DataError
from altsel.runtime.clock import clock
from altsel.runtime.files import replacing
from altsel.runtime.own_folders import own_folder

VERSION = 2
"""Changes when what the files hold does."""
COUNT = np.dtype("<i8")
"""How the end of a file says how many rows each block has, and what its content adds up to."""
CHUNK = 1 << 20
"""Bytes that are checked at once."""
SPARE = 2
"""Disk must have so many times the room that the codes take; else they are not kept."""
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
class CodeFiles:
    """A folder with a file for each partition, which is whole or absent.

    A file holds block after block of rows, of each block the codes of one column after another; then how
    many rows each block has, how many blocks there are, and a checksum of all that, which each process looks
    at once. It is written when it is first needed, or damaged, and read in parts: the columns wanted, a block
    at a time. Workers of other machines that do not see the folder decode their partitions again.

    Attributes
    ----------
    folder
        The folder.
    columns, layout
        How the scan reads, and what it has.
    """

    folder: Path
    columns: Columns
    layout: Layout

    def blocks(self, part: Partition) -> IntArray | None:
        """Return the rows of each block of a partition's file; where none is whole it is written.

        Returns
        -------
        array or None
            None where the file cannot be written.

        Raises
        ------
        DataError
            If the partition has changed since the scan began, or holds a value the scan has not seen.
        """
        part.refuse_changed()
        path = self.path(part)
        blocks = self._blocks(path)
        if blocks is None and path not in NOT_KEPT:
            try:
                self._write(path, part)
            except ArgumentError as fault:
                _note_not_kept(path, str(fault))
            else:
                blocks = self._blocks(path)
        return blocks

    def codes(self, part: Partition, blocks: IntArray, used: Sequence[int]) -> Iterator[list[Codes]]:
        """Give the codes of some columns of a partition, block by block."""
        first, path = 0, self.path(part)
        try:
            with path.open("rb", buffering=0) as file:
                for rows in blocks.tolist():
                    yield [self._read(file, first, j, rows) for j in used]
                    first += self.bytes_of_row * rows
        except OSError as fault:
            raise DataError(f"{path} was changed while it was in use; scan again") from fault

    def path(self, part: Partition) -> Path:
        """Return the file of a partition."""
        text = json.dumps([self._what, part.identity or part.name], default=str)
        return self.folder / f"{sha256(text.encode()).hexdigest()[:32]}.codes"

    @cached_property
    def _what(self) -> str:
        """Tell these codes from those of other columns or levels; of wide tables that takes a while."""
        plain = ["codes", VERSION, self.columns.missing, self.columns.needed, self.layout.plain()]
        return sha256(json.dumps(plain, default=str).encode()).hexdigest()

    @cached_property
    def _places(self) -> dict[int, tuple[int, np.dtype[Any]]]:
        """Return of each column after how many bytes of a row it begins, and its type."""
        coded = self.layout.coded.tolist()
        types = [narrowest(self.layout.columns[j].size) for j in coded]
        starts = np.cumsum([0, *(one.itemsize for one in types[:-1])]).tolist()
        return dict(zip(coded, zip(starts, types, strict=True), strict=True))

    @cached_property
    def bytes_of_row(self) -> int:
        """Bytes that the codes of a row take."""
        return sum(kind.itemsize for _, kind in self._places.values())

    def _write(self, path: Path, part: Partition) -> None:
        used = [self.layout.columns[j] for j in self._places]
        types, blocks, check = [kind for _, kind in self._places.values()], [], 0
        with replacing(path) as temporary, temporary.open("wb") as file:
            for batch in self.columns.batches(part, [one.name for one in used]):
                blocks.append(batch.rows)
                for code, kind in zip(coded_columns(used, batch, part), types, strict=True):
                    check = crc32(made := code.astype(kind).data, check)
                    file.write(made)
            end = np.array([*blocks, len(blocks)], dtype=COUNT).data
            file.write(end)
            file.write(np.array([crc32(end, check)], dtype=COUNT).data)

    def _blocks(self, path: Path) -> IntArray | None:
        """Return the rows of each block; None if there is no file that is whole."""
        with suppress(OSError, ValueError):
            found = path.stat()
            return checked_blocks(path, (found.st_size, found.st_mtime_ns, found.st_ino), self.bytes_of_row)
        return None

    def _read(self, file: Any, first: int, index: int, rows: int) -> npt.NDArray[Any]:
        start, kind = self._places[index]
        made = np.empty(rows, dtype=kind)
        file.seek(first + start * rows)
        whole = file.readinto(made.data) == made.nbytes
        if not whole or made.max(initial=0) >= self.layout.columns[index].size:  # no code may leave a table
            raise DataError(f"{file.name} was changed while it was in use; scan again")
        return made


@lru_cache(maxsize=1 << 14)
def checked_blocks(path: Path, stamp: tuple[int, int, int], bytes_of_row: int) -> IntArray | None:
    """Return the rows of each block of a file that is whole; None of one that is damaged.

    Parameters
    ----------
    path
        The file.
    stamp
        Its size, time of change and inode, by which a file is known that was checked before.
    bytes_of_row
        Bytes that the codes of a row take.

    Raises
    ------
    OSError, ValueError
        If it cannot be read, or says it has more blocks than there are.
    """
    size, word, check = stamp[0], COUNT.itemsize, 0
    if size < 2 * word:
        return None
    with path.open("rb") as file:
        for first in range(0, size - word, CHUNK):
            clock().check()
            check = crc32(file.read(min(CHUNK, size - word - first)), check)
        if check != int(np.frombuffer(file.read(word), COUNT)[0]):
            return None
        file.seek(size - 2 * word)
        number = int(np.frombuffer(file.read(word), COUNT)[0])
        file.seek(size - word * (number + 2))
        blocks = np.frombuffer(file.read(word * number), COUNT)
    return blocks if size == bytes_of_row * blocks.sum() + word * (number + 2) else None


def _note_not_kept(path: Path, why: str) -> None:
    """Say once of a folder that codes cannot be kept there."""
    if not any(one.parent == path.parent for one in NOT_KEPT):
        log.info("codes are not kept, each pass decodes the data again: %s", why)
    NOT_KEPT.add(path)


def codes_of(
    columns: Columns, layout: Layout, files: CodeFiles | None, part: Partition, used: Sequence[int]
) -> Iterator[list[Codes]]:
    """Give the codes of some columns of a partition, block by block: of its file, or else decoded."""
    blocks = files.blocks(part) if files is not None and files.folder.is_dir() else None
    if files is not None and blocks is not None:
        for codes in files.codes(part, blocks, used):
            clock().check()
            yield codes
        return
    chosen = [layout.columns[j] for j in used]
    for batch in columns.batches(part, [one.name for one in chosen]):
        yield coded_columns(chosen, batch, part)


def code_files(store: Path | None, columns: Columns, layout: Layout, rows: int) -> CodeFiles | None:
    """Return where codes are kept; None where there is not enough room.

    Parameters
    ----------
    store
        The folder of the scan; None: one for temporary files, which is removed with what is returned.
    columns, layout
        As of `CodeFiles`.
    rows
        Number of rows of the scan.
    """
    NOT_KEPT.clear()  # there may be room by now
    with suppress(OSError):
        if store is not None:
            store.mkdir(parents=True, exist_ok=True)
        folder, remove = own_folder("altsel-codes-") if store is None else (store, None)
        files = CodeFiles(folder, columns, layout)
        if remove is not None:
            weakref.finalize(files, remove)
        if shutil.disk_usage(folder).free >= SPARE * rows * files.bytes_of_row:
            return files
    log.info("no room on disk for the codes of %d rows: each pass decodes the data again", rows)
    return None
