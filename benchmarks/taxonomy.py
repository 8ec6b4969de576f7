"""Classes of features in simulated data: whether the schemes agree, and how often noise is redundant.

Run: python -m benchmarks.taxonomy [--sets 200] > benchmarks/results/taxonomy.md
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
import pandas as pd

import altsel
from altsel.results import FeatureClass, Relevance
from benchmarks.command import stamped

AGREE = {
    FeatureClass.INDISPENSABLE: Relevance.STRONG,
    FeatureClass.REPLACEABLE: Relevance.WEAK,
    FeatureClass.REDUNDANT: Relevance.WEAK,
    FeatureClass.IRRELEVANT: Relevance.IRRELEVANT,
}
CORRECTIONS = ("holm", "benjamini-hochberg", "none")


def one_cause(random: np.random.Generator) -> altsel.Dataset:
    """Make 50 features of noise and one cause, 500 rows."""
    table = pd.DataFrame(random.normal(size=(500, 50))).add_prefix("noise")
    table["cause"] = random.normal(size=500)
    return altsel.Dataset(table, (2 * table["cause"] + random.normal(size=500)).rename("y"))


def with_relatives(random: np.random.Generator) -> altsel.Dataset:
    """Make two causes, a copy with noise of each, their own causes, and 30 features of noise, 300 rows."""
    table = pd.DataFrame(random.normal(size=(300, 30))).add_prefix("noise")
    for name in ("a", "b"):
        table[f"far_{name}"] = random.normal(size=300)
        table[name] = table[f"far_{name}"] + random.normal(size=300)
        table[f"near_{name}"] = table[name] + 0.3 * random.normal(size=300)
    return altsel.Dataset(table, (table["a"] + table["b"] + random.normal(size=300)).rename("y"))


def of_classes(random: np.random.Generator) -> altsel.Dataset:
    """Make two causes of a class, a recoded copy of one, and 30 features of three values, 400 rows."""
    table = pd.DataFrame(random.integers(0, 3, size=(400, 30))).add_prefix("noise")
    table["a"], table["b"] = random.integers(0, 3, size=(2, 400))
    table["copy"] = (table["a"] + 1) % 3
    logit = 1.5 * (table["a"] - 1) + (table["b"] == 2) - 0.3
    return altsel.Dataset(
        table, pd.Series(random.random(400) < 1 / (1 + np.exp(-logit)), name="y").astype(int)
    )


SETTINGS: dict[str, Callable[[np.random.Generator], altsel.Dataset]] = {
    "one cause, 50 noise": one_cause,
    "two causes, relatives, 30 noise": with_relatives,
    "classes, a copy, 30 noise": of_classes,
}


def examined(make: Callable[[np.random.Generator], altsel.Dataset], sets: int, correction: str) -> str:
    """Count sets with a contradiction between the classes, with noise called redundant, and such features."""
    disagree = families = false = noise = said = 0
    for seed in range(sets):
        test = altsel.independence.auto(make(np.random.default_rng(seed)))
        found = altsel.blankets.tmfbs(test, 1e-3)
        told = altsel.taxonomy(found, test, 0.05, correction=correction)
        disagree += any(AGREE[one.feature_class] is not one.relevance for one in told)
        redundant = [name for name in told.of("redundant") if name.startswith("noise")]
        families += bool(redundant)
        false += len(redundant)
        noise += sum(one.feature.startswith("noise") and not one.share for one in told)
        said += bool(told.contradictions)
    error = (families / sets * (1 - families / sets) / sets) ** 0.5
    return f"{disagree} of {sets} | {families / sets:.3f} ± {error:.3f} | {false / noise:.4f} | {said}"


def main() -> None:
    """Print one row a setting and correction."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=200)
    sets = parser.parse_args().sets
    print(stamped("# Classes of features in simulated data, alpha = .05 (search: TMFBS, alpha = .001)"))
    print(f"`python -m benchmarks.taxonomy --sets {sets}`.\n")
    print("| data | correction | classes disagree | any noise redundant | of noise | contradicted |")
    print("|---|---|---|---|---|---|")
    for name, make in SETTINGS.items():
        for correction in CORRECTIONS:
            print(f"| {name} | {correction} | {examined(make, sets, correction)} |", flush=True)


if __name__ == "__main__":
    main()
