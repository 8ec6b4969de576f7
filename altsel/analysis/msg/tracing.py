"""Where a solution goes through a multiple-solutions graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from altsel.analysis.msg.compression import SINK, SOURCE
from altsel.analysis.msg.dot import NodeLike

Step = tuple[int, int]
"""A node, and which of its alternatives is taken; 0 at root and leaf."""


def traced(
    nodes: Mapping[int, NodeLike], children: Mapping[int, Sequence[int]], features: Collection[str]
) -> tuple[Step, ...] | None:
    """Return the path from root to leaf whose features are those of a set; None if there is none."""
    wanted = frozenset(features)
    dead: set[tuple[int, frozenset[str]]] = set()

    def onward(name: int, rest: frozenset[str]) -> tuple[Step, ...] | None:
        if name == SINK:
            return ((SINK, 0),) if not rest else None
        if (name, rest) in dead:
            return None
        for number, alternative in enumerate(nodes[name].alternatives or ((),)):
            if wanted.issuperset(alternative):
                for child in children[name]:
                    path = onward(child, rest.difference(alternative))
                    if path is not None:
                        return ((name, number), *path)
        dead.add((name, rest))
        return None

    return onward(SOURCE, wanted)
