"""Sums and products of numbers around a centre, added up so that the order of the parts hardly matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums around a centre, each as a float and what its rounding has lost.

    Attributes
    ----------
    centre
        The numbers that are subtracted first, shape (columns,).
    products
        Sums of products, shape (1 + columns, 1 + columns): of 1, that is the number of rows, and of columns.
    lost
        What rounding has lost of each; the sum of both is the value.
    """

    centre: FloatArray
    products: FloatArray
    lost: FloatArray

    @classmethod
    def zero(cls, centre: FloatArray) -> Moments:
        """Return the moments of no rows."""
        square = np.zeros((len(centre) + 1, len(centre) + 1))
        return cls(centre, square, square)

    def plus(self, products: FloatArray, lost: FloatArray | float = 0.0) -> Moments:
        """Add products of other rows around the same centre, by Neumaier's compensated sum."""
        total = self.products + products
        larger = np.abs(self.products) >= np.abs(products)
        rest = np.where(larger, (self.products - total) + products, (products - total) + self.products)
        return Moments(self.centre, total, self.lost + rest + lost)

    def __add__(self, other: Moments) -> Moments:
        """Add the moments of other rows; exactly around the same centre, else around that of more rows."""
        if np.array_equal(self.centre, other.centre):
            return self.plus(other.products, other.lost)
        more, fewer = (self, other) if self.rows >= other.rows else (other, self)
        moved = fewer.around(more.centre)
        return more.plus(moved.products, moved.lost)

    def of_columns(self, chosen: Sequence[int]) -> Moments:
        """Return the moments of some of the columns."""
        kept = [0, *(1 + j for j in chosen)]
        square = np.ix_(kept, kept)
        return Moments(self.centre[list(chosen)], self.products[square], self.lost[square])

    def around(self, centre: FloatArray) -> Moments:
        """Return the same moments around another centre, but for rounding."""
        step = self.centre - centre
        shift = np.eye(len(centre) + 1)
        shift[0, 1:] = step
        return Moments(centre, shift.T @ self.value @ shift, np.zeros_like(self.products))

    @property
    def value(self) -> FloatArray:
        """The sums of products."""
        return self.products + self.lost

    @property
    def rows(self) -> int:
        """Number of rows."""
        return round(float(self.products[0, 0]))

    def means(self) -> FloatArray:
        """Return the mean of each column."""
        value = self.value
        return np.asarray(self.centre + value[0, 1:] / value[0, 0])

    def correlations(self) -> FloatArray:
        """Return the Pearson correlations of all columns; 0 with a constant one, 1 of one with itself."""
        value = self.value
        within = value[1:, 1:] - np.outer(value[0, 1:], value[0, 1:]) / value[0, 0]
        spread = np.sqrt(np.maximum(np.diag(within), 0.0))
        scale = np.outer(spread, spread)
        result = np.divide(within, scale, out=np.zeros_like(within), where=scale > 0)
        result = np.clip((result + result.T) / 2, -1.0, 1.0)
        result[np.diag_indices_from(result)] = np.where(spread > 0, 1.0, 0.0)
        return np.asarray(result)


def products_of(columns: list[FloatArray], rows: int) -> FloatArray:
    """Return the sums of products of columns, and of a column of ones before them."""
    block = np.empty((len(columns) + 1, rows))
    block[0] = 1.0
    for j, column in enumerate(columns, start=1):
        block[j] = column
    return np.asarray(block @ block.T, dtype=np.float64)
