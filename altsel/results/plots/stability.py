"""How often features are selected again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from altsel.display.names import short
from altsel.display.picture import (
    SMALLEST,
    WIDTH,
    axes_of,
    inches,
    labels_that_fit,
    legend_below,
    letters,
    plain,
    titled,
)

if TYPE_CHECKING:
    from altsel.results.stability import Stability

SHOWN = 40
"""Features that are drawn at most."""
LISTED = 20
"""Features up to which a picture in a file grows."""


def size(found: Stability) -> tuple[float, float]:
    """Return inches of a picture in a file."""
    return 6.4, 1.6 + 0.22 * min(len(found.features), LISTED)


def draw(found: Stability, ax: Any = None) -> Any:
    """Draw a bar a feature: any set, and within it the first set."""
    table = found.frequencies().sort_values("in any set", ascending=False, kind="stable")
    table = table[table["in any set"] > 0]
    ax = axes_of(ax, (6.4, 2 + 0.2 * min(len(table), SHOWN)))
    points, (width, height) = letters(ax), inches(ax)
    height *= 0.6  # what title, axis and legend leave
    shown = table.iloc[: max(min(SHOWN, int(height * 72 / SMALLEST / 1.2)), 1)]
    rows = np.arange(len(shown))
    ax.barh(rows, shown["in any set"], color="C0", alpha=0.35, label="in any set")
    ax.barh(rows, shown["in the first set"], height=0.45, color="C0", label="in the first set")
    small, _ = labels_that_fit(height, len(shown), points)
    longest = min(max(int(width * 72 * 0.4 / (WIDTH * small)), 8), 32)
    names = [str(name) for name in shown.index]
    ax.set_yticks(rows, [short(name, longest, names) for name in names], fontsize=small)
    ax.set_xlim(0, 1)
    ax.margins(y=0.01)
    ax.invert_yaxis()
    ax.tick_params(axis="x", labelsize=points * 0.9)
    more = len(table) - len(shown)
    also = f"\n{more} more features are selected less often" if more else ""
    ax.set_xlabel(f"share of resamples{also}", fontsize=points)
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    legend_below(ax)
    measure = f"; Nogueira's measure {found.nogueira}" if found.nogueira else ""
    target = f"{found.target}: " if found.target else ""
    titled(ax, f"{target}{len(found)} resamples of {found.rows} rows ({found.scheme}){measure}", 0.75)
    plain(ax)
    return ax
