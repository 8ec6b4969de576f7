"""Prices of features under a diagonal, in the part of numpy that numba compiles; see the package."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.kernels.conditioning import inner

TINY = 1e-14
"""In the place of a d of 0, to find w."""
FEW = 0.01
"""Share below which a feature does not take part in w."""


def shares(v: Any, q: int) -> Any:
    """Return ``z_j = min(1, v_j / t)`` with a sum of q."""
    m = len(v)
    if q >= m:
        return np.ones(m)
    order = np.argsort(-v)
    tail, ones = v.sum(), 0
    while ones < q and v[order[ones]] * (q - ones) > tail:
        tail -= v[order[ones]]
        ones += 1
    z = np.zeros(m)
    if ones < q and tail > 0:
        z = np.minimum(1.0, v * ((q - ones) / tail))
    z[order[:ones]] = 1.0
    return z


def priced(a: Any, b: Any, d: Any, z: Any, rounding: float, largest: float) -> Any:
    """Return ``w'(A - D) w``, the price of each feature and w, for the w of shares z; rounded upwards.

    A feature with a d of 0 is priced by its coefficient, of which `largest` is a bound.
    """
    taking = np.flatnonzero(z > FEW * np.minimum(1.0, 20.0 * d + 1e-6))
    w = np.zeros(len(b))
    if len(taking):
        part = inner(a, taking)
        scale = np.sqrt(z[taking] / np.maximum(d[taking], TINY))
        system = part * scale.reshape(-1, 1) * scale
        for i in range(len(taking)):
            system[i, i] = (part[i, i] - d[taking[i]]) * scale[i] * scale[i] + 1.0
        w[taking] = scale * np.linalg.solve(system, scale * b[taking])
    rest = b - a @ w + d * w
    size = np.abs(w).sum()
    reach = np.abs(rest) + rounding * (1.0 + size)
    price = reach * reach / np.maximum(d, TINY)
    for j in np.flatnonzero(d <= 0):
        price[j] = 2 * largest * reach[j]
    return (w * (b - rest)).sum() + rounding * (1.0 + size) ** 2, price, w


def top(price: Any, order: Any, q: int, group: Any, capacity: Any) -> Any:
    """Sum the q largest prices of which each group may give so many; return how many there are too."""
    left = capacity.copy()
    total, taken = 0.0, 0
    for j in order:
        g = group[j]
        if g >= 0:
            if left[g] <= 0:
                continue
            left[g] -= 1
        total += price[j]
        taken += 1
        if taken == q:
            break
    return total, taken
