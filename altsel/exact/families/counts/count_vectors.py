"""In how many of several sets each feature is: all such counts whose qualities sum to more than a number."""

from __future__ import annotations

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.families.counts.profiles import hidden, prices, worths

MOST = 100_000
"""Counts of which so many are listed at once; with more it is given up."""


def counts_above(weights: FloatArray, sets: int, k: int, cap: int, least: float) -> IntArray | None:
    """List the counts of features, the largest sum of qualities first; None if they are too many.

    Counts ``c_j`` in 0, …, m with ``sum c = m k``, ``sum c (c - 1) / 2 <= cap``, ``sum c_j q_j >= least``.
    By the prices mu and nu a count loses ``max_r w_j(r) - w_j(c_j)`` with ``w_j(r) = (q_j - mu) r - nu
    r (r - 1) / 2``, and each pair that is missing to the cap loses nu; the losses sum to at most the bound
    less `least`, which leaves few counts where that is near. Unlike in a profile, a better feature may be in
    fewer sets, as the best poorest set may want it.

    Parameters
    ----------
    weights
        Qualities.
    sets, k, cap
        Number of sets, their size, and of pairs of memberships of one feature.
    least
        What the qualities are to sum to.

    Returns
    -------
    int array or None
        Shape (counts, features).

    Examples
    --------
    >>> counts_above(np.array([3.0, 2.0, 1.0, 0.0]), 2, 2, 1, 8.0).tolist()
    [[2, 1, 1, 0], [1, 2, 1, 0], [2, 1, 0, 1]]
    """
    mu, nu, bound = prices(weights, sets, k, cap)
    room = bound - least
    worth, margin = worths(weights, sets, (mu, nu)), hidden(weights, sets, k, cap, (mu, nu))
    losses = worth.max(axis=1)[:, None] - worth
    allowed: BoolArray = losses <= room
    low, high = allowed.argmax(axis=1), sets - allowed[:, ::-1].argmax(axis=1)
    low_after, high_after = (np.append(np.cumsum(one[::-1])[::-1], 0)[1:] for one in (low, high))
    partial = np.zeros((1, 0), dtype=np.int64)
    members, pairs, lost = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(1)
    for j in range(len(weights)):
        choices = np.flatnonzero(allowed[j])
        parent, count = np.repeat(np.arange(len(lost)), len(choices)), np.tile(choices, len(lost))
        taken, paired = members[parent] + count, pairs[parent] + count * (count - 1) // 2
        gone = lost[parent] + losses[j, count]
        kept = (gone <= room) & (paired <= cap)
        kept &= (taken + low_after[j] <= sets * k) & (taken + high_after[j] >= sets * k)
        if kept.sum() > MOST:
            return None
        partial = np.column_stack([partial[parent[kept]], count[kept]])
        members, pairs, lost = taken[kept], paired[kept], gone[kept]
    partial = partial[lost + nu * (cap - pairs) <= room + margin]
    sums = partial @ weights
    order = np.argsort(-sums, kind="stable")
    return partial[order[sums[order] >= least - margin]]
