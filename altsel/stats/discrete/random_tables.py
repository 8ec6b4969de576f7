"""Contingency tables drawn at random with the margins of a given one: what permutations within strata do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand

special: Any = OnDemand("scipy.special")

CELLS = 1 << 20
"""Cells of the tables drawn at once."""


@dataclass(frozen=True, eq=False)
class Margins:
    """Margins of a table of two variables in several strata, in an order that codes do not change.

    Attributes
    ----------
    levels
        Rows at each level of the candidate, shape (strata, levels).
    classes
        Rows in each class of the target, shape (strata, classes).
    """

    levels: IntArray
    classes: IntArray

    @classmethod
    def of(cls, counts: IntArray) -> Margins:
        """Take the margins of counts of shape (levels, classes, strata), where both variables vary."""
        levels, classes = _descending(counts.sum(axis=1)), _descending(counts.sum(axis=0))
        both = (levels > 0).sum(axis=1) > 1
        both &= (classes > 0).sum(axis=1) > 1
        levels, classes = levels[both], classes[both]
        order = np.lexsort(np.hstack([classes, levels]).T)
        levels, classes = levels[order], classes[order]
        return cls(levels[:, (levels > 0).any(axis=0)], classes[:, (classes > 0).any(axis=0)])

    @property
    def size(self) -> int:
        """Cells of the table."""
        return int(self.levels.size * self.classes.shape[1])

    @cached_property
    def _shares(self) -> FloatArray:
        """Inverses of the expected counts, 0 where none are expected; shape (strata, levels, classes)."""
        expected = self.levels[:, :, None] * (self.classes / self.levels.sum(axis=1, keepdims=True))[:, None]
        return np.asarray(np.divide(1.0, expected, out=np.zeros_like(expected), where=expected > 0))

    @cached_property
    def _rest(self) -> float:
        """What G-square has besides its cells."""
        parts = (self.levels.sum(axis=1), self.levels, self.classes)
        total, levels, classes = (float(special.xlogy(part, part).sum()) for part in parts)
        return total - levels - classes

    def chi_square(self, counts: IntArray) -> FloatArray:
        """``sum (n - e)^2 / e`` of tables with these margins; shape (tables, strata, levels, classes)."""
        squares = np.tensordot(counts.astype(float) ** 2, self._shares, axes=3)
        return np.asarray(squares - self.levels.sum())

    def g_square(self, counts: IntArray) -> FloatArray:
        """``2 sum n log(n / e)`` of tables with these margins."""
        return np.asarray(2 * (special.xlogy(counts, counts).sum(axis=(1, 2, 3)) + self._rest))

    def draws(self, sizes: Sequence[int], random: np.random.Generator) -> Iterator[IntArray]:
        """Draw tables of which each is as likely as under permutations, a number of them at a time.

        Parameters
        ----------
        sizes
            How many at a time; large tables come in smaller parts.
        random
            The generator.

        Yields
        ------
        array of shape (tables, strata, levels, classes)
        """
        most = max(1, CELLS // max(self.size, 1))
        for size in sizes:
            for first in range(0, size, most):
                clock().check()
                yield self._drawn(min(most, size - first), random)

    def _drawn(self, number: int, random: np.random.Generator) -> IntArray:
        """Fill level after level, and in it class after class, by hypergeometric numbers."""
        (strata, levels), classes = self.levels.shape, self.classes.shape[1]
        tables = np.empty((number, strata, levels, classes), dtype=np.int64)
        left = np.broadcast_to(self.classes, (number, strata, classes)).copy()
        for i in range(levels - 1):
            wanted: npt.NDArray[np.int64] = np.broadcast_to(self.levels[:, i], (number, strata)).copy()
            others = left.sum(axis=2)
            for j in range(classes - 1):
                others -= left[:, :, j]
                tables[:, :, i, j] = random.hypergeometric(left[:, :, j], others, wanted)
                wanted -= tables[:, :, i, j]
            tables[:, :, i, -1] = wanted
            left -= tables[:, :, i]
        tables[:, :, -1] = left
        return tables


def _descending(counts: IntArray) -> IntArray:
    """Sort each stratum's counts, the largest first; shape (strata, counts)."""
    return np.asarray(-np.sort(-counts.T, axis=1))
