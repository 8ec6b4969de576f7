"""The information that chance gives: its mean over all orders of one column's rows, from margins alone.

Columns that are independent share information in any sample, the more the more levels they have. Its mean,
if the rows of one are permuted, is known exactly: each count of the table is hypergeometric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.discrete.counts import compact
from altsel.stats.discrete.hypergeometric import excess

CELLS = 1 << 20
"""Pairs of sizes that are worked on at once."""


@dataclass(frozen=True, eq=False)
class Margins:
    """How often each level of some columns occurs.

    Parameters
    ----------
    sizes
        Rows of each level, column after column; levels that do not occur have 0.
    starts
        Where each column's levels begin.
    """

    sizes: IntArray
    starts: IntArray

    @classmethod
    def of(cls, sizes: Sequence[IntArray]) -> Margins:
        """Combine those of single columns."""
        return cls(np.concatenate(sizes), np.cumsum([0, *(len(one) for one in sizes[:-1])]))

    def distinct(self) -> tuple[FloatArray, FloatArray]:
        """Return the sizes that occur, and how often each does in each column."""
        column = np.repeat(np.arange(len(self.starts)), np.diff([*self.starts, len(self.sizes)]))
        values, places = distinct(self.sizes)
        shape = len(self.starts), len(values)
        number = np.bincount(column * len(values) + places, minlength=shape[0] * shape[1]).reshape(shape)
        there = values > 0
        return values[there], number[:, there].astype(float)


def expected_information(first: Margins, second: Margins, rows: int) -> FloatArray:
    """Mean mutual information of all pairs of columns if the rows of one are permuted, in nats.

    ``E[I] = sum over levels a, b of E[X log(X / m)] / n`` with X the hypergeometric count of the cell and
    ``m = n_a n_b / n``. It is about ``(A - 1)(B - 1) / 2n`` for A and B levels where all m are large.

    Returns
    -------
    array of shape (columns of the first, of the second)

    References
    ----------
    Vinh, Epps and Bailey, Journal of Machine Learning Research 11 (2010), equation 24a; Miller, Information
    Theory in Psychology (1955).

    Examples
    --------
    >>> two = Margins.of([np.array([2, 2])])
    >>> expected_information(two, two, 4).round(3).item()  # two of six orders tell all: log(2) / 3
    0.231
    """
    (sizes, number), (others, often) = first.distinct(), second.distinct()
    step = max(1, CELLS // max(len(others), 1))
    parts = [
        excess(sizes[start : start + step, None], others, np.array(float(rows))) @ often.T
        for start in range(0, len(sizes), step)
    ]
    return np.asarray(number @ (np.concatenate(parts) / rows))


def expected_in_strata(counts: IntArray, starts: IntArray, other: IntArray) -> FloatArray:
    """Mean of ``I(X; F | S)`` of many columns X and one F if rows are permuted within strata, in nats.

    Parameters
    ----------
    counts
        Rows of each level of the columns X in each stratum, shape (levels, strata).
    starts
        Where each column's levels begin.
    other
        Rows of each level of F in each stratum, shape (levels, strata).
    """
    rows, found = other.sum(axis=0), np.zeros(len(counts))
    total = int(rows.sum())
    for stratum in np.flatnonzero(rows).tolist():
        values, places = distinct(counts[:, stratum])
        others, often = np.unique(other[:, stratum], return_counts=True)
        some = np.maximum(values[:, None], 1.0), np.maximum(others, 1.0), np.array(float(rows[stratum]))
        means = excess(*some) @ (often * (others > 0))
        found += np.where(values > 0, means, 0.0)[places]
    return np.asarray(np.add.reduceat(found, starts) / total)


def above_chance(shared: FloatArray, expected: FloatArray | None) -> FloatArray:
    """Subtract what chance gives from plug-in information, which rounding alone makes negative."""
    return np.maximum(shared, 0.0) if expected is None else shared - expected


def distinct(sizes: IntArray) -> tuple[FloatArray, IntArray]:
    """Return the sizes that occur, and the index of each."""
    places, number = compact(sizes.astype(np.int64), int(sizes.max()) + 1)
    values = np.empty(number)
    values[places] = sizes
    return values, places
