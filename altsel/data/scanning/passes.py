"""What a pass does with one partition, and how the results of all are kept and put together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from altsel import parallel
from altsel._types import FloatArray
from altsel.data.scanning.coding import Coding
from altsel.data.scanning.decoding import Batch, batches
from altsel.data.scanning.layout import Layout
from altsel.data.scanning.moments import Moments, products_of
from altsel.data.scanning.pair_counts import PairCounts, target_table
from altsel.data.scanning.partitions import Partition
from altsel.data.scanning.quantiles import Wanted
from altsel.data.scanning.survey import Arrays, Survey
from altsel.errors import ArgumentError, DataError
from altsel.runtime.clock import clock
from altsel.runtime.files import replacing
from altsel.runtime.progress import Pace
from altsel.runtime.threads import one_thread

VERSION = 4
"""Changes when what passes keep does."""
NO_KEYS = np.zeros(0, dtype=np.uint64)
BATCH_CELLS = 1 << 25
"""Cells of a batch at most: of more than 512 columns fewer rows are held at once."""


@dataclass(frozen=True)
class Columns:
    """Which columns a pass reads, and how.

    Attributes
    ----------
    needed
        All columns in use.
    missing
        What happens to rows that lack a value.
    rows
        Most rows of a batch.
    lacking
        Whether some row may lack a value, so that all columns must be looked at.
    """

    needed: tuple[str, ...]
    missing: str
    rows: int
    lacking: bool = True

    def batches(self, part: Partition, names: Sequence[str]) -> Iterator[Batch]:
        """Read some columns of a partition, those batches of which a row is used.

        Columns of others may hold what they do nowhere else, such as nothing where there is text.
        """
        return (batch for batch in self.all_batches(part, names) if batch.rows)

    def all_batches(self, part: Partition, names: Sequence[str]) -> Iterator[Batch]:
        """Read some columns of a partition, those batches too of which all rows are dropped."""
        whole = self.needed if self.lacking else None
        rows = min(self.rows, max(BATCH_CELLS // max(len(whole or names), 1), 1))
        for batch in batches(part, names, rows, self.missing, whole):
            clock().check()
            yield batch


@dataclass(frozen=True, eq=False)
class Surveying:
    """The first pass."""

    columns: Columns
    most: Mapping[str, int]

    def __call__(self, part: Partition) -> Arrays:
        """Survey a partition."""
        survey = Survey.empty(self.most)
        for batch in self.columns.all_batches(part, self.columns.needed):
            survey.add(batch, part.name)
        return survey.arrays()

    def key(self) -> Any:
        """Return what the result depends on besides the partition."""
        return ["survey", self.columns.needed, self.columns.missing, sorted(self.most.items())]


@dataclass(frozen=True, eq=False)
class Narrowing:
    """A pass that finds one more digit of the order statistics."""

    columns: Columns
    wanted: Mapping[str, Wanted]

    def __call__(self, part: Partition) -> Arrays:
        """Look at a partition."""
        counts = {
            name: np.zeros(one.shape, dtype=np.int64) for name, one in self.wanted.items() if one.counting
        }
        kept: dict[str, list[Any]] = {name: [NO_KEYS] for name in self.wanted}
        for batch in self.columns.batches(part, list(self.wanted)):
            for name, one in self.wanted.items():
                values = batch.values[name]
                assert isinstance(values, np.ndarray)
                seen = one.look(values.astype(np.float64, copy=False))
                if name in counts:
                    counts[name] += seen
                else:
                    kept[name].append(seen)
        found = (counts[name] if name in counts else np.concatenate(kept[name]) for name in self.wanted)
        return {str(j): seen for j, seen in enumerate(found)}

    def learn(self, results: Iterable[tuple[int, Arrays]]) -> None:
        """Combine what was seen in all partitions, as it comes."""
        total: list[Any] = []
        for _, arrays in results:
            seen = [arrays[str(j)] for j in range(len(self.wanted))]
            if not total:
                total = [
                    one if wanted.counting else [one]
                    for one, wanted in zip(seen, self.wanted.values(), strict=True)
                ]
                continue
            for j, (one, wanted) in enumerate(zip(seen, self.wanted.values(), strict=True)):
                if wanted.counting:
                    total[j] = total[j] + one
                else:
                    total[j].append(one)
        for one, wanted in zip(total, self.wanted.values(), strict=True):
            wanted.learn(one if wanted.counting else np.concatenate(one))

    def key(self) -> Any:
        """Return what the result depends on besides the partition."""
        known = [[name, one.known, one.prefixes.tolist(), one.counting] for name, one in self.wanted.items()]
        return ["narrowing", self.columns.needed, self.columns.missing, known]


@dataclass(frozen=True, eq=False)
class Counting:
    """The pass that counts pairs and sums products."""

    columns: Columns
    layout: Layout
    pairs: bool
    by_level: bool

    def __call__(self, part: Partition) -> Arrays:
        """Count a partition."""
        with one_thread():  # on a busy machine several wait for each other at the products of every batch
            return self._counted(part)

    def _counted(self, part: Partition) -> Arrays:
        layout = self.layout
        coded = [layout.columns[j] for j in layout.coded.tolist()]
        numeric = [layout.columns[j] for j in layout.numeric.tolist()]
        sizes = [one.size for one in coded]
        pairs = PairCounts(sizes) if self.pairs else None
        counts = np.zeros((sum(sizes), layout.columns[-1].size), dtype=np.int64)
        moments, sums = Moments.zero(centres(numeric)), np.zeros((sum(sizes), len(numeric)))
        for batch in self.columns.batches(part, layout.names):
            codes = coded_columns(coded, batch, part)
            numbers = [one.numbers(batch.values[one.name]) for one in numeric]
            if pairs is not None:
                pairs.add(codes)
            elif layout.columns[-1].size:
                counts += target_table(sizes, codes)
            moments = moments.plus(products_of(numbers, batch.rows))
            if self.by_level:
                sums += sums_by_level(sizes, codes, numbers)
        result = {
            "counts": counts if pairs is None else pairs.table(),
            "products": moments.products,
            "lost": moments.lost,
        }
        return {**result, "by_level": sums} if self.by_level else result

    def key(self) -> Any:
        """Return what the result depends on besides the partition."""
        return [
            "counting",
            self.columns.missing,
            self.columns.needed,
            self.layout.plain(),
            self.pairs,
            self.by_level,
        ]


def centres(numeric: Sequence[Coding]) -> FloatArray:
    """Return what the moments of columns are taken around, in their scale."""
    return np.array([one.centre * one.scale for one in numeric], dtype=np.float64)


def coded_columns(columns: Sequence[Coding], batch: Batch, part: Partition) -> list[Any]:
    """Return the codes of some columns of a batch; an error names the partition and the column."""
    result = []
    for one in columns:
        try:
            result.append(one.codes(batch.values[one.name]))
        except DataError as fault:
            raise DataError(f"column {one.name!r} of {part.name} {fault}") from fault
    return result


def sums_by_level(sizes: Sequence[int], codes: Sequence[Any], numbers: Sequence[FloatArray]) -> FloatArray:
    """Return the sum of each number over the rows of each level, shape (levels of all columns, numbers)."""
    if not numbers:
        return np.zeros((sum(sizes), 0))
    block = np.array(numbers)
    parts = []
    for size, code in zip(sizes, codes, strict=True):
        member = (code == np.arange(size)[:, None]).astype(np.float64)
        parts.append(member @ block.T)
    return np.concatenate(parts) if parts else np.zeros((0, len(numbers)))


@dataclass(frozen=True)
class Kept:
    """A folder of what passes have found of partitions, each whole or absent.

    Parameters
    ----------
    folder
        The folder; made when first used.
    """

    folder: Path

    def path(self, stage: Any, part: Partition) -> Path:
        """Return where the result of a pass over a partition is kept."""
        text = json.dumps([VERSION, stage, part.identity], default=str)
        return self.folder / f"{sha256(text.encode()).hexdigest()[:32]}.npz"

    def load(self, stage: Any, part: Partition) -> Arrays | None:
        """Return the result of a pass over a partition, or None if there is none that is whole."""
        path = self.path(stage, part)
        if not path.exists():
            return None
        # What numpy raises on broken files is not documented: such a partition is done again.
        with suppress(Exception), path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return dict(file)
        return None

    def save(self, stage: Any, part: Partition, result: Arrays) -> None:
        """Keep the result of a pass over a partition."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise ArgumentError(f"the store {self.folder} cannot be written: {fault}") from fault
        with replacing(self.path(stage, part)) as temporary, temporary.open("wb") as file:
            np.savez(file, **result)  # type: ignore[arg-type]


