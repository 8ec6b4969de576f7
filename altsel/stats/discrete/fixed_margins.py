"""Moments of the statistics of contingency tables when the margins are fixed, as under permutations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from altsel._types import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Margin:
    """What the moments depend on, of one variable in many tables.

    Attributes
    ----------
    values
        How many of its values occur.
    inverses
        Sum of ``1 / n_x`` over them, n_x being the rows with value x.
    """

    values: FloatArray
    inverses: FloatArray

    @classmethod
    def of(cls, counts: IntArray, starts: IntArray | None = None) -> Margin:
        """Summarise counts, shape (values, tables); `starts` are the first values of several variables."""
        occurs = counts > 0
        one_over = np.divide(1.0, counts, out=np.zeros(counts.shape), where=occurs)
        first = np.zeros(1, dtype=int) if starts is None else starts
        values, inverses = (np.add.reduceat(part, first, axis=0) for part in (occurs.astype(float), one_over))
        return cls(values[0], inverses[0]) if starts is None else cls(values, inverses)

    def terms(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return ``a = (n sum 1/n_x - r^2) / (n - 2)`` (0 if n = 2) and ``b = (r - 1)(n - r) / (n - 1)``."""
        n, r = rows, self.values
        a = (n * self.inverses - r * r) / np.where(n > 2, n - 2, np.inf)
        return a, (r - 1) * (n - r) / (n - 1)


def chi_square_moments(rows: FloatArray, first: Margin, second: Margin) -> tuple[FloatArray, FloatArray]:
    r"""Return mean and variance of Pearson's chi-square over all tables with the same margins.

    With n rows, r and c values, a and b of the first variable (`Margin.terms`), a' and b' of the
    second: mean ``n (r - 1)(c - 1) / (n - 1)``, variance
    ``2n (b - a)(b' - a') / (n - 3) + n^2 a a' / (n - 1)``.

    Parameters
    ----------
    rows
        n of each table, at least 2.
    first, second
        The variables; arrays that broadcast with `rows`.

    Returns
    -------
    tuple
        Means and variances.

    References
    ----------
    Haldane, Biometrika 31 (1940); Dawson, Biometrika 41 (1954).

    Examples
    --------
    >>> half = Margin.of(np.array([[5], [5]]))
    >>> mean, variance = chi_square_moments(np.array([10.0]), half, half)
    >>> mean.round(4).tolist(), variance.round(4).tolist()
    ([1.1111], [2.2575])
    """
    n = rows
    (a, b), (other_a, other_b) = first.terms(n), second.terms(n)
    mean = n * (first.values - 1) * (second.values - 1) / (n - 1)
    far = 2 * n / np.where(n > 3, n - 3, np.inf) * (b - a) * (other_b - other_a)
    variance = np.maximum(far + n * n / (n - 1) * a * other_a, 0.0)
    # of three rows two tables are possible, if both variables have two values; of two rows one
    small = np.where((n == 3) & (first.values == 2) & (second.values == 2), 1.125, 0.0)
    return mean, np.where(n <= 3, small, variance)


MANY = 10.0
"""Expected count from which the mean of ``k log k`` is a series (error below 1e-4)."""


def mean_log(rows: IntArray, first: IntArray, second: IntArray, logs: FloatArray) -> FloatArray:
    """Return the mean of ``k log k``, k being hypergeometric: a cell of a table with fixed margins.

    Parameters
    ----------
    rows, first, second
        Rows of each table, and the cell's two margins; arrays that broadcast.
    logs
        ``c log c`` of every count c.

    Returns
    -------
    array
        The means; 0 where a margin is 0.

    Examples
    --------
    >>> logs = np.array([0.0, 0.0, 2 * np.log(2)])
    >>> mean_log(np.array([4]), np.array([2]), np.array([2]), logs).round(4).tolist()  # P(k = 2) is 1/6
    [0.231]
    """
    n, a, b = (np.asarray(part) for part in np.broadcast_arrays(rows, first, second))
    mean, occurs = np.zeros(n.shape), (a > 0) & (b > 0)
    e = np.where(occurs, a * b / n, 0.0)
    many = e >= MANY
    mean[many] = _series(*(part[many].astype(float) for part in (n, a, b)))
    few = occurs & ~many
    mean[few] = _sums(n[few], a[few], b[few], logs)
    return mean


def _series(n: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Expand ``k log k`` around the mean of k, with its second to fourth moments."""
    e = a * b / n
    v = e * (n - a) / n * (n - b) / (n - 1)
    skew = v * (n - 2 * a) / n * (n - 2 * b) / (n - 2)
    return np.asarray(e * np.log(e) + v / (2 * e) - skew / (6 * e * e) + v * v / (4 * e**3))


def _sums(n: IntArray, a: IntArray, b: IntArray, logs: FloatArray) -> FloatArray:
    """Sum over the values of k; those farther than six standard deviations from the mean are left out."""
    e = a * b / n
    width = 6 * np.sqrt(e * (n - a) / n * (n - b) / np.maximum(n - 1, 1)) + 6
    low = np.maximum(np.maximum(0, a + b - n), (e - width).astype(int))
    high = np.minimum(np.minimum(a, b), (e + width).astype(int))
    facts = log_factorials(len(logs))
    weight = np.exp(
        facts[a]
        - facts[low]
        - facts[a - low]
        + facts[n - a]
        - facts[b - low]
        - facts[n - a - b + low]
        + facts[b]
        + facts[n - b]
        - facts[n]
    )
    mean = np.zeros(len(n))
    for step in range(int((high - low).max(initial=-1)) + 1):
        k = np.minimum(low + step, high)
        mean += np.where(low + step <= high, weight * logs[k], 0.0)
        weight = weight * ((a - k) / (k + 1.0) * (b - k) / (n - a - b + k + 1.0))
    return mean


REMEMBERED = 80
"""Tables of fewer rows have the means of their cells remembered by the compiled loop."""


@lru_cache(maxsize=1)
def means_of_cells() -> FloatArray:
    """Means of ``k log k`` by the rows of a table and a cell's two margins, filled as they are needed."""
    return np.full((REMEMBERED, REMEMBERED, REMEMBERED), np.nan)


@lru_cache(maxsize=4)
def log_factorials(count: int) -> FloatArray:
    """Logarithms of the factorials of 0, 1, …, `count` - 1."""
    return np.asarray(special.gammaln(np.arange(1.0, count + 1)))
