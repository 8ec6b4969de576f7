"""Parts of a scan that are read on their own: row groups of Parquet, a CSV file, batches handed over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Protocol

from altsel.data.reading import Reading
from altsel.data.scanning.reading_faults import not_encoded, reading
from altsel.errors import ArgumentError, DataError
from altsel.runtime.on_demand import OnDemand

pa: Any = OnDemand("pyarrow")
pq: Any = OnDemand("pyarrow.parquet")
csv: Any = OnDemand("pyarrow.csv")
compute: Any = OnDemand("pyarrow.compute")

CSV_BLOCK = 1 << 22
"""Bytes of a CSV file that are parsed at once."""
BYTES = "binary"
"""What pyarrow calls a column of text that is not written in the encoding."""
WORDS = {
    word: ["".join(letters) for letters in product(*((letter, letter.upper()) for letter in word))]
    for word in ("true", "false")
}
"""What stands for true and false in a CSV file, as pandas has it: not 1 and 0, beside which they are text."""
HEXADECIMAL = re.compile(rb"0[xX]")
WIDER = {"null": "int64", "bool": "string", "int64": "double", "double": "string", "string": BYTES}
"""Types that pyarrow guesses from the first block of a CSV file, and what to read if a later one differs."""


class Partition(Protocol):
    """What is read, and done again after a restart, as a whole."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def identity(self) -> tuple[Any, ...] | None:
        """What tells its content from that of any other; None if nothing does."""

    def refuse_changed(self) -> None:
        """Raise a DataError if it is known not to be as it was when the scan began."""

    def names(self) -> list[str]:
        """Return the names of its columns."""

    def batches(self, columns: Sequence[str] | None, rows: int) -> Iterator[Any]:
        """Read record batches of some columns (None: all), of about so many rows at most."""


@dataclass(frozen=True)
class ParquetPart:
    """Some row groups of a Parquet file."""

    path: Path
    groups: tuple[int, ...]
    stamp: tuple[int, int]
    whole: bool

    @property
    def name(self) -> str:
        """The file, and which row groups if there are others."""
        return (
            str(self.path) if self.whole else f"{self.path} (row groups {self.groups[0]}-{self.groups[-1]})"
        )

    @property
    def identity(self) -> tuple[Any, ...]:
        """Path, size, time of change and row groups."""
        return (str(self.path.absolute()), *self.stamp, *self.groups)

    def refuse_changed(self) -> None:
        """Raise a DataError if the file is not as it was when the scan began."""
        refuse_changed(self.path, self.stamp)

    def names(self) -> list[str]:
        """Return the names of its columns."""
        return list(pq.read_schema(self.path).names)

    def batches(self, columns: Sequence[str] | None, rows: int) -> Iterator[Any]:
        """Read record batches; text as dictionaries, which Parquet stores anyway."""
        self.refuse_changed()
        with reading(self.path), pq.ParquetFile(self.path) as seen:
            known, schema = seen.metadata, seen.schema_arrow
            text = [
                one.name
                for one in schema
                if pa.types.is_string(one.type) or pa.types.is_large_string(one.type)
            ]
        with reading(self.path), pq.ParquetFile(self.path, metadata=known, read_dictionary=text) as file:
            if not self.groups:
                yield pa.RecordBatch.from_pylist([], schema=schema)
                return
            wanted = None if columns is None else list(columns)
            yield from file.iter_batches(rows, list(self.groups), wanted, use_threads=False)


