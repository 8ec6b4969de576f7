"""Tables of all pairs of columns of two values: how often both are 1 says all four counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.discrete.bit_planes import MANY, Bits, in_both, packed

if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp: Any = OnDemand("scipy.sparse")

SPARSE = 0.05
"""Share of ones up to which a sparse product is sooner done than a dense one."""
TABLES = 6
"""Tables of numbers that are held at once for a block of pairs."""


@dataclass(frozen=True, eq=False)
class Ones:
    """Where columns of codes 0 and 1 are 1.

    Parameters
    ----------
    columns
        One array of integers a column, all of the same length, at least 1.
    """

    columns: Sequence[IntArray]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.columns[0])

    @cached_property
    def totals(self) -> IntArray:
        """How many ones each column has."""
        return np.array([np.count_nonzero(column) for column in self.columns], dtype=np.int64)

    @property
    def few(self) -> bool:
        """Whether a sparse product is worth it."""
        return int(self.totals.sum()) <= SPARSE * self.rows * len(self.columns)

    @cached_property
    def sparse(self) -> sp.csc_array:
        """The indicators, without their zeros."""
        indices = np.concatenate([np.flatnonzero(column) for column in self.columns])
        starts = np.concatenate([[0], np.cumsum(self.totals)])
        shape = (self.rows, len(self.columns))
        return sp.csc_array((np.ones(len(indices), dtype=np.int32), indices, starts), shape=shape)

    @cached_property
    def dense(self) -> npt.NDArray[np.float32]:
        """The indicators, shape (columns, rows)."""
        return np.array(self.columns, dtype=np.float32)

    @cached_property
    def bits(self) -> Bits:
        """The indicators as bits, shape (columns, words)."""
        return np.concatenate([packed(column[None] == 1) for column in self.columns])


def sums_of_pairs(first: Ones, second: Ones, logs: FloatArray, most_bytes: int) -> FloatArray:
    """Sum ``c log c`` over the four counts of each pair.

    Parameters
    ----------
    first, second
        Columns of the same rows; if they are the same object, only half of the pairs are counted.
    logs
        ``c log c`` of every count c.
    most_bytes
        About what a block of pairs may take.

    Returns
    -------
    array of shape (columns of the first, columns of the second)

    Examples
    --------
    >>> ones = Ones([np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])])
    >>> sums_of_pairs(ones, ones, np.array([0.0, 0, 2, 6, 8]), 1000).tolist()
    [[4.0, 0.0], [0.0, 4.0]]
    """
    result = np.empty((len(first.columns), len(second.columns)))
    by_rows = _by_bits if first.rows >= MANY else _dense
    product = (_by_zeros if first.few and second.few else by_rows)(first, second)
    width = max(1, isqrt(most_bytes // (8 * TABLES)))
    for i, j in _blocks(result.shape, width):
        if first is second and j.start < i.start:
            continue
        both = product(i, j)
        one, other = first.totals[i][:, None], second.totals[j]
        neither = first.rows - one - other + both
        total = (logs[neither] + logs[one - both]) + (logs[other - both] + logs[both])
        result[i, j] = total
        if first is second and j.start > i.start:
            result[j, i] = total.T
    return result


def _blocks(shape: tuple[int, ...], width: int) -> Iterator[tuple[slice, slice]]:
    for i in range(0, shape[0], width):
        for j in range(0, shape[1], width):
            yield slice(i, i + width), slice(j, j + width)


def _by_zeros(first: Ones, second: Ones) -> Callable[[slice, slice], IntArray]:
    one, other = first.sparse, second.sparse
    return lambda i, j: np.asarray((one[:, i].T @ other[:, j]).toarray(), dtype=np.int64)


def _by_bits(first: Ones, second: Ones) -> Callable[[slice, slice], IntArray]:
    def product(i: slice, j: slice) -> IntArray:
        one = first.bits[i]
        return in_both(one, one if first is second and i == j else second.bits[j])

    return product


def _dense(first: Ones, second: Ones) -> Callable[[slice, slice], IntArray]:
    return lambda i, j: (first.dense[i] @ second.dense[j].T).astype(np.int64)
