"""Open nodes of the tree, and many of them as a few arrays, to be sent between processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray, IntArray


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


@dataclass(frozen=True, eq=False)
class Nodes:
    """Many nodes: arrays of one line each, and all points after another, which end at `ends`."""

    bounds: FloatArray
    features: IntArray
    sides: IntArray
    status: np.ndarray
    prices: FloatArray
    support: IntArray
    parts: FloatArray
    ends: IntArray

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Nodes:
        """Put nodes together; there is at least one."""
        states = [entry[2] for entry in entries]
        return cls(
            np.array([entry[0] for entry in entries]),
            np.array([entry[3] for entry in entries]),
            np.array([entry[4] for entry in entries]),
            np.stack([state.status for state in states]),
            np.stack([state.prices for state in states]),
            np.concatenate([state.support for state in states]),
            np.concatenate([state.parts for state in states]),
            np.cumsum([len(state.support) for state in states]),
        )

    def __iter__(self) -> Iterator[tuple[float, State, int, int]]:
        """Give bound, state, feature and side of each node."""
        begin = 0
        for i, end in enumerate(self.ends.tolist()):
            state = State(self.status[i], self.support[begin:end], self.parts[begin:end], self.prices[i])
            yield float(self.bounds[i]), state, int(self.features[i]), int(self.sides[i])
            begin = end
