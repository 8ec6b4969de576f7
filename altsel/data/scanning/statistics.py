"""`Statistics`: counts and moments that stand for a table of any number of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.scanning.coding import Coding, columns_alike, united
from altsel.data.scanning.laid_out import LaidOut
from altsel.data.scanning.layout import Layout
from altsel.data.scanning.moments import Moments
from altsel.data.schema import Task
from altsel.display.html import Table, name_cell, page
from altsel.display.names import short
from altsel.errors import ArgumentError, DataError, checked_path, listing, of_kind
from altsel.runtime.files import replacing

FORMAT = "altsel statistics 1"
OTHER_FILE = "it is no file that Statistics.save has written"


@dataclass(frozen=True, eq=False, repr=False)
class Statistics(LaidOut):
    """Counts of levels and moments of numbers, which measures and tests need instead of the rows.

    ``Dataset.scan(…).statistics()`` makes them; what takes them is listed under *Data that do not fit in
    memory*. Counts are integers, so they are exact whatever the number of rows and the order of
    the parts. Sums of products are taken around `centre`, the means that the first pass saw, and added up by
    Neumaier's compensated sum; a correlation is off by some 1e-15, as in memory.

    Attributes
    ----------
    layout
        The columns: kinds, levels, edges of bins.
    counts
        Rows that have a level of one column and a level of another. Shape (levels of all columns, the same),
        in the order of `layout`, or with levels of the target alone in the second place, unless all `pairs`
        were counted. Numbers that are not cut into bins have no levels.
    pairs
        Whether all pairs were counted.
    moments
        Sums and products of the numbers, shape (numbers, numbers).
    by_level
        Sums of each number (around its centre) over the rows of each level, shape (levels of all columns,
        numbers), or None.
    dropped
        Rows that were dropped for missing values.

    Examples
    --------
    >>> import altsel, pyarrow as pa
    >>> rows = pa.record_batch({"a": [1, 1, 2, 2], "x": [0.5, 1.5, 2.0, 4.0], "y": [0, 0, 1, 1]})
    >>> statistics = altsel.Dataset.scan([rows], "y").statistics()
    >>> statistics.table("a", "y").tolist(), (statistics + statistics).rows
    ([[2, 0], [0, 2]], 8)
    """

    layout: Layout
    counts: IntArray
    pairs: bool
    moments: Moments
    by_level: FloatArray | None = None
    dropped: int = 0
    members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __repr__(self) -> str:
        what = f"{self.rows:,} rows, {len(self.features)} features, target {short(self.target)!r}"
        return f"<Statistics: {what} ({self.task.value}), {'all pairs' if self.pairs else 'no pairs'}>"

    def _repr_html_(self) -> str:
        rows = (
            [name_cell(name, self.features), kind.value, f"{size:,}" if size else "–"]
            for (name, kind), size in zip(self.kinds.items(), self.layout.sizes.tolist(), strict=False)
        )
        table = Table("Features", ["feature", "kind", "levels"], rows, len(self.features), "feature", {0, 1})
        return page(
            f"{self.rows:,} rows, {len(self.features):,} features", [f"target {short(self.target)!r}", table]
        )

    @property
    def rows(self) -> int:
        """Number of rows counted."""
        return self.moments.rows

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of columns, counts and moments, whatever files they came from."""
        plain = [
            [one.name, one.kind, one.size, str(one.levels), str(one.edges)] for one in self.layout.columns
        ]
        digest = sha256(json.dumps([self.task, self.pairs, plain]).encode())
        digest.update(self.counts.tobytes())
        digest.update((np.round(self.moments.correlations(), 6) + 0.0).tobytes())  # -0.0 is 0
        return digest.hexdigest()

    @cached_property
    def starts(self) -> IntArray:
        """Where the levels of each column begin in `counts`."""
        return np.asarray(np.cumsum(self.layout.sizes) - self.layout.sizes)

    @cached_property
    def place(self) -> dict[str, int]:
        """Where each column stands."""
        return {name: j for j, name in enumerate(self.layout.names)}

    def slice_of(self, index: int) -> slice:
        """Return where the levels of a column are in `counts`."""
        return slice(int(self.starts[index]), int(self.starts[index] + self.layout.sizes[index]))

    def totals(self, index: int) -> IntArray:
        """Return how often each level of a column occurs."""
        return (
            np.asarray(self.counts_of(index, len(self.place) - 1).sum(axis=1))
            if not self.pairs
            else np.diag(self.counts[self.slice_of(index), self.slice_of(index)])
        )

    def counts_of(self, first: int, second: int) -> IntArray:
        """Return the table of two columns by their places."""
        if not (self.layout.sizes[first] and self.layout.sizes[second]):
            name = self.layout.names[first if not self.layout.sizes[first] else second]
            raise DataError(f"{name!r} is a number that is not cut: scan with bins=5, say, to count it")
        last = len(self.place) - 1
        if self.pairs:
            return np.asarray(self.counts[self.slice_of(first), self.slice_of(second)])
        if second == last:
            return np.asarray(self.counts[self.slice_of(first)])
        if first == last:
            return np.asarray(self.counts[self.slice_of(second)].T)
        raise ArgumentError("pairs of features were not counted: scan.statistics(pairs=True)")

    def table(self, first: str, second: str) -> IntArray:
        """Return the contingency table of two columns, shape (levels of the first, levels of the second).

        Raises
        ------
        ArgumentError
            If there is no such column, or pairs were not counted.
        DataError
            If one is a number that is not cut into bins.
        """
        of_kind("first", first, str, "the name of a column")
        of_kind("second", second, str, "the name of a column")
        unknown = [name for name in (first, second) if name not in self.place]
        if unknown:
            raise ArgumentError(f"there is no column {unknown[0]!r}")
        return self.counts_of(self.place[first], self.place[second]).copy()

    @cached_property
    def correlations(self) -> FloatArray:
        """Pearson correlations, shape (columns, columns); NaN of categories without an order."""
        result = np.full((len(self.place), len(self.place)), np.nan)
        numeric = self.layout.numeric
        result[np.ix_(numeric, numeric)] = self.moments.correlations()
        return result

    def __add__(self, other: object) -> Statistics:
        """Add the statistics of other rows: counts exactly, levels of both.

        Raises
        ------
        DataError
            If columns, tasks or edges of bins differ; the message names the first one.
        """
        of_kind("the other", other, Statistics, "other Statistics")
        assert isinstance(other, Statistics)
        joint = self._united(other)
        layout = replace(self.layout, columns=tuple(column for column, _, _ in joint))
        sizes = layout.sizes
        starts, width = np.cumsum(sizes) - sizes, int(sizes.sum()) if self.pairs else int(sizes[-1])
        counts = np.zeros((int(sizes.sum()), width), dtype=np.int64)
        parts: list[tuple[Statistics, IntArray]] = []
        for statistics, codes in ((self, [one[1] for one in joint]), (other, [one[2] for one in joint])):
            rows = np.concatenate([start + code for start, code in zip(starts, codes, strict=True)])
            counts[np.ix_(rows, rows if self.pairs else codes[-1])] += statistics.counts
            parts.append((statistics._numbers_of(layout), rows))
        moments = parts[0][0].moments + parts[1][0].moments
        by_level: FloatArray | None = np.zeros((len(counts), len(layout.numeric)))
        for statistics, rows in parts:
            around = statistics._by_level_around(moments.centre)
            if around is None or by_level is None:
                by_level = None
                continue
            by_level[rows] += around
        return Statistics(layout, counts, self.pairs, moments, by_level, self.dropped + other.dropped)

    def _united(self, other: Statistics) -> list[tuple[Coding, IntArray, IntArray]]:
        """Return each column with the levels of both, and where the codes of either go."""
        mine, theirs = self.layout, other.layout
        fix = "scan the one with like= the other, so that both have the same columns, levels and edges"
        if self.pairs != other.pairs:
            raise DataError("the statistics cannot be added: all pairs were counted in one only (pairs=)")
        if mine.task is not theirs.task:
            raise DataError(
                f"the statistics cannot be added: the target {mine.target!r} is {mine.task.value} in one and "
                f"{theirs.target!r} {theirs.task.value} in the other; {fix}"
            )
        if sorted(mine.names) != sorted(theirs.names):
            absent = sorted({*mine.names} ^ {*theirs.names})
            raise DataError(
                f"the statistics cannot be added: {listing(absent)} are in one only, constant in the other "
                f"or not there; {fix}"
            )
        result = []
        for first, second in zip(mine.columns, theirs.columns, strict=True):
            differ = columns_alike(first, second)
            if differ:
                raise DataError(f"the statistics cannot be added: {differ}; {fix}")
            try:
                result.append(united(first, second))
            except DataError as fault:
                raise DataError(f"the statistics cannot be added: {fault}; {fix}") from fault
        if mine.task is Task.BINARY and result[-1][0].size != 2:
            raise DataError(
                f"the statistics cannot be added: {mine.target!r} has other classes in the other; {fix}"
            )
        return result

    def _numbers_of(self, layout: Layout) -> Statistics:
        """Return the same with moments of the numbers of another layout, which may be fewer."""
        own, wanted = self.layout.numeric.tolist(), layout.numeric.tolist()
        if own == wanted:
            return self
        kept = [own.index(j) for j in wanted]
        sums = None if self.by_level is None else self.by_level[:, kept]
        return replace(self, moments=self.moments.of_columns(kept), by_level=sums)

    def _by_level_around(self, centre: FloatArray) -> FloatArray | None:
        if self.by_level is None:
            return None
        totals = np.concatenate([self.totals(j) for j in self.layout.coded.tolist()])
        return np.asarray(self.by_level + totals[:, None] * (self.moments.centre - centre))

    def save(self, path: str | Path) -> None:
        """Write all of it to a file, which replaces an earlier one once it is whole.

        Raises
        ------
        ArgumentError
            If the file cannot be written.
        """
        path = checked_path("path", path)
        plain = {"format": FORMAT, "pairs": self.pairs, "dropped": self.dropped, **self.layout.plain()}
        arrays = {
            "counts": self.counts,
            "centre": self.moments.centre,
            "products": self.moments.products,
            "lost": self.moments.lost,
        }
        if self.by_level is not None:
            arrays["by_level"] = self.by_level
        with replacing(path) as part, part.open("wb") as file:
            np.savez_compressed(file, plain=np.array(json.dumps(plain)), **arrays)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: str | Path) -> Statistics:
        """Read what `save` has written.

        Raises
        ------
        ArgumentError
            If the file cannot be read, or holds something else.
        """
        path = checked_path("path", path)
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                plain = json.loads(str(file["plain"])) if "plain" in file else {}
                if plain.pop("format", None) != FORMAT:
                    raise ArgumentError(f"{path} holds no statistics that can be read: {OTHER_FILE}")
                moments = Moments(file["centre"], file["products"], file["lost"])
                by_level = file.get("by_level")
                layout, counts = Layout.of(plain), file["counts"]
                levels, numbers = int(layout.sizes.sum()), len(layout.numeric)
                shapes = {
                    (levels, levels if plain["pairs"] else int(layout.sizes[-1])): counts,
                    (numbers + 1, numbers + 1): moments.products,
                }
                if any(array.shape != shape for shape, array in shapes.items()):
                    raise ValueError("its counts or moments are not of its columns")
                return cls(layout, counts, plain["pairs"], moments, by_level, plain["dropped"])
        except ArgumentError:
            raise
        except OSError as fault:
            raise ArgumentError(f"{path} holds no statistics that can be read: {fault}") from fault
        except Exception as fault:  # what numpy raises on broken files is not documented
            why = f"it is damaged: {fault}" if _is_archive(path) else OTHER_FILE
            raise ArgumentError(f"{path} holds no statistics that can be read: {why}") from fault


def _is_archive(path: Path) -> bool:
    """Return whether a file begins as numpy's archives do."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"
