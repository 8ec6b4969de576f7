"""The multiple-solutions graph as boxes and lines, and the way of every set through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altsel.analysis.msg.dot import features_of
from altsel.analysis.msg.graph import MSG, Node, msg
from altsel.display.names import short
from altsel.errors import printable
from altsel.report.layered import layered
from altsel.results.fitting import shown_width
from altsel.results.solutions import Solutions

SHOWN = 12
"""Alternatives of a node, and lines of one, that are written; the rest is told by number."""
LONGEST = 26
"""Characters of a name that are written."""
LINE = 34
"""Characters in a line."""
LETTER, CAPITAL, ROW, MARGIN = 7.2, 8.7, 16.0, 6.0
"""Width of a letter and of a capital, height of a line and of the space around, in units of the picture."""


def graph_of(found: Solutions) -> tuple[dict[str, Any] | None, list[list[list[int]]]]:
    """Return the graph laid out, and for each set the nodes it passes and the alternatives it takes.

    Both are empty if there are fewer than two different sets.
    """
    if len({frozenset(one) for one in found}) < 2:
        return None, []
    graph = msg(found)
    names = features_of(graph.nodes)
    texts = {node.name: _text(node, names) for node in graph.nodes}
    sizes = {name: _size(lines) for name, lines in texts.items()}
    drawn = layered(sizes, graph.edges)
    nodes = [
        {
            "x": round(drawn.positions[node.name][0], 1),
            "y": round(drawn.positions[node.name][1], 1),
            "w": round(sizes[node.name][0], 1),
            "h": sizes[node.name][1],
            "through": graph.through[node.name],
            "text": texts[node.name],
            "more": max(len(node.alternatives) - SHOWN, 0),
            "label": _label(node, graph, names),
        }
        for node in graph.nodes
    ]
    edges = [
        [start, end, [[round(x, 1), round(y, 1)] for x, y in drawn.routes[start, end]]]
        for start, end in graph.edges
    ]
    shown = {
        "nodes": {str(node.name): box for node, box in zip(graph.nodes, nodes, strict=True)},
        "edges": edges,
        "width": round(drawn.width, 1),
        "height": round(drawn.height, 1),
        "solutions": graph.through[0],
    }
    return shown, [[list(step) for step in graph.steps_of(one.features)] for one in found]


def _text(node: Node, among: Sequence[str]) -> list[list[str]]:
    """Return the lines of each alternative."""
    return [
        _lines([short(name, LONGEST, among) for name in alternative])
        for alternative in node.alternatives[:SHOWN]
    ]


def _label(node: Node, graph: MSG, among: Sequence[str]) -> str:
    """Describe a node in words, as a screen reader says it."""
    if not node.alternatives:
        return "start" if node.name == 0 else f"target {printable(graph.target or '')}".strip()
    listed = node.alternatives[:SHOWN]
    told = " or ".join(", ".join(short(name, LONGEST, among) for name in names) for names in listed)
    more = len(node.alternatives) - SHOWN
    return told + (f" or {more} more" if more > 0 else "")


def _lines(names: Sequence[str]) -> list[str]:
    """Break names into lines at commas; of very many lines only the first."""
    lines = [""]
    for number, name in enumerate(names):
        part = name + ("," if number < len(names) - 1 else "")
        if lines[-1] and shown_width(lines[-1]) + shown_width(part) + 1 > LINE:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".strip()
    return lines if len(lines) <= SHOWN else [*lines[: SHOWN - 1], f"… {len(names)} in all"]


def _size(alternatives: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Return how wide and high a box is that holds some lines."""
    if not alternatives:
        return 14.0, 14.0
    longest = max(_width(line) for lines in alternatives for line in lines)
    count = sum(map(len, alternatives)) + (len(alternatives) == SHOWN)
    return longest + 2 * MARGIN, count * ROW + len(alternatives) * MARGIN


def _width(line: str) -> float:
    """Estimate how wide a line is; capitals and digits are wider than small letters."""
    wide = sum(character.isupper() or character.isdigit() for character in line)
    return shown_width(line) * LETTER + wide * (CAPITAL - LETTER)
