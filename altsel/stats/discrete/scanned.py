"""Contingency tables and information of a scan: counted in passes, with the answers of rows in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError, DataError, listing
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.compiled import compiled
from altsel.stats.discrete.contingency import CELLS, Tables
from altsel.stats.discrete.counts import count_logs
from altsel.stats.discrete.fixed_margins import log_factorials, means_of_cells

MOST_LOGS = 1 << 21
"""Rows of a stratum up to which logarithms of all counts are kept."""

special: Any = OnDemand("scipy.special")


@dataclass(frozen=True)
class CountLogs:
    """``c log c`` and logarithms of factorials of counts, computed when needed: there may be many rows."""

    rows: int

    def __len__(self) -> int:
        return self.rows + 1

    def __getitem__(self, counts: IntArray) -> FloatArray:
        """Return ``c log c`` of each count."""
        return np.asarray(special.xlogy(counts, counts))

    @property
    def factorials(self) -> LogFactorials:
        """Logarithms of factorials."""
        return LogFactorials()


class LogFactorials:
    """Logarithms of factorials of counts."""

    def __getitem__(self, counts: IntArray) -> FloatArray:
        return np.asarray(special.gammaln(np.asarray(counts) + 1.0))


@dataclass(frozen=True, eq=False)
class ScannedTables(Tables):
    """`Tables` of so many rows that logarithms are kept of counts up to those of the largest stratum only."""

    def g_tests(self, corrected: bool) -> FloatArray:
        """G-square of each candidate and its degrees of freedom; if corrected, `g_square_by_margins` too."""
        kernels = compiled()
        largest = int(self.in_stratum.max(initial=0))
        if kernels is None or largest >= MOST_LOGS:
            some = np.array([self.g_square(), self.dof()])
            return np.vstack([some, self.g_square_by_margins()]) if corrected else some
        logs = _logs(1 << largest.bit_length())
        found = np.empty((5 if corrected else 2, len(self.starts)))
        factorials = log_factorials(len(logs))
        kernels.g_tests(self.counts, self.starts, self.in_target, logs, factorials, means_of_cells(), found)
        return found


@lru_cache(maxsize=4)
def _logs(count: int) -> FloatArray:
    return count_logs(count - 1)


class ScannedColumns:
    """Discrete columns of a scan, in place of `Columns`: they are counted, but hold no codes.

    Parameters
    ----------
    scan
        The scan; all its columns have levels or bins.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan, self.rows = scan, scan.rows
        self.levels: IntArray = scan.layout.sizes

    def __len__(self) -> int:
        return len(self.levels)

    def crossed(self, indices: IntArray | None, goal: int, given: Sequence[int]) -> Iterator[Tables]:
        """Count candidates x target in the strata of the given columns, as `contingency.crossed` does.

        Parameters
        ----------
        indices
            Places of the candidates; None: all but the target and the given columns.
        goal, given
            Places of the target and the given columns.
        """
        candidates = list(range(len(self))) if indices is None else indices.tolist()
        part: list[IntArray] = []
        for table in self._scan.joint.tables(candidates, (goal, *given)):
            if part and sum(one.size for one in part) + table.size > CELLS:
                yield self._tables(part, goal, given)
                part = []
            part.append(table)
        if part:
            yield self._tables(part, goal, given)

    def g_tests(
        self, indices: IntArray, goal: int, given: Sequence[int], corrected: bool
    ) -> FloatArray | None:
        """Compute G-square and its degrees of freedom from the rows, where tables are too large.

        The rows of some strata at a time are in memory. All that is computed is a sum over the strata in
        which the target varies, of which there are at most half as many as rows.

        Parameters
        ----------
        indices, goal, given
            Places of the candidates, the target and the given columns.
        corrected
            Whether what `Tables.g_square_by_margins` returns is wanted too.

        Returns
        -------
        array of shape (2 or 5, candidates), or None
            As of `Tables.g_tests`; None where the tables have room.
        """
        joint, chosen = self._scan.joint, indices.tolist()
        if not given or joint.have_room(chosen, (goal, *given)):
            return None
        found = np.zeros((5 if corrected else 2, len(chosen)))
        for keys, codes in joint.rows_by_strata(given, (goal, *chosen)):
            sizes = self.levels[[goal, *chosen]].tolist()
            for part, tables in tables_by_strata(keys, codes, sizes):
                found[:, part] += tables.g_tests(corrected)[:, 0]
        return found

    def _tables(self, part: Sequence[IntArray], goal: int, given: Sequence[int]) -> Tables:
        strata = prod(self.levels[list(given)].tolist())
        in_target = part[0].sum(axis=0).reshape(int(self.levels[goal]), strata)
        telling = in_target.max(axis=0) < in_target.sum(axis=0)
        counts = np.concatenate(part).reshape(-1, *in_target.shape)[:, :, telling]
        sizes = np.array([len(table) for table in part])
        logs: Any = CountLogs(self.rows)
        return ScannedTables(counts, in_target[:, telling], np.cumsum(sizes) - sizes, logs)


