"""Steps of the tree of linear fits, and of its lists, as loops for numba.

Twins of the same names: `inner` and `swept` in `conditioning`; in `altsel.exact.sources.least_squares`
`priced`, of which `weighted` is a part (`prices`), and `conditioned` and `good_pairs` (`pairs`). On so few
features calls of numpy and arrays between them take longer than the work. Sums are rounded otherwise than
there, within the rounding that bounds are raised by.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.exact.kernels.conditioning import EPSILON
from altsel.exact.kernels.fit_data import EXCESS, INFLATED, LOOSE, UNCLEAR, Levels, Listing
from altsel.exact.sources.least_squares.prices import FEW, TINY

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


def conditioned(levels: Levels, listing: Listing, t: int, i: int) -> float:
    """Fill the products and the growth of the columns before i, given i too; return the least that is left.

    Products are filled on and below the diagonal.
    """
    a, a_next, b, b_next = levels.a[t], levels.a[t + 1], levels.b[t], levels.b[t + 1]
    growth, growth_next, row, least = listing.growth[t], listing.growth[t + 1], levels.a[t, i], np.inf
    inverse, along, own = 1.0 / row[i], b[i], growth[i]
    for c in range(i):
        factor = row[c] * inverse
        before, after = a[c], a_next[c]
        for d in range(c + 1):
            after[d] = before[d] - factor * row[d]
        b_next[c] = b[c] - factor * along
        size = growth[c] + abs(factor) * own
        growth_next[c] = size
        least = min(least, after[c] / (size * size))
    return least


def good_pairs(levels: Levels, listing: Listing, t: int, need: float, copied: float) -> int:
    """Note the pairs that may explain more than needed, and what each explains at most; return how many.

    Most columns have none. So these are first only counted, by a condition without a division: where `left`
    is above `UNCLEAR` roundings, a pair is not good enough if

    ``rest^2 (1 + 2 / UNCLEAR) <= (need - b_i^2 / a_ii - 2 rounding blur^2) left``,

    as those terms of its rounding that `left` divides are below the added ones.
    """
    a, b, growth, rounding = levels.a[t], levels.b[t], listing.growth[t], levels.rounding[t]
    w, own, same, count = listing.positions[t], listing.own, listing.same, 0
    for j in range(w):
        own[j] = a[j, j]
    vague = UNCLEAR * rounding
    for i in range(1, w):
        row, hidden = a[i], own[i] <= vague * growth[i] * growth[i]
        inverse = 1.0 if hidden else 1.0 / own[i]
        along, grown = b[i] * inverse, growth[i] * inverse
        blur = listing.target_growth[t] + abs(along) * growth[i]
        missing = need - b[i] * along - LOOSE * rounding * blur * blur
        # 1. is there any?
        good = 0
        for j in range(i):
            left = own[j] - row[j] * row[j] * inverse
            rest = b[j] - row[j] * along
            spread = growth[j] + abs(row[j]) * grown
            good += (rest * rest * EXCESS > missing * left) | (left <= vague * spread * spread)
        if not good and not hidden:
            continue
        # 2. if so, bound each
        for j in range(i):
            factor = row[j] * inverse
            left, rest = own[j] - factor * row[j], b[j] - row[j] * along
            spread = growth[j] + abs(factor) * growth[i]
            if left > vague * spread * spread and not hidden:
                share = rest / left
                size = blur + abs(share) * spread
                most = b[i] * along + rest * share + INFLATED * rounding * size * size
            elif same[i] == same[j] and not hidden and own[j] > vague * growth[j] * growth[j]:
                most = max(b[i] * along, b[j] * b[j] / own[j]) + copied
            else:
                most = np.inf
            if most > need:
                listing.first[count], listing.second[count], listing.most[count] = i, j, most
                count += 1
    return count
