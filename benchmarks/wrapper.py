"""Hill climbing with a solver's help: hold-out quality against alfese's GreedyWrapperSelector.

    python -m benchmarks.wrapper FOLDER [--splits 10] [--calls 300]  # writes benchmarks/results/wrapper.md

For wdbc, sonar and ionosphere in the folder (``*.csv.gz``, column ``target``): k = 5, the best set and two
alternatives (Dice, 0.5), so many solver calls for each set, one thread. Every outer split is stratified,
80:20; the searches see its training rows alone, on which both judge a set by the MCC of a decision tree
(entropy) on the same inner 80:20 split (seed 25, as alfese does). The table says what a tree that learns
all training rows reaches on the test rows, as mean over splits and sets. Attempts of altsel are counted
whether a solver had to be called or not. Seconds are of the clock.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import matthews_corrcoef
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import altsel
from altsel.data.frames import to_table
from benchmarks.command import stamped

NAMES = ("wdbc", "sonar", "ionosphere")
RESULTS = Path(__file__).parent / "results" / "wrapper.md"
K, ALTERNATIVES, TAU = 5, 2, 0.5
INNER = StratifiedShuffleSplit(1, test_size=0.2, random_state=25)
Found = tuple[list[list[str]], list[float]]


def tree() -> DecisionTreeClassifier:
    """Make the model of AFS."""
    return DecisionTreeClassifier(criterion="entropy", random_state=25)


def with_alfese(X: pd.DataFrame, y: pd.Series, calls: int) -> Found:
    """Search by alfese; return the sets and their inner quality."""
    import alfese  # noqa: PLC0415  (an extra)

    selector = alfese.GreedyWrapperSelector(prediction_model=tree(), max_iters=calls)
    selector.set_data(X_train=X, X_test=X, y_train=y, y_test=y)
    table = selector.search_sequentially(k=K, num_alternatives=ALTERNATIVES, tau=TAU)
    sets = [[X.columns[j] for j in indices] for indices in table["selected_idxs"]]
    return sets, table["train_objective"].tolist()


def with_altsel(cv: object, restarts: int) -> Callable[[pd.DataFrame, pd.Series, int], Found]:
    """Make the same by altsel, for an inner validation and a number of restarts."""

    def search(X: pd.DataFrame, y: pd.Series, calls: int) -> Found:
        quality = altsel.CrossValidated(altsel.Dataset(X, y), tree(), "matthews_corrcoef", cv)
        problem = altsel.Problem(altsel.BlackBox(quality), K)
        climb = altsel.HillClimbing(max_iters=calls, restarts=restarts)
        found = altsel.wrapper(problem, altsel.Dice(TAU), ALTERNATIVES, climb)
        return [list(subset) for subset in found], [subset.score for subset in found]

    return search


TOOLS = {
    "alfese": with_alfese,
    "altsel, one hill": with_altsel(INNER, 0),
    "altsel, restarts": with_altsel(INNER, 1000),
    "altsel, restarts, 5 folds": with_altsel(5, 1000),
}


def main() -> None:
    """Run all and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--calls", type=int, default=300)
    wanted = parser.parse_args()
    lines = ["data | tool | inner MCC | hold-out MCC | seconds a search", "--- | --- | --- | --- | ---"]
    for name in NAMES:
        table = to_table(wanted.folder / f"{name}.csv.gz")
        y = table.pop("target")
        X = table.loc[:, (table != table.iloc[0]).any()]
        outer = StratifiedShuffleSplit(wanted.splits, test_size=0.2, random_state=0)
        splits = list(outer.split(X, y))
        for tool, search in TOOLS.items():
            inner, held, seconds = [], [], []
            for train, test in splits:
                X_train, y_train = X.iloc[train].reset_index(drop=True), y.iloc[train].reset_index(drop=True)
                began = time.perf_counter()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", altsel.DataWarning)
                    sets, scores = search(X_train, y_train, wanted.calls)
                seconds.append(time.perf_counter() - began)
                inner += scores
                for subset in sets:
                    model = tree().fit(X_train[subset], y_train)
                    held.append(matthews_corrcoef(y.iloc[test], model.predict(X.iloc[test][subset])))
            error = np.std(held) / np.sqrt(len(held))
            cells = f"{np.mean(inner):.3f} | {np.mean(held):.3f} ± {error:.3f} | {np.mean(seconds):.1f}"
            lines.append(f"{name} | {tool} | {cells}")
            print(lines[-1], flush=True)
    text = "# Hill climbing\n\n`python -m benchmarks.wrapper FOLDER`. " + (__doc__ or "").split("\n\n")[2]
    RESULTS.write_text(stamped(text + "\n" + "\n".join(f"| {line} |" for line in lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