def results(
    function: Any, parts: Sequence[Partition], store: Kept | None, n_jobs: int | None
) -> Iterator[tuple[int, Arrays]]:
    """Yield ``(index, function(part))`` of all partitions, what is kept first; the rest as it comes.

    Parameters
    ----------
    function
        One of the passes above.
    parts
        The partitions.
    store
        Where results are kept; None: nowhere.
    n_jobs
        Workers, as of `parallel.run`.
    """
    stage = function.key() if store is not None else None
    todo: list[tuple[str, Partition]] = []
    for index, part in enumerate(parts):
        known = None if store is None else store.load(stage, part)
        if known is None:
            todo.append((str(index), part))
        else:
            yield index, known
    pace = Pace(len(todo), "partitions")
    for done, (index, found) in enumerate(_each(function, todo, n_jobs), start=1):
        if store is not None:
            store.save(stage, parts[index], found)
        pace.at(done)
        yield index, found


def _each(
    function: Callable[[Partition], Arrays], todo: Sequence[tuple[str, Partition]], n_jobs: int | None
) -> Iterator[tuple[int, Arrays]]:
    if len(todo) == 1:
        yield int(todo[0][0]), function(todo[0][1])
        return
    for key, found in parallel.each(function, todo, n_jobs, "partition"):
        yield int(key), found
