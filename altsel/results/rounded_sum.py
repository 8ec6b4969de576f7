"""Sums that are rounded once, and upwards."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, inf, nextafter


def sum_rounded_up(terms: Iterable[float]) -> float:
    """Return the least float that is at least the exact sum.

    A bound on a total, told as a bound beside one of its sets, is a sum of numbers that may differ by many
    powers of ten: rounded as it falls, it could be below what it bounds.

    Examples
    --------
    >>> sum_rounded_up([-0.19, 5e8, -5e8])
    -0.19
    """
    kept = list(terms)
    total = fsum(kept)
    return nextafter(total, inf) if fsum([*kept, -total]) > 0 else total
