"""All solutions on real data by TMFBS and TIE*-IGS, next to tables 3 and 5 and figure 7 of the TMFBS paper.

Run: python -m benchmarks.multiple_solutions FOLDER [--sets crime-violent ada] [--seeds 3] [--pictures DIR]
       [--fewer-lambdas]
What was run is kept in ``results/multiple_solutions.csv``; the page is written of all that is kept.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, balanced_accuracy_score

import altsel
from benchmarks.command import folder_of, in_one_line, whole
from benchmarks.protocol import FEWER_LAMBDAS, LAMBDAS, model, parts, performance, read, tuned, usual_test
from benchmarks.tmfbs_records import keep, markdown, page, stored

PAPER = {
    "crime-violent": "2 (2), .588 [.583, .590], 2.31",
    "crime-nonviolent": "0, .585, 2.18",
    "uji-longitude": "12 (9), .938 [.938, .938], 2.40",
    "blogfeedback": "0, .304, 1.91",
    "ada": "0, .904, 1.97",
    "madelon": "0, .646, 1.81",
    "clean2": "0, .991, 2.24",
}
"""Table 3: additional solutions (of them equivalent on the test rows), performance and range, speed-up."""
PAPER_METRICS = {
    "crime-violent": (0.588, 254.0, 360.1),
    "crime-nonviolent": (0.585, 1303.0, 1841.0),
    "uji-longitude": (0.938, 22.95, 30.91),
    "blogfeedback": (0.304, 9.27, 32.54),
    "ada": (0.904, 0.85, 0.762),
    "madelon": (0.646, 0.633, 0.633),
    "clean2": (0.991, 0.95, 0.946),
}
"""Table 5, the reference: R2, MAE, RMSE of numbers; AUC, accuracy, balanced accuracy of classes."""
METRICS = {True: ("AUC", "accuracy", "balanced accuracy"), False: ("R2", "MAE", "RMSE")}
COLUMNS = ("first", "second", "third")
"""Those figures in a record."""
CLASSES = ("ada", "madelon", "clean2")
PAPER_NODES = {"crime-violent": "3 solutions in 5 nodes"}
HEAD = ["set", "seed", "alpha", "lambda", "features", "solutions besides, TMFBS (eq.) / TIE*",
        "performance, range", "tests, TMFBS", "tests, TIE*", "ratio", "CPU s, TMFBS", "CPU s, TIE*",
        "nodes of the graph", "paper"]  # fmt: skip


def judged(estimated: altsel.comparison.SklearnModels, features: tuple[str, ...]) -> tuple[float, ...]:
    """Return the three figures of table 5 on the test rows."""
    truth, guessed = np.asarray(estimated.truth()), np.asarray(estimated.predictions(features))
    first = performance(estimated, features)
    if estimated.data.discrete_target:
        classes = truth == truth.max(), guessed > 0.5
        return first, float(accuracy_score(*classes)), float(balanced_accuracy_score(*classes))
    errors = truth - guessed
    return first, float(np.abs(errors).mean()), float(np.sqrt((errors**2).mean()))


def equal(same: altsel.comparison.PermutedVariance, found: altsel.Solutions) -> int:
    """Count the solutions that the variance test does not tell from the first."""
    return sum(same(found[0].features, subset.features).equivalent(0.05) for subset in found[1:])


def run(table_name: str, seed: int, options: argparse.Namespace) -> dict[str, object]:
    """Run the protocol once."""
    given, pictures = parts(read(options.folder, table_name), seed), options.pictures
    fewer = options.fewer_lambdas and given.train.discrete_target
    alpha, penalty, _ = tuned(given, FEWER_LAMBDAS if fewer else LAMBDAS)
    test = usual_test(given.both)
    limits = altsel.blankets.Limits(max_solutions=options.limit)
    began = time.process_time()
    found = altsel.blankets.tmfbs(test, alpha, limits=limits)
    middle = time.process_time()
    plain = altsel.blankets.Reuse(blankets=False, answers=0)
    other = altsel.blankets.tie_star(usual_test(given.both), alpha, reuse=plain, limits=limits)
    ended = time.process_time()
    estimated = altsel.comparison.SklearnModels(given.both, model(given.both, penalty), holdout=given.test)
    values = np.array([judged(estimated, subset.features) for subset in found])
    same = altsel.comparison.PermutedVariance(estimated)
    graph = altsel.msg(found)
    if pictures is not None and len(found) > 1:
        graph.draw(pictures / f"msg_{table_name}_{seed}.svg")
    record: dict[str, object] = {
        "data": table_name, "seed": seed, "alpha": alpha, "lambda": penalty, "features": len(found[0]),
        "besides": len(found) - 1,
        "equal": equal(same, found), "besides_tie": len(other) - 1, "equal_tie": equal(same, other),
        "stop": found.stop.value, "stop_tie": other.stop.value,
        "tests": found.effort.tests, "tests_tie": other.effort.tests,
        "seconds": middle - began, "seconds_tie": ended - middle, "nodes": len(graph.nodes) - 2,
    }  # fmt: skip
    for name, column in zip(COLUMNS, values.T, strict=True):
        record |= {name: column[0], f"{name}_low": column.min(), f"{name}_high": column.max()}
    return record


def cells(record: pd.Series) -> list[str]:
    """Lay out one run beside table 3."""
    stops = {record["stop"], record["stop_tie"]}
    ended = "" if stops == {"exhausted"} else f" ({record['stop']}, {record['stop_tie']})"
    return [
        record["data"], f"{record['seed']}", f"{record['alpha']:.1e}", f"{record['lambda']:.3g}",
        f"{record['features']}", f"{record['besides']} ({record['equal']}) / {record['besides_tie']}{ended}",
        f"{record['first']:.3f} [{record['first_low']:.3f}, {record['first_high']:.3f}]",
        f"{record['tests']}", f"{record['tests_tie']}", f"{record['tests_tie'] / record['tests']:.2f}",
        f"{record['seconds']:.2f}", f"{record['seconds_tie']:.2f}",
        "" if pd.isna(record["nodes"]) else f"{record['nodes']:.0f}", PAPER[record["data"]],
    ]  # fmt: skip


def metrics(table: pd.DataFrame) -> list[list[str]]:
    """Set table 5 beside ours: mean and standard deviation over divisions, distance in deviations."""
    rows = []
    for data, runs in table.groupby("data", sort=False):
        for i, name in enumerate(COLUMNS):
            values, printed = runs[name].dropna(), PAPER_METRICS[str(data)][i]
            if not len(values):
                continue
            digits = 3 if values.mean() < 2 else 1
            spread = values.std(ddof=1) if len(values) > 1 else np.nan
            widest = (runs[f"{name}_high"] - runs[f"{name}_low"]).max()
            away = "" if printed is None or not spread > 0 else f"{abs(values.mean() - printed) / spread:.1f}"
            ours = f"{values.mean():.{digits}f}" + (f" ± {spread:.{digits}f}" if spread > 0 else "")
            rows.append([str(data), METRICS[data in CLASSES][i], "" if printed is None else f"{printed:g}",
                         ours, f"{len(values)}", away, f"{widest:.{digits}f}"])  # fmt: skip
    return rows


METRICS_HEAD = ["set", "metric", "paper, reference", "ours, reference", "divisions",
                "difference in standard deviations", "widest range over solutions"]  # fmt: skip


def write() -> None:
    """Write the page of all that is kept."""
    table = stored("multiple_solutions")
    table = table.sort_values(
        ["data", "seed"],
        key=lambda column: column.map(list(PAPER).index) if column.name == "data" else column,
    )
    page(
        "multiple_solutions",
        markdown(HEAD, [cells(record) for _, record in table.iterrows()]),
        "## Table 5\n\n" + markdown(METRICS_HEAD, metrics(table)),
    )


def main() -> None:
    """Run, keep, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=folder_of("*.csv.gz"), help="holds the data sets as .csv.gz")
    parser.add_argument("--sets", nargs="+", default=list(PAPER), choices=list(PAPER))
    parser.add_argument("--seeds", type=whole(1), default=3, help="divisions of the rows, from 0 on")
    parser.add_argument("--limit", type=whole(1), default=1000, help="most solutions of a search")
    parser.add_argument("--pictures", type=Path, help="folder for the graphs of several solutions")
    parser.add_argument("--fewer-lambdas", action="store_true", help="16 instead of 121 for classes")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with in_one_line(parser):
        for name in given.sets:
            for seed in range(given.seeds):
                keep("multiple_solutions", run(name, seed, given), ["data", "seed"])
        write()


if __name__ == "__main__":
    main()
