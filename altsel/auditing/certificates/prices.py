"""Prices of rows at a leaf: the multipliers with which rows bound, or rule out, the sets of a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.auditing.certificates.rows import Rows
from altsel.runtime.on_demand import OnDemand

optimize: Any = OnDemand("scipy.optimize")
EMPTY = -1e-6
"""What rows must miss at least, relative to their terms, to rule sets out by their prices."""


class NoProofError(Exception):
    """No proof can be written: a set is better than the claim says, or bounds are too weak for its digits."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """The sets of a node: all that is inside, and `count` of the free features.

    Attributes
    ----------
    inside, free
        Indices of features.
    count
        How many of the free ones.
    """

    inside: IntArray
    free: IntArray
    count: int

    @property
    def empty(self) -> bool:
        """Whether there is no set, whatever the rows are."""
        return not 0 <= self.count <= len(self.free)

    @property
    def decided(self) -> bool:
        """Whether there is one set only."""
        return self.count in {0, len(self.free)}

    @property
    def only(self) -> list[int]:
        """The one set there is, where it is decided."""
        return [*self.inside.tolist(), *self.free[: self.count].tolist()]


@dataclass(frozen=True, eq=False)
class Priced:
    """Prices of rows, and the shares of the free features that the relaxation takes."""

    prices: FloatArray
    shares: FloatArray


def total(leaf: Leaf, constant: float, worth: FloatArray, rows: Rows, prices: FloatArray) -> float:
    """Bound ``constant + worth`` of the sets of a leaf, with rows at prices; what the checker computes."""
    left, used = worth[leaf.free], np.flatnonzero(prices)
    if len(used):
        y, features = prices[used], rows.features[used]
        constant += float(y @ (rows.limits[used] - features[:, leaf.inside].sum(axis=1)))
        left = left - y @ features[:, leaf.free]
    return constant + top(left, leaf.count)


def top(worth: FloatArray, count: int) -> float:
    """Sum the largest numbers."""
    return float(np.partition(worth, len(worth) - count)[len(worth) - count :].sum()) if count else 0.0


def best_prices(leaf: Leaf, worth: FloatArray, rows: Rows) -> Priced | None:
    """Find the prices at which rows bound best, by a linear program; None if no shares keep the rows."""
    found = _solve(leaf, -worth[leaf.free], rows)
    if found.x is None:
        return None
    return Priced(np.maximum(-found.ineqlin.marginals, 0.0), found.x)


def ruling_out(leaf: Leaf, rows: Rows) -> FloatArray | None:
    """Find prices at which rows rule the sets of a leaf out; None if there are none."""
    scale = np.maximum(np.abs(rows.features).sum(axis=1), 1e-300)
    found = _solve(leaf, np.zeros(len(leaf.free)), rows, scale)
    if found.x is None:
        return None
    prices = np.maximum(-found.ineqlin.marginals, 0.0)
    missed = total(leaf, 0.0, np.zeros(rows.features.shape[1]), rows, prices)
    return prices if missed < EMPTY * float(prices @ scale) else None


def _solve(leaf: Leaf, costs: FloatArray, rows: Rows, slack: FloatArray | None = None) -> Any:
    """Solve the relaxation; with slack rows may be missed, at a cost."""
    f, m = len(leaf.free), len(rows)
    table = rows.features[:, leaf.free]
    limits = rows.limits - rows.features[:, leaf.inside].sum(axis=1)
    bounds: list[tuple[float, float | None]] = [(0.0, 1.0)] * f
    if slack is not None:
        table, costs = np.hstack([table, -np.diag(slack)]), np.append(costs, np.ones(m))
        bounds += [(0.0, None)] * m
    sizes = np.zeros((1, table.shape[1]))
    sizes[0, :f] = 1.0
    return optimize.linprog(costs, table, limits, sizes, [leaf.count], bounds, method="highs")
