"""What the criteria find on real data with each measure and form: sets, and how well a forest does with them.

Run: python -m benchmarks.defaults FOLDER [NAME …] > benchmarks/results/defaults.md
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score

import altsel
from altsel.measures import mutual_information, symmetric_uncertainty

NAMES = ("ionosphere", "sonar", "wdbc", "statlog-heart", "credit-approval", "musk1")
K, ALTERNATIVES, TAU, FOLDS, TREES = 5, 5, 0.5, 10, 200
MI, SU = "mutual information", "symmetric uncertainty"
WAYS: dict[str, tuple[str, Callable[[altsel.Dependence], altsel.models.Objective]]] = {
    "Univariate, MI (default)": (MI, altsel.Univariate),
    "mRMR k^2, MI (default before)": (MI, lambda given: altsel.MRMR(given, "k^2")),
    "mRMR k(k-1), MI (default)": (MI, altsel.MRMR),
    "mRMR k(k-1), SU": (SU, altsel.MRMR),
    "FCBF, MI (default before)": (MI, altsel.FCBF),
    "FCBF, SU (default)": (SU, altsel.FCBF),
    "CFS, MI (default before)": (MI, altsel.CFS),
    "CFS, SU (default)": (SU, altsel.CFS),
}


def judged(table: pd.DataFrame, target: pd.Series[int]) -> Callable[[Sequence[str]], float]:
    """Return a function of features: the mean accuracy of a forest over ten folds, the same for all."""

    @cache
    def accuracy(features: tuple[str, ...]) -> float:
        forest = RandomForestClassifier(TREES, random_state=0)
        coded = pd.get_dummies(table[list(features)])
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        return float(cross_val_score(forest, coded, target, cv=folds).mean())

    return lambda features: accuracy(tuple(features))


def rows_of(name: str, data: altsel.Dataset) -> list[str]:
    """Write one row a way: sets found, accuracy of the best and of all, the best set."""
    accuracy = judged(data.X, pd.Series(pd.factorize(data.y)[0]))
    given = {
        MI: altsel.dependence(data, mutual_information),
        SU: altsel.dependence(data, symmetric_uncertainty),
    }
    lines = [f"| {name} | all {len(data.features)} features | | {accuracy(data.features):.3f} | | |"]
    for label, (measure, make) in WAYS.items():
        criterion = make(given[measure])
        for k in range(K, 0, -1):  # FCBF may have no set of the size wanted
            found = altsel.sequential(altsel.Problem(criterion, k), altsel.Dice(TAU), ALTERNATIVES)
            if found.sets:
                break
        shares = [accuracy(one.features) for one in found]
        smaller = "" if k == K else f"none of {K}; k = {k}: "
        message = f"{smaller}{len(found)} of {ALTERNATIVES + 1} | {shares[0]:.3f} | {np.mean(shares):.3f}"
        lines.append(f"| {name} | {label} | {message} | {', '.join(found[0].features)} |")
    return lines


def main() -> None:
    """Print a table of all data sets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=list(NAMES))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"# What each criterion finds: k = {K}, {ALTERNATIVES} alternatives, Dice {TAU}\n")
    print(
        "`python -m benchmarks.defaults FOLDER`. "
        f"Accuracy: forest of {TREES} trees, {FOLDS} folds, sets chosen on all rows (to compare the ways).\n"
    )
    print("| data | criterion | sets | accuracy of the first | mean of all sets | first set |")
    print("|---|---|---|---|---|---|")
    for name in arguments.names:
        path = arguments.folder / f"{name}.csv.gz"
        table = pd.read_csv(path, keep_default_na=False, na_values=["", "?"])
        data = altsel.Dataset(table, "target", missing="drop rows")
        print("\n".join(rows_of(name, data)), flush=True)


if __name__ == "__main__":
    main()
