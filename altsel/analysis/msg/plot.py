"""Multiple-solutions graphs on axes of matplotlib."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from altsel.analysis.msg.dot import drawn
from altsel.display.picture import axes_of
from altsel.runtime.files import check_installed

if TYPE_CHECKING:
    from altsel.analysis.msg.graph import MSG

DPI = 300
"""Pixels an inch of the picture."""


def plot(graph: MSG, ax: Any = None) -> Any:
    """Draw a graph as an image."""
    check_installed("matplotlib", "plot")
    check_installed("pygraphviz", "graph")
    from matplotlib.image import imread  # noqa: PLC0415  (an extra)

    dense = graph.to_dot().replace("digraph msg {", f"digraph msg {{\n  dpi={DPI};", 1)
    image = imread(BytesIO(drawn(dense, "png")), format="png")
    height, width = image.shape[:2]
    ax = axes_of(ax, (width / DPI + 0.1, height / DPI + 0.1))
    ax.imshow(image, interpolation="antialiased")
    ax.set_axis_off()
    return ax
