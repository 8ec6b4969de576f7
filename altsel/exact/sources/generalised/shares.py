"""Shares of the features in a node's relaxation, and how it is weighted."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray

ROUNDS, NEWTON = 4, 2
"""Weightings of a node at most, and steps of Newton's method in each."""
PART = 1e-3
"""Share of a feature from which it is part of the relaxation."""
WORTHWHILE = 0.05
"""Share of the distance to the cutoff that a further weighting must gain."""


def shares(length: FloatArray, q: int) -> FloatArray:
    """Return shares of at most 1 that add up to q, as the lengths are where they are less.

    Examples
    --------
    >>> shares(np.array([3.0, 1.0, 1.0]), 2).round(3)
    array([1. , 0.5, 0.5])
    """
    length = length + 1e-12
    order = np.argsort(-length)
    ahead = np.arange(len(length))
    rest = length[order][::-1].cumsum()[::-1]
    full = (length[order] * (q - ahead) >= rest) & (ahead < q)
    count = int(np.argmin(full)) if not full.all() else len(full)
    result = np.ones(len(length))
    if count < len(length):
        result[order[count:]] = length[order[count:]] * ((q - count) / rest[count])
    return result
