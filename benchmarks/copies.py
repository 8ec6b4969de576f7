"""Alternatives before and after copies and near copies are grouped, and a brute force over units.

Spectra are simulated: 215 rows of 100 channels, sums of eight absorption bands of a width of 20 to 40
channels and a sloping base line, with noise of 1e-4; the target is the amount of one substance, which makes
two bands. The wide table is simulated too: 165 rows of 1,107 binary columns, made of 363 different ones and
744 copies, every third of them with 0 and 1 exchanged. Ionosphere is real.

Run: python -m benchmarks.copies [FOLDER] > benchmarks/results/copies.md
FOLDER holds further sets as CSV, whose columns are grouped only.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

import altsel
from benchmarks.command import stamped

ROOT = Path(__file__).parents[1]
K, ALTERNATIVES, TAU, NEAR = 3, 5, 0.5, 0.999
FURTHER = ("ada", "arcene", "leukemia", "musk1", "spambase", "uji-longitude", "wdbc")
Criterion = Callable[[altsel.Dependence], altsel.models.Objective]
CRITERIA: dict[str, Criterion] = {"Univariate": altsel.Univariate, "mRMR": altsel.MRMR}


def spectra(rows: int = 215, channels: int = 100) -> altsel.Dataset:
    """Simulate smooth spectra, and the amount of a substance that two of their bands tell."""
    random = np.random.default_rng(0)
    where = np.arange(channels)
    centre, width = random.uniform(0, channels, 8), random.uniform(20, 40, 8)
    bands = np.exp(-(((where - centre[:, None]) / width[:, None]) ** 2))
    amount = random.gamma(4, 0.25, (rows, 8))
    amount[:, 5] = amount[:, 2]
    base = random.normal(2, 0.5, (rows, 1)) + random.normal(0, 0.2, (rows, 1)) * where / channels
    table = base + amount @ bands + random.normal(0, 1e-4, (rows, channels))
    names = [f"x_{j:03d}" for j in where]
    return altsel.Dataset(pd.DataFrame(table, columns=names), 10 * amount[:, 2] + random.normal(0, 1, rows))


def wide(rows: int = 165, distinct: int = 363, columns: int = 1107) -> altsel.Dataset:
    """Simulate fingerprints of molecules: binary columns, two thirds of them copies, and an activity."""
    random = np.random.default_rng(0)
    share = random.uniform(0.05, 0.5, distinct)
    parts = (random.random((rows, distinct)) < share).astype(int)
    origin = np.concatenate([np.arange(distinct), random.integers(0, distinct, columns - distinct)])
    table = parts[:, origin]
    table[:, distinct::3] = 1 - table[:, distinct::3]
    order = random.permutation(columns)
    names = [f"bit{j:04d}" for j in range(columns)]
    y = parts[:, :20] @ random.normal(size=20) + random.normal(size=rows)
    return altsel.Dataset(pd.DataFrame(table[:, order], columns=names), y)


def ionosphere() -> altsel.Dataset:
    """Read the shipped set."""
    return altsel.Dataset(ROOT / "examples" / "data" / "ionosphere.csv.gz", "target")


def brute_force(given: altsel.Dependence, name: str) -> list[float]:
    """Return the scores of the best set and its alternatives, from all sets of units and the formulas."""
    q, r = given.relevance.to_numpy(), given.redundancy.to_numpy()
    sets = np.array(list(combinations(range(len(q)), K)), dtype=np.int16)
    scores = q[sets].sum(axis=1)
    if name == "mRMR":
        pairs = sum(r[sets[:, i], sets[:, j]] for i, j in combinations(range(K), 2))
        scores = scores / K - 2 * pairs / (K * (K - 1))
    free, best = np.ones(len(sets), dtype=bool), []
    for _ in range(ALTERNATIVES + 1):
        first = int(np.argmax(np.where(free, scores, -np.inf)))
        best.append(float(scores[first]))
        common = np.isin(sets, sets[first]).sum(axis=1)
        free &= 1 - common / K >= TAU - 1e-9
    return best


def same_again(found: altsel.Solutions, r: pd.DataFrame) -> float:
    """Return the mean share of a set's features that another set has too, or nearly a copy of."""
    shares = [
        (r.loc[list(one), list(other)].to_numpy() >= NEAR).any(axis=1).mean()
        for one, other in combinations(found, 2)
    ]
    return float(np.mean(shares))


def rows_of(title: str, data: altsel.Dataset) -> None:
    """Print one row for each criterion and way to group."""
    r = pd.DataFrame(
        np.abs(np.corrcoef(data.matrix().T)), index=list(data.features), columns=list(data.features)
    )
    for name, make in CRITERIA.items():
        for label, bound in (
            ("columns", None),
            ("copies", 1.0),
            (f"|r| >= {NEAR}", NEAR),
            ("|r| >= 0.99", 0.99),
        ):
            table = data if bound is None else data.grouped(bound)
            given = altsel.dependence(table, altsel.measures.absolute_pearson)
            problem = altsel.Problem(make(given), K)
            began = time.perf_counter()
            found = altsel.sequential(problem, altsel.Dice(TAU), ALTERNATIVES)
            seconds = time.perf_counter() - began
            if bound is None:
                agrees = ""
            else:
                wanted = brute_force(given, name)
                agrees = "yes" if np.allclose([one.score for one in found], wanted, rtol=1e-9) else "NO"
            shown = "; ".join(", ".join(one) for one in found[:3])
            cells = [title, name, label, str(len(table.features)), f"{same_again(found, r):.2f}", agrees]
            print_row([*cells, f"{seconds:.2f}", shown])


def units_of(path: Path) -> None:
    """Print how many units a set has by bound, and the seconds that grouping takes."""
    data = altsel.Dataset(path, "target", missing="drop rows", rows_lost=1)
    cells = [path.name.partition(".")[0], str(len(data.X)), str(len(data.features))]
    for bound in (1.0, NEAR, 0.99):
        began = time.perf_counter()
        units = len(data.grouped(bound).features)
        cells.append(f"{units} ({time.perf_counter() - began:.1f} s)")
    print_row(cells)


def print_row(cells: list[str]) -> None:
    """Print one row of a table."""
    print("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    folder = parser.parse_args().folder
    warnings.simplefilter("ignore", altsel.DataWarning)
    head = f"# Alternatives before and after grouping: k = {K}, {ALTERNATIVES} alternatives, Dice {TAU}"
    print(stamped(head))
    print("`python -m benchmarks.copies [FOLDER]`.", (__doc__ or "").split("\n\n")[1])
    print(
        "\nAbsolute correlations as the measure. Same again: mean share of a set's features that another "
        f"set has too, or a column with |r| >= {NEAR}; a third is what Dice {TAU} allows. Brute force: all "
        f"sets of {K} units, scored by the formulas, agree with all scores. One thread. Every pair of a "
        "group is above the bound; so may pairs of different groups be, which a lower bound joins: smooth "
        "spectra need 0.99.\n"
    )
    print("| data | criterion | grouped | features | same again | brute force | seconds | first three sets |")
    print("|---|---|---|---|---|---|---|---|")
    for title, data in (("spectra", spectra()), ("wide binary", wide()), ("ionosphere", ionosphere())):
        rows_of(title, data)
    if folder is not None:
        print("\nUnits of real data, and the seconds to find them:\n")
        print_row(["data", "rows", "features", "copies", f"|r| >= {NEAR}", "|r| >= 0.99"])
        print("|---|---|---|---|---|---|")
        for name in FURTHER:
            units_of(folder / f"{name}.csv.gz")


if __name__ == "__main__":
    main()
