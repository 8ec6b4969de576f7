"""Scores of sets with their intervals, beside all features and chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from altsel.display.picture import (
    axes_of,
    inches,
    legend_below,
    letters,
    lines,
    number_sets,
    plain,
    titled,
)
from altsel.results.text import number_of

if TYPE_CHECKING:
    from altsel.results.estimate import Estimate
    from altsel.results.performance import Performance


def size(scored: Performance) -> tuple[float, float]:
    """Return inches of a picture in a file."""
    return 6.4, min(1.8 + 0.35 * len(scored.sets), 9)


def draw(scored: Performance, ax: Any = None) -> Any:
    """Draw one row a set."""
    number = len(scored)
    ax = axes_of(ax, (6.4, min(2 + 0.3 * number, 9)))
    points, (width, height) = letters(ax), inches(ax)
    small = min(max(height * 72 / max(number, 1) * 0.25, 1), 5)
    _points(
        ax,
        np.arange(number),
        [one.score for one in scored.sets],
        "C0o",
        small,
        "the set on rows held out" if scored.holdout else "the set in every fold",
    )
    nested = [(row + 0.3, one.nested) for row, one in enumerate(scored.sets) if one.nested is not None]
    if nested:
        rows = np.array([row for row, _ in nested])
        _points(ax, rows, [one for _, one in nested], "C1s", small, "searched again in every fold")
    ax.axvline(scored.all_features.value, color="grey", linestyle="--", linewidth=1, label="all features")
    ax.axvline(scored.no_features.value, color="grey", linestyle=":", linewidth=1, label="no features")
    if scored.forest is not None:
        forest = scored.forest.score.value
        ax.axvline(forest, color="C2", linestyle="-.", linewidth=1, label="ten most important to a forest")
    if scored.null:
        span = {"alpha": 0.15, "color": "C2", "label": "best of permuted targets"}
        ax.axvspan(min(scored.null), max(scored.null), **span)
    number_sets(ax, number, height * 0.75)
    ax.set_ylim(number - 0.3, -0.7)
    ax.set_xlabel(lines(f"{scored.scoring}, {scored.models}", width, points), fontsize=points)
    ax.tick_params(axis="x", labelsize=points * 0.9)
    ax.grid(alpha=0.3)
    legend_below(ax)
    sure = f"intervals of {100 * scored.confidence:g} %"
    titled(ax, f"{number_of(number, 'set')}, {scored.scoring}, {sure}")
    plain(ax)
    return ax


def _points(ax: Any, rows: Any, estimates: list[Estimate], style: str, small: float, label: str) -> None:
    values = np.array([one.value for one in estimates])
    reach = np.array([_reach(one) for one in estimates]).reshape(-1, 2).T
    bars = {"capsize": small / 2 if small > 2 else 0, "elinewidth": min(small / 3, 1.5)}
    drawn = ax.errorbar(values, rows, xerr=reach, fmt=style, label=label, markersize=small, **bars)
    for bar in drawn[2]:
        bar.set_alpha(1 if small > 2 else 0.4)


def _reach(one: Estimate) -> tuple[float, float]:
    """Return how far an interval goes down and up; percentiles need not go both ways."""
    if one.low is None or one.high is None:
        return 0.0, 0.0
    return max(one.value - one.low, 0.0), max(one.high - one.value, 0.0)
