"""Zero-suppressed decision diagrams (ZDD): families of sets as the paths of one graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from altsel.exact.transversals.hypergraph import Names

EMPTY, UNIT = 0, 1
"""The family without sets, and the one of the empty set alone."""


class DiagramTooLargeError(Exception):
    """The diagram of a family needs more nodes than it may have."""


@dataclass(frozen=True, eq=False)
class Diagram:
    """A family as a graph: a path from the root to ``UNIT`` is a set of it, of the features it takes.

    Node n decides on the feature ``levels[n]``: ``high[n]`` takes it, ``low[n]`` leaves it out; what a path
    does not decide on is out. Nodes are numbered from below: children before parents, ``EMPTY`` and ``UNIT``
    first. From each other node ``UNIT`` can be reached by its high end.

    Attributes
    ----------
    features
        Names by level, the root's first.
    levels, low, high
        By node.
    root
        Number of the root.
    """

    features: Names
    levels: Sequence[int]
    low: Sequence[int]
    high: Sequence[int]
    root: int

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def inner(self) -> range:
        """Numbers of the nodes that decide, children before parents."""
        return range(2, len(self.levels))

    def branches(self, node: int) -> Iterator[int]:
        """Yield the nodes at which the sets of a node take their first feature; ``UNIT`` for the empty set.

        Examples
        --------
        >>> pairs = Diagram(("a", "b"), (2, 2, 1, 0), (0, 1, 0, 2), (0, 1, 1, 1), 3)
        >>> [pairs.features[pairs.levels[node]] for node in pairs.branches(3)]
        ['a', 'b']
        """
        while node > UNIT:
            yield node
            node = self.low[node]
        if node == UNIT:
            yield UNIT
