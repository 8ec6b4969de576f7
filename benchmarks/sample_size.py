"""Solutions and speed-up against sample size, as figures 5 and 6 of Borboudakis and Tsamardinos (2021).

Run: python -m benchmarks.sample_size FOLDER [--sets crime-violent] [--repeats 20] [--limit 1000]
       [--thinned both]
What was run is kept in ``results/sample_size.csv``; page and figures are made of all that is kept.
"""

from __future__ import annotations

import argparse
import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import altsel
from benchmarks.command import folder_of, in_one_line, share_of_all, whole
from benchmarks.protocol import parts, read, tuned, usual_test
from benchmarks.tmfbs_records import RESULTS, keep, markdown, page, stored

HEAD = ["set", "rows thinned", "share kept", "runs", "solutions besides, TMFBS: mean (largest)",
        "TIE*-IGS: mean (largest)", "tests, ratio: mean", "median", "smallest", "largest",
        "ended by a limit"]  # fmt: skip
THINNED = ("training", "both")
"""Rows of which a share is kept: the training rows (section 8.2 as printed), or the validation rows too."""
STYLES = dict(zip(THINNED, ("-", ":"), strict=True))
SETS = ["crime-violent", "crime-nonviolent", "blogfeedback", "uji-longitude"]


def once(
    table: pd.DataFrame, kept: float, seed: int, thinned: str, limits: altsel.blankets.Limits
) -> dict[str, object]:
    """Tune on a share of the rows; count solutions and tests on training and validation rows."""
    given = parts(table, seed, kept, both=thinned == THINNED[1])
    alpha, _, _ = tuned(given)
    found = altsel.blankets.tmfbs(usual_test(given.both), alpha, limits=limits)
    plain = altsel.blankets.Reuse(blankets=False, answers=0)
    other = altsel.blankets.tie_star(usual_test(given.both), alpha, reuse=plain, limits=limits)
    ended = found.stop is altsel.Stop.EXHAUSTED and other.stop is altsel.Stop.EXHAUSTED
    solutions = {"besides": len(found) - 1, "besides_tie": len(other) - 1}
    tests = {"tests": found.effort.tests, "tests_tie": other.effort.tests}
    return {"thinned": thinned, "share": kept, "seed": seed, **solutions, **tests, "limited": int(not ended)}


def rows(table: pd.DataFrame) -> list[list[str]]:
    """Sum up the runs of each set and share."""
    lines = []
    for (data, thinned, share), runs in table.groupby(["data", "thinned", "share"], sort=False):
        ratio = runs["tests_tie"] / runs["tests"]
        counts = [f"{runs[name].mean():.1f} ({runs[name].max()})" for name in ("besides", "besides_tie")]
        spread = [f"{value:.2f}" for value in (ratio.mean(), ratio.median(), ratio.min(), ratio.max())]
        lines.append([str(data), str(thinned), f"{share:.0%}", f"{len(runs)}", *counts, *spread,
                      f"{runs['limited'].mean():.0%}"])  # fmt: skip
    return lines


def draw(table: pd.DataFrame) -> None:
    """Draw figures 5 and 6: means over runs by the share of the training rows."""
    mpl.rcParams.update({"svg.hashsalt": "altsel", "svg.fonttype": "none", "font.size": 9})
    table = table.assign(ratio=table["tests_tie"] / table["tests"])
    figures = {
        "sample_size_5": [("besides", "solutions besides, TMFBS"), ("besides_tie", "TIE*-IGS")],
        "sample_size_6": [("ratio", "tests of TIE*-IGS over TMFBS")],
    }
    for name, panels in figures.items():
        figure = Figure(figsize=(3.8 * len(panels), 3.8), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False, sharey=True).ravel()
        for axis, (column, title) in zip(axes, panels, strict=True):
            for (data, thinned), runs in table.groupby(["data", "thinned"], sort=False):
                means = runs.groupby("share")[column].mean()
                style = {"color": f"C{SETS.index(str(data))}", "linestyle": STYLES[str(thinned)]}
                label = data if thinned == THINNED[0] else f"{data}, validation rows too"
                axis.plot(100 * means.index, means, marker="o", markersize=3, label=label, **style)
            axis.set(title=title, xlabel="% of rows kept")
        lines, labels = axes[0].get_legend_handles_labels()
        figure.legend(lines, labels, frameon=False, fontsize=7, loc="outside lower center", ncols=len(panels))
        figure.savefig(RESULTS / f"{name}.svg", format="svg", metadata={"Date": None})


def kept() -> pd.DataFrame:
    """Return all that is kept, in order."""
    orders = {"data": SETS.index, "thinned": THINNED.index}
    return stored("sample_size").sort_values(
        ["data", "thinned", "share", "seed"],
        key=lambda column: column.map(orders[column.name]) if column.name in orders else column,
    )


def write() -> None:
    """Write the page and the figures of all that is kept."""
    table = kept()
    draw(table)
    page("sample_size", markdown(HEAD, rows(table)))


def main() -> None:
    """Run, keep, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=folder_of("*.csv.gz"), help="holds the data sets as .csv.gz")
    parser.add_argument("--sets", nargs="+", default=SETS[:2], choices=SETS)
    tenths = np.arange(0.1, 1.0, 0.1).round(1).tolist()
    parser.add_argument(
        "--shares", type=share_of_all, nargs="+", default=tenths, help="of the rows, above 0 up to 1"
    )
    parser.add_argument("--repeats", type=whole(1), default=20, help="divisions of the rows for each share")
    parser.add_argument(
        "--thinned", choices=THINNED, default=THINNED[0], help="rows of which a share is kept"
    )
    parser.add_argument("--limit", type=whole(1), default=1000, help="most solutions of a search")
    parser.add_argument("--seconds", type=float, default=60, help="of a search")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with in_one_line(parser):
        limits = altsel.blankets.Limits(max_solutions=given.limit, max_seconds=given.seconds)
        for name in given.sets:
            table = read(given.folder, name)
            for seed in range(given.repeats):
                for part in given.shares:
                    record = {"data": name, **once(table, part, seed, given.thinned, limits)}
                    keep("sample_size", record, ["data", "thinned", "share", "seed"])
        write()


if __name__ == "__main__":
    main()
