"""The tables of PPFS (Hassan, Paik, Khare and Hassan 2021), ours beside the paper's; times beside PyImpetus.

Run: python -m benchmarks.ppfs FOLDER [--only statlog-heart …] [--methods …] [--seeds 3], where the folder
holds the data sets as CSV files (last column: target), or: python -m benchmarks.ppfs FOLDER --times.
Selection is on rows that a fold learns from ("in fold"), and on all rows, as the paper may have done ("all
rows"). What was run is kept in ``results/ppfs*.csv``; the page is written of all that is kept.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import TransformedTargetRegressor
from sklearn.inspection import permutation_importance
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier

import altsel
from altsel.blankets import Folds, aggregated, grow_shrink, ppfs
from altsel.independence import LikelihoodRatio, PredictivePermutation
from benchmarks.command import folder_of, in_one_line, whole
from benchmarks.ppfs_design import PLACES, ROWS, WIDE, Row
from benchmarks.ppfs_page import KEY, write
from benchmarks.tmfbs_records import keep


@cache
def table(folder: Path, name: str) -> altsel.Dataset:
    """Read a data set as the paper describes it; categories become codes, missing cells of Desharnais -1."""
    frame = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
    frame = {"arcene": frame.iloc[:100], "madelon": frame.iloc[:2000]}.get(name, frame)
    frame = frame.dropna() if name == "credit-approval" else frame
    y = frame.pop("target").reset_index(drop=True)
    columns = {
        column: values if pd.api.types.is_numeric_dtype(values) else pd.factorize(values, sort=True)[0]
        for column, values in frame.reset_index(drop=True).items()
    }
    return altsel.Dataset(pd.DataFrame(columns).astype(float).fillna(-1.0), y)


class MatrixSVC(SVC):  # type: ignore[misc]
    """An SVC of two classes whose predictions are one product of matrices: the same, ten times as fast."""

    def predict(self, X: Any) -> np.ndarray:
        """Return the classes by the sign of the decision function."""
        kernel = rbf_kernel(np.asarray(X, dtype=float), self.support_vectors_, self._gamma)
        second = kernel @ self.dual_coef_[0] + self.intercept_[0] > 0
        return np.asarray(self.classes_[second.astype(int)])


def model(row: Row) -> Any:
    """Return the model that judges selected features; the SVR learns a standardised target.

    Columns are scaled but for table 4: only so is the paper's figure for all features of Madelon met.
    """
    if row.table == 4:
        return MatrixSVC()
    if row.model == "tree":
        return DecisionTreeClassifier(random_state=0)
    if row.model == "SVM":
        return make_pipeline(StandardScaler(), SVC())
    return TransformedTargetRegressor(make_pipeline(StandardScaler(), SVR()), transformer=StandardScaler())


def by_ppfs(data: altsel.Dataset, row: Row, seed: int, **options: Any) -> list[str]:
    """Select by trees, aggregated over folds where the paper does."""

    def test(part: altsel.Dataset) -> PredictivePermutation:
        return PredictivePermutation(part, random_state=seed, stratify=False, **options)

    if row.folds:
        return list(aggregated(data, test, folds=Folds(row.folds, random_state=seed))[0])
    return list(ppfs(test(data))[0])


def printed(data: altsel.Dataset, row: Row, seed: int) -> list[str]:
    """PPFS with the printed test."""
    return by_ppfs(data, row, seed, scheme="random", knockoff="shuffle", splits=row.splits)


def valid(data: altsel.Dataset, row: Row, seed: int) -> list[str]:
    """PPFS with the test that keeps its level: ten disjoint folds, draws given the rest."""
    return by_ppfs(data, row, seed)


def by_importance(data: altsel.Dataset, row: Row, seed: int) -> list[str]:
    """PIFS: what has a positive permutation importance on the rows of five folds."""
    X = data.X.to_numpy()
    found = np.zeros(len(data.features))
    for learned, tested in divisions(data, 5, seed):
        rows = (X[tested], data.y.iloc[tested])
        fitted = model(row).fit(X[learned], data.y.iloc[learned])
        found += permutation_importance(fitted, *rows, n_repeats=5, random_state=seed).importances_mean
    return [name for name, value in zip(data.features, found, strict=True) if value > 0]


def stepwise(data: altsel.Dataset, row: Row, seed: int) -> list[str]:
    """SFS: add the feature that raises the cross-validated score most, while one does."""
    quality = altsel.CrossValidated(data, model(row), cv=KFold(3, shuffle=True, random_state=seed))
    chosen: list[str] = []
    reached = -np.inf
    while len(chosen) < len(data.features):
        scores = {name: quality([*chosen, name]) for name in data.features if name not in chosen}
        best = max(scores, key=lambda name: scores[name])
        if scores[best] <= reached:
            break
        chosen, reached = [*chosen, best], scores[best]
    return chosen


def by_ratios(data: altsel.Dataset, row: Row, seed: int) -> list[str]:
    """Grow-shrink by likelihood ratios, the idea of Mixed-MB."""
    return list(grow_shrink(LikelihoodRatio(data), 0.05)[0])


METHODS: dict[str, Callable[[altsel.Dataset, Row, int], list[str]]] = {
    "all": lambda data, row, seed: list(data.features),
    "PPFS as printed": printed,
    "PPFS, valid test": valid,
    "PIFS": by_importance,
    "SFS": stepwise,
    "grow-shrink, likelihood ratios": by_ratios,
}


def divisions(data: altsel.Dataset, folds: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Divide the rows for a cross-validation."""
    kind = StratifiedKFold if data.discrete_target else KFold
    return list(kind(folds, shuffle=True, random_state=seed).split(data.X, data.y))


