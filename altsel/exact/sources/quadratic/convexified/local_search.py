"""Good sets without proof: exchanges from many sets, and again from the best with features changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.kernels.climbs import Quadratic
from altsel.exact.sources.quadratic.convexified.climbs import beginnings
from altsel.exact.sources.quadratic.convexified.dual import Costs
from altsel.runtime.clock import clock

BEGINNINGS, BATCH = 200, 50
"""Sets from which exchanges begin, and how many are kept and changed."""
CHANGED = 5
"""Features changed at most: with half of ten the best set known is met soonest (n = 1,000)."""
ROUNDS, FEATURES = 2, 100
"""Rounds of changes for so many features; with the square of their number there are more."""


@dataclass(eq=False)
class LocalSearch:
    """Exchanges over the costs of a form, on behalf of who takes the sets.

    Iterated local search (Lourenço, Martin and Stützle 2003): each of the sets kept is changed at random,
    descends by exchanges, and is replaced if that costs no more.

    Parameters
    ----------
    costs
        What is minimised.
    clash
        Which pairs exclude each other, if any do.
    climbed
        As `altsel.exact.sources.quadratic.convexified.climbs.climbed`.
    offer
        Takes the places of a set's features.
    """

    costs: Costs
    clash: BoolArray | None
    climbed: Callable[..., None]
    offer: Callable[[IntArray], None]

    def __post_init__(self) -> None:
        costs, k = self.costs, self.costs.size
        largest = float(np.abs(costs.single).max() + k * np.abs(costs.double).max())
        self.penalty = 10 * k * largest
        self.double = costs.double if self.clash is None else np.where(self.clash, self.penalty, costs.double)
        self.kept, self.values = np.empty((0, k), dtype=np.int64), np.empty(0)

    def begin(self, chances: FloatArray, seed: int) -> None:
        """Descend from sets drawn with chances of the features; offer the best, and keep them."""
        rng, k = np.random.default_rng(seed), self.costs.size
        for _ in range(0, BEGINNINGS, BATCH):
            if clock().over or k == len(chances):
                return
            members = beginnings(BATCH, k, chances, rng)
            values = self._descend(members)
            for one in np.argsort(values)[:3]:
                self.offer(members[one])
            members, values = np.concatenate([self.kept, members]), np.concatenate([self.values, values])
            first = np.argsort(values, kind="stable")[:BATCH]
            self.kept, self.values = members[first], values[first]

    def go_on(self, chances: FloatArray, seed: int) -> None:
        """Change the sets kept and descend again, in rounds; offer what is better than all before."""
        rng, best = np.random.default_rng(seed), float(self.values.min(initial=np.inf))
        for _ in range(round(ROUNDS * (len(chances) / FEATURES) ** 2)):
            if clock().over or not len(self.kept):
                return
            members = replace_some(self.kept, chances, rng)
            values = self._descend(members)
            better = values <= self.values
            self.kept[better], self.values[better] = members[better], values[better]
            if values.min() < best:
                best = float(values.min())
                self.offer(members[values.argmin()])

    def _descend(self, members: IntArray) -> FloatArray:
        """Exchange until nothing is gained, in place; return the costs."""
        costs, values = self.costs, np.empty(len(members))
        form = Quadratic(costs.single, self.double, costs.rows, costs.limits, self.penalty)
        self.climbed(form, members, values)
        return values


def replace_some(members: IntArray, chances: FloatArray, rng: np.random.Generator) -> IntArray:
    """Replace some features of each set by others, drawn by their chances."""
    (count, k), n = members.shape, len(chances)
    number = min(max(1, k // 2), CHANGED, n - k)
    keys = rng.exponential(size=(count, n)) / chances
    np.put_along_axis(keys, members, np.inf, axis=1)
    out = np.argsort(rng.random((count, k)), axis=1)[:, :number]
    new = members.copy()
    np.put_along_axis(new, out, np.argpartition(keys, number - 1, axis=1)[:, :number], axis=1)
    return new
