"""Pictures of multiple-solutions graphs: the DOT language, and Graphviz to draw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Protocol

from altsel.display.dot import quoted
from altsel.display.names import short
from altsel.errors import printable
from altsel.runtime.files import check_picture, replacing

SHOWN = 20
"""Features written in a node; a tooltip names all."""
LONGEST = 28
"""Characters of a name that are written."""
WIDTH = 40
"""Characters in a line."""
PICTURES = (".svg", ".png", ".pdf")
"""Endings of pictures."""

ALWAYS, SEVERAL, SOME = "#cfe3d4", "#fdf3d8", "#f4f6f8"
LEGEND = {ALWAYS: "in every solution", SEVERAL: "take one line", SOME: "in some solutions"}
"""Colours of nodes, and what they mean."""


class NodeLike(Protocol):
    """A node of a graph: its number, and its sets of features."""

    @property
    def name(self) -> int:
        """Number of the node."""

    @property
    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """Its sets of features."""


def dot(
    nodes: Sequence[NodeLike], edges: Sequence[tuple[int, int]], through: Mapping[int, int], target: str
) -> str:
    """Write a graph in the DOT language.

    Nodes in all solutions are shaded; alternatives stand below each other, divided by lines; the more
    solutions pass through the ends of an edge, the thicker it is. A title and a legend say so.

    Parameters
    ----------
    nodes, edges
        The graph; nodes 0 and 1 are root and leaf.
    through
        How many solutions pass through each node.
    target
        What is written at the leaf.

    Returns
    -------
    str
        Names of any kind are escaped.
    """
    total = max(through[0], 1)
    names = features_of(nodes)
    lines = [
        "digraph msg {",
        '  rankdir=LR; nodesep=0.15; ranksep=0.35; bgcolor="white"; outputorder=edgesfirst;',
        f'  fontname="Helvetica"; fontsize=11; labelloc="t"; label=<{_heading(nodes, through, target)}>;',
        '  node [fontname="Helvetica", fontsize=11, shape=plain]; edge [color="#7a8a99", arrowsize=0.5];',
    ]
    for node in nodes:
        if node.name == 0:
            lines.append('  n0 [shape=circle, width=0.15, label="", style=filled, fillcolor="#333333"];')
        elif node.name == 1:
            shown = f"<{_text(target)}>"
            lines.append(f'  n1 [shape=ellipse, label={shown}, style=filled, fillcolor="#dde7f0"];')
        else:
            lines.append(f"  n{node.name} [{_table(node, through[node.name] == total, names)}];")
    for start, end in edges:
        share = min(through[start], through[end]) / total
        lines.append(f"  n{start} -> n{end} [penwidth={0.6 + 2.4 * share:.2f}];")
    return "\n".join([*lines, "}"]) + "\n"


def _heading(nodes: Sequence[NodeLike], through: Mapping[int, int], target: str) -> str:
    """Write the title, and a legend of what occurs."""
    total = through[0]
    inner = [(_fill(node, through[node.name] == total)) for node in nodes if node.alternatives]
    cells = [
        f'<TD BGCOLOR="{fill}" BORDER="1" COLOR="#7a8a99"><FONT POINT-SIZE="9"> {words} </FONT></TD>'
        for fill, words in LEGEND.items()
        if fill in inner
    ]
    thick = '<TD><FONT POINT-SIZE="9">the thicker, the more solutions</FONT></TD>' if total > 1 else ""
    count = f"{total:,} solution{'' if total == 1 else 's'}"
    columns = max(len(cells) + bool(thick), 1)
    title = f'<TR><TD COLSPAN="{columns}">{_text(f"{count} of {short(target, LONGEST)}")}</TD></TR>'
    legend = f"<TR>{''.join(cells)}{thick}</TR>" if cells or thick else ""
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="4" CELLPADDING="2">{title}{legend}</TABLE>'


def _fill(node: NodeLike, always: bool) -> str:
    return SEVERAL if len(node.alternatives) > 1 else ALWAYS if always else SOME


def drawn(source: str, form: str) -> bytes:
    """Draw DOT by Graphviz, in a format such as ``svg``; pygraphviz must be installed."""
    import pygraphviz  # noqa: PLC0415  (an extra)

    picture = pygraphviz.AGraph(string=source)
    try:
        return bytes(picture.draw(format=form, prog="dot"))
    finally:
        picture.close()


def draw(source: str, path: str | Path) -> Path:
    """Draw DOT by Graphviz, in a file whose ending tells the format: svg, png or pdf.

    Raises
    ------
    ConfigurationError
        If pygraphviz is not installed.
    ArgumentError
        If the ending is another one.
    """
    path = Path(path)
    check_picture(path, PICTURES, "pygraphviz", "graph")
    with replacing(path) as part:
        part.write_bytes(drawn(source, path.suffix.lower().lstrip(".")))
    return path


def features_of(nodes: Sequence[NodeLike]) -> tuple[str, ...]:
    """Return the names in a graph, each once."""
    return tuple(dict.fromkeys(name for node in nodes for one in node.alternatives for name in one))


def _table(node: NodeLike, always: bool, among: Sequence[str]) -> str:
    """Build a node's label: one row an alternative."""
    fill = _fill(node, always)
    body = "<HR/>".join(
        f"<TR><TD>{_wrapped(alternative, among)}</TD></TR>" for alternative in node.alternatives
    )
    tip = " OR ".join(", ".join(map(printable, alternative)) for alternative in node.alternatives)
    frame = 'BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" STYLE="ROUNDED" COLOR="#7a8a99"'
    table = f'<TABLE {frame} BGCOLOR="{fill}">'
    return f"label=<{table}{body}</TABLE>>, tooltip={quoted(tip)}"


def _wrapped(names: Sequence[str], among: Sequence[str]) -> str:
    """Write names in lines of some width; of very many only the first."""
    parts = [short(name, LONGEST, among) for name in names[:SHOWN]]
    if len(names) > SHOWN:
        parts.append(f"… {len(names) - SHOWN} more")
    lines, width = [parts[0]], len(parts[0])
    for part in parts[1:]:
        if width + len(part) + 2 > WIDTH:
            lines[-1] += ","
            lines.append(part)
            width = len(part)
        else:
            lines[-1] += f", {part}"
            width += len(part) + 2
    return "<BR/>".join(map(_text, lines))


def _text(text: str) -> str:
    """Escape for a label that Graphviz reads as HTML; an empty one would be none."""
    return escape(printable(text)).replace("\\", "\\\u2060") or " "  # \\N would be the node's name
