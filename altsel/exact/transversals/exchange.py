"""How often one feature can take the place of another, counted on the diagram."""

from __future__ import annotations

from altsel.exact.transversals.counting import below
from altsel.exact.transversals.diagram import EMPTY, Diagram
from altsel.runtime.clock import clock


def exchanges(diagram: Diagram, first: str, second: str, ways: list[int] | None = None) -> int:
    """Return how many sets S there are such that S with one feature and S with the other are both sets.

    Two paths through the diagram are followed at once, level by level: where ``first`` is decided on, one
    takes it and the other does not; where ``second`` is, the other way round; elsewhere they decide alike.

    Parameters
    ----------
    diagram
        The family.
    first, second
        Two of its features.
    ways
        How many sets each node has, if known: `below`.

    Examples
    --------
    >>> from altsel.exact.transversals.construction import diagram_of
    >>> exchanges(diagram_of([["a", "b"], ["b", "c"], ["d", "e"]]), "d", "e")
    2
    """
    ways = below(diagram) if ways is None else ways
    end = len(diagram.features)
    places = diagram.features.index(first), diagram.features.index(second)
    waiting: list[dict[tuple[int, int], int]] = [{} for _ in range(end + 1)]
    waiting[min(diagram.levels[diagram.root], *places)][diagram.root, diagram.root] = 1
    total = 0
    for level in range(end):
        clock().check()
        for pair, paths in waiting[level].items():
            for one, other in _choices_at(diagram, level, pair, places):
                if EMPTY in (one, other):
                    continue
                if one == other and level >= max(places):  # from here on the same sets
                    total += paths * ways[one]
                    continue
                left = [place for place in places if place > level]
                later = waiting[min(diagram.levels[one], diagram.levels[other], *left)]
                later[one, other] = later.get((one, other), 0) + paths
        waiting[level].clear()
    return total


def _choices_at(
    diagram: Diagram, level: int, pair: tuple[int, int], places: tuple[int, int]
) -> list[tuple[int, int]]:
    """Return where two paths may go at a level."""
    out = [diagram.low[node] if diagram.levels[node] == level else node for node in pair]
    taken = [diagram.high[node] if diagram.levels[node] == level else EMPTY for node in pair]
    if level == places[0]:
        return [(taken[0], out[1])]
    if level == places[1]:
        return [(out[0], taken[1])]
    return [(out[0], out[1]), (taken[0], taken[1])]
