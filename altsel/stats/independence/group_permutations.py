"""Permutations of clustered rows: of whole groups, or of the rows within each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.runtime.clock import clock
from altsel.stats.discrete.contingency import Tables, crossed
from altsel.stats.discrete.counts import Columns, compact

Codes = npt.NDArray[np.signedinteger]


@dataclass(frozen=True, eq=False)
class GroupPermutations:
    """Which rows may change places if rows of a group are dependent.

    - Where candidate and target vary within groups, the target is permuted among rows of one group with the
      same given values: these must be exchangeable under the null hypothesis, so that there is no order in
      time; what differs between groups is held fixed, and tells nothing.
    - Where one of them is constant within every group, such as the age of a patient, its values are
      permuted among groups that have the same given values (as often, where these vary within the groups):
      such groups must be exchangeable; their sizes may differ if the feature does not depend on them.

    Attributes
    ----------
    columns
        Features and target.
    groups
        Group of each row.
    statistic
        Computes the statistics of tables.
    """

    columns: Columns
    groups: IntArray
    statistic: Callable[[Tables], FloatArray]

    def among_groups(self, indices: IntArray, goal: int) -> BoolArray:
        """Return for which candidates whole groups are permuted."""
        return np.array([self._constant(goal) or self._constant(j) for j in indices.tolist()], dtype=bool)

    def log_p(
        self, indices: IntArray, known: list[int], goal: int, draws: tuple[int, int]
    ) -> tuple[FloatArray, BoolArray]:
        """Find p by the share of permutations whose statistic reaches the observed one.

        Parameters
        ----------
        indices, known, goal
            Places of the candidates, the given, and the target.
        draws
            Number of permutations, and their seed.

        Returns
        -------
        tuple
            Logarithms of p, and for which candidates any rows can change places at all.
        """
        hits, movable = np.zeros(len(indices)), np.zeros(len(indices), dtype=bool)
        among = self.among_groups(indices, goal)
        for whole in (False, True):
            some = np.flatnonzero(among == whole)
            if len(some):
                made = self._whole if whole else self._within
                hits[some], movable[some] = made(indices[some], known, goal, draws)
        return np.where(movable, np.log((1 + hits) / (1 + draws[0])), 0.0), movable

    def _within(
        self, indices: IntArray, known: list[int], goal: int, draws: tuple[int, int]
    ) -> tuple[FloatArray, BoolArray]:
        """Permute the target within the groups."""
        codes, target = self.columns.codes[indices], self.columns.codes[goal]
        strata, number = self.columns.strata(known)
        cells, _ = compact(
            strata.astype(np.int64) * (int(self.groups.max()) + 1) + self.groups,
            number * (int(self.groups.max()) + 1),
        )
        rows, starts = _sorted(cells)
        varies = _varies(target, rows, starts)
        movable = np.array([bool((varies & _varies(code, rows, starts)).any()) for code in codes])
        columns, rest = self._beside(codes, known)
        observed, hits = self._statistics(columns, rest, target), np.zeros(len(indices))
        random, shuffled = np.random.default_rng(draws[1]), np.empty_like(target)
        for _ in range(draws[0]):
            clock().check()
            shuffled[rows] = target[np.lexsort((random.random(len(target)), cells))]
            hits += _reached(self._statistics(columns, rest, shuffled), observed)
        return hits, movable

    def _whole(
        self, indices: IntArray, known: list[int], goal: int, draws: tuple[int, int]
    ) -> tuple[FloatArray, BoolArray]:
        """Permute the values of groups among those that have the same given values."""
        codes, target = self.columns.codes[indices], self.columns.codes[goal]
        profiles, first = self._profiles(known), self._first
        groups, starts = _sorted(profiles)
        of_target = self._constant(goal)
        moved = target[None] if of_target else codes
        movable = np.array([bool(_varies(code[first], groups, starts).any()) for code in moved])
        columns, rest = self._beside(codes, known)
        observed, hits = self._statistics(columns, rest, target), np.zeros(len(indices))
        random, source = np.random.default_rng(draws[1]), np.empty(len(first), dtype=np.int64)
        for _ in range(draws[0]):
            clock().check()
            source[groups] = np.lexsort((random.random(len(first)), profiles))
            permuted = moved[:, first[source][self.groups]]
            if of_target:
                again = self._statistics(columns, rest, permuted[0])
            else:
                again = self._statistics(*self._beside(permuted, known), target)
            hits += _reached(again, observed)
        return hits, np.resize(movable, len(indices))

    def _beside(self, codes: Codes, known: list[int]) -> tuple[Columns, int]:
        """Join candidates and the given; return also how many candidates there are."""
        return Columns(np.vstack([codes, self.columns.codes[known]])), len(codes)

    def _statistics(self, columns: Columns, number: int, target: Codes) -> FloatArray:
        given = range(number, len(columns))
        tables = crossed(columns, np.arange(number), target.astype(np.int64), given)
        return np.concatenate([self.statistic(part) for part in tables])

    @cached_property
    def _first(self) -> IntArray:
        """A row of each group."""
        return np.unique(self.groups, return_index=True)[1].astype(np.int64)

    def _constant(self, index: int) -> bool:
        code = self.columns.codes[index]
        return bool((code == code[self._first][self.groups]).all())

    def _profiles(self, known: list[int]) -> IntArray:
        """Return numbers of the given values that the rows of each group have."""
        first = self._first
        if all(self._constant(j) for j in known):
            strata = self.columns.strata(known)[0]
            return np.asarray(np.unique(strata[first], return_inverse=True)[1], dtype=np.int64)
        strata, number = compact(*self.columns.strata(known))
        counts = np.zeros((len(first), number), dtype=np.int64)
        np.add.at(counts, (self.groups, strata), 1)
        return np.asarray(np.unique(counts, axis=0, return_inverse=True)[1].ravel(), dtype=np.int64)


def _sorted(cells: IntArray) -> tuple[IntArray, IntArray]:
    """Sort by cells; return the order, and where each cell begins in it."""
    order = np.argsort(cells, kind="stable")
    return order, np.flatnonzero(np.diff(cells[order], prepend=-1))


def _varies(values: Codes, order: IntArray, starts: IntArray) -> BoolArray:
    """Return in which cells values differ."""
    held = values[order]
    return np.asarray(np.maximum.reduceat(held, starts) > np.minimum.reduceat(held, starts))


def _reached(again: FloatArray, observed: FloatArray) -> BoolArray:
    return np.asarray(again >= observed - 1e-9 * np.maximum(observed, 1))
