"""How many features are in exactly 1, 2, … of several sets: which of these profiles can be the best one.

A profile of m sets of k features with at most o common ones is ``N_1, ..., N_m``. Its features, the best
ones in most sets, are in ``r_1 >= r_2 >= ...`` sets each. Necessary for such sets are

    sum r = m k        sum r (r - 1) / 2 <= o m (m - 1) / 2

and what Deza (1973; van Lint 1973) proved of sets that all have exactly o in common: more than
``d^2 + d + 2`` of them, ``d = k - o``, differ trivially, every feature being in none, one, all or all but
one. The slack s of the second row is the number of common features that are missing to o in all pairs
together. So without one set of each such pair at least m - s are left, which have exactly o in common; if
those are more than ``d^2 + d + 2``, every r is at most s + 1 or at least m - s - 1.
"""

from __future__ import annotations

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.runtime.clock import clock

MOST_PROFILES = 200_000
MOST_CELLS = 50_000_000
"""Numbers that the profiles under way may have."""
STEPS = 40
"""Steps of each search for a price."""
SURE = 1e-12
"""Margin for the rounding of a bound, relative to its terms."""


def realisable(profiles: IntArray, k: int, overlap: int) -> BoolArray:
    """Return which profiles Deza's theorem does not exclude; shape (profiles, sets).

    Examples
    --------
    Six pairs, each two with exactly one feature in common, all share the same one: no features are in 5, 3, 2
    and 2 of them.

    >>> realisable(np.array([[6, 0, 0, 0, 0, 1], [0, 2, 1, 0, 1, 0]]), 2, 1).tolist()
    [True, False]
    """
    m, apart = profiles.shape[1], k - overlap
    levels = np.arange(1, m + 1)
    slack = overlap * m * (m - 1) // 2 - profiles @ (levels * (levels - 1) // 2)
    sure = (m - slack > apart * apart + apart + 2) & (slack >= 0)
    between = (levels > slack[:, None] + 1) & (levels < m - slack[:, None] - 1)
    return np.asarray(~(sure & ((profiles > 0) & between).any(axis=1)))


def prices(weights: FloatArray, sets: int, k: int, cap: int) -> tuple[float, float, float]:
    """Minimise the Lagrangian dual of the best profile over the prices of a membership and of a pair.

    ``sum_j max_r ((q_j - mu) r - nu r (r - 1) / 2) + mu m k + nu cap``: a bound for any mu, and nu >= 0.

    Returns
    -------
    float, float, float
        mu, nu and the bound.
    """
    counts = np.arange(sets + 1)
    pairs = counts * (counts - 1) / 2

    def inner(nu: float) -> tuple[float, float]:
        low, high = float(weights.min()) - nu * sets, float(weights.max()) + 1e-12
        best = np.inf, 0.0
        for _ in range(STEPS):
            clock().check()
            mu = (low + high) / 2
            worth = np.outer(weights - mu, counts) - nu * pairs
            bound = float(worth.max(axis=1).sum() + mu * sets * k + nu * cap)
            best = min(best, (bound, mu))
            low, high = (mu, high) if worth.argmax(axis=1).sum() > sets * k else (low, mu)
        return best

    low, high, part = 0.0, float(np.ptp(weights)) + 1e-12, (5**0.5 - 1) / 2
    for _ in range(STEPS):
        a, b = high - part * (high - low), low + part * (high - low)
        low, high = (low, b) if inner(a)[0] <= inner(b)[0] else (a, high)
    nu = (low + high) / 2
    bound, mu = inner(nu)
    return mu, nu, bound + hidden(weights, sets, k, cap, (mu, nu))


def hidden(weights: FloatArray, sets: int, k: int, cap: int, price: tuple[float, float]) -> float:
    """Return what rounding may hide in a bound by prices, of a membership and of a pair."""
    return SURE * float(np.abs(weights).sum() * sets + abs(price[0]) * sets * k + price[1] * cap)


