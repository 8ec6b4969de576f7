"""The exact front of cost against size of all sets of a diagram."""

from __future__ import annotations

from collections.abc import Iterable

from altsel.exact.transversals.costs import Costs
from altsel.exact.transversals.diagram import UNIT, Diagram

Point = tuple[int, int]
"""Size and cost of a set."""


def front(diagram: Diagram, costs: Costs) -> list[tuple[list[str], int]]:
    """Return the sets that no other one beats in size and cost, with their costs, the smallest first.

    The front of a node is that of its low end and its high end together, the latter one larger and dearer
    by the feature taken: what is beaten in a node is beaten in all sets that end like it.

    Examples
    --------
    >>> from altsel.exact.transversals.construction import diagram_of
    >>> from altsel.exact.transversals.costs import exact_costs
    >>> front(diagram_of([["a", "b"], ["b", "c"]]), exact_costs({"a": 1, "b": 4, "c": 2}, "abc"))
    [(['b'], 4), (['a', 'c'], 3)]
    """
    fronts: list[list[Point]] = [[], [(0, 0)]]
    for node in diagram.inner:
        price = costs[diagram.features[diagram.levels[node]]]
        taken = [(size + 1, cost + price) for size, cost in fronts[diagram.high[node]]]
        fronts.append(_unbeaten([*fronts[diagram.low[node]], *taken]))
    return [(_set_reaching(diagram, costs, fronts, point), point[1]) for point in fronts[diagram.root]]


def _unbeaten(points: Iterable[Point]) -> list[Point]:
    """Keep of points those that are cheaper than all that are not larger."""
    kept: list[Point] = []
    for point in sorted(points):
        if not kept or point[1] < kept[-1][1]:
            kept.append(point)
    return kept


def _set_reaching(diagram: Diagram, costs: Costs, fronts: list[list[Point]], point: Point) -> list[str]:
    """Return the features of a set with this size and cost."""
    names, node = [], diagram.root
    while node != UNIT:
        if point in fronts[diagram.low[node]]:
            node = diagram.low[node]
            continue
        name = diagram.features[diagram.levels[node]]
        names.append(name)
        point, node = (point[0] - 1, point[1] - costs[name]), diagram.high[node]
    return names