def tables_by_strata(
    keys: IntArray, codes: npt.NDArray[np.unsignedinteger], sizes: Sequence[int]
) -> Iterator[tuple[int, Tables]]:
    """Give the tables of each candidate, of some strata at a time in which the target varies.

    Parameters
    ----------
    keys
        Stratum of each row.
    codes
        Codes of the target and of the candidates, shape (1 + candidates, rows).
    sizes
        How many levels they have.

    Yields
    ------
    tuple
        Which candidate, and its tables.
    """
    order, target, begins = _telling_rows(keys, codes[0])
    classes, logs = sizes[0], CountLogs(len(keys))
    step = max(CELLS // (classes * max(sizes)), 1)
    for first in range(0, len(begins) - 1, step):
        ends = begins[first : first + step + 1]
        rows, number = slice(ends[0], ends[-1]), len(ends) - 1
        groups = target[rows].astype(np.int64) * number + np.repeat(np.arange(number), np.diff(ends))
        in_target = np.bincount(groups, minlength=classes * number).reshape(classes, number)
        for candidate, size in enumerate(sizes[1:]):
            clock().check()
            cells = codes[1 + candidate][order[rows]].astype(np.int64) * (classes * number) + groups
            counts = np.bincount(cells, minlength=size * classes * number).reshape(size, classes, number)
            yield candidate, ScannedTables(counts, in_target, np.zeros(1, dtype=np.int64), logs)  # type: ignore[arg-type]


def _telling_rows(keys: IntArray, target: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Order the rows of strata in which the target varies by stratum.

    Returns
    -------
    tuple
        The rows; the target of each; and where each stratum begins among them, with their number at the end.
    """
    order = np.argsort(keys)
    keys, target = keys[order], target[order]
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    if not len(begins):
        return order, target, np.zeros(1, dtype=np.int64)
    telling = np.minimum.reduceat(target, begins) < np.maximum.reduceat(target, begins)
    lengths = np.diff(begins, append=len(keys))
    kept = np.repeat(telling, lengths)
    return order[kept], target[kept], np.concatenate([[0], np.cumsum(lengths[telling])])


def scanned_columns(scan: Scan | Statistics, what: str) -> ScannedColumns:
    """Return the columns of a scan, all of which have counts.

    Raises
    ------
    ArgumentError
        If statistics are given, which have no counts of three columns.
    DataError
        If a column holds numbers that are not cut into bins.
    """
    if isinstance(scan, Statistics):
        raise ArgumentError(
            f"{what} counts anew for each set that is given: give it the scan, not its statistics"
        )
    uncut = [one.name for one in scan.layout.columns if not one.size]
    if uncut:
        raise DataError(
            f"{what} needs discrete columns; {listing(uncut)} hold numbers: cut them into bins, "
            "Dataset.scan(…, bins=5), or use PartialCorrelation"
        )
    return ScannedColumns(scan)


class ScannedInformation:
    """Plug-in entropies and mutual informations of all features of a scan, as `Information` has them.

    Parameters
    ----------
    scan
        The scan; all its columns have levels or bins.
    """

    def __init__(self, scan: Scan) -> None:
        self._scan, self._statistics, self.columns = scan, scan.statistics(), ScannedColumns(scan)
        self._goal = len(scan.features)
        self._sizes: list[int] = scan.layout.sizes.tolist()
        self.entropies = np.array([self._entropy(self._statistics.totals(j)) for j in range(self._goal)])
        self.relevance = self._shared(self._goal)

    @cached_property
    def target_entropy(self) -> float:
        """``H(C)``."""
        return self._entropy(self._statistics.totals(self._goal))

    def with_feature(self, index: int) -> FloatArray:
        """Give ``I(X; F)`` of every feature X and one feature F."""
        return self._shared(index)

    def with_feature_and_target(self, index: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give ``I(X; F)``, ``I(X; F | C)`` and the joint entropy ``H(X, F, C)`` of every feature X."""
        return self._of_three(index, self._goal)

    def given_feature(self, index: int, given: int) -> FloatArray:
        """Give ``I(X; F | G)`` of every feature X and two features F and G."""
        return self._of_three(index, given)[1]

    def of_pairs(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Give ``I(X; F)`` and ``I(X; F | C)`` of chosen pairs of features X and F, by their indices."""
        shared, given = np.empty(len(first)), np.empty(len(first))
        for index in np.unique(second).tolist():
            which = np.flatnonzero(second == index)
            of_index = self._of_three(index, self._goal)
            shared[which], given[which] = of_index[0][first[which]], of_index[1][first[which]]
        return shared, given

    def _shared(self, index: int) -> FloatArray:
        own = self._entropy(self._statistics.totals(index))
        joint = [self._entropy(self._statistics.counts_of(j, index)) for j in range(self._goal)]
        return np.asarray(np.maximum(self.entropies + own - np.array(joint), 0.0))

    def _of_three(self, first: int, second: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give ``I(X; F)``, ``I(X; F | G)`` and ``H(X, F, G)``; F with itself is the column F twice."""
        others = [j for j in range(self._goal) if j not in {first, second}]
        shape = self._sizes[first], self._sizes[second]
        cubes = dict(zip(others, self._scan.joint.tables(others, (first, second)), strict=True))
        margin = self._statistics.counts_of(first, second)
        shared, given, joint = (np.zeros(self._goal) for _ in range(3))
        alone = self._entropy(margin.sum(axis=1))
        own = self._entropy(margin) - self._entropy(margin.sum(axis=0))
        for j in range(self._goal):
            if j in cubes:
                cube = cubes[j].reshape(-1, *shape)
            else:
                level = np.arange(self._sizes[j])[:, None, None]
                at = np.arange(shape[0])[None, :, None] if j == first else np.arange(shape[1])[None, None, :]
                cube = np.where(level == at, margin, 0)
            joint[j] = self._entropy(cube)
            shared[j] = self.entropies[j] + alone - self._entropy(cube.sum(axis=2))
            given[j] = self._entropy(cube.sum(axis=1)) + own - joint[j]
        return np.maximum(shared, 0.0), np.maximum(given, 0.0), joint

    def _entropy(self, counts: IntArray) -> float:
        return float(np.log(self._scan.rows) - special.xlogy(counts, counts).sum() / self._scan.rows)
