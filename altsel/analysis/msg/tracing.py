"""Where a solution goes through a multiple-solutions graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from altsel.analysis.msg.compression import SINK, SOURCE
from altsel.analysis.msg.dot import NodeLike

Step = tuple[int, int]
"""A node, and which of its alternatives is taken; 0 at root and leaf."""


def traced(
    nodes: Mapping[int, NodeLike], children: Mapping[int, Sequence[int]], features: Collection[str]
) -> tuple[Step, ...] | None:
    """Return the path from root to leaf whose features are those of a set; None if there is none."""
    waiting: list[tuple[int, frozenset[str], Any]] = [(SOURCE, frozenset(features), None)]
    tried: set[tuple[int, frozenset[str]]] = set()
    while waiting:
        name, rest, before = waiting.pop()
        if name == SINK and not rest:
            return _unrolled(((SINK, 0), before))
        if name == SINK or (name, rest) in tried:
            continue
        tried.add((name, rest))
        for number, alternative in reversed(list(enumerate(nodes[name].alternatives or ((),)))):
            if rest.issuperset(alternative):
                left = rest.difference(alternative)
                waiting += [(child, left, ((name, number), before)) for child in reversed(children[name])]
    return None


def _unrolled(last: Any) -> tuple[Step, ...]:
    """Return the steps of a path, given as its last one and those before."""
    steps: list[Step] = []
    while last is not None:
        step, last = last
        steps.append(step)
    return tuple(steps[::-1])
