"""Steps at a node of the tree of linear fits, as loops for numba.

Twins of the same names: `inner` and `swept` in `conditioning`; `priced`, of which `weighted` is a part, and
`good_pairs` in `altsel.exact.sources.least_squares.prices`. On so few features calls of numpy and arrays
between them take longer than the work. Sums are rounded otherwise than there, within the rounding that bounds
are raised by.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.kernels.conditioning import EPSILON
from altsel.exact.sources.least_squares.prices import FEW, TINY, VAGUE

SINGULAR = 1e-12
"""In the place of smaller pivots of a matrix that is the identity and a positive semidefinite one."""


def inner(a: Any, index: Any) -> Any:
    """Return the products of some features with each other."""
    m = len(index)
    found = np.empty((m, m))
    for i in range(m):
        row = a[index[i]]
        for j in range(m):
            found[i, j] = row[index[j]]
    return found


def swept(a: Any, b: Any, j: int, left: Any, rounding: float) -> Any:
    """Condition those left on a feature: their products, what it explains, and the products' rounding."""
    m, pivot, worst = len(left), a[j, j], 0.0
    a2, b2 = np.empty((m, m)), np.empty(m)
    for i in range(m):
        row = a[left[i]]
        factor = a[j, left[i]] / pivot
        worst = max(worst, abs(factor))
        for t in range(m):
            a2[i, t] = row[left[t]] - factor * a[j, left[t]]
        b2[i] = b[left[i]] - factor * b[j]
    return a2, b2, b[j] * b[j] / pivot, rounding * (1.0 + worst) * (1.0 + worst) + 2 * EPSILON


def weighted(a: Any, b: Any, d: Any, z: Any, taking: Any) -> Any:
    """Return the w of shares z, of the features that take part, by Cholesky of ``I + S (A - D) S``."""
    p = len(taking)
    low, w, scale = np.empty((p, p)), np.empty(p), np.empty(p)
    for i in range(p):
        scale[i] = np.sqrt(z[taking[i]] / max(d[taking[i]], TINY))
    for i in range(p):
        own = taking[i]
        row = a[own]
        for j in range(i):
            entry = row[taking[j]] * scale[i] * scale[j]
            for t in range(j):
                entry -= low[i, t] * low[j, t]
            low[i, j] = entry / low[j, j]
        entry, value = (row[own] - d[own]) * scale[i] * scale[i] + 1.0, scale[i] * b[own]
        for t in range(i):
            entry -= low[i, t] * low[i, t]
            value -= low[i, t] * w[t]
        low[i, i] = np.sqrt(max(entry, SINGULAR))
        w[i] = value / low[i, i]
    for i in range(p - 1, -1, -1):
        for t in range(i + 1, p):
            w[i] -= low[t, i] * w[t]
        w[i] /= low[i, i]
    return w * scale


def priced(a: Any, b: Any, d: Any, z: Any, rounding: float, largest: float) -> Any:
    """Return ``w'(A - D) w``, the price of each feature and w, for the w of shares z; rounded upwards."""
    m = len(b)
    taking, p = np.empty(m, dtype=np.int64), 0
    for j in range(m):
        if z[j] > FEW * min(1.0, 20.0 * d[j] + 1e-6):
            taking[p] = j
            p += 1
    some = weighted(a, b, d, z, taking[:p])
    w, rest, price = np.zeros(m), b.copy(), np.empty(m)
    constant, size = 0.0, 0.0
    for i in range(p):
        own = taking[i]
        row = a[own]
        w[own] = some[i]
        size += abs(some[i])
        for j in range(m):
            rest[j] -= some[i] * row[j]
        rest[own] += d[own] * some[i]
    for i in range(p):
        constant += some[i] * (b[taking[i]] - rest[taking[i]])
    blur = rounding * (1.0 + size)
    for j in range(m):
        reach = abs(rest[j]) + blur
        price[j] = reach * reach / max(d[j], TINY) if d[j] > 0 else 2 * largest * reach
    return constant + blur * (1.0 + size), price, w


def good_pairs(a: Any, g: Any, spread: Any, alone: Any, need: float) -> Any:
    """Return the pairs that may explain more than needed, and what each explains at most."""
    m, count = len(g), 0
    first, second = np.empty(m * m // 2, dtype=np.int64), np.empty(m * m // 2, dtype=np.int64)
    most = np.empty(m * m // 2)
    for i in range(m):
        for j in range(i + 1, m):
            r = a[i, j] / spread[i] / spread[j]
            above, below = alone[i] + alone[j] - 2 * r * g[i] * g[j], 1 - r * r
            if above > need * below or alone[i] > need or alone[j] > need:
                ratio = above / below if below > VAGUE else np.inf
                first[count], second[count] = i, j
                most[count] = max(ratio, alone[i], alone[j])
                count += 1
    return first[:count], second[:count], most[:count]
