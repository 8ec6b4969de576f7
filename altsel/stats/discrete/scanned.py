"""Contingency tables and information of a scan: counted in passes, with the answers of rows in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError, DataError, listing
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.chance import above_chance, expected_in_strata
from altsel.stats.discrete.contingency import CELLS, Tables
from altsel.stats.discrete.scanned_tables import ByStrata, CountLogs, ScannedTables

special: Any = OnDemand("scipy.special")


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
        found, sizes = np.zeros((5 if corrected else 2, len(chosen))), self.levels[[goal, *chosen]]
        for keys, codes in joint.rows_by_strata(given, (goal, *chosen)):
            found += ByStrata(keys, codes, sizes).g_tests(corrected)
        return found

    def _tables(self, part: Sequence[IntArray], goal: int, given: Sequence[int]) -> Tables:
        strata = prod(self.levels[list(given)].tolist())
        in_target = part[0].sum(axis=0).reshape(int(self.levels[goal]), strata)
        telling = in_target.max(axis=0) < in_target.sum(axis=0)
        counts = np.concatenate(part).reshape(-1, *in_target.shape)[:, :, telling]
        sizes = np.array([len(table) for table in part])
        logs: Any = CountLogs(self.rows)
        return ScannedTables(counts, in_target[:, telling], np.cumsum(sizes) - sizes, logs)


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
    """Entropies and mutual informations of all features of a scan, as `Information` has them.

    Parameters
    ----------
    scan
        The scan; all its columns have levels or bins.
    debiased
        Whether what chance gives is subtracted.
    """

    def __init__(self, scan: Scan, debiased: bool) -> None:
        self._scan, self._statistics, self.columns = scan, scan.statistics(), ScannedColumns(scan)
        self._goal, self._debiased = len(scan.features), debiased
        self._sizes: list[int] = scan.layout.sizes.tolist()
        self._starts = np.cumsum(self._sizes[: self._goal]) - self._sizes[: self._goal]
        self._totals = [self._statistics.totals(j) for j in range(self._goal + 1)]
        self.entropies = np.array([self._entropy(one) for one in self._totals[:-1]])
        self.relevance = self._shared(self._goal)

    @cached_property
    def target_entropy(self) -> float:
        """``H(C)``."""
        return self._entropy(self._totals[self._goal])

    @cached_property
    def target_chance(self) -> FloatArray | None:
        """What chance gives of ``I(X; C)``; None if it is not subtracted."""
        return self.chance_with(self._goal)

    def chance_with(self, index: int) -> FloatArray | None:
        """Return what chance gives of ``I(X; F)`` of every feature X and one feature F."""
        counts = np.concatenate(self._totals[: self._goal])[:, None]
        return self._chance(counts, self._totals[index][:, None])

    def with_feature(self, index: int) -> FloatArray:
        """Return ``I(X; F)`` of every feature X and one feature F."""
        return self._shared(index)

    def with_feature_and_target(self, index: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ``I(X; F)``, ``I(X; F | C)`` and the joint entropy ``H(X, F, C)`` of every feature X."""
        return self._of_three(index, self._goal)

    def given_feature(self, index: int, given: int) -> FloatArray:
        """Return ``I(X; F | G)`` of every feature X and two features F and G."""
        return self._of_three(index, given)[1]

    def of_pairs(self, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return ``I(X; F)`` and ``I(X; F | C)`` of chosen pairs of features X and F, by their indices."""
        shared, given = np.empty(len(first)), np.empty(len(first))
        for index in np.unique(second).tolist():
            which = np.flatnonzero(second == index)
            of_index = self._of_three(index, self._goal)
            shared[which], given[which] = of_index[0][first[which]], of_index[1][first[which]]
        return shared, given

    def _shared(self, index: int) -> FloatArray:
        own = self._entropy(self._totals[index])
        joint = [self._entropy(self._statistics.counts_of(j, index)) for j in range(self._goal)]
        return above_chance(self.entropies + own - np.array(joint), self.chance_with(index))

    def _of_three(self, first: int, second: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ``I(X; F)``, ``I(X; F | G)`` and ``H(X, F, G)``; F with itself is the column F twice."""
        others = [j for j in range(self._goal) if j not in {first, second}]
        shape = self._sizes[first], self._sizes[second]
        cubes = dict(zip(others, self._scan.joint.tables(others, (first, second)), strict=True))
        margin = self._statistics.counts_of(first, second)
        shared, given, joint = (np.zeros(self._goal) for _ in range(3))
        alone = self._entropy(margin.sum(axis=1))
        own = self._entropy(margin) - self._entropy(margin.sum(axis=0))
        in_second: list[IntArray] = []
        for j in range(self._goal):
            if j in cubes:
                cube = cubes[j].reshape(-1, *shape)
            else:
                level = np.arange(self._sizes[j])[:, None, None]
                at = np.arange(shape[0])[None, :, None] if j == first else np.arange(shape[1])[None, None, :]
                cube = np.where(level == at, margin, 0)
            joint[j] = self._entropy(cube)
            shared[j] = self.entropies[j] + alone - self._entropy(cube.sum(axis=2))
            in_second.append(cube.sum(axis=1))
            given[j] = self._entropy(in_second[-1]) + own - joint[j]
        given = above_chance(given, self._chance(np.concatenate(in_second), margin))
        return above_chance(shared, self.chance_with(first)), given, joint

    def _chance(self, counts: IntArray, other: IntArray) -> FloatArray | None:
        return expected_in_strata(counts, self._starts, other) if self._debiased else None

    def _entropy(self, counts: IntArray) -> float:
        return float(np.log(self._scan.rows) - special.xlogy(counts, counts).sum() / self._scan.rows)
