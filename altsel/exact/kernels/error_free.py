"""Sums of two numbers without an error."""

from __future__ import annotations


def two_sum(a: float, b: float) -> tuple[float, float]:
    """Return the rounded sum of two numbers, and what rounding took off it (Knuth 1969).

    Examples
    --------
    >>> two_sum(1.0, 2.0**-60) == (1.0, 2.0**-60)
    True
    """
    total = a + b
    rest = total - a
    return total, (a - (total - rest)) + (b - rest)
