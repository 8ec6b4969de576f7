"""Numbers that stand for "never": made no larger than it takes, so that they round nothing away.

A redundancy of 1e9 between two features, or a relevance of -1e9, only says that no good set has them.
Where a set of some quality is known, a smaller number says the same, and sums stay exact.
"""

from __future__ import annotations

from math import floor, inf, log2

import numpy as np

from altsel._types import FloatArray

MARGIN = 0.5
"""Share of the numbers at hand by which a hopeless set stays below the level."""


def needed_loss(linear: FloatArray, pairs: FloatArray, size: int, level: float) -> float:
    """Return the loss that keeps every set of a size below a level, whatever else is in it.

    With ``Q = sum_i a_i s_i - sum_{i<j} b_ij s_i s_j``: no set has more than ``most``, so one that
    loses ``most - level`` by a single term is below the level. Terms that lose more may be set to this;
    `linear` must not hold them, or hold them as single ones.

    Examples
    --------
    >>> needed_loss(np.array([3.0, 2.0, -1e9]), np.zeros((3, 3)), 2, level=4.0)
    5.5
    """
    helped = linear.copy()
    if size > 1 and pairs.min() < 0:
        gain = np.maximum(-pairs, 0.0)
        helped += np.partition(gain, len(gain) - size + 1, axis=1)[:, len(gain) - size + 1 :].sum(axis=1) / 2
    most = float(np.maximum(np.partition(helped, len(helped) - size)[len(helped) - size :], 0.0).sum())
    return (max(most - level, 0.0) + MARGIN * (abs(most) + abs(level))) or inf


def power_of_two(number: float) -> float:
    """Return the largest power of two up to a number; 1 for 0.

    Examples
    --------
    >>> power_of_two(5.0), power_of_two(1e-9) < 1e-9
    (4.0, True)
    """
    return 2.0 ** floor(log2(number)) if number > 0 else 1.0
