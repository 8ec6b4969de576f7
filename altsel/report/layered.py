"""Where the nodes of an acyclic graph are drawn, from left to right, and how its lines run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

Item = int | tuple[int, int, int]
"""A node, or a place where a line passes a layer: (start, end, layer)."""
Layers = list[list[Item]]
Near = dict[Item, list[Item]]
BETWEEN, BESIDE, APART, CLOSE = 54.0, 22.0, 14.0, 3.0
"""Space between layers, between the columns of one, between boxes, and between lines."""
LINE = 4.0
"""Height that a line takes where it passes a layer."""
TALL = 18
"""Boxes above each other; a layer of more has several columns, taken in turn."""
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
    left, right = _columns(layers, sizes)
    top = min(middle[item] - heights[item] / 2 for item in middle)
    positions = {node: (left[node], middle[node] - size[1] / 2 - top) for node, size in sizes.items()}
    routes = {}
    for start, end in edges:
        points = [(left[start] + sizes[start][0], middle[start] - top)]
        for number in range(layer[start] + 1, layer[end]):
            item = (start, end, number)
            points += [(left[item], middle[item] - top), (right[number], middle[item] - top)]
        routes[start, end] = [*points, (left[end], middle[end] - top)]
    bottom = max(middle[item] + heights[item] / 2 for item in middle)
    return Drawing(positions, routes, right[-1], bottom - top)


def _columns(
    layers: Layers, sizes: Mapping[int, tuple[float, float]]
) -> tuple[dict[Item, float], list[float]]:
    """Return the left edge of each item, and the right one of each layer."""
    left: dict[Item, float] = {}
    right: list[float] = []
    for row in layers:
        start = right[-1] + BETWEEN if right else 0.0
        boxes = [item for item in row if isinstance(item, int)]
        count = _column_count(row)
        begin = start
        for column in range(count):
            mine = boxes[column::count]
            wide = max(sizes[node][0] for node in mine)
            left |= {node: start + (wide - sizes[node][0]) / 2 for node in mine}
            start += wide + BESIDE
        right.append(start - BESIDE)
        left |= {item: begin for item in row if not isinstance(item, int)}
    return left, right


def _column_count(row: Sequence[Item]) -> int:
    return -(-sum(isinstance(item, int) for item in row) // TALL)


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
        row.sort(key=lambda item: _mean([place[other] for other in near[item]], own[item]))
        place |= {item: float(i) for i, item in enumerate(row)}


def _middles(layers: Layers, after: Near, before: Near, heights: Mapping[Item, float]) -> dict[Item, float]:
    """Find heights near those of neighbours, in the order of each layer and without overlaps."""
    rooms = [_room(row, heights) for row in layers]
    middle: dict[Item, float] = {}
    for row, room in zip(layers, rooms, strict=True):
        middle |= dict(zip(row, _spread([0.0] * len(row), room), strict=True))
    for sweep in range(SWEEPS):
        near, step = (before, 1) if sweep % 2 == 0 else (after, -1)
        for row, room in zip(layers[::step], rooms[::step], strict=True):
            wanted = [_mean([middle[other] for other in near[item]], middle[item]) for item in row]
            middle |= dict(zip(row, _spread(wanted, room), strict=True))
    return middle


def _room(row: Sequence[Item], heights: Mapping[Item, float]) -> list[float]:
    """Return the least middles at which no two boxes of a column overlap, nor a box and the next line."""
    count, room = _column_count(row), [0.0]
    boxes = [0] if isinstance(row[0], int) else []
    for i in range(1, len(row)):
        box, after_box = isinstance(row[i], int), isinstance(row[i - 1], int)
        near = (heights[row[i - 1]] + heights[row[i]]) / 2 + (APART if box and after_box else CLOSE)
        least = room[-1] + (near if count == 1 or not (box or after_box) else CLOSE)
        if box and len(boxes) >= count:
            other = boxes[-count]
            least = max(least, room[other] + (heights[row[other]] + heights[row[i]]) / 2 + APART)
        boxes += [i] if box else []
        room.append(least)
    return room


def _spread(wanted: Sequence[float], room: Sequence[float]) -> list[float]:
    """Return the middles nearest to those wanted, by least squares, as far apart as their room says.

    Less their room they must not fall: isotonic regression by pooling adjacent violators.
    """
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
