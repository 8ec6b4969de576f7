"""Figures 1 to 4 of AFS, from the records of the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

mpl.use("svg")
mpl.rcParams.update({"svg.hashsalt": "altsel", "svg.fonttype": "none", "font.size": 9})

METRICS = {
    "train": "train Q",
    "test": "test Q",
    "tree_train": "train MCC, tree",
    "tree_test": "test MCC, tree",
    "forest_train": "train MCC, forest",
    "forest_test": "test MCC, forest",
}
RUNS = ["data", "fold", "selector", "k", "tau", "search", "asked"]


def drawn(table: pd.DataFrame, folder: Path) -> dict[str, str]:
    """Draw all figures into a folder; return their files and titles."""
    figures: dict[str, tuple[Callable[[pd.DataFrame, Any], None], tuple[int, int], str]] = {
        "afs_1.svg": (
            _correlations,
            (1, 1),
            "Figure 1: rank correlations of what judges a set, over all sets",
        ),
        "afs_2.svg": (
            _searches,
            (1, 2),
            "Figure 2: standard deviation and mean of train Q within a run, sequential and simultaneous",
        ),
        "afs_3.svg": (
            _numbers,
            (2, 2),
            "Figure 3: Q by number of the alternative, sequential search, MI; of each run the largest is 1 "
            "(left), and the smallest 0 as well (right); train and test rows",
        ),
        "afs_4.svg": (
            _thresholds,
            (1, 2),
            "Figure 4: median of Q, the largest of each run 1, by tau; MI, k = 10",
        ),
    }
    for name, (draw, (rows, columns), _) in figures.items():
        figure = Figure(figsize=(3.6 * columns if columns > 1 else 4.8, 2.9 * rows))
        draw(table, figure.subplots(rows, columns, squeeze=False).ravel())
        figure.tight_layout()
        figure.savefig(folder / name, metadata={"Date": None})
    return {name: title for name, (_, _, title) in figures.items()}


def _correlations(table: pd.DataFrame, panels: Any) -> None:
    (axes,) = panels
    matrix = table[list(METRICS)].corr(method="spearman").to_numpy()
    axes.imshow(matrix, vmin=-1, vmax=1, cmap="RdBu_r")
    labels = list(METRICS.values())
    axes.set_xticks(range(len(labels)), labels, rotation=40, ha="right")
    axes.set_yticks(range(len(labels)), labels)
    for i, j in np.ndindex(*matrix.shape):
        if not np.isnan(matrix[i, j]):
            axes.text(
                j,
                i,
                f"{matrix[i, j]:.2f}",
                ha="center",
                va="center",
                color="white" if abs(matrix[i, j]) > 0.6 else "black",
            )


def _searches(table: pd.DataFrame, axes: Any) -> None:
    """Draw the spread and the mean of a run's qualities, by number of alternatives."""
    exact = table[table["selector"] != "wrapper"]
    for panel, (of, label) in zip(axes, (("std", "standard deviation"), ("mean", "mean")), strict=True):
        boxes = {}
        for search in ("sequential", "sum"):
            boxes[search] = [within(exact, search, asked, of) for asked in range(1, 6)]
        _boxes(panel, boxes, range(1, 6))
        panel.set_xlabel("alternatives")
        panel.set_ylabel(f"{label} of train Q")
    axes[0].legend(fontsize=8)


def within(table: pd.DataFrame, search: str, asked: int, of: str, column: str = "train") -> pd.Series:
    """Sum up a quality within each run that found all its sets, of a number of alternatives."""
    part = table[table["search"] == search]
    part = part[part["number"] <= asked] if search == "sequential" else part[part["asked"] == asked]
    runs = part.groupby([*RUNS])[column]
    complete = runs.count() == asked + 1
    return runs.agg(of)[complete]


def _boxes(panel: Any, boxes: dict[str, list[pd.Series]], ticks: Any) -> None:
    colours = {"sequential": "#4878a8", "sum": "#d98a3d"}
    names = {"sequential": "sequential", "sum": "simultaneous"}
    for shift, (search, values) in zip((-0.2, 0.2), boxes.items(), strict=True):
        places = [tick + shift for tick in ticks]
        drawn_boxes = panel.boxplot(
            values,
            positions=places,
            widths=0.34,
            patch_artist=True,
            showfliers=False,
            medianprops={"color": "black"},
        )
        for box in drawn_boxes["boxes"]:
            box.set_facecolor(colours[search])
        panel.plot([], [], "s", color=colours[search], label=names[search])
    panel.set_xticks(list(ticks), [str(tick) for tick in ticks])


def _sequential(table: pd.DataFrame) -> pd.DataFrame:
    return table[(table["selector"] == "mi") & (table["search"] == "sequential") & table["train"].notna()]


def _numbers(table: pd.DataFrame, axes: Any) -> None:
    part = _sequential(table)
    for row, (column, label) in enumerate((("train", "train Q"), ("test", "test Q"))):
        runs = part.groupby(RUNS)[column]
        top, low = runs.transform("max"), runs.transform("min")
        shown = {
            "largest 1": (part[column] / top)[top > 0],
            "0 to 1": ((part[column] - low) / (top - low))[top > low],
        }
        for place, (how, values) in enumerate(shown.items()):
            panel = axes[2 * row + place]
            grouped = [values[part.loc[values.index, "number"] == number].dropna() for number in range(11)]
            panel.boxplot(grouped, positions=range(11), showfliers=False, medianprops={"color": "black"})
            panel.set_xticks(range(11), [str(number) for number in range(11)])
            panel.set_xlabel("number of the alternative")
            panel.set_ylabel(f"{label}, {how}")


def _thresholds(table: pd.DataFrame, axes: Any) -> None:
    part = _sequential(table)
    part = part[part["k"] == 10]
    for panel, (column, label) in zip(axes, (("train", "train Q"), ("test", "test Q")), strict=True):
        top = part.groupby(RUNS)[column].transform("max")
        share = (part[column] / top)[top > 0]
        chosen = part.loc[share.index]
        values = chosen[["tau", "number"]].assign(share=share)
        medians = values.pivot_table(index="number", columns="tau", values="share", aggfunc="median")
        colours = mpl.colormaps["viridis"](np.linspace(0, 0.9, medians.shape[1]))
        for colour, tau in zip(colours, medians, strict=True):
            panel.plot(medians.index, medians[tau], color=colour, label=f"{tau:g}")
        panel.set_xlabel("number of the alternative")
        panel.set_ylabel(f"median of {label}, largest 1")
    axes[1].legend(title="tau", fontsize=7, title_fontsize=7, loc="upper left", bbox_to_anchor=(1.02, 1.0))
