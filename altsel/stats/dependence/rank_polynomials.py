"""Mid-ranks of columns and their squares, as orthogonal functions of length 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.stats.dependence.correlation import mid_ranks, mostly_two_valued, standardised

ROUNDING = 1e-9
"""Share of a square's length below which ranks determine it, as of columns with two values."""


@dataclass(frozen=True, eq=False)
class Polynomials:
    """Functions of the ranks of columns.

    Attributes
    ----------
    linear, square
        Mid-ranks, and what their squares add to them: shape (rows, columns), mean 0 and length 1, or all 0.
    varied, curved
        Which columns have each.
    """

    linear: FloatArray
    square: FloatArray
    varied: BoolArray
    curved: BoolArray

    def part(self, some: slice) -> Polynomials:
        """Return those of some columns."""
        return Polynomials(self.linear[:, some], self.square[:, some], self.varied[some], self.curved[some])


def rank_polynomials(columns: FloatArray) -> Polynomials:
    """Compute the functions of columns, shape (rows, columns).

    Examples
    --------
    >>> made = rank_polynomials(np.array([[1.0, 0.0], [2.0, 0.0], [9.0, 1.0]]))
    >>> made.linear[:, 0].round(3).tolist(), made.square[:, 0].round(3).tolist()
    ([-0.707, 0.0, 0.707], [0.408, -0.816, 0.408])
    >>> made.curved.tolist()
    [True, False]
    """
    linear, two = standardised(mid_ranks(columns)), mostly_two_valued(columns)
    if two is None:
        square, curved = _squares(linear)
    else:  # the square of two values is no other function
        square, curved = np.zeros_like(linear), ~two[0]
        square[:, curved], curved[curved] = _squares(linear[:, curved])
    return Polynomials(linear, square, np.asarray(linear.any(axis=0)), curved)


def _squares(linear: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return what squares of columns add to them, and to which columns they do."""
    square = linear**2
    square = square - square.mean(axis=0)
    whole = np.linalg.norm(square, axis=0)
    square -= linear * (linear * square).sum(axis=0)
    left = np.linalg.norm(square, axis=0)
    curved = left > ROUNDING * np.maximum(whole, np.finfo(float).tiny)
    curved &= left > ROUNDING / max(len(linear), 1)
    return np.where(curved, square / np.where(curved, left, 1.0), 0.0), curved


def largest(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Largest squared correlation of combinations of two functions each, by the four that they have.

    The square of the largest singular value of ``[[a, b], [c, d]]``.

    Examples
    --------
    >>> largest(np.array([0.6]), np.array([0.0]), np.array([0.0]), np.array([0.5])).round(2).tolist()
    [0.36]
    """
    whole, product = a**2 + b**2 + c**2 + d**2, a * d - b * c
    return np.asarray((whole + np.sqrt(np.maximum(whole**2 - 4 * product**2, 0.0))) / 2)
