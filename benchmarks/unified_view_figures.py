"""Figures 9 to 11 of the unified view, from the store alone."""

from __future__ import annotations

import matplotlib as mpl
from matplotlib.figure import Figure

from .unified_view_records import RESULTS, stored


def draw() -> dict[str, str]:
    """Draw accuracy against the number of features beside the true neighbours'; return files and titles."""
    mpl.rcParams.update({"svg.hashsalt": "altsel", "svg.fonttype": "none", "font.size": 9})
    titles = {}
    groups = stored("sizes").groupby("filter", sort=False)
    for number, (name, table) in enumerate(groups, start=9):
        figure = Figure(figsize=(7.2, 2.9))
        panels = figure.subplots(1, 2, sharey=True)
        for axis, model, title in zip(panels, ("knn", "nbc"), ("KNN", "NBC"), strict=True):
            axis.plot(table["features"], table[model], marker="o", markersize=3, label=str(name))
            axis.axhline(
                table[f"{model}_true"].iloc[0], color="black", linestyle="--", label="true neighbours"
            )
            axis.set(title=title, xlabel="features", ylabel="accuracy, %" if model == "knn" else "")
            axis.legend(frameon=False, loc="lower right")
        figure.tight_layout()
        file = f"unified_view_{number}.svg"
        figure.savefig(RESULTS / file, format="svg", metadata={"Date": None})
        titles[file] = f"Figure {number}: {name} and the true neighbours of HR, 5,000 rows"
    return titles


def above() -> list[list[str]]:
    """For each filter and model: its best number of features, and how far it is above the true neighbours."""
    rows = []
    for name, table in stored("sizes").groupby("filter", sort=False):
        for model, title in (("knn", "KNN"), ("nbc", "NBC")):
            best = table.iloc[int(table[model].to_numpy().argmax())]
            five = table.set_index("features")[model]
            rows.append([str(name), title, f"{best['features']:.0f}", f"{best[model]:.2f}",
                         f"{best[f'{model}_true']:.2f}", f"{best[model] - best[f'{model}_true']:+.2f}",
                         f"{five[5]:.2f}", f"{five[36]:.2f}"])  # fmt: skip
    return rows
