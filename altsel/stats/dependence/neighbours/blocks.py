"""Blocks of relevances and of redundancies: picklable functions, each called with one block by one worker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.stats.dependence.neighbours.compiled import kernels_for
from altsel.stats.dependence.neighbours.kraskov import kraskov
from altsel.stats.dependence.neighbours.noise import Noise, Sorted
from altsel.stats.dependence.neighbours.ross import ross

WIDTH = 128
"""Most columns that share a search along another one."""
CELLS = 1_000_000
"""Most numbers in a block."""


@dataclass(frozen=True)
class Setting:
    """What all estimates of a table have in common.

    Attributes
    ----------
    neighbors
        Number of neighbours, below the number of rows.
    noise
        What is added to columns of numbers.
    work
        Pairs times rows, by which it is decided whether to import numba.
    """

    neighbors: int
    noise: Noise
    work: int

    def numbers(self, one: Sorted, others: Sorted) -> FloatArray:
        """Estimate one column of numbers and each of others."""
        return kraskov(one, others, self.neighbors, kernels_for(self.work))

    def classes(self, numbers: Sorted, codes: IntArray) -> FloatArray:
        """Estimate numbers and classes, shape (columns, rows); one column of either goes with all."""
        codes, order, ascending = np.broadcast_arrays(codes, numbers.order, numbers.ascending)
        by_value = np.take_along_axis(codes, order, axis=1)
        return ross(ascending, by_value, self.neighbors, kernels_for(self.work))


@dataclass(frozen=True, eq=False)
class Relevances:
    """Estimates of some columns and the target.

    Attributes
    ----------
    setting
        What all estimates share.
    target
        The target; its codes if `classes`.
    classes
        Whether the target holds classes.
    """

    setting: Setting
    target: FloatArray
    classes: bool

    def __call__(self, task: tuple[FloatArray, BoolArray]) -> FloatArray:
        """Estimate columns, shape (columns, rows), none constant; the task says which hold classes."""
        columns, discrete = task
        result = np.zeros(len(columns))
        if self.classes:
            result[:] = self.setting.classes(self.setting.noise.first(columns), coded(self.target[None]))
            return result
        first, second = self._target
        if discrete.any():
            result[discrete] = self.setting.classes(first, coded(columns[discrete]))
        less = np.array([column.tobytes() <= self.target.tobytes() for column in columns], dtype=bool)
        for chosen, one, side in (
            (less & ~discrete, second, self.setting.noise.first),
            (~less & ~discrete, first, self.setting.noise.second),
        ):
            if chosen.any():
                result[chosen] = self.setting.numbers(one, side(columns[chosen]))
        return result

    @cached_property
    def _target(self) -> tuple[Sorted, Sorted]:
        column = self.target[None]
        return self.setting.noise.first(column), self.setting.noise.second(column)


@dataclass(frozen=True, eq=False)
class Redundancies:
    """Estimates of columns among each other: of numbers, and of numbers and classes.

    Attributes
    ----------
    setting
        What all estimates share.
    numbers
        Columns of numbers, shape (columns, rows), in the order that says which of a pair is the first.
    codes
        Columns of classes.
    """

    setting: Setting
    numbers: FloatArray
    codes: IntArray

    def __post_init__(self) -> None:
        _ = self._sides  # sorted once, before workers share it

    def __call__(self, task: Sequence[Run]) -> list[FloatArray]:
        """Estimate runs of pairs."""
        return [self._run(*run) for run in task]

    def tasks(self, most: int) -> list[list[Run]]:
        """Divide all pairs among tasks of about the same work, at most so many."""
        runs = list(self._runs())
        share = -(-sum(stop - start for _, start, stop in runs) // most)
        tasks: list[list[Run]] = [[]]
        room = share
        for one in runs:
            if room <= 0:
                tasks.append([])
                room = share
            tasks[-1].append(one)
            room -= one[2] - one[1]
        return tasks

    def _runs(self) -> Iterator[Run]:
        first, last = len(self.numbers), len(self.numbers) + len(self.codes)
        step = width(self.numbers.shape[1])
        for i in range(first):
            for begin, end in ((i, first), (first, last)):
                for start in range(begin, end, step):
                    yield i, start, min(start + step, end)

    def _run(self, i: int, start: int, stop: int) -> FloatArray:
        one, count = self._sides[0].part(i, i + 1), len(self.numbers)
        if start < count:
            return self.setting.numbers(one, self._sides[1].part(start, stop))
        return self.setting.classes(one, self.codes[start - count : stop - count])

    @cached_property
    def _sides(self) -> tuple[Sorted, Sorted]:
        return self.setting.noise.first(self.numbers), self.setting.noise.second(self.numbers)


Run = tuple[int, int, int]
"""A column of numbers, and from which to before which others it is paired with; classes follow numbers."""


def width(rows: int) -> int:
    """Return how many columns a block has."""
    return max(1, min(WIDTH, CELLS // rows))


def coded(columns: FloatArray) -> IntArray:
    """Replace values by the numbers of their levels, in each column; shape (columns, rows)."""
    codes = [np.unique(column, return_inverse=True)[1] for column in columns]
    return np.array(codes, dtype=np.int64).reshape(columns.shape)
