"""How often tests of equivalence reject pairs of sets that are equivalent, and accept pairs that are not.

Run: python -m benchmarks.null_behaviour [--repeats 500]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd

import altsel
from altsel.results.comparison import Definition
from altsel.stats.equivalence import SetTest
from benchmarks.command import stamped
from benchmarks.protocol import usual_test

Made = tuple[altsel.Dataset, altsel.Dataset]
PAIRS = {
    "noise": (("a", "b", "n1", "n2", "n3"), ("a", "b", "n4", "n5", "n6")),
    "halves": (("a",), ("b",)),
    "proxy": (("a", "b"), ("a", "proxy")),
}
"""Equivalent in every sense; of the same performance only (PEQ); not equivalent."""


def made(rows: int, seed: int, classes: bool) -> Made:
    """Draw rows to fit to and as many to judge on: ``y = a + b + noise``, or the sign of it."""
    random = np.random.default_rng(seed)
    names = ["a", "b", *(f"n{j}" for j in range(1, 7))]
    table = pd.DataFrame(random.normal(size=(2 * rows, len(names))), columns=names)
    table["proxy"] = table["b"] + 0.5 * random.normal(size=2 * rows)
    y = table["a"] + table["b"] + random.logistic(size=2 * rows)
    table["y"] = (y > 0).astype(int) if classes else y
    train = altsel.Dataset(table[:rows], "y")
    return train, train.holdout(table[rows:].drop(columns="y"), table["y"][rows:])


def tests(data: Made) -> dict[str, SetTest]:
    """Make every test, on the rows fitted to or on hold-out rows."""
    train, rest = data
    models, held = altsel.comparison.GLMModels(train), altsel.comparison.SklearnModels(train, holdout=rest)
    signs = altsel.comparison.SignFlips(200)
    message: dict[str, SetTest] = {
        "permutation variance (PEQ)": altsel.comparison.PermutedVariance(models, signs),
        "permutation variance, hold-out (PEQ)": altsel.comparison.PermutedVariance(held, signs),
        "permutation mean, hold-out (PEQ)": altsel.comparison.PermutedMean(held, signs),
        "paired t on losses (PEQ)": altsel.comparison.PairedT(models),
        "paired t on losses, hold-out (PEQ)": altsel.comparison.PairedT(held),
        "Wilcoxon on losses, hold-out (PEQ)": altsel.comparison.Wilcoxon(held),
        "paired t on predictions, hold-out (MEQ)": altsel.comparison.PairedT(held, Definition.MODEL),
        "Wilcoxon on predictions, hold-out (MEQ)": altsel.comparison.Wilcoxon(held, Definition.MODEL),
        "Vuong variance (MEQ)": altsel.comparison.Vuong(models),
        "comprehensive (IEQ)": altsel.comparison.Comprehensive(models),
        "J-test (IEQ)": altsel.comparison.JTest(models),
        "by tests of independence (IEQ)": altsel.comparison.ByIndependence(usual_test(train)),
        "TOST, margin 5 % of the loss, hold-out": altsel.comparison.TOST(held, 0.05, relative=True),
        "non-inferiority, 5 %, hold-out": altsel.comparison.NonInferiority(held, 0.05, relative=True),
    }
    if train.discrete_target:
        message["permutation AUC, hold-out (PEQ)"] = altsel.comparison.PermutedAUC(held, signs)
    return message


def combined(train: altsel.Dataset) -> Callable[[tuple[str, ...], tuple[str, ...]], bool]:
    """Make the criterion that TMFBS recommends, on the rows fitted to."""
    judge = altsel.comparison.recommended_criterion(usual_test(train), signs=altsel.comparison.SignFlips(200))
    return lambda first, second: judge(first, second).equivalent


def shares(rows: int, repeats: int, classes: bool) -> dict[str, list[float]]:
    """Share of the pairs of each kind that are called equivalent, by test."""
    counts: dict[str, list[int]] = {}
    for seed in range(repeats):
        data = made(rows, seed, classes)
        judges: dict[str, Callable[..., bool]] = {
            name: (lambda first, second, test=test: test(first, second).equivalent(0.05))
            for name, test in tests(data).items()
        }
        judges["recommended: variance, then comprehensive"] = combined(data[0])
        for name, judge in judges.items():
            row = counts.setdefault(name, [0] * len(PAIRS))
            for index, pair in enumerate(PAIRS.values()):
                row[index] += judge(*pair)
    return {name: [count / repeats for count in row] for name, row in counts.items()}


def main() -> None:
    """Print one table a kind of target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=500)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(stamped())
    for classes in (False, True):
        print(f"\n## {'Two classes' if classes else 'Numbers'}\n")
        print(
            "| test | rows | equivalent, rejected | same performance only, rejected | different, accepted |"
        )
        print("|---|---|---|---|---|")
        for rows in (100, 1000, 10_000):
            repeats = given.repeats if rows < 10_000 else max(given.repeats // 5, 20)
            for name, (same, halves, proxy) in shares(rows, repeats, classes).items():
                print(f"| {name} | {rows} | {1 - same:.3f} | {1 - halves:.3f} | {proxy:.3f} |", flush=True)


if __name__ == "__main__":
    main()