def part(data: altsel.Dataset, rows: np.ndarray) -> altsel.Dataset:
    """Return some rows of a data set."""
    return altsel.Dataset(data.X.iloc[rows], data.y.iloc[rows], data.task)


def judged(
    data: altsel.Dataset, row: Row, names: list[str], learned: np.ndarray, tested: np.ndarray
) -> float:
    """Return accuracy, or the root of the mean squared error, of a model on the rows of a fold."""
    truth = data.y.iloc[tested].to_numpy()
    if names:
        X = data.X[names]
        said = model(row).fit(X.iloc[learned], data.y.iloc[learned]).predict(X.iloc[tested])
    else:
        own = data.y.iloc[learned]
        said = np.full(len(truth), own.mode()[0] if data.discrete_target else own.mean())
    return float((said == truth).mean() if data.discrete_target else np.sqrt(((said - truth) ** 2).mean()))


def places(row: Row, method: str, features: int) -> tuple[str, ...]:
    """Return where a method selects; nowhere if the paper has no figure of it for so many features."""
    if method == "all":
        return PLACES[:1]
    if features <= WIDE or method.startswith("PPFS"):
        return PLACES
    return PLACES[1:] if method in {"PIFS", "SFS"} and row.table == 4 else ()


def runs(
    folder: Path, row: Row, method: str, seeds: int, selected: tuple[str, ...]
) -> Iterator[tuple[str, float, float, float]]:
    """Select and judge: where the selection was made, figure, features and CPU seconds of each seed."""
    data = table(folder, row.data)
    select = METHODS[method]
    for seed in range(seeds):
        folds = divisions(data, row.cv, seed)
        for where in selected:
            began = time.process_time()
            if where == "all rows":
                sets = [select(data, row, seed)] * len(folds)
            else:
                sets = [select(part(data, learned), row, seed) for learned, _ in folds]
            seconds = time.process_time() - began
            scores = [judged(data, row, names, *fold) for names, fold in zip(sets, folds, strict=True)]
            figure = float(np.mean(scores))
            figure = 1 - figure if row.table == 4 else figure
            yield where, figure, float(np.mean([len(names) for names in sets])), seconds


def tables(folder: Path, only: list[str], seeds: int, methods: list[str]) -> None:
    """Keep one record for each row, method and place of selection."""
    for row in ROWS:
        if only and row.data not in only:
            continue
        for method in methods:
            selected = places(row, method, len(table(folder, row.data).features))
            found = list(runs(folder, row, method, seeds, selected))
            for where in selected:
                own = np.array([one[1:] for one in found if one[0] == where])
                digits = 0 if row.table == 5 else 4
                record: dict[str, object] = dict(zip(KEY, (*row.key, method, where), strict=True))
                record["figures"] = " ".join(f"{value:.{digits}f}" for value in own[:, 0])
                record |= {"features": f"{own[:, 1].mean():.1f}", "seconds": f"{own[:, 2].mean():.1f}"}
                keep("ppfs", record, KEY)
                print(*record.values(), sep=", ", flush=True)


def times(folder: Path) -> None:
    """Keep CPU seconds of a whole fit beside PyImpetus."""
    from PyImpetus import PPIMBC  # noqa: PLC0415

    for name, splits in (("wdbc", 50), ("ionosphere", 10)):
        data = table(folder, name)
        kinds: dict[str, dict[str, Any]] = {
            "printed": {"scheme": "random", "knockoff": "shuffle"},
            "valid": {},
            "linear": {"estimator": "linear"},
        }
        record: dict[str, object] = {"data": name, "B": splits}
        for kind, options in kinds.items():
            began = time.process_time()
            ppfs(PredictivePermutation(data, splits=splits, **options))
            record[kind] = f"{time.process_time() - began:.2f}"
        tree = DecisionTreeClassifier(random_state=0)
        peer = PPIMBC(tree, 0.05, num_simul=splits, cv=0, n_jobs=1, verbose=0)
        began = time.process_time()
        peer.fit(data.X.copy(), pd.Series(data.target_values().astype(int)))
        record["PyImpetus"] = f"{time.process_time() - began:.1f}"
        keep("ppfs_times", record, ["data"])
        print(*record.values(), sep=", ", flush=True)


def main() -> None:
    """Run the tables, or the run times, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=folder_of("*.csv.gz"), help="holds the data sets as .csv.gz")
    parser.add_argument(
        "--only", nargs="+", default=[], choices=list(dict.fromkeys(row.data for row in ROWS))
    )
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--seeds", type=whole(1), default=3, help="divisions of the rows")
    parser.add_argument("--times", action="store_true", help="of one selection, beside PyImpetus")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with in_one_line(parser):
        if given.times:
            times(given.folder)
        else:
            tables(given.folder, given.only, given.seeds, given.methods)
        write()


if __name__ == "__main__":
    main()