def worths(weights: FloatArray, sets: int, price: tuple[float, float]) -> FloatArray:
    """Return what each feature is worth in 0, 1, … sets, less the prices of memberships and of pairs."""
    counts = np.arange(sets + 1)
    return np.asarray(np.outer(weights - price[0], counts) - price[1] * (counts * (counts - 1) / 2))


def priced_counts(weights: FloatArray, sets: int, k: int, price: tuple[float, float]) -> IntArray:
    """Assign each feature the number of sets that is worth most by the prices, until the numbers sum to m k.

    Parameters
    ----------
    weights
        Qualities in falling order.
    sets, k
        Number of sets, and their size.
    price
        Of a membership and of a pair, as `prices` returns them.

    Examples
    --------
    >>> priced_counts(np.array([4.0, 2.0, 1.0, 0.0]), 2, 2, (0.5, 2.0)).tolist()
    [2, 1, 1]
    """
    worth, every = worths(weights, sets, price), np.arange(len(weights))
    chosen = worth.argmax(axis=1)
    while chosen.sum() != sets * k:
        step = 1 if chosen.sum() < sets * k else -1
        changed = chosen + step
        gain = worth[every, changed.clip(0, sets)] - worth[every, chosen]
        gain[(changed < 0) | (changed > sets)] = -np.inf
        chosen[gain.argmax()] += step
    return -np.sort(-chosen[chosen > 0])


def profiles_above(
    weights: FloatArray, sets: int, k: int, cap: int, least: float
) -> tuple[IntArray, FloatArray] | None:
    """List the profiles with a larger sum of qualities than `least`, the best first; None if too many.

    Level by level from all sets down: what is left is bounded by the prices.

    Parameters
    ----------
    weights
        Qualities in falling order.
    sets, k, cap
        Number of sets, their size, and of pairs of memberships of one feature.
    least
        Sums up to it are left out.

    Examples
    --------
    >>> profiles, sums = profiles_above(np.array([3.0, 2.0, 1.0, 0.0]), 2, 2, 1, 5.0)
    >>> profiles.tolist(), sums.tolist()
    ([[2, 1], [4, 0]], [9.0, 6.0])
    """
    mu, nu, _ = prices(weights, sets, k, cap)
    n, sums = len(weights), np.concatenate([[0.0], np.cumsum(weights)])
    margin, worth = hidden(weights, sets, k, cap, (mu, nu)), worths(weights, sets, (mu, nu))
    partial, taken = np.zeros((1, 0), dtype=np.int64), np.zeros(1, dtype=np.int64)
    left, pairs, reduced = np.array([sets * k]), np.array([cap]), np.zeros(1)
    for level in range(sets, 0, -1):
        clock().check()
        below = worth[:, :level].max(axis=1)
        rest = np.concatenate([np.cumsum(below[::-1])[::-1], [0.0]])
        cost = level * (level - 1) // 2
        most = np.minimum(left // level, n - taken)
        most = np.minimum(most, pairs // cost) if cost else most
        if (most + 1).sum() > 50 * MOST_PROFILES:
            return None
        parent = np.repeat(np.arange(len(left)), most + 1)
        number = np.arange(len(parent)) - np.repeat(np.cumsum(most + 1) - most - 1, most + 1)
        if level == 1:
            at_end = number == left[parent]
            parent, number = parent[at_end], number[at_end]
        before = taken[parent]
        gain = level * (sums[before + number] - sums[before] - mu * number) - nu * cost * number
        bound = reduced[parent] + gain + rest[before + number] + mu * sets * k + nu * cap
        kept = bound + margin > least
        parent, number, gain = parent[kept], number[kept], gain[kept]
        if len(parent) > MOST_PROFILES or len(parent) * (sets - level + 1) > MOST_CELLS:
            return None
        partial = np.column_stack([number, partial[parent]])
        left, pairs = left[parent] - level * number, pairs[parent] - cost * number
        taken, reduced = taken[parent] + number, reduced[parent] + gain
    values = sums[np.cumsum(partial[:, ::-1], axis=1)].sum(axis=1)
    order = np.argsort(-values, kind="stable")
    order = order[values[order] > least]
    return partial[order], values[order]
