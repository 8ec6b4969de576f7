"""What the good sets lose without each feature, and with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altsel.display.picture import axes_of, plain, titled
from altsel.results.importance_range_text import title
from altsel.results.least_loss import Known, LeastLoss
from altsel.results.plots.feature_rows import LISTED, SHOWN, finish_rows, name_rows, number_of_rows

if TYPE_CHECKING:
    from altsel.results.importance_range import FeatureRange, ImportanceRanges


def size(ranges: ImportanceRanges) -> tuple[float, float]:
    """Return inches of a picture in a file."""
    return 6.4, 1.8 + 0.24 * min(len(ranges.leading()), LISTED)


def draw(ranges: ImportanceRanges, ax: Any = None) -> Any:
    """Draw two bars a feature: losses of the sets without it, and of those with it; open ends as arrows."""
    known = ranges.leading()
    ax = axes_of(ax, (6.4, 2.2 + 0.22 * min(len(known), SHOWN)))
    shown = known[: number_of_rows(ax)]
    losses = [one.without.value or 0.0 for one in shown] + [_most(ranges)]
    end = 1.12 * max(losses) or 1.0
    for way, (colour, shift) in {"without": ("C0", -0.19), "with": ("C1", 0.19)}.items():
        _bars(ax, [_drawn(one, way) for one in shown], end, {"color": colour, "label": f"{way} it"}, shift)
    if ranges.tolerance is not None:
        ax.axvline(ranges.tolerance, color="0.4", linestyle=":", linewidth=1, label="tolerated")
    name_rows(ax, [one.feature for one in shown], 0.02)
    ax.set_xlim(-0.02 * end, end)
    more = len(known) - len(shown)
    also = f"\n{more} more features cost less to give up" if more else ""
    finish_rows(ax, f"loss; an arrow: as much or more{also}", 3)
    titled(ax, title(ranges), 0.75)
    plain(ax)
    return ax


def _most(ranges: ImportanceRanges) -> float:
    """Return the largest loss of the list."""
    return max([ranges.tolerance or 0.0, *(one.most_without or one.most_holding or 0.0 for one in ranges)])


def _drawn(one: FeatureRange, way: str) -> tuple[LeastLoss, float | None]:
    return (one.without, one.most_without) if way == "without" else (one.holding, one.most_holding)


def _bars(
    ax: Any, ranges: list[tuple[LeastLoss, float | None]], end: float, style: dict[str, Any], shift: float
) -> None:
    """Draw bars from the least loss to the largest of the list, a dot at the least; arrows to the end."""
    rows = [row + shift for row in range(len(ranges))]
    starts = [least.value or 0.0 for least, _ in ranges]
    ends = [start if most is None else most for start, (_, most) in zip(starts, ranges, strict=True)]
    ax.hlines(rows, starts, ends, linewidth=4, alpha=0.45, **style)
    for row, start, (least, _) in zip(rows, starts, ranges, strict=True):
        if least.known in (Known.MORE_THAN, Known.AT_LEAST):
            ax.annotate(
                "", (end, row), (start, row), arrowprops={"arrowstyle": "->", "color": style["color"]}
            )
        elif least.known is Known.EXACTLY:
            ax.plot(start, row, "o", color=style["color"], markersize=3.5)
