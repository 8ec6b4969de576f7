"""Which measure should be the default? Features that matter found, and losses on rows left out.

    python -m benchmarks.defaults generated [--seeds 30] [--rows 60 100 300 …]
    python -m benchmarks.defaults sets FOLDER [FOLDER …]

`generated` draws eight kinds of data with five features that matter (`benchmarks.generated`); `sets` reads
data sets, adds noise columns, chooses five features on training rows and measures three models on the others.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import (
    RFE,
    SelectKBest,
    f_classif,
    f_regression,
    mutual_info_classif,
    mutual_info_regression,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import altsel
from altsel.measures import (
    Association,
    absolute_spearman,
    association,
    correlation_ratio,
    gaussian_copula_information,
    mutual_information,
    symmetric_uncertainty,
)
from benchmarks.generated import KINDS, TARGETS, WIDE, drawn

K, LEVELS = 5, 200
MOST_ROWS, MOST_FEATURES, SPLITS = 600, 100, 2
MEASURES: dict[str, altsel.measures.Measure] = {
    "mutual information": mutual_information,
    "symmetric uncertainty": symmetric_uncertainty,
    "Spearman": absolute_spearman,
    "Gaussian copula": gaussian_copula_information,
    "correlation ratio": correlation_ratio,
    "association": association,
}


MEASURED: dict[str, tuple[altsel.measures.Measure, tuple[str, ...]]] = {
    "mutual information": (mutual_information, ("sum", "mRMR")),
    "symmetric uncertainty": (symmetric_uncertainty, ("sum", "mRMR", "CFS")),
    "correlation ratio": (correlation_ratio, ("sum", "mRMR", "CFS")),
    "association": (association, ("sum", "mRMR", "CFS")),
    "association, not squared": (Association(squared=False), ("mRMR", "CFS")),
}
"""Measures and the criteria that choose by them, on data sets."""


def by_p(data: altsel.Dataset) -> Any:
    """Minus the logarithm of the p-value of the test that `auto` chooses."""
    return -altsel.independence.auto(data)(list(data.features)).log_p


def less_shuffled(data: altsel.Dataset) -> Any:
    """Mutual information less its mean over 20 shuffles of the target."""
    random, y = np.random.default_rng(0), data.y.to_numpy()
    targets = [pd.Series(random.permutation(y), name="y") for _ in range(20)]
    shuffled = [altsel.Dataset(data.X, one, data.task.value, keep=data.features) for one in targets]
    chance = np.mean([mutual_information.relevance(one) for one in shuffled], axis=0)
    return mutual_information.relevance(data) - chance


Way = Callable[[altsel.Dataset], Any]
WAYS: dict[str, Way] = {
    **{name: measure.relevance for name, measure in MEASURES.items()},
    "information less shuffled": less_shuffled,
    "p of a test": by_p,
}


def best(values: np.ndarray, names: tuple[str, ...]) -> list[str]:
    """Return the features of largest values."""
    return [names[j] for j in np.argsort(-values, kind="stable")[:K]]


def generated(seeds: int, sizes: list[int]) -> None:
    """Write how many of the five are found, in how many sets a category of 200 levels is, and agreement."""
    for rows in sizes:
        for target in TARGETS:
            print(f"\n## {rows} rows, {target}\n")
            print("| measure | " + " | ".join(KINDS) + " | mean | of 200 levels or more | halves | CPU s |")
            print("|---" * (len(KINDS) + 5) + "|")
            for name, way in WAYS.items():
                if rows > 300 and name == "information less shuffled":  # minutes, and no better
                    continue
                print(_row(name, way, rows, target, seeds), flush=True)


def _row(name: str, way: Way, rows: int, target: str, seeds: int) -> str:
    found: list[Any]
    found, wide, halves, began = [], [], [], time.process_time()
    for kind in KINDS:
        hits = []
        for seed in range(seeds):
            table, y = drawn(kind, target, rows, seed)
            try:
                chosen = best(way(altsel.Dataset(table, y, keep=list(table))), tuple(map(str, table)))
            except altsel.DataError:
                break
            hits.append(sum(one.startswith("t") for one in chosen))
            if kind in WIDE:
                wide.append(bool(WIDE[kind] & set(chosen)))
            if seed < seeds // 3:
                half = rows // 2
                two = [
                    best(way(altsel.Dataset(part, y[part.index], keep=list(part))), tuple(map(str, table)))
                    for part in (table.iloc[:half], table.iloc[half:])
                ]
                halves.append(len(set(two[0]) & set(two[1])) / K)
        found.append(np.mean(hits) if hits else np.nan)
    cells = ["–" if np.isnan(one) else f"{one:.2f}" for one in found]
    mean = "–" if np.isnan(found).any() else f"{np.mean(found):.2f}"
    share = f"{np.mean(wide):.2f}" if wide else "–"
    seconds = f"{time.process_time() - began:.1f}"
    return f"| {name} | " + " | ".join([*cells, mean, share, f"{np.mean(halves):.2f}", seconds]) + " |"


def read(folder: Path) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Read the data sets of a folder, at most so many features."""
    for path in sorted(folder.glob("*.csv.gz")):
        table = pd.read_csv(path, keep_default_na=False, na_values=[""]).dropna(axis=1, thresh=1)
        table = table.dropna()
        if len(table) < 60:
            continue
        y, X = table["target"], table.drop(columns="target")
        X = X[[name for name in X if len(set(X[name])) > 1]]
        if X.shape[1] > MOST_FEATURES:
            X = X.sample(MOST_FEATURES, axis=1, random_state=0)
        yield path.name.removesuffix(".csv.gz"), X.reset_index(drop=True), y.reset_index(drop=True)


