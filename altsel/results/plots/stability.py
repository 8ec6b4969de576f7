"""How often features are selected again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from altsel.display.picture import axes_of, plain, titled
from altsel.results.plots.feature_rows import LISTED, SHOWN, finish_rows, name_rows, number_of_rows

if TYPE_CHECKING:
    from altsel.results.stability import Stability


def size(found: Stability) -> tuple[float, float]:
    """Return inches of a picture in a file."""
    return 6.4, 1.6 + 0.22 * min(len(found.features), LISTED)


def draw(found: Stability, ax: Any = None) -> Any:
    """Draw a bar a feature: any set, and within it the first set."""
    table = found.frequencies().sort_values("in any set", ascending=False, kind="stable")
    table = table[table["in any set"] > 0]
    ax = axes_of(ax, (6.4, 2 + 0.2 * min(len(table), SHOWN)))
    shown = table.iloc[: number_of_rows(ax)]
    rows = np.arange(len(shown))
    ax.barh(rows, shown["in any set"], color="C0", alpha=0.35, label="in any set")
    ax.barh(rows, shown["in the first set"], height=0.45, color="C0", label="in the first set")
    name_rows(ax, [str(name) for name in shown.index], 0.01)
    ax.set_xlim(0, 1)
    more = len(table) - len(shown)
    also = f"\n{more} more features are selected less often" if more else ""
    finish_rows(ax, f"share of resamples{also}", 2)
    measure = f"; Nogueira's measure {found.nogueira}" if found.nogueira else ""
    target = f"{found.target}: " if found.target else ""
    titled(ax, f"{target}{len(found)} resamples of {found.rows} rows ({found.scheme}){measure}", 0.75)
    plain(ax)
    return ax