@dataclass(frozen=True)
class CSVPart:
    """A CSV file."""

    path: Path
    form: Reading
    stamp: tuple[int, int]
    _types: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Path, size, time of change and how it is read."""
        return (str(self.path.absolute()), *self.stamp, repr(self.form))

    def refuse_changed(self) -> None:
        """Raise a DataError if the file is not as it was when the scan began."""
        refuse_changed(self.path, self.stamp)

    def names(self) -> list[str]:
        """Return the names of its columns."""
        with reading(self.path, self.form), self._open(None) as file:
            names = list(file.schema.names)
        self.form.refuse_header(self.path, names)
        return names

    def batches(self, columns: Sequence[str] | None, rows: int) -> Iterator[Any]:
        """Read record batches; a column that later holds other than in its first block is read as more."""
        del rows
        self.refuse_changed()
        if not self._types:
            self._types.update(self._resolved())
        foreign = [name for name in columns or () if self._types.get(name) == BYTES]
        if foreign:
            raise DataError(f"column {foreign[0]!r}: {not_encoded(self.path, self.form)}")
        with reading(self.path, self.form), self._open(columns) as file:
            if not self._types:
                yield pa.RecordBatch.from_pylist([], schema=file.schema)
            yield from file

    def _resolved(self) -> dict[str, str]:
        """Return a type of each column that all of the file can be read as."""
        types: dict[str, str] = {}
        while True:
            try:
                with reading(self.path, self.form), self._open(None, types) as file:
                    guessed = {one.name: str(one.type) for one in file.schema}
                    rows = sum(len(batch) for batch in file)
                if rows and "int64" in guessed.values() and self._has_hexadecimal():
                    types |= dict.fromkeys(self._hexadecimal(guessed), "string")
                    guessed |= types
                return guessed if rows else {}
            except DataError as fault:
                number = str(fault).partition("CSV column #")[2].partition(":")[0]
                if not number.isdecimal():
                    raise
                name = list(guessed)[int(number)]
                types[name] = WIDER.get(guessed[name], "string")
                if guessed[name] == BYTES:
                    raise

    def _has_hexadecimal(self) -> bool:
        """Return whether a number such as 0x1f, which only pyarrow takes for one, may be in the file."""
        before = b""
        with reading(self.path, self.form), pa.input_stream(str(self.path), "detect") as raw:
            while chunk := raw.read(CSV_BLOCK):
                if HEXADECIMAL.search(before + chunk):
                    return True
                before = chunk[-1:]
        return False

    def _hexadecimal(self, types: dict[str, str]) -> list[str]:
        """Name the columns of integers that hold a number such as 0x1f: they are text, as for pandas."""
        integers = {name: "string" for name, kind in types.items() if kind == "int64"}
        found: set[str] = set()
        with reading(self.path, self.form), self._open(list(integers), {**types, **integers}) as file:
            for batch in file:
                for name in integers:
                    held = compute.match_substring(batch.column(name), "0x", ignore_case=True)
                    if compute.any(held).as_py():
                        found.add(name)
        return sorted(found)

    def _open(self, columns: Sequence[str] | None, types: dict[str, str] | None = None) -> Any:
        known = self._types if types is None else types
        form = self.form
        return csv.open_csv(
            self.path,
            csv.ReadOptions(
                use_threads=False,
                block_size=CSV_BLOCK,
                encoding=form.encoding,
                skip_rows=form.skip_rows or 0,
            ),
            csv.ParseOptions(delimiter=form.usual_separator(self.path)),
            csv.ConvertOptions(
                column_types={
                    name: pa.type_for_alias(kind) for name, kind in known.items() if kind != "null"
                },
                null_values=["", " ", *form.tokens()],
                strings_can_be_null=True,
                decimal_point=form.decimal,
                true_values=WORDS["true"],
                false_values=WORDS["false"],
                include_columns=[] if columns is None else list(columns),
            ),
        )


@dataclass(frozen=True)
class BatchesPart:
    """Record batches that something else hands over, each time it is asked."""

    make: Callable[[], Iterable[Any]] = field(compare=False)
    name: str = "the batches"
    identity: None = None

    def refuse_changed(self) -> None:
        """Nothing tells."""

    def names(self) -> list[str]:
        """Return the names of the columns of the first batch."""
        for batch in self._checked():
            return list(batch.schema.names)
        raise DataError("there are no batches: no data")

    def batches(self, columns: Sequence[str] | None, rows: int) -> Iterator[Any]:
        """Go through the batches, large ones in pieces."""
        for batch in self._checked():
            chosen = batch
            if columns is not None and set(columns) <= set(batch.schema.names):
                chosen = batch.select(list(columns))
            for first in range(0, max(len(chosen), 1), rows):
                yield chosen.slice(first, rows)

    def _checked(self) -> Iterator[Any]:
        made: Any = self.make()
        if hasattr(made, "__arrow_c_stream__") and not isinstance(made, pa.RecordBatchReader):
            made = pa.RecordBatchReader.from_stream(made)
        if not isinstance(made, Iterable):
            raise ArgumentError(
                f"the function returned a {type(made).__name__}, no iterable of record batches"
            )
        for batch in made:
            if isinstance(batch, pa.Table):
                yield from batch.to_batches()
            elif isinstance(batch, pa.RecordBatch):
                yield batch
            else:
                raise ArgumentError(f"a {type(batch).__name__} is no pyarrow.RecordBatch or Table")


def stamped(path: Path) -> tuple[int, int]:
    """Return size and time of the last change of a file."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def refuse_changed(path: Path, stamp: tuple[int, int]) -> None:
    """Raise a DataError if a file is not as it was when the scan began."""
    try:
        now = stamped(path)
    except OSError as fault:
        raise DataError(f"{path} cannot be read any more: {fault}") from fault
    if now != stamp:
        raise DataError(f"{path} has changed since the scan began; scan again")
