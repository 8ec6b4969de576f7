"""Sums and products of pairs of floats, high and low parts, of about 32 digits.

After T. J. Dekker, *A floating-point technique for extending the available precision*, Numerische Mathematik
18 (1971). On numbers and on arrays; in the part of numpy that numba compiles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SPLIT = 134217729.0
"""``2^27 + 1``: splits 53 bits into halves whose products are exact."""


def added(x: Any, x_low: Any, y: Any, y_low: Any) -> Any:
    """Add two pairs."""
    total = x + y
    taken = total - x
    low = (x - (total - taken)) + (y - taken) + x_low + y_low
    high = total + low
    return high, low - (high - total)


def multiplied(x: Any, x_low: Any, y: Any, y_low: Any) -> Any:
    """Multiply two pairs."""
    product = x * y
    part = SPLIT * x
    x_head = part - (part - x)
    part = SPLIT * y
    y_head = part - (part - y)
    x_tail, y_tail = x - x_head, y - y_head
    low = ((x_head * y_head - product) + x_head * y_tail + x_tail * y_head) + x_tail * y_tail
    low = low + x * y_low + x_low * y
    high = product + low
    return high, low - (high - product)


def dot(x: Any, x_low: Any, y: Any, y_low: Any) -> Any:
    """Sum the products of two arrays of pairs, halves added to halves."""
    high, low = multiplied(x, x_low, y, y_low)
    count = len(high)
    while count > 1:
        half = (count + 1) // 2
        rest = count - half
        some, some_low = added(high[:rest], low[:rest], high[half:count], low[half:count])
        high[:rest], low[:rest] = some, some_low
        count = half
    return high[0], low[0]


def normalised(x: Any, x_low: Any) -> Any:
    """Divide an array of pairs by its length, which is not 0."""
    square, square_low = dot(x, x_low, x, x_low)
    inverse = 1.0 / np.sqrt(square)
    high, low = multiplied(inverse, 0.0, inverse, 0.0)
    high, low = multiplied(high, low, square, square_low)
    return multiplied(x, x_low, inverse, 0.5 * inverse * ((1.0 - high) - low))
