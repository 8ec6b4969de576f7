"""Multiple-solutions graphs in a notebook: a picture, or a table where there is no room or no Graphviz."""

from __future__ import annotations

from importlib import util
from typing import TYPE_CHECKING

from altsel.analysis.msg.compression import SINK, SOURCE
from altsel.analysis.msg.dot import drawn, features_of
from altsel.display.html import Html, Table, names_cell, page, picture
from altsel.results.text import number_of

if TYPE_CHECKING:
    from altsel.analysis.msg.graph import MSG

LARGEST = 13_000
"""Bytes of a picture that is shown; others are drawn to files."""
NODES = 60
"""Nodes up to which a picture may be small enough."""


def of_graph(graph: MSG) -> str:
    """Show the picture if it is small enough, else the nodes."""
    counts = ", ".join(f"{number:,} {what}" for what, number in graph.size().items())
    svg = _svg(graph)
    if svg is not None:
        number = number_of(graph.through[SOURCE], "solution")
        words = f"graph of {number} of {graph.target or 'the target'}: {counts}"
        return page(counts, [picture(svg, words)])

    names = features_of(graph.nodes)
    inner = [node for node in graph.nodes if node.name not in {SOURCE, SINK}]
    rows = (
        [
            str(node.name),
            Html(" <em>or</em> ".join(names_cell(one, among=names) for one in node.alternatives[:4])),
            f"{graph.through[node.name]:,}",
            ", ".join("end" if child == SINK else str(child) for child in graph.children[node.name][:9]),
        ]
        for node in inner
    )
    head = ["node", "features", "solutions", "leads to"]
    table = Table("Nodes of the graph", head, rows, len(inner), "node", left={1, 3})
    return page(counts, [table, "graph.draw('msg.svg') draws it with altsel[graph]"])


def _svg(graph: MSG) -> bytes | None:
    """Return the picture without what only programs read; None if there can be none, or it is too large."""
    if len(graph.nodes) > NODES or util.find_spec("pygraphviz") is None:
        return None
    svg = drawn(graph.to_dot(), "svg")
    svg = svg[svg.index(b"<svg") :]
    return svg if len(svg) <= LARGEST else None
