"""The diagram of all minimal transversals, level by level from the root, then reduced from below."""

from __future__ import annotations

from collections.abc import Sequence

from altsel.exact.transversals.diagram import EMPTY, UNIT, Diagram, DiagramTooLargeError
from altsel.exact.transversals.feature_order import feature_order
from altsel.exact.transversals.hypergraph import Names, Sets, as_bitset
from altsel.exact.transversals.residual import Residual, first_feature, leave_out, start, take
from altsel.runtime.clock import clock

MOST_NODES = 250_000
"""Nodes before the reduction after which a diagram is given up: some eight CPU seconds and 100 MB."""
LOOK = 256
"""Nodes between two looks at the clock."""


def order_features(removals: Sets) -> tuple[Names, list[int]]:
    """Return features in the order of a diagram, and the sets to be met as bits of that order."""
    order = feature_order(tuple(removals))
    bit = {name: 1 << level for level, name in enumerate(order)}
    return order, [as_bitset(removal, bit) for removal in removals]


def diagram_of(removals: Sets, most: int = MOST_NODES) -> Diagram:
    """Build the diagram of the minimal transversals of some sets.

    Parameters
    ----------
    removals
        The sets to be met; one that is empty leaves no transversal, none at all the empty one.
    most
        Nodes that it may have before it is reduced.

    Raises
    ------
    DiagramTooLargeError
        If it needs more.
    OutOfTimeError, KeyboardInterrupt
        If the clock in force ends it.

    Examples
    --------
    >>> found = diagram_of([["a", "b"], ["b", "c"]])
    >>> len(found), found.features
    (5, ('a', 'b', 'c'))
    """
    order, sets = order_features(removals)
    graph = _Unreduced(len(order), most)
    root = graph.number(start(sets))
    for level in range(len(order)):
        graph.decide(level)
    return graph.reduce(order, root)


class _Unreduced:
    """Nodes by the problem that is left at them: one each, which two nodes may still solve alike."""

    def __init__(self, features: int, most: int) -> None:
        self._most = most
        self._low, self._high = [EMPTY, UNIT], [EMPTY, UNIT]
        self._waiting: list[dict[Residual, int]] = [{} for _ in range(features)]
        self._by_level: list[Sequence[int]] = []

    def number(self, state: Residual | None) -> int:
        """Return the node of a problem, a new one where it was not met before."""
        if state is None or not state[0]:
            return EMPTY if state is None else UNIT
        waiting = self._waiting[first_feature(state)]
        if state not in waiting:
            if len(self._low) >= self._most:
                raise DiagramTooLargeError(f"the diagram needs more than {self._most:,} nodes")
            waiting[state] = len(self._low)
            self._low.append(EMPTY)
            self._high.append(EMPTY)
        return waiting[state]

    def decide(self, level: int) -> None:
        """Decide on a feature, at all nodes where it is the first one left."""
        states, self._waiting[level] = self._waiting[level], {}
        for seen, (state, node) in enumerate(states.items()):
            if seen % LOOK == 0:
                clock().check()
            self._low[node] = self.number(leave_out(state, 1 << level))
            self._high[node] = self.number(take(state, 1 << level))
        self._by_level.append(tuple(states.values()))

    def reduce(self, features: Names, root: int) -> Diagram:
        """Merge nodes with the same ends, and leave out those that cannot take their feature."""
        below = len(features)
        levels, low, high = [below, below], [EMPTY, UNIT], [EMPTY, UNIT]
        unique: dict[tuple[int, int, int], int] = {}
        final = [EMPTY] * len(self._low)
        final[UNIT] = UNIT
        for level in reversed(range(below)):
            for node in self._by_level[level]:
                out, taken = final[self._low[node]], final[self._high[node]]
                if taken == EMPTY:
                    final[node] = out
                    continue
                key = (level, out, taken)
                if key not in unique:
                    unique[key] = len(levels)
                    levels.append(level)
                    low.append(out)
                    high.append(taken)
                final[node] = unique[key]
        return Diagram(features, levels, low, high, final[root])
