"""Mean and variance of Pearson's chi-square statistic when the margins of a table are fixed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