def with_noise(X: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Add ten shuffled columns of the table and a category of 200 levels."""
    columns = [X[X.columns[int(random.integers(X.shape[1]))]].to_numpy() for _ in range(10)]
    noise = {f"shuffled {j}": random.permutation(column) for j, column in enumerate(columns)}
    noise["places"] = np.array([f"p{one}" for one in random.integers(0, LEVELS, len(X))])
    return pd.concat([X, pd.DataFrame(noise)], axis=1)


def losses(X: pd.DataFrame, y: pd.Series, train: np.ndarray, test: np.ndarray, classes: bool) -> list[float]:
    """Fit three models to training rows; their losses on the others, in those of a constant."""
    text = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    rest = [name for name in X if name not in text]
    code = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), text), (StandardScaler(), rest))
    models = (
        [
            LogisticRegression(max_iter=1000),
            RandomForestClassifier(50, min_samples_leaf=5, random_state=0),
            KNeighborsClassifier(15),
        ]
        if classes
        else [Ridge(), RandomForestRegressor(50, min_samples_leaf=5, random_state=0), KNeighborsRegressor(15)]
    )
    found = []
    for model in models:
        fitted = make_pipeline(code, model).fit(X.iloc[train], y.iloc[train])
        if classes:
            shares = np.clip(fitted.predict_proba(X.iloc[test]), 1e-3, 1)
            loss = log_loss(y.iloc[test], shares / shares.sum(axis=1, keepdims=True), labels=fitted.classes_)
            prior = y.iloc[train].value_counts(normalize=True).reindex(fitted.classes_)
            base = log_loss(y.iloc[test], np.tile(prior, (len(test), 1)), labels=fitted.classes_)
        else:
            loss = float(((fitted.predict(X.iloc[test]) - y.iloc[test]) ** 2).mean())
            base = float(((y.iloc[train].mean() - y.iloc[test]) ** 2).mean())
        found.append(loss / base)
    return found


def peers(X: pd.DataFrame, y: pd.Series, classes: bool) -> Iterator[tuple[str, list[str]]]:
    """Choose sets of the same size by scikit-learn, of categories as codes."""
    coded = X.apply(lambda one: one if pd.api.types.is_numeric_dtype(one) else pd.factorize(one)[0])
    scale = pd.DataFrame(StandardScaler().fit_transform(coded), columns=coded.columns)
    information = mutual_info_classif if classes else mutual_info_regression
    for name, score in (("F", f_classif if classes else f_regression), ("information", information)):
        chosen = SelectKBest(score, k=K).fit(scale, y).get_support()
        yield f"SelectKBest ({name})", X.columns[chosen].tolist()
    linear = LogisticRegression(max_iter=300) if classes else Ridge()
    chosen = RFE(linear, n_features_to_select=K, step=0.1).fit(scale, y).get_support()
    yield "RFE (linear)", X.columns[chosen].tolist()


def ways(data: altsel.Dataset) -> Iterator[tuple[str, list[str]]]:
    """Choose sets by altsel: a plain sum, mRMR and CFS."""
    for name, (measure, labels) in MEASURED.items():
        given = altsel.dependence(data, measure)
        for label in labels:
            criterion = {"sum": altsel.Univariate, "mRMR": altsel.MRMR, "CFS": altsel.CFS}[label]
            found = altsel.sequential(altsel.Problem(criterion(given), K), altsel.Dice(0.5), 0, time_limit=20)
            yield f"{label}, {name}", list(found[0].features)


def sets(folders: list[Path]) -> None:
    """Write, of each way, the mean loss, how often noise is chosen, and what two splits share."""
    loss, noise, shared, seen = defaultdict(list), defaultdict(list), defaultdict(list), set()
    for name, X, given in (one for folder in folders for one in read(folder)):
        if name in seen:
            continue
        seen.add(name)
        classes = not pd.api.types.is_numeric_dtype(given) or given.nunique() <= 10
        y = given.astype(str) if classes else given.astype(float)
        before: dict[str, list[str]] = {}
        for split in range(SPLITS):
            random = np.random.default_rng(split)
            order = random.permutation(len(y))
            cut = min(len(y) * 6 // 10, MOST_ROWS)
            train, test = order[:cut], order[cut : cut + 2000]
            table = with_noise(X, random)
            rows, target = table.iloc[train].reset_index(drop=True), y.iloc[train].reset_index(drop=True)
            if classes and target.value_counts().min() < 5:
                continue
            task = None if classes else "regression"
            data = altsel.Dataset(rows, target.rename("y"), task, keep=[str(name) for name in rows])
            rows = rows[list(data.features)]
            chosen = dict([*ways(data), *peers(rows, target, classes)])
            for way, features in chosen.items():
                loss[way].append(np.mean(losses(table[features], y, train, test, classes)))
                noise[way].append(np.mean([one.startswith(("shuffled ", "places")) for one in features]))
                if way in before:
                    shared[way].append(len(set(before[way]) & set(features)) / K)
            before = chosen
            told = "; ".join(f"{way} {found[-1]:.3f}" for way, found in loss.items())
            print(f"<!-- {name} {split}: {told} -->", flush=True)
    print(f"\n{len(seen)} data sets, {SPLITS} splits, {K} features\n")
    print("| way | loss, in that of a constant | median | noise columns | shared by two splits | splits |")
    print("|---|---|---|---|---|---|")
    for way in sorted(loss, key=lambda one: np.mean(loss[one])):
        numbers = np.mean(loss[way]), np.median(loss[way]), np.mean(noise[way]), np.mean(shared[way])
        print(f"| {way} | " + " | ".join(f"{one:.3f}" for one in numbers) + f" | {len(loss[way])} |")


def main() -> None:
    """Run one part of the study."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parts = parser.add_subparsers(dest="part", required=True)
    one = parts.add_parser("generated")
    one.add_argument("--seeds", type=int, default=30)
    one.add_argument("--rows", type=int, nargs="*", default=[60, 100, 300, 1000, 3000])
    parts.add_parser("sets").add_argument("folders", type=Path, nargs="+")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("# Measures compared\n")
    if arguments.part == "generated":
        generated(arguments.seeds, arguments.rows)
    else:
        sets(arguments.folders)


if __name__ == "__main__":
    main()
