"""How often tests by predictive permutation reject a true null, and find a feature that adds something.

Run: python -m benchmarks.predictive [--repeats 1000] [--processes 2]
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

import altsel
from benchmarks.command import stamped

CASES = {
    "alone": "x and y independent, nothing given",
    "independent": "y of u1 + u2; x independent of all",
    "correlated": "y of u1 + u2; x = u1 + noise / 2",
    "skewed": "y of u1 + u2; x = exp(u1 + 0.7 noise)",
    "curved": "y of u1 + u2; x = u1^2 + noise / 2",
    "adds .5": "y of u1 + u2 + x / 2; x independent",
    "adds .5, correlated": "y of u1 + u2 + x / 2; x = u1 + noise",
    "alone, .5": "y of x / 2, nothing given",
    "collider": "other -> child <- y; other, nothing given",
    "collider, given": "other -> child <- y; other given the child",
}
"""What each sample is drawn from; noise of y is of variance 1, classes are signs of y."""


@dataclass(frozen=True)
class Cell:
    """One row of the table."""

    case: str
    task: str
    estimator: str
    rows: int
    scheme: str = "folds"
    splits: int = 10
    knockoff: str = "conditional"


def sample(cell: Cell, seed: int) -> tuple[altsel.Dataset, str, list[str]]:
    """Draw a table, the feature tested, and what is given."""
    random = np.random.default_rng([seed, cell.rows])
    x, u1, u2, noise, other = random.normal(size=(5, cell.rows))
    given = [] if cell.case.startswith("alone") else ["u1", "u2"]
    signal = (u1 + u2) * bool(given)
    if cell.case == "correlated":
        x = u1 + 0.5 * x
    if cell.case == "skewed":
        x = np.exp(u1 + 0.7 * x)
    if cell.case == "curved":
        x = u1**2 + 0.5 * x
    if cell.case == "adds .5, correlated":
        x = u1 + x
    if ".5" in cell.case:
        signal = signal + 0.5 * x
    y = signal + noise
    table = pd.DataFrame({"x": x, "u1": u1, "u2": u2})
    if cell.case.startswith("collider"):
        y, given = noise, ["child"] if cell.case.endswith("given") else []
        table = pd.DataFrame({"x": x, "child": x + y + 0.5 * other})
    target = np.where(y > np.median(y), "yes", "no") if cell.task == "classes" else y
    return altsel.Dataset(table, target), "x", given


def tested(data: altsel.Dataset, cell: Cell, seed: int) -> altsel.independence.PredictivePermutation:
    """Make the test of a cell."""
    knockoff: Any = cell.knockoff
    if knockoff == "conditional, forest":
        from sklearn.ensemble import RandomForestRegressor  # noqa: PLC0415

        knockoff = altsel.independence.Conditional(RandomForestRegressor(100, min_samples_leaf=5))
    estimator: Any = cell.estimator
    if estimator == "tree, leaves of 10":
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # noqa: PLC0415

        kind = DecisionTreeClassifier if cell.task == "classes" else DecisionTreeRegressor
        estimator = kind(min_samples_leaf=10)
    return altsel.independence.PredictivePermutation(
        data,
        estimator,
        scheme=cell.scheme,
        splits=cell.splits,
        knockoff=knockoff,
        random_state=seed,
    )


def one(cell: Cell, seed: int) -> tuple[float, float]:
    """Test one sample; p and seconds of CPU."""
    warnings.simplefilter("ignore")
    data, feature, given = sample(cell, seed)
    began = time.process_time()
    p = float(tested(data, cell, seed)([feature], given).p[0])
    return p, time.process_time() - began


def cells() -> Iterator[Cell]:
    """List the rows of the table."""
    for task in ("classes", "numbers"):
        for rows in (100, 400):
            yield from (Cell("alone", task, estimator, rows) for estimator in ("tree", "linear"))
        for splits in (10, 30, 50):
            yield Cell("alone", task, "tree", 100, "random", splits, "shuffle")
        yield Cell("alone", task, "linear", 100, "random", 30, "shuffle")
        for case in ("independent", "correlated"):
            for estimator in ("linear", "tree, leaves of 10", "tree"):
                yield Cell(case, task, estimator, 300)
                yield Cell(case, task, estimator, 300, knockoff="shuffle")
            yield Cell(case, task, "linear", 300, "random", 30, "shuffle")
        for estimator in ("linear", "tree"):
            yield Cell("skewed", task, estimator, 300)
            yield Cell("skewed", task, estimator, 300, knockoff="shuffle")
        for knockoff in ("conditional", "conditional, forest"):
            yield Cell("curved", task, "tree, leaves of 10", 300, knockoff=knockoff)
        for case in ("adds .5", "adds .5, correlated", "alone, .5"):
            yield from (Cell(case, task, estimator, 300) for estimator in ("linear", "tree"))
        yield Cell("adds .5", task, "linear", 300, knockoff="shuffle")
        yield from (Cell("collider", task, estimator, 1000) for estimator in ("linear", "tree"))
        yield from (Cell("collider, given", task, estimator, 1000) for estimator in ("linear", "tree"))


def repeats(cell: Cell, most: int) -> int:
    """Return how many samples are drawn: fewer where a test takes long."""
    slow = (
        "forest" in cell.knockoff
        or cell.rows == 1000
        or (cell.scheme == "random" and cell.estimator != "tree")
    )
    return max(most // (10 if "forest" in cell.knockoff else 4 if slow else 1), 20)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    run: Callable[..., Any] = Parallel(n_jobs=given.processes)
    print(stamped())
    print("| case | target | model | rows | scheme | replaced | p <= .05 | p <= .01 | samples | ms |")
    print("|---|---|---|---:|---|---|---:|---:|---:|---:|")
    for cell in cells():
        number = repeats(cell, given.repeats)
        p, seconds = np.array(run(delayed(one)(cell, seed) for seed in range(number))).T
        print(
            f"| {cell.case} | {cell.task} | {cell.estimator} | {cell.rows} | {cell.scheme} {cell.splits} | "
            f"{cell.knockoff} | {np.mean(p <= 0.05):.3f} | {np.mean(p <= 0.01):.3f} | {number} | "
            f"{1000 * seconds.mean():.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
