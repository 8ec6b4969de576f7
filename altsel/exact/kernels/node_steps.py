"""What follows from a node's bound: loops for numba; twins in `convexified.propagation` and `node_bound`."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from altsel.exact.kernels.programs import NO_ROOM, Bound


def branching(convex: Any, pairs: Any, status: Any, x: Any) -> int:
    """Return the feature to branch on; see `node_bound.branching`."""
    n, count = len(x), 0
    support, best, feature = np.empty(n, dtype=np.int64), -inf, -1
    for a in range(n):
        if x[a] > 0:
            support[count] = a
            count += 1
    # 1. of those with a part
    for b in range(count):
        a = support[b]
        if x[a] < 1:
            worth = convex[a, a] * (1 - x[a])
            for c in range(count):
                worth += pairs[a, support[c]] * x[support[c]]
            if worth * x[a] > best:
                best, feature = worth * x[a], a
    if feature >= 0:
        return feature
    # 2. there is none: of those that are free
    for a in range(n):
        if status[a] == 0:
            worth = 0.0
            for c in range(count):
                worth += pairs[a, support[c]] * x[support[c]]
            if worth * x[a] > best:
                best, feature = worth * x[a], a
    return feature


def fitted(x: Any, status: Any, need: int) -> None:
    """Scale a point to the features needed; see `propagation.fitted`."""
    total, taken, free, n = 0.0, 0, 0, len(x)
    for a in range(n):
        if status[a] != 0:
            x[a] = 0.0
        else:
            free += 1
            total += x[a]
            if x[a] > 0:
                taken += 1
    if total >= need:
        for a in range(n):
            x[a] *= need / total
        return
    everyone = taken <= need
    room = (free if everyone else taken) - total
    if room > NO_ROOM:
        share = (need - total) / room
        for a in range(n):
            if status[a] == 0 and (everyone or x[a] > 0):
                x[a] += (1 - x[a]) * share


def decided(status: Any, gradient: Any, bound: Bound, cut: float, clash: Any) -> int:
    """Decide what a node's bound decides; see `propagation.decided`."""
    n, taken = len(status), 0
    fate = np.zeros(n, dtype=np.int8)
    # 1. whose other side would cost as much as the best set?
    for a in range(n):
        if status[a] == 0:
            if gradient[a] > bound.last and bound.value + gradient[a] - bound.last >= cut:
                fate[a] = -1
            elif gradient[a] < bound.following and bound.value + bound.following - gradient[a] >= cut:
                fate[a] = 1
                taken += 1
    for a in range(n):
        if fate[a] != 0:
            status[a] = fate[a]
    # 2. with those taken in their rivals go
    for a in range(len(clash)):
        if fate[a] == 1:
            for b in range(n):
                if clash[a, b]:
                    if status[b] == 1:
                        status[:] = -1
                        return taken
                    status[b] = -1
    return taken
