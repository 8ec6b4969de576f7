"""Features as the rows of a picture: how many there is room for, and their names."""

from __future__ import annotations

from typing import Any

from altsel.display.names import short
from altsel.display.picture import SMALLEST, WIDTH, inches, labels_that_fit, legend_below, letters

SHOWN = 40
"""Features that are drawn at most."""
LISTED = 20
"""Features up to which a picture in a file grows."""
PART = 0.6
"""Share of the height that title, axis and legend leave."""


def number_of_rows(ax: Any) -> int:
    """Return for how many features there is room."""
    return max(min(SHOWN, int(inches(ax)[1] * PART * 72 / SMALLEST / 1.2)), 1)


def name_rows(ax: Any, names: list[str], margin: float) -> None:
    """Name the rows, the first one on top."""
    points, (width, height) = letters(ax), inches(ax)
    small, _ = labels_that_fit(height * PART, len(names), points)
    longest = min(max(int(width * 72 * 0.4 / (WIDTH * small)), 8), 32)
    ax.set_yticks(range(len(names)), [short(name, longest, names) for name in names], fontsize=small)
    ax.margins(y=margin)
    ax.invert_yaxis()


def finish_rows(ax: Any, label: str, columns: int) -> None:
    """Label the axis of the values, with lines behind the bars and a legend in columns below."""
    points = letters(ax)
    ax.tick_params(axis="x", labelsize=points * 0.9)
    ax.set_xlabel(label, fontsize=points)
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    legend_below(ax, columns)
