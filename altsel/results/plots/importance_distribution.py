"""What features are worth over the good sets of resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from altsel.display.picture import axes_of, plain, titled
from altsel.results.importance_distribution_text import title
from altsel.results.plots.feature_rows import LISTED, SHOWN, finish_rows, name_rows, number_of_rows

if TYPE_CHECKING:
    from altsel.results.importance_distribution import ImportanceDistribution


def size(found: ImportanceDistribution) -> tuple[float, float]:
    """Return inches of a picture in a file."""
    return 6.4, 1.8 + 0.22 * min(len(found.leading()), LISTED)


def draw(found: ImportanceDistribution, ax: Any = None) -> Any:
    """Draw a row a feature: the range of most resamples, that of all rows, and the mean."""
    known = found.leading()
    ax = axes_of(ax, (6.4, 2.2 + 0.2 * min(len(known), SHOWN)))
    shown = known[: number_of_rows(ax)]
    rows = np.arange(len(shown))
    ax.hlines(
        rows,
        [one.low for one in shown],
        [one.high for one in shown],
        linewidth=5,
        alpha=0.35,
        label="resamples",
    )
    ax.hlines(rows, [one.least for one in shown], [one.most for one in shown], linewidth=2, label="all rows")
    ax.plot([one.mean for one in shown], rows, "o", color="C1", markersize=4, label="mean of resamples")
    name_rows(ax, [one.feature for one in shown], 0.02)
    more = len(known) - len(shown)
    also = f"\n{more} more features are worth less" if more else ""
    finish_rows(ax, f"what a good set loses without it{also}", 3)
    titled(ax, title(found), 0.75)
    plain(ax)
    return ax
