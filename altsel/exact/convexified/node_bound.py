"""The bound of a node: a convex program solved by exchanges, and its linearisation."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.exact.sources.quadratic.lagrangian_bound import ENTRY

FAR = 1e300
"""Stands for infinity, which compiled loops may not meet."""
TINY = 1e-280
"""Curvature below which there is none, whatever the unit of the costs."""
PRICED = 16 * 2.0**-53
"""Rounding of one change of the prices, or of their products with eight rows, relative to them."""
NOISE = 1e-7
"""What a row is broken by, relative to its terms, below which its price stays: it may be rounding."""


def relaxed(  # noqa: PLR0913, PLR0917 (arrays, as compiled loops take them)
    convex: FloatArray,
    pairs: FloatArray,
    single: FloatArray,
    rows: FloatArray,
    limits: FloatArray,
    status: Any,
    x: FloatArray,
    prices: FloatArray,
    gradient: FloatArray,
    numbers: FloatArray,
    space: FloatArray,
) -> tuple[float, float, float]:
    """Bound the costs of the sets of a node.

    Features inside are taken as they are, N between them and the others too; N between two free ones is
    dropped. What is left is convex in x on ``{0 <= x <= 1, sum x = need}``: steps exchange a part of the
    feature that costs most for one of that which costs least. The bound is the linearisation at x,
    which holds for every x. Then the prices of rows are moved against what x breaks, while that helps.

    The gradient is computed anew after each round, as its own rounding adds up in steps; that of the prices,
    which may become large, is charged to the bound by the largest.

    Parameters
    ----------
    convex, pairs
        S and N.
    single
        Costs of single features, with the prices of rows at the root.
    rows, limits
        Rows whose prices may change.
    status
        1 of a feature inside, 0 of a free one, -1 of one left out.
    x
        Where to begin: the free features' parts, which sum to the need; becomes the last point.
    prices
        Added to those at the root; become those of the best bound.
    gradient
        Becomes the gradient at the best bound; `FAR` where features are not free.
    numbers
        Number of features needed; the cost at which to stop; tolerance of the gradient; rounds with the
        prices fixed; rounds in which they change; a constant cost.
    space
        An array of the shape of S, which compiled loops may fill with anything.

    Returns
    -------
    float, float, float
        The bound; the need-th and the next smallest entry of the gradient.
    """
    need, cut, tolerance = int(numbers[0]), float(numbers[1]), float(numbers[2])
    rounds, pricings = int(numbers[3]), int(numbers[4])
    inside, free = status == 1, status == 0
    taken = (convex[inside] + pairs[inside]).sum(axis=0)
    alone = single + 2 * taken
    constant = float(numbers[5] + single[inside].sum() + taken[inside].sum())
    over = rows[:, inside].sum(axis=1) - limits
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
        for _ in range(rounds):
            done = _descended(convex, x, g, full, free, steps, tolerance)
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
            if best >= cut or done or (value < cut and value - best < 0.3 * (cut - best)):
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
        missing = cut - bound if cut < FAR else 0.1 * abs(bound) + 1e4 * tolerance
        change = np.maximum(prices + missing / size * broken, 0.0) - prices
        prices += change
        peak = np.maximum(peak, prices)
        moved = np.where(free, change @ rows, 0.0)
        alone, g = alone + moved, g + moved
        constant += float(change @ over)
    prices[:] = kept
    return best, last, following


def _descended(
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
        x[i] = x[i] - part if x[i] - part > 1e-13 else 0.0
        x[j] += part
        full[i] = 0.0
        if x[j] > 1 - 1e-13:
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
