"""What `altsel.performance` and `altsel.shadow` say of data of which the truth is known, and of real data.

    python -m benchmarks.performance null        # the permutation null on 200 data sets with nothing to find
    python -m benchmarks.performance bias        # plain and nested scores beside 20,000 fresh rows
    python -m benchmarks.performance real FOLDER # ten data sets of PMLB

Each prints a section of benchmarks/results/performance.md.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from sklearn.linear_model import LogisticRegression, Ridge

import altsel
from altsel import catalogue
from altsel.catalogue import EstimatorName
from altsel.data.frames import to_table
from benchmarks.command import stamped
from benchmarks.instances import filled

NULLS, PERMUTATIONS, LEVEL = 200, 19, 0.05
WIDTHS, REPEATS, ROWS, FRESH = (10, 50, 200), 30, 80, 20_000
SETS = (
    "backache",
    "credit_a",
    "hepatitis",
    "horse_colic",
    "house_votes_84",
    "ionosphere",
    "sonar",
    "spect",
    "spectf",
    "wdbc",
)


def best(
    measure: altsel.measures.Measure, k: int, alternatives: int
) -> Callable[[altsel.Dataset], altsel.Solutions]:
    """Return a search by sums of relevances."""

    def search(rows: altsel.Dataset) -> altsel.Solutions:
        quality = altsel.Univariate(altsel.dependence(rows, measure))
        return altsel.sequential(altsel.Problem(quality, k), altsel.Dice(0.5), alternatives)

    return search


def null() -> None:
    """Print how often p is at most .05 where nothing is to be found."""
    search, alone = (best(altsel.measures.absolute_pearson, 3, count) for count in (1, 0))
    p: dict[str, list[float]] = {"best of the sets, predictions": [], "set 0, predictions": []}
    p |= {
        "best set, score (shadow)": [],
        "most relevant feature (shadow)": [],
        "one given feature (shadow)": [],
    }
    plain, nested = [], []
    for seed in range(NULLS):
        random = np.random.default_rng(seed)
        data = altsel.Dataset(random.normal(size=(40, 8)), random.normal(size=40))
        more: dict[str, Any] = {
            "cv": 3,
            "search": search,
            "nested": True,
            "permutations": PERMUTATIONS,
            "random_state": seed,
        }
        scored = altsel.performance(search(data), data, Ridge(), scoring="neg_mean_squared_error", **more)
        level = altsel.shadow(
            data, altsel.measures.absolute_pearson, PERMUTATIONS, LEVEL, search=alone, random_state=seed
        )
        assert scored.p_null is not None
        assert scored[0].p_null is not None
        p["best of the sets, predictions"].append(scored.p_null)
        p["set 0, predictions"].append(scored[0].p_null)
        p["best set, score (shadow)"].append(level.p_of(search(data)[0].score))
        p["most relevant feature (shadow)"].append(min(one.p_any for one in level.features))
        p["one given feature (shadow)"].append(level.features[0].p)
        none = scored.no_features.value
        plain.append(scored[0].score.value - none)
        nested.append(scored[0].nested.value - none if scored[0].nested else 0.0)
    low, high = stats.binom.interval(0.95, NULLS, LEVEL)
    print(
        f"## Nothing to find\n\n{NULLS} data sets of 40 rows, 8 features and a target "
        "that are independent normal,"
    )
    print(
        f"the best three features and an alternative, {PERMUTATIONS} permutations. "
        f"Rejections at {LEVEL:g} that"
    )
    print(f"are compatible with the level: {low:.0f} to {high:.0f} of {NULLS} (95 %).\n")
    print("| p of | rejections |\n|---|---|")
    for name, values in p.items():
        print(f"| {name} | {sum(value <= LEVEL + 1e-9 for value in values)} |")
    for name, gains in (("set 0, plain", plain), ("searched again in every fold", nested)):
        error = np.std(gains, ddof=1) / NULLS**0.5
        print(
            f"\nMean gain over no features, negative squared error, {name}: "
            f"{np.mean(gains):+.3f} ± {error:.3f}."
        )


def bias() -> None:
    """Print plain and nested accuracies beside those on fresh rows."""
    print("\n## Selection bias\n")
    print(
        f"{REPEATS} data sets of {ROWS} rows, two classes, five informative features "
        "(means 0 and 0.5 apart) among p"
    )
    print(
        "independent normal ones; the five with the largest correlation, logistic "
        "regression, ten folds. True: the"
    )
    print(f"model fitted to all rows, on {FRESH} fresh ones. Means ± standard errors over the data sets.\n")
    print(
        "| p | plain | searched again | true | plain less true | searched again less "
        "true |\n|---|---|---|---|---|---|"
    )
    for width in WIDTHS:
        rows = [_one(width, seed) for seed in range(REPEATS)]
        plain, nested, true = np.array(rows).T
        cells = [plain, nested, true, plain - true, nested - true]
        said = " | ".join(f"{c.mean():.3f} ± {c.std(ddof=1) / REPEATS**0.5:.3f}" for c in cells)
        print(f"| {width} | {said} |", flush=True)


def _one(width: int, seed: int) -> tuple[float, float, float]:
    search = best(altsel.measures.absolute_pearson, 5, 0)
    random = np.random.default_rng((width, seed))
    data = altsel.Dataset(*_drawn(random, ROWS, width))
    X, y = _drawn(random, FRESH, width)
    found, model = search(data), LogisticRegression()
    scored = altsel.performance(found, data, model, search=search, nested=True, random_state=seed)
    names = list(found[0].features)
    true = model.fit(data.X[names].to_numpy(), data.y).score(X[:, [int(name[1:]) for name in names]], y)
    assert scored[0].nested is not None
    return scored[0].score.value, scored[0].nested.value, float(true)


def _drawn(random: np.random.Generator, rows: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    y = random.integers(0, 2, rows)
    X = random.normal(size=(rows, width))
    X[:, :5] += 0.5 * y[:, None]
    return X, y


def real(folder: Path) -> None:
    """Print the scores of the best set and three alternatives of ten data sets."""
    print("\n## Ten data sets of PMLB\n")
    print(
        "mRMR by the correlation ratio, k = 5, three alternatives (Dice 0.5), a forest "
        "of 50 trees, accuracy on the same"
    )
    print(
        "ten folds, ± 95 % by the corrected resampled t. Again: set 0 searched again in "
        "every fold. p: the smallest p"
    )
    print("of an alternative against set 0, Holm, of scores and of losses.\n")
    print(
        "| data | rows x features | none | all | set 0 | set 1 | set 2 | set 3 | set 0 "
        "again | p, scores | p, losses |"
    )
    print(f"|{'---|' * 11}")
    for name in SETS:
        table = to_table(folder / f"{name}.csv.gz")
        target = table.pop("target")
        data = altsel.Dataset(table.apply(filled), target)
        found = _mrmr(data)
        forest = catalogue.predictor(EstimatorName.FOREST, data, seed=0)
        forest.set_params(randomforestclassifier__n_estimators=50)
        scored = altsel.performance(found, data, forest, search=_mrmr, nested=True)
        sets = [str(one.score) for one in scored.sets] + [""] * (4 - len(scored))
        assert scored.comparisons is not None
        p = [min(pair.adjusted[test] for pair in scored.comparisons) for test in (0, 1)]
        cells = [
            name,
            f"{len(data.y)} x {len(data.features)}",
            str(scored.no_features),
            str(scored.all_features),
        ]
        cells += [*sets, str(scored[0].nested), *(f"{value:.2g}" for value in p)]
        print(f"| {' | '.join(cells)} |", flush=True)


def _mrmr(rows: altsel.Dataset) -> altsel.Solutions:
    quality = altsel.MRMR(altsel.dependence(rows, altsel.measures.correlation_ratio))
    return altsel.sequential(altsel.Problem(quality, 5), altsel.Dice(0.5), 3)


def main() -> None:
    """Run one part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=["null", "bias", "real"])
    parser.add_argument("folder", type=Path, nargs="?")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    began = time.process_time()
    print(stamped())
    if options.part == "real":
        real(options.folder)
    else:
        {"null": null, "bias": bias}[options.part]()
    print(f"\n{time.process_time() - began:.0f} s of CPU.")


if __name__ == "__main__":
    main()
