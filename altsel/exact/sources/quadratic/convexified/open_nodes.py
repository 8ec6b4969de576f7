"""Open nodes of the tree."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from math import inf

import numpy as np

from altsel._types import FloatArray, IntArray

OPEN = 1 << 30
"""Bytes that open nodes may take; of 1,000 features, 600,000 nodes."""
BESIDES = 700
"""Bytes of an open node beside what is decided of its features."""


@dataclass(frozen=True, eq=False)
class State:
    """A node: what is decided, and where its convex program begins.

    Attributes
    ----------
    status
        1 of a feature inside, 0 of a free one, -1 of one left out.
    support, parts
        The point: features with a part, and it.
    prices
        Of the rows, added to those at the root.
    """

    status: np.ndarray
    support: IntArray
    parts: FloatArray
    prices: FloatArray


Entry = tuple[float, int, State, int, int]
"""Bound of a node, its number, its state before one more feature is decided, that feature, and its side."""


@dataclass(eq=False)
class OpenNodes:
    """Nodes to be searched, the best bound first, as long as they take no more memory than they may.

    Then the best one is searched whole, its newest nodes first, before the next.

    Parameters
    ----------
    features
        Their number.
    most
        Bytes that the nodes may take, about.
    under_way
        Bound of the node being searched, and of all in `below`.
    """

    features: int
    most: int
    heap: list[Entry] = field(default_factory=list)
    below: list[Entry] = field(default_factory=list)
    pushed: int = 0
    under_way: float = inf

    def __len__(self) -> int:
        return len(self.heap) + len(self.below)

    def left(self, cut: float) -> bool:
        """Whether a node is left below a cost."""
        return bool(self.below) or (bool(self.heap) and self.heap[0][0] < cut)

    @property
    def bound(self) -> float:
        """Least cost of what was not searched, inf for nothing."""
        return min([self.under_way, *(entry[0] for entry in self.heap[:1])])

    @property
    def full(self) -> bool:
        """Whether the nodes take as many bytes as they may."""
        return len(self.heap) * (self.features + BESIDES) > self.most

    def open(self, bound: float, state: State, feature: int, side: int) -> None:
        """Add a node to the open ones: a state, and what is decided of one more feature, -1 for none."""
        self.pushed += 1
        heapq.heappush(self.heap, (bound, self.pushed, state, feature, side))

    def push(self, bound: float, state: State, feature: int) -> None:
        """Add both sides of a feature to the open nodes, or to those that are searched before them."""
        if not self.below and not self.full:
            self.open(bound, state, feature, 1)
            self.open(bound, state, feature, -1)
        else:
            self.below += [(bound, 0, state, feature, -1), (bound, 0, state, feature, 1)]

    def take(self) -> Entry:
        """Take the node that is searched next."""
        if self.below:
            return self.below.pop()
        self.under_way = self.heap[0][0]
        return heapq.heappop(self.heap)

    def mark_searched(self) -> None:
        """Mark the node taken as searched."""
        if not self.below:
            self.under_way = inf

    def raise_all(self, by: float) -> None:
        """Raise all bounds."""
        self.under_way += by
        self.heap = [(entry[0] + by, *entry[1:]) for entry in self.heap]
        self.below = [(entry[0] + by, *entry[1:]) for entry in self.below]
