"""Where the nodes of an acyclic graph are drawn, from left to right, and how its lines run."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

Item = Hashable
"""A node, or a place where a line passes a layer: (start, end, layer)."""
Layers = list[list[Item]]
Near = dict[Item, list[Item]]
BETWEEN, APART = 54.0, 14.0
"""Space between layers, and between the boxes of one."""
LINE = 4.0
"""Height that a line takes where it passes a layer."""
SWEEPS = 12
"""How often the order within layers, and the heights, are improved."""


@dataclass(frozen=True)
class Drawing:
    """Where everything is.

    Attributes
    ----------
    positions
        Upper left corner of each node.
    routes
        Points that each line runs through.
    width, height
        Of the picture.
    """

    positions: dict[int, tuple[float, float]]
    routes: dict[tuple[int, int], list[tuple[float, float]]]
    width: float
    height: float


def layered(sizes: Mapping[int, tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Drawing:
    """Lay out an acyclic graph in layers (Sugiyama, Tagawa and Toda, 1981).

    A node is one layer behind the last of those before it; lines that pass layers have a place in each;
    layers are ordered by the means of neighbours, and heights are the least-squares ones that keep the
    order.

    Parameters
    ----------
    sizes
        Width and height of each node.
    edges
        Pairs of nodes.

    Examples
    --------
    >>> drawn = layered({0: (10, 10), 1: (10, 10), 2: (10, 30)}, [(0, 2), (2, 1), (0, 1)])
    >>> [round(drawn.positions[node][0]) for node in (0, 2, 1)], len(drawn.routes[0, 1])
    ([0, 64, 128], 4)
    """
    layer = _layer_of(sizes, edges)
    layers, after, before = _filled(layer, edges)
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        _reorder(layers if forward else layers[::-1], before if forward else after)
    heights = {item: LINE for row in layers for item in row} | {node: size[1] for node, size in sizes.items()}
    middle = _middles(layers, after, before, heights)
    widths = [
        max(sizes[node][0] for node, own in layer.items() if own == number) for number in range(len(layers))
    ]
    left = [sum(widths[:number]) + BETWEEN * number for number in range(len(layers))]
    top = min(middle[item] - heights[item] / 2 for item in middle)
    positions = {
        node: (left[layer[node]] + (widths[layer[node]] - size[0]) / 2, middle[node] - size[1] / 2 - top)
        for node, size in sizes.items()
    }
    routes = {}
    for start, end in edges:
        points = [(positions[start][0] + sizes[start][0], middle[start] - top)]
        for number in range(layer[start] + 1, layer[end]):
            y = middle[start, end, number] - top
            points += [(left[number], y), (left[number] + widths[number], y)]
        routes[start, end] = [*points, (positions[end][0], middle[end] - top)]
    bottom = max(middle[item] + heights[item] / 2 for item in middle)
    return Drawing(positions, routes, left[-1] + widths[-1], bottom - top)


def _layer_of(nodes: Mapping[int, object], edges: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Return the length of the longest path to each node."""
    above: dict[int, list[int]] = {node: [] for node in nodes}
    for start, end in edges:
        above[end].append(start)
    layer: dict[int, int] = {}
    for node in TopologicalSorter(above).static_order():
        layer[node] = max((layer[parent] + 1 for parent in above[node]), default=0)
    return layer


def _filled(layer: Mapping[int, int], edges: Sequence[tuple[int, int]]) -> tuple[Layers, Near, Near]:
    """Return the items of each layer, and those next to each item in the layers after and before."""
    layers: Layers = [[] for _ in range(max(layer.values()) + 1)]
    after: Near = {node: [] for node in layer}
    before: Near = {node: [] for node in layer}
    for node, number in layer.items():
        layers[number].append(node)
    for start, end in edges:
        last: Item = start
        for number in range(layer[start] + 1, layer[end]):
            item = (start, end, number)
            layers[number].append(item)
            after[last].append(item)
            after[item], before[item] = [], [last]
            last = item
        after[last].append(end)
        before[end].append(last)
    return layers, after, before


def _reorder(layers: Layers, near: Near) -> None:
    """Order each layer by the mean place of neighbours in the one that was ordered before it."""
    place = {item: float(i) for i, item in enumerate(layers[0])}
    for row in layers[1:]:
        own = {item: i for i, item in enumerate(row)}
        row.sort(key=lambda item: _mean([place[other] for other in near[item]], own[item]))  # noqa: B023
        place |= {item: float(i) for i, item in enumerate(row)}


def _middles(layers: Layers, after: Near, before: Near, heights: Mapping[Item, float]) -> dict[Item, float]:
    """Find heights near those of neighbours, in the order of each layer and without overlaps."""
    middle: dict[Item, float] = {}
    for row in layers:
        middle |= dict(zip(row, _spread([0.0] * len(row), [heights[item] for item in row]), strict=True))
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        near = before if forward else after
        for row in layers if forward else layers[::-1]:
            wanted = [_mean([middle[other] for other in near[item]], middle[item]) for item in row]
            middle |= dict(zip(row, _spread(wanted, [heights[item] for item in row]), strict=True))
    return middle


def _spread(wanted: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Return the middles nearest to those wanted, by least squares, that keep boxes in order and apart.

    Less the room that boxes take they must not fall: isotonic regression by pooling adjacent violators.
    """
    room = [0.0]
    for above, below in zip(heights, heights[1:], strict=False):
        room.append(room[-1] + (above + below) / 2 + APART)
    blocks: list[tuple[float, int]] = []
    for value, taken in zip(wanted, room, strict=True):
        total, count = value - taken, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            last = blocks.pop()
            total, count = total + last[0], count + last[1]
        blocks.append((total, count))
    level = [total / count for total, count in blocks for _ in range(count)]
    return [base + taken for base, taken in zip(level, room, strict=True)]


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
