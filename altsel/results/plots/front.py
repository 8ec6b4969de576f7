"""What dissimilarity costs of quality, as a staircase."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any

from altsel.display.names import short
from altsel.display.picture import axes_of, inches, letters, lines, plain, titled
from altsel.results.text import number_of

if TYPE_CHECKING:
    from altsel.results.front import Front

NAMED = 2
"""Features that a label names on each side of a swap; of more it gives their number."""


def size(_: Front) -> tuple[float, float]:
    """Return inches of a picture in a file."""
    return 6.4, 4.2


def draw(front: Front, ax: Any = None) -> Any:
    """Draw the points, the share that is lost on a second axis, and what was swapped."""
    ax = axes_of(ax, size(front))
    points, (width, height) = letters(ax), inches(ax)
    places = [(one.dissimilarity, one.quality) for one in front]
    ax.step(*zip(*places, strict=True) if places else ([], []), where="pre", alpha=0.5, color="C0")
    for proved, style in ((True, "C0o"), (False, "C1x")):
        chosen = [place for place, one in zip(places, front, strict=True) if one.found.proved is proved]
        if chosen:
            label = "proved" if proved else "not proved"
            small = min(points / 2, max(width * 72 / len(front), 1.5))
            ax.plot(*zip(*chosen, strict=True), style, markersize=small, label=label)
    ax.set_xlabel(lines(f"dissimilarity: {front.measure}", width, points), fontsize=points)
    ax.set_ylabel(lines(front.quality, height, points), fontsize=points)
    ax.tick_params(labelsize=points * 0.9)
    ax.margins(x=0.08, y=0.14)
    if len(places) == 1:  # which spans no range of its own
        quality = places[0][1]
        ax.set_xlim(-0.05, 1.05)
        ax.set_ylim(quality - 0.1 * (abs(quality) or 1), quality + 0.014 * (abs(quality) or 1))
    ax.grid(alpha=0.3)
    titled(ax, _title(front), 1.1)
    _lost(ax, front, points)
    if places and not all(one.found.proved for one in front):
        ax.legend(fontsize=points * 0.9)
    plain(ax)
    _label_swaps(ax, front, points * 0.8)
    return ax


def _title(front: Front) -> str:
    if not front.points:
        return "no set"
    found = front.points[0].found
    parts = [f"{found.target}:" if found.target else "", number_of(len(front), "point"), "on the front of"]
    parts += [f"{sizes} of" if (sizes := _sizes(front)) else "", number_of(len(found.universe), "feature")]
    proved = ", all proved" if all(one.found.proved for one in front) else ""
    return " ".join(filter(None, parts)) + proved


def _sizes(front: Front) -> str:
    """Return the sizes of the sets in words: as requested, if that is known."""
    low, high = front.points[0].found.request.get("k", (0, 0))
    return "" if not high else f"k = {low}" if low == high else f"k = {low} to {high}"


def _lost(ax: Any, front: Front, points: float) -> None:
    best = max((one.quality for one in front), default=0.0)
    if not best:
        return
    share = 100 / abs(best)
    axis = ax.secondary_yaxis("right", functions=(lambda q: (best - q) * share, lambda p: best - p / share))
    axis.set_ylabel("% of the best quality lost", fontsize=points)
    axis.tick_params(labelsize=points * 0.9)


def _swaps(front: Front, number: int) -> list[str]:
    """Report what a point's set has in place of the reference: by names if these are few, then by number."""
    sets = front.points[number].found.sets
    if len(front.reference) != 1 or len(sets) != 1:
        return []
    before, after = front.reference[0], sets[0].features
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    if not gone and not come:
        return []
    count = f"{len(gone)} swapped" if len(gone) == len(come) else f"−{len(gone)} +{len(come)}"
    if max(len(gone), len(come)) > NAMED:
        return [count]
    old, new = (", ".join(short(name, 14, gone + come) for name in names) for names in (gone, come))
    return [f"{old} → {new}" if old and new else f"+ {new}" if new else f"− {old}", count]


def _label_swaps(ax: Any, front: Front, points: float) -> None:
    """Write swaps above their points, those that overlap nothing, each kind once."""
    from matplotlib.transforms import Bbox  # noqa: PLC0415  (an extra)

    figure = ax.figure if hasattr(ax.figure, "draw_without_rendering") else ax.figure.figure  # of a part
    figure.draw_without_rendering()  # layouts move axes
    spots = ax.transData.transform([(one.dissimilarity, one.quality) for one in front]) if len(front) else []
    reach = points * figure.dpi / 72 / 2
    legend = ax.get_legend()
    taken = [Bbox.from_bounds(x - reach / 2, y - reach / 2, reach, reach) for x, y in spots]
    taken += [legend.get_window_extent()] if legend else []
    written = ""
    for number, one in enumerate(front):
        labels = _swaps(front, number)
        if written in labels:
            continue
        line = spots[number - 1][0] if number else -inf  # the stair that leads down to this point
        for label, side in product(labels, (1, -1)):
            text = _beside(ax, label, (one.dissimilarity, one.quality), side, points)
            box = text.get_window_extent()
            if _free(box, ax.get_window_extent(), taken, line if side == -1 else -inf):
                taken.append(box)
                written = label
                break
            text.remove()


def _beside(ax: Any, label: str, place: tuple[float, float], side: int, points: float) -> Any:
    """Write a label above a place, to its right (1) or left (-1)."""
    return ax.annotate(
        label,
        place,
        (side * points / 2, points / 2),
        textcoords="offset points",
        fontsize=points,
        ha="left" if side == 1 else "right",
        parse_math=False,
    )


def _free(box: Any, frame: Any, taken: list[Any], line: float) -> bool:
    """Return whether a box is within a frame, right of a line, and overlaps nothing."""
    inside = frame.contains(box.x0, box.y0) and frame.contains(box.x1, box.y1)
    return inside and box.x0 >= line and not any(box.overlaps(other) for other in taken)
