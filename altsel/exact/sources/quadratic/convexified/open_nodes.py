"""Open nodes of the tree, in arrays that grow as far as memory allows."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.exact.kernels.open_nodes import HEAP, STACK, VACANT, Pool, add, take, vacate
from altsel.exact.kernels.programs import FAR

OPEN = 1 << 30
"""Bytes that open nodes may take; of 1,000 features, 600,000 nodes."""
FIRST = 256
"""Nodes for which there is room at first, beside what a subtree's stack may need."""
PARTS = 6
"""Features of a point that are kept for each of a set, as if these were ten at least."""


@dataclass(eq=False)
class OpenNodes:
    """Nodes to be searched, the best bound first, as long as they take no more memory than they may.

    Then the best one is searched whole, its newest nodes first, before the next.

    Parameters
    ----------
    features, size, rows
        Numbers of features, of those of a set, and of rows.
    most
        Bytes that the nodes may take, about.

    Attributes
    ----------
    held
        Bound of all before a loop searched some, until what it found is evaluated; inf otherwise.
    """

    features: int
    size: int
    rows: int
    most: int
    pool: Pool = field(init=False)
    held: float = inf

    def __post_init__(self) -> None:
        n, parts = self.features, min(self.features, PARTS * max(self.size, 10))
        self.kinds: list[tuple[Any, tuple[int, ...]]] = [
            *((np.int8, (n,)), (np.int32, (parts,)), (np.float64, (parts,)), (np.float64, (self.rows,))),
            *((np.float64, ()), (np.bool_, ()), (np.int32, ()), (np.int32, ()), (np.int32, ())),
        ]
        size = sum(np.dtype(kind).itemsize * int(np.prod(shape)) for kind, shape in self.kinds)
        self.stack_room = n + 4
        self.room = max(self.stack_room + 4, self.most // size)
        self.pool = self._pool(0, np.zeros(3, dtype=np.int64), np.array([FAR]))
        self._widen(self.stack_room + FIRST)

    def __len__(self) -> int:
        return int(self.pool.counts[HEAP] + self.pool.counts[STACK])

    def _pool(self, room: int, counts: np.ndarray, under_way: FloatArray) -> Pool:
        arrays: list[Any] = [np.empty((room, *shape), dtype=kind) for kind, shape in self.kinds]
        return Pool._make([*arrays, counts, under_way])

    def _widen(self, room: int) -> None:
        """Make room for so many nodes in all."""
        old = self.pool
        before, room, vacant = len(old.bound), min(room, self.room), old.counts[VACANT]
        pool = self._pool(room, old.counts, old.under_way)
        for wider, narrower in zip(pool[:-2], old[:-2], strict=True):
            wider[:before] = narrower
        pool.vacant[vacant : vacant + room - before] = np.arange(before, room)
        self.pool = pool
        pool.counts[VACANT] += room - before

    def make_room(self, nodes: int) -> None:
        """Make room for more nodes, as far as memory allows."""
        room = len(self.pool.bound)
        if self.pool.counts[VACANT] < nodes + self.stack_room and room < self.room:
            self._widen(max(2 * room, room + nodes))

    def left(self, cut: float) -> bool:
        """Whether a node is left below a cost."""
        pool = self.pool
        return bool(pool.counts[STACK]) or (bool(pool.counts[HEAP]) and pool.bound[pool.heap[0]] < cut)

    @property
    def under_way(self) -> float:
        """Bound of what is being searched, inf for nothing."""
        found = float(self.pool.under_way[0])
        return found if found < FAR else inf

    @under_way.setter
    def under_way(self, bound: float) -> None:
        self.pool.under_way[0] = min(bound, FAR)

    @property
    def bound(self) -> float:
        """Least cost of what was not searched, inf for nothing."""
        pool = self.pool
        first = pool.heap[: min(1, pool.counts[HEAP])]
        return min([self.held, self.under_way, *map(float, pool.bound[first])])

    def push(self, bound: float, status: np.ndarray, x: FloatArray, prices: FloatArray) -> None:
        """Add a node: what is decided, where its convex program begins, and the prices of rows.

        Parameters
        ----------
        bound
            That of the node above.
        status
            1 of a feature inside, 0 of a free one, -1 of one left out.
        x
            A point of the free features.
        prices
            Added to those at the root.
        """
        self.make_room(2)
        pool, support = self.pool, np.flatnonzero(np.where(status == 0, x, 0.0))
        slot, support = add(pool, bound, True), support[: pool.feature.shape[1]]
        pool.status[slot], pool.prices[slot] = status, prices
        pool.feature[slot], pool.part[slot] = -1, 0.0
        pool.feature[slot, : len(support)], pool.part[slot, : len(support)] = support, x[support]

    def take(self) -> tuple[float, np.ndarray, FloatArray, FloatArray]:
        """Take the node that is searched next: as it was pushed."""
        slot, pool, x = take(self.pool), self.pool, np.zeros(self.features)
        kept = np.flatnonzero(np.cumprod(pool.feature[slot] >= 0))
        x[pool.feature[slot, kept]] = pool.part[slot, kept]
        prices = pool.prices[slot].copy()
        return float(pool.bound[slot]), self.release(slot), x, prices

    def release(self, slot: int) -> np.ndarray:
        """Return what is decided at the node in a slot, which may hold another then."""
        vacate(self.pool, slot)
        return np.asarray(self.pool.status[slot].copy())

    def mark_searched(self) -> None:
        """Mark the node taken as searched."""
        if not self.pool.counts[STACK]:
            self.under_way = inf

    def raise_all(self, by: float) -> None:
        """Raise all bounds."""
        pool, self.under_way = self.pool, self.under_way + by
        pool.bound[pool.heap[: pool.counts[HEAP]]] += by
        pool.bound[pool.stack[: pool.counts[STACK]]] += by
