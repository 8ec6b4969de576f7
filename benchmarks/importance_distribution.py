"""How true statements of importance over good sets are: designs of Donnelly et al. (2023), and copies.

    OMP_NUM_THREADS=1 python -m benchmarks.importance_distribution --draws 20 --resamples 100

Of each design 300 rows are drawn again and again. What is true is what the same list says of 100,000 rows:
which features are core, sometimes or never there, and what they are worth in its good sets. Counted is how
many statements (core, sometimes, never in at least 90 % of the resamples, with 95 % confidence) are made and
how many of them are false there, how often the range of resamples has the true range of worths in it, and in
how many draws each feature of the design has more mean worth than each other one. Writes
results/importance_distribution.md.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.analysis.importance_distribution import worths
from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"
ROWS, MANY, WITHIN = 300, 100_000, altsel.RelativeLoss(0.05)
Table = tuple[pd.DataFrame, np.ndarray]
Draw = Callable[[np.random.Generator, int], Table]
HEAD = """# Statements of importance over good sets

`python -m benchmarks.importance_distribution --draws {draws} --resamples {resamples}`: {rows} rows a draw,
sets of k features, all good sets within 5 % of the best linear fit (Monk: of the best sum of information).
*False*: the list of 100,000 rows says otherwise. *In range*: how often the true range of worths is inside
that of the resamples. *In order*: draws in which every feature of the design has more mean worth than every
other one; in brackets those features that the criterion sees at all in 100,000 rows.

| design | n | k | statements | false | of core, false | in range | in order | CPU s a draw |
|---|---|---|---|---|---|---|---|---|
"""


def _table(columns: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(columns, columns=[f"x{j + 1}" for j in range(columns.shape[1])])


def chen(random: np.random.Generator, rows: int) -> Table:
    """Four of ten normal columns, as Chen et al. (2018) have them, before the threshold."""
    x = random.normal(size=(rows, 10))
    noise = 0.1 * random.normal(size=rows)
    return _table(x), -2 * np.sin(x[:, 0]) + np.maximum(x[:, 1], 0) + x[:, 2] + np.exp(-x[:, 3]) + noise


def friedman(random: np.random.Generator, rows: int) -> Table:
    """Five of ten uniform columns, of Friedman (1991)."""
    x = random.random(size=(rows, 10))
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return _table(x), y + random.normal(size=rows)


def copies(random: np.random.Generator, rows: int) -> Table:
    """Three of ten normal columns; x4 is nearly x2, and x5 nearly x3."""
    x = random.normal(size=(rows, 10))
    x[:, 3] = x[:, 1] + 0.1 * random.normal(size=rows)
    x[:, 4] = x[:, 2] + 0.1 * random.normal(size=rows)
    return _table(x), 2 * x[:, 0] + x[:, 1] + x[:, 2] + random.normal(size=rows)


def _monk(random: np.random.Generator, rows: int) -> pd.DataFrame:
    return _table(np.column_stack([random.integers(1, m + 1, rows) for m in (3, 3, 2, 3, 4, 2)]))


def monk_1(random: np.random.Generator, rows: int) -> Table:
    """Draw the first problem of the monks (Thrun et al. 1991): x1 = x2, or x5 = 1."""
    x = _monk(random, rows)
    return x, ((x.x1 == x.x2) | (x.x5 == 1)).to_numpy().astype(int)


def monk_3(random: np.random.Generator, rows: int) -> Table:
    """Draw the third one, with 5 % of the classes wrong: x5 = 3 and x4 = 1, or x5 < 4 and x2 < 3."""
    x = _monk(random, rows)
    right = ((x.x5 == 3) & (x.x4 == 1)) | ((x.x5 != 4) & (x.x2 != 3))
    return x, (right ^ (random.random(rows) < 0.05)).to_numpy().astype(int)


DESIGNS: dict[str, tuple[Draw, int, tuple[int, ...]]] = {
    "Chen": (chen, 4, (1, 2, 3, 4)),
    "Friedman": (friedman, 5, (1, 2, 3, 4, 5)),
    "copies": (copies, 3, (1, 2, 3, 4, 5)),
    "Monk 1": (monk_1, 3, (1, 2, 5)),
    "Monk 3": (monk_3, 3, (2, 4, 5)),
}


def data_of(table: Table) -> altsel.Dataset:
    """Return the rows, integers as categories."""
    columns, target = table
    kinds = {str(name): "categorical" for name in columns if columns[name].dtype.kind == "i"}
    return altsel.Dataset(columns, target, kinds=kinds or None)


def good_sets(k: int, classes: bool) -> Callable[[altsel.Dataset], altsel.Solutions]:
    """Return what lists the good sets."""
    criterion: Any = altsel.Univariate if classes else altsel.LinearFit
    return lambda rows: altsel.near_optimal(altsel.Problem(criterion(rows), k), WITHIN, 10_000)


def row_of(name: str, draws: int, resamples: int) -> str:
    """Measure one design."""
    draw, k, relevant = DESIGNS[name]
    many = data_of(draw(np.random.default_rng(10**6), MANY))
    search = good_sets(k, name.startswith("Monk"))
    truth = search(many)
    assert truth.asked is not None
    ranges, worth = altsel.importance_range(truth), worths(truth.asked[0], truth)
    whole = {
        one: sorted([*worth.get(one, []), *[0.0] * (len(truth) - len(worth.get(one, [])))])
        for one in many.features
    }
    inside = [f"x{j}" for j in relevant]
    seen = [one for one in inside if whole[one][-1] > 0.001 * truth[0].score]
    told: Counter[str] = Counter()
    began = time.process_time()
    for number in range(draws):
        data = data_of(draw(np.random.default_rng(number), ROWS))
        found = altsel.importance_distribution(search, data, resamples, random_state=number)
        for one in found:
            kind, true = one.statement(), ranges[one.feature].range_class
            told["statements"] += kind is not None
            told["false"] += kind is not None and kind is not true
            told["core"] += kind is altsel.results.RangeClass.CORE
            told["core false"] += kind is altsel.results.RangeClass.CORE and kind is not true
            told["in range"] += one.low <= whole[one.feature][0] and whole[one.feature][-1] <= one.high
            told["features"] += 1
        mean = {one.feature: one.mean for one in found}
        others = max(mean[one] for one in mean if one not in inside)
        told["in order"] += min(mean[one] for one in inside) > others
        told["seen in order"] += min(mean[one] for one in seen) > others
    spent = (time.process_time() - began) / draws
    order = f"{told['in order']} of {draws} ({told['seen in order']}: {', '.join(seen)})"
    core = f"{told['core']}, {told['core false']}"
    part = f"{told['in range']} of {told['features']}"
    counts = f"{told['statements']} | {told['false']} | {core} | {part}"
    return f"| {name} | {len(whole)} | {k} | {counts} | {order} | {spent:.1f} |"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--resamples", type=int, default=100)
    given = parser.parse_args()
    rows = []
    for name in DESIGNS:
        rows.append(row_of(name, given.draws, given.resamples))
        print(rows[-1], flush=True)
    head = HEAD.format(draws=given.draws, resamples=given.resamples, rows=ROWS)
    (RESULTS / "importance_distribution.md").write_text(stamped(head + "\n".join(rows) + "\n"), "utf-8")


if __name__ == "__main__":
    main()
