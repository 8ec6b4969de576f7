"""How often tests for ordinal data, counts and clustered rows reject true nulls, next to tests of other data.

Run: OMP_NUM_THREADS=1 python -m benchmarks.kinds_of_data [--repeats 300]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

import altsel
from altsel.independence import (
    GSquare,
    Independence,
    LikelihoodRatio,
    NegativeBinomial,
    PartialCorrelation,
    Permutations,
    Poisson,
    RobustScore,
    Trend,
)
from benchmarks.command import stamped

CANDIDATES = 20
NAMES = [str(j) for j in range(CANDIDATES)]
LEVEL = 0.05
Tests = dict[str, Independence]
Case = Callable[[np.random.Generator], Tests]


def table(columns: np.ndarray, given: np.ndarray, y: np.ndarray, **options: object) -> altsel.Dataset:
    """Make a data set of candidates ``0``, ``1``, … and a given feature ``s``."""
    frame = pd.DataFrame(columns).rename(columns=str).assign(s=given)
    return altsel.Dataset(frame, pd.Series(y, name="y"), **options)  # type: ignore[arg-type]


def ordinal(rows: int, effect: float) -> Case:
    """Draw five levels of candidates and four of the target; s is ordinal too, and acts by no line."""

    def draw(random: np.random.Generator) -> Tests:
        s = random.integers(0, 4, rows)
        shift = np.array([0.0, 1.0, 1.0, 0.0])[s]
        scores = np.digitize(random.normal(size=(rows, CANDIDATES)) + shift[:, None], [-0.7, 0.1, 0.8, 1.5])
        latent = shift + effect * scores[:, 0] + random.logistic(size=rows)
        y = np.digitize(latent, [-0.5, 0.7, 2])
        kinds = {**dict.fromkeys(NAMES, "ordinal"), "s": "ordinal"}
        ordered = table(scores, s, y, kinds={**kinds, "y": "ordinal"})
        plain = table(scores, s, y, kinds=dict.fromkeys(kinds, "categorical"))
        return {
            "trend test": Trend(ordered),
            "proportional odds": LikelihoodRatio(ordered),
            "G-square": GSquare(plain),
            "multinomial regression": LikelihoodRatio(plain, samples_per_parameter=0),
        }

    return draw


def counts(rows: int, dispersion: float, effect: float) -> Case:
    """Draw counts of mean 8 that vary by s, a candidate, and a gamma variable."""

    def draw(random: np.random.Generator) -> Tests:
        s = random.normal(size=rows)
        x = random.normal(size=(rows, CANDIDATES)) + 0.7 * s[:, None]
        mean = 8 * np.exp(0.4 * s + effect * x[:, 0])
        if dispersion:
            mean = mean * random.gamma(1 / dispersion, dispersion, rows)
        data = table(x, s, random.poisson(mean), kinds={"y": "count"})
        return {
            "negative binomial": LikelihoodRatio(data, family=NegativeBinomial()),
            "chosen by auto": altsel.independence.auto(data),
            "Poisson": LikelihoodRatio(data, family=Poisson()),
            "linear": PartialCorrelation(data),  # what auto chooses if counts are not declared
        }

    return draw


def clustered(clusters: int, size: int, share: float, target: str, effect: float) -> Case:
    """Draw targets of intraclass correlation 0.3, and candidates of another; 1: constant in clusters."""
    cluster = np.repeat(np.arange(clusters), size)

    def mixed(random: np.random.Generator, part: float, *shape: int) -> np.ndarray:
        common = random.normal(size=(clusters, *shape))[cluster]
        own = random.normal(size=(len(cluster), *shape))
        return np.asarray(np.sqrt(part) * common + np.sqrt(1 - part) * own)

    def draw(random: np.random.Generator) -> Tests:
        s = mixed(random, 1.0)
        x = mixed(random, share, CANDIDATES)
        latent = mixed(random, 0.3) + 0.5 * s + effect * x[:, 0]
        y = latent if target == "number" else (latent > 0).astype(int)
        data = table(x, s, y)
        tests: Tests = {
            "generalised score": RobustScore(data, cluster),
            "likelihood ratio, rows independent": LikelihoodRatio(data),
        }
        if target != "number" and clusters >= 40:
            flat = table((x > 0).astype(int), (s > 0).astype(int), y)
            moved = Permutations(99)
            tests["G-square, permuted by cluster"] = GSquare(flat, permutations=moved, groups=cluster)
            tests["G-square, permuted by row"] = GSquare(flat, permutations=moved)
        return tests

    return draw


def cases() -> Iterator[tuple[str, Case, Case]]:
    """Yield what is drawn, without any effect and with one of the first candidate."""
    for rows in (60, 300):
        yield f"ordinal, {rows} rows", ordinal(rows, 0.0), ordinal(rows, 0.25)
    for rows in (60, 300):
        for dispersion in (0.0, 0.3, 1.0):
            name = f"counts, {rows} rows, dispersion {dispersion:g}"
            yield name, counts(rows, dispersion, 0.0), counts(rows, dispersion, 0.15)
    for clusters in (15, 40):
        for target in ("number", "classes"):
            for share, kind in ((1.0, "constant in clusters"), (0.3, "varying")):
                name = f"{clusters} clusters of 10, {target}, feature {kind}"
                one, other = (clustered(clusters, 10, share, target, effect) for effect in (0.0, 0.25))
                yield name, one, other


def rates(case: Case, repeats: int, names: list[str]) -> dict[str, float]:
    """Share of the candidates with p of at most 0.05, given s."""
    found: dict[str, list[float]] = {}
    for seed in range(repeats):
        for name, test in case(np.random.default_rng(seed)).items():
            found.setdefault(name, []).append(float((test(names, ["s"]).p <= LEVEL).mean()))
    return {name: float(np.mean(values)) for name, values in found.items()}


def main() -> None:
    """Print one row a case and test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=300)
    repeats = parser.parse_args().repeats
    warnings.simplefilter("ignore")
    print(stamped())
    print("| data | test | true nulls rejected at 0.05 | a feature with an effect found |")
    print("|---|---|---|---|")
    for name, null, effect in cases():
        found = rates(effect, repeats, NAMES[:1])
        for test, rate in rates(null, repeats, NAMES).items():
            print(f"| {name} | {test} | {rate:.3f} | {found[test]:.3f} |", flush=True)


if __name__ == "__main__":
    main()
