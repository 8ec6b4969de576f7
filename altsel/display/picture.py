"""Axes of matplotlib, and what fits on them: sizes of letters, cut names, wrapped lines, legends."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import Any

from altsel.errors import ArgumentError, printable
from altsel.runtime.files import check_installed, check_picture, replacing
from altsel.runtime.on_demand import load

PLOTS = (".png", ".svg", ".pdf")
"""Endings of files that can be drawn in."""
WIDTH = 0.56
"""Width of a letter, as a share of its height."""
SMALLEST = 5.0
"""Points of the smallest letters."""


def axes_of(ax: Any, size: tuple[float, float]) -> Any:
    """Return the axes to draw on: those given, or the only ones of a new figure of a size in inches.

    Raises
    ------
    ConfigurationError
        If matplotlib is not installed.
    ArgumentError
        If these are no axes.
    """
    check_installed("matplotlib", "plot")
    if ax is None:
        return load("matplotlib.pyplot").subplots(figsize=size, layout="constrained")[1]
    if not isinstance(ax, load("matplotlib.axes").Axes):
        fix = f"; .draw({str(ax)!r}) writes a file" if isinstance(ax, (str, Path)) else ""
        raise ArgumentError(f"ax is a {type(ax).__name__}; give axes of matplotlib{fix}")
    return ax


def written(plot: Callable[[Any], Any], path: str | Path, size: tuple[float, float]) -> Path:
    """Write a picture of a size in inches to a file, whose ending tells the format.

    Raises
    ------
    ArgumentError
        If the ending is none of a picture, or the file cannot be written.
    ConfigurationError
        If matplotlib is not installed.
    """
    check_picture(path, PLOTS, "matplotlib", "plot")
    figure = load("matplotlib.figure").Figure(figsize=size, layout="constrained")
    plot(figure.subplots())
    with replacing(path) as part:
        figure.savefig(part, dpi=150)
    return Path(path)


def inches(ax: Any) -> tuple[float, float]:
    """Return width and height of axes, before a layout has moved them."""
    box, figure = ax.get_position(original=True), ax.figure
    width, height = figure.bbox.width / figure.dpi, figure.bbox.height / figure.dpi
    return box.width * width, box.height * height


def letters(ax: Any) -> float:
    """Return points of letters: those of matplotlib's settings, smaller on axes narrower than 5 inches."""
    from matplotlib import rcParams  # noqa: PLC0415  (an extra)

    return float(rcParams["font.size"]) * min(max(inches(ax)[0] / 5, 0.65), 1.0)


def plain(ax: Any) -> None:
    """Read no formulas into any text on axes, such as names with dollar signs."""
    from matplotlib.text import Text  # noqa: PLC0415  (an extra)

    for one in ax.findobj(Text):
        one.set_parse_math(False)


def lines(words: str, width: float, points: float, most: int = 2) -> str:
    """Wrap words to a width in inches; what exceeds so many lines is cut."""
    characters = max(int(width * 72 / (WIDTH * points)), 12)
    wrapped = wrap(printable(words[:1000]), characters, max_lines=most, placeholder=" …")
    return "\n".join(wrapped)


def titled(ax: Any, words: str, share: float = 1.0) -> None:
    """Add words above axes, wrapped to the share of their width that other labels leave."""
    points = letters(ax)
    ax.set_title(lines(words, inches(ax)[0] * share, points, 4), fontsize=points, loc="left")


def labels_that_fit(
    space: float, number: int, largest: float, smallest: float = SMALLEST
) -> tuple[float, int]:
    """Return points of labels side by side in a space of inches, and that each n-th is shown.

    Examples
    --------
    >>> labels_that_fit(3.0, 10, 9.0), labels_that_fit(3.0, 300, 9.0)
    ((9.0, 1), (5.0, 8))
    """
    room = space * 72 / max(number, 1) / 1.15
    points = min(max(room, smallest), largest)
    return points, max(ceil(points / room - 1e-9), 1)


def number_sets(ax: Any, number: int, space: float) -> None:
    """Write the numbers of sets at the y axis, in a space of inches."""
    points, step = labels_that_fit(space, number, letters(ax) * 0.9, letters(ax) * 0.75)
    ax.set_yticks(range(0, number, step), map(str, range(0, number, step)), fontsize=points)
    ax.set_ylabel("set", fontsize=letters(ax))


def legend_below(ax: Any, columns: int = 2, points: float | None = None) -> None:
    """Place the legend below what is written at the x axis."""
    from matplotlib.transforms import ScaledTranslation  # noqa: PLC0415  (an extra)

    label = ax.xaxis.label
    written_lines = label.get_text().count("\n") + 1 if label.get_text() else 0
    points = letters(ax) * 0.9 if points is None else points
    down = 12 + points * 1.3 + written_lines * label.get_fontsize() * 1.25
    moved = ax.transAxes + ScaledTranslation(0, -down / 72, ax.figure.dpi_scale_trans)
    ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        bbox_transform=moved,
        ncols=columns,
        fontsize=points,
        frameon=False,
        handlelength=1.5,
        columnspacing=1,
        borderaxespad=0,
    )
