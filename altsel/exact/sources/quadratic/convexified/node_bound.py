"""The bound of a node: a convex program solved by exchanges, and its linearisation.

The compiled twin of `relaxed` is `altsel.exact.kernels.node_bound`, that of `branching` in
`kernels.node_steps`.
"""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.exact.kernels.programs import (
    FAR,
    NO_PART,
    NOISE,
    PRICED,
    TINY,
    WHOLE_PART,
    Bound,
    Node,
    Program,
    Wanted,
)
from altsel.exact.sources.quadratic.lagrangian_bound import ENTRY

SETTLED = 0.3
"""Share of what is missing to the cut that a further round must be able to gain: else the node branches. The
compiled loop has .1, and says why."""


def relaxed(program: Program, node: Node, wanted: Wanted, space: FloatArray) -> Bound:  # noqa: PLR0915
    """Bound the costs of the sets of a node.

    Features inside are taken as they are, N between them and the others too; N between two free ones is
    dropped. What is left is convex in x on ``{0 <= x <= 1, sum x = need}``: steps exchange a part of the
    feature that costs most for one of that which costs least. The bound is the linearisation at x,
    which holds for every x. Then the prices of rows are moved against what x breaks, while that helps.

    The gradient is computed anew after each round, as its own rounding adds up in steps; that of the prices,
    which may become large, is charged to the bound by the largest.

    Parameters
    ----------
    program, node, wanted
        What all nodes have in common, the node, and what is wanted.
    space
        An array of the shape of S, which compiled loops may fill with anything.
    """
    del space
    convex, pairs, single, rows = program.convex, program.pairs, program.single, program.rows
    status, x, prices, gradient = node
    need, cut, pricings = wanted.need, wanted.cut, wanted.pricings
    inside, free = status == 1, status == 0
    taken = (convex[inside] + pairs[inside]).sum(axis=0)
    alone = single + 2 * taken
    constant = float(program.constant + single[inside].sum() + taken[inside].sum())
    over = rows[:, inside].sum(axis=1) - program.limits
    alone = alone + prices @ rows
    constant += float(prices @ over)
    support = np.flatnonzero(x > 0)
    g = np.where(free, alone + 2 * (x[support] @ convex[support]), FAR)
    full = np.where(free & (x < 1), 0.0, FAR)
    best, last, following, kept, steps = -inf, 0.0, 0.0, prices.copy(), max(30, int(free.sum()))
    broad = np.abs(over) + ENTRY * len(x)
    peak, charge = prices.copy(), PRICED * (pricings + 2 + len(prices) / 8)
    while True:
        hidden = charge * float(peak @ broad)
        for _ in range(wanted.rounds):
            done = _descend(convex, x, g, full, free, steps, program.tolerance)
            support = np.flatnonzero(x > 0)
            g = np.where(free, alone + 2 * (x[support] @ convex[support]), FAR)
            used = np.where(free, g, 0.0)
            value = constant + float(((np.where(free, alone, 0.0) + used) * x).sum()) / 2
            least = np.partition(g, (need - 1, need) if need < len(g) else need - 1)
            bound = value - float((used * x).sum()) + float(least[:need].sum()) - hidden
            if bound > best:
                best, last = bound, float(least[need - 1])
                following = float(least[need]) if need < len(g) else FAR
                gradient[:] = g
                kept[:] = prices
            if best >= cut or done or (value < cut and value - best < SETTLED * (cut - best)):
                break
        if best >= cut or pricings == 0 or not len(rows):
            break
        pricings -= 1
        broken = over + rows @ np.where(free, x, 0.0)
        broken[np.abs(broken) <= NOISE * broad] = 0.0
        broken = np.where((prices > 0) | (broken > 0), broken, 0.0)
        size = float(broken @ broken)
        if size == 0:
            break
        missing = cut - bound if cut < FAR else 0.1 * abs(bound) + 1e4 * program.tolerance
        change = np.maximum(prices + missing / size * broken, 0.0) - prices
        prices += change
        peak = np.maximum(peak, prices)
        moved = np.where(free, change @ rows, 0.0)
        alone, g = alone + moved, g + moved
        constant += float(change @ over)
    prices[:] = kept
    return Bound(best, last, following)


def _descend(
    convex: FloatArray, x: FloatArray, g: FloatArray, full: FloatArray, free: Any, most: int, tolerance: float
) -> bool:
    """Exchange while the gradient says so; return whether it no longer does."""
    for _ in range(most):
        support = np.flatnonzero(x > 0)
        i = int(support[g[support].argmax()]) if len(support) else -1
        j = int((g + full).argmin())
        if i < 0 or full[j] > 0 or g[i] - g[j] < tolerance:
            return True
        part = min(x[i], 1 - x[j])
        curve = 2 * (convex[i, i] + convex[j, j] - 2 * convex[i, j])
        if curve > TINY:
            part = min(part, (g[i] - g[j]) / curve)
        x[i] = x[i] - part if x[i] - part > NO_PART else 0.0
        x[j] += part
        full[i] = 0.0
        if x[j] > WHOLE_PART:
            x[j], full[j] = 1.0, FAR
        g += np.where(free, 2 * part * (convex[j] - convex[i]), 0.0)
    return False


def branching(convex: FloatArray, pairs: FloatArray, status: Any, x: FloatArray) -> int:
    """Return the free feature that would cost most if its part became a whole; x is 0 where none is free."""
    features = np.flatnonzero((status == 0) & (x > 0) & (x < 1))
    if not len(features):
        features = np.flatnonzero(status == 0)
    support, parts = np.flatnonzero(x > 0), x[features]
    at = np.ix_(features, support)
    worth = parts * (convex[features, features] * (1 - parts) + pairs[at] @ x[support])
    return int(features[worth.argmax()])
