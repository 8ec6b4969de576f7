"""Which features are in which sets, with scores and bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from altsel.display.names import short
from altsel.display.picture import (
    WIDTH,
    axes_of,
    inches,
    labels_that_fit,
    legend_below,
    letters,
    number_sets,
    plain,
    titled,
)
from altsel.results.feature_set import Proof
from altsel.results.solutions_text import KEPT_APART, about
from altsel.results.text import number_of

if TYPE_CHECKING:
    from altsel.results.solutions import Solutions

MARKERS = {
    Proof.OPTIMAL: ("o", "C0"),
    Proof.FEASIBLE: ("o", "none"),
    Proof.HEURISTIC: ("s", "none"),
    Proof.TESTED: ("D", "C0"),
}
"""How the score of a set is drawn, by its proof: marker and filling."""
MATRIX, SCORES = 0.7, 0.26
"""Widths of the matrix and of the scores, as shares of the axes."""


def size(found: Solutions) -> tuple[float, float]:
    """Return inches in which the sets and their features are seen well."""
    sets, features = len(found), len(set().union(*found.sets))
    return min(max(3 + 0.2 * features, 4.8), 11), min(max(2 + 0.2 * sets, 3), 9)


def draw(found: Solutions, ax: Any = None) -> Any:
    """Draw the matrix, and the scores on axes of their own beside it."""
    order = list(found.counts())
    ax = axes_of(ax, size(found))
    _matrix(ax, found, order)
    number_sets(ax, len(found), inches(ax)[1] * 0.5)  # names below take the rest
    _features(ax, order)
    _scores(ax, found)
    counted = f"{number_of(len(found), 'set')} of {number_of(len(found.universe), 'feature')}"
    titled(ax, f"{counted}: {about(found)}")
    plain(ax)
    return ax


def _matrix(ax: Any, found: Solutions, order: list[str]) -> None:
    from matplotlib.colors import ListedColormap, to_rgba  # noqa: PLC0415  (an extra)

    index = {feature: j for j, feature in enumerate(order)}
    cells = np.zeros((max(len(found), 1), max(len(order), 1)))
    for number, one in enumerate(found):
        cells[number, [index[feature] for feature in one]] = 1
    colours = ListedColormap([to_rgba("C0", 0.07), to_rgba("C0")])
    ax.imshow(cells, aspect="auto", cmap=colours, vmin=0, vmax=1, interpolation="nearest")
    if max(cells.shape) <= 60:
        ax.set_xticks(np.arange(0.5, cells.shape[1] - 1), minor=True)
        ax.set_yticks(np.arange(0.5, cells.shape[0] - 1), minor=True)
        cell = min(inches(ax)[0] * MATRIX / cells.shape[1], inches(ax)[1] / cells.shape[0]) * 72
        ax.grid(which="minor", color=ax.get_facecolor(), linewidth=min(cell / 10, 0.8))
        ax.tick_params(which="minor", length=0)
    ax.set_xlim(-0.5, cells.shape[1] / MATRIX - 0.5)  # room for the scores
    ax.spines[:].set_visible(False)


def _features(ax: Any, order: list[str]) -> None:
    """Name features below their columns, upright unless names are short."""
    width, height = inches(ax)
    width *= MATRIX
    points, step = labels_that_fit(width, len(order), letters(ax) * 0.9)
    longest = min(max(int(height * 72 * 0.4 / (WIDTH * points)), 10), 32)
    named = [short(feature, longest, order) for feature in order[::step]]
    column = width * 72 / max(len(order), 1) * step
    flat = max(map(len, named), default=0) * points * WIDTH * 1.2 < column
    ax.set_xticks(range(0, len(order), step), named, fontsize=points, rotation=0 if flat else 90)
    if step > 1:
        ax.set_xlabel(f"{len(order)} features, one in {step} named", fontsize=letters(ax) * 0.9, loc="left")


def _scores(ax: Any, found: Solutions) -> None:
    side = ax.inset_axes([1 - SCORES, 0, SCORES, 1], sharey=ax)
    small = min(max(inches(ax)[1] * 72 / max(len(found), 1) * 0.6, 1.5), 5)
    for proof, (marker, filling) in MARKERS.items():
        rows = [number for number, one in enumerate(found) if one.proof is proof]
        if rows:
            scores = [found[number].score for number in rows]
            style = {"color": "C0", "markerfacecolor": filling, "markersize": small, "label": proof.value}
            style["markeredgewidth"] = min(small / 4, 1)
            side.plot(scores, rows, marker, linestyle="none", **style)
    _bounds(side, found)
    held = [(one.holdout, number) for number, one in enumerate(found) if one.holdout is not None]
    if held:
        side.plot(*zip(*held, strict=True), "x", color="C1", markersize=small, label=KEPT_APART)
    points = letters(ax) * 0.8
    side.tick_params(axis="x", labelsize=points)
    side.tick_params(axis="y", labelleft=False, left=False, which="both")
    side.locator_params(axis="x", nbins=max(int(inches(ax)[0] * SCORES * 72 / (8 * WIDTH * points)), 1))
    side.ticklabel_format(axis="x", useOffset=False)
    side.margins(x=0.12)
    side.grid(axis="x", alpha=0.3)
    _explained(side, points)


def _bounds(side: Any, found: Solutions) -> None:
    """Draw how much better than its score a set might be."""
    loose = [
        (number, one.score, one.bound)
        for number, one in enumerate(found)
        if one.bound is not None and one.bound - one.score > 1e-9 * max(abs(one.score), 1)
    ]
    if loose:
        rows, scores, bounds = zip(*loose, strict=True)
        side.hlines(rows, scores, bounds, color="C3", linewidth=1, label="up to its bound")


def _explained(side: Any, points: float) -> None:
    """Explain marks below the scores; a single kind needs a word only."""
    _, known = side.get_legend_handles_labels()
    side.set_xlabel(f"score, {known[0]}" if len(known) == 1 else "score", fontsize=points)
    if len(known) > 1:
        legend_below(side, 1, points)
