"""The mean of ``k log k`` in a cell of a table with fixed margins: plain Python that numba compiles.

The twin in numpy, which says what it is, is `fixed_margins.mean_log`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from altsel._types import FloatArray
from altsel.stats.discrete.fixed_margins import MANY, log_factorials, means_of_cells, means_of_larger

LARGEST = 1 << 21
"""Tables of fewer rows have keys of their cells: three numbers in 63 bits."""


class Known(NamedTuple):
    """Numbers that are computed once; every thread has its own of the last two."""

    logs: Any
    """``c log c`` by the count c."""
    factorials: Any
    """Logarithms of the factorials."""
    small: Any
    """Means by rows and both margins, of tables of few rows; NaN where not yet known."""
    keys: Any
    values: Any
    """Means of larger ones, each in the slot that its key gives; a power of two of them."""


def known_means(logs: FloatArray) -> Known:
    """Collect what is known for tables with such counts."""
    return Known(logs, log_factorials(len(logs)), means_of_cells(), *means_of_larger())


def mean_of_cell(n: Any, a: Any, b: Any, known: Known) -> float:
    """Return the mean of ``k log k`` of a cell with margins a and b, above 0, in a table of n rows."""
    logs, low, high, small = known.logs, min(a, b), max(a, b), n < len(known.small)
    # 1. known already, or a closed form: of the values 0 to 2 only 2 counts
    if low == 1:  # k log k is 0 for 0 and 1
        return 0.0
    if small and not np.isnan(known.small[n, a, b]):
        return float(known.small[n, a, b])
    if low == 2:
        value = logs[2] * high * (high - 1.0) / (n * (n - 1.0))
        if small:
            known.small[n, a, b] = value
        return float(value)
    # 2. a series around the mean of k
    e = low * high / n
    variance = e * (n - low) * (n - high) / (n * (n - 1.0))
    if e >= MANY:
        third = variance * (n - 2.0 * low) * (n - 2.0 * high) / (n * (n - 2.0))
        main = e * (logs[low] / low + logs[high] / high - logs[n] / n)
        return float(main + (variance / 2 + (variance * variance / (4 * e) - third / 6) / e) / e)
    # 3. a sum over the values within six standard deviations
    key = (n << 42) | (low << 21) | high if n < LARGEST else -1
    slot = ((n * 7919 + low) * 7927 + high) & (len(known.keys) - 1)
    if not small and key > 0 and known.keys[slot] == key:
        return float(known.values[slot])
    value = hypergeometric_sum(n, low, high, e, variance, known)
    if small:
        known.small[n, a, b] = value
    elif key > 0:
        known.keys[slot], known.values[slot] = key, value
    return value


def hypergeometric_sum(n: Any, low: Any, high: Any, e: float, variance: float, known: Known) -> float:
    """Sum ``k log k`` times its probability over the values of k; each weight follows from the one before."""
    facts, logs, width, value = known.factorials, known.logs, 6 * np.sqrt(variance) + 6, 0.0
    least, most = max(0, low + high - n, int(e - width)), min(low, int(e + width))
    log_weight = facts[low] + facts[n - low] + facts[high]
    log_weight += facts[n - high] - facts[least] - facts[low - least]
    log_weight -= facts[high - least] + facts[n - low - high + least]
    weight = np.exp(log_weight - facts[n])
    for k in range(least, most + 1):
        value += weight * logs[k]
        weight *= (low - k) * (high - k)
        weight /= (k + 1.0) * (n - low - high + k + 1.0)
    return float(value)


def means(in_stratum: Any, in_level: Any, in_target: Any, known: Known, found: Any) -> None:
    """Fill ``found[level, code, stratum]`` with the means of all cells; 0 where a margin is 0."""
    height, classes, strata = found.shape
    for stratum in range(strata):
        n = in_stratum[stratum]
        for level in range(height):
            a = in_level[level, stratum]
            for code in range(classes):
                b = in_target[code, stratum]
                found[level, code, stratum] = mean_of_cell(n, a, b, known) if a > 0 and b > 0 else 0.0
