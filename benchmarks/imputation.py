"""Levels of tests on tables with gaps: pooled over imputed tables, on complete rows, and before the gaps.

    OMP_NUM_THREADS=1 python -m benchmarks.imputation --repeats 120

300 rows of five columns. ``x1`` is independent of the target given ``x0``, and has gaps: whether it is
missing hangs on ``x0`` and the target (*at random*), or on nothing (*completely at random*). Counted is how
often p of x1 given x0 is at most .05, and the same where x1 does act (power). Writes results/imputation.md.
"""

from __future__ import annotations

import argparse
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

import altsel
from altsel.imputation import CompleteRows, impute
from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"
ROWS, TABLES, ALPHA, EFFECT = 300, 5, 0.05, 0.25
GAPS = ((True, 0.05), (True, 0.2), (True, 0.4), (False, 0.4))
HEAD = """# Tests on tables with gaps

`python -m benchmarks.imputation --repeats {repeats}`: {rows} rows, {tables} imputed tables. Rejected at
.05: x1, which is independent of the target given x0 (level), and the same with an effect (power). A level is
off by about {error:.3f} by chance. Gaps *at random* hang on x0 and the target. *No gaps*: the table before.

| test, target | gaps | missing | level: imputed | complete rows | no gaps | power: imputed | complete | all |
|---|---|---|---|---|---|---|---|---|
"""


def drawn(random: np.random.Generator, effect: float, classes: bool) -> tuple[Any, Any]:
    """Draw columns, and a target of numbers or two classes."""
    x = random.normal(size=(ROWS, 5))
    x[:, 1] = 0.6 * x[:, 0] + 0.8 * x[:, 1]
    trend = 0.7 * x[:, 0] + effect * x[:, 1]
    if classes:
        return x, (random.random(ROWS) < 1 / (1 + np.exp(-2 * trend))).astype(int)
    return x, trend + random.normal(size=ROWS)


def gaps(random: np.random.Generator, x: Any, y: Any, share: float, at_random: bool) -> Any:
    """Return which values of x1 are missing."""
    if not at_random:
        return random.random(ROWS) < share
    score = x[:, 0] + (y - y.mean()) / y.std()
    chance = norm.cdf(score)
    return random.random(ROWS) < share * chance / chance.mean()


def rejected(seed: int, make: Any, share: float, at_random: bool, effect: float) -> tuple[bool, ...]:
    """Return whether x1 is found, by each way."""
    random = np.random.default_rng(seed)
    classes = make is altsel.independence.LikelihoodRatio
    x, y = drawn(random, effect, classes)
    whole = make(altsel.Dataset(x, y))
    x = x.copy()
    x[gaps(random, x, y, share, at_random), 1] = np.nan
    pooled = impute(x, y, number=TABLES, random_state=1000 * seed).test(make)
    tests = (pooled, CompleteRows(x, y, make), whole)
    return tuple(bool(test(["x1"], ["x0"]).p[0] <= ALPHA) for test in tests)


def row_of(make: Any, at_random: bool, share: float, repeats: int) -> str:
    """Count one row of the table."""
    cells = []
    for effect in (0.0, EFFECT):
        found = np.mean([rejected(seed, make, share, at_random, effect) for seed in range(repeats)], axis=0)
        cells += [f"{value:.3f}" for value in found]
    kind = "at random" if at_random else "completely at random"
    target = "numbers" if make is altsel.independence.PartialCorrelation else "two classes"
    return f"| {make.__name__}, {target} | {kind} | {share:.0%} | {' | '.join(cells)} |"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=120)
    repeats = parser.parse_args().repeats
    import_module("sklearn.experimental.enable_iterative_imputer")
    warnings.simplefilter("ignore", import_module("sklearn.exceptions").ConvergenceWarning)
    rows, began = [], time.process_time()
    for make in (altsel.independence.PartialCorrelation, altsel.independence.LikelihoodRatio):
        for at_random, share in GAPS:
            rows.append(row_of(make, at_random, share, repeats))
            print(rows[-1], f"{time.process_time() - began:.0f} s", flush=True)
    error = (ALPHA * (1 - ALPHA) / repeats) ** 0.5
    head = HEAD.format(repeats=repeats, rows=ROWS, tables=TABLES, error=error)
    (RESULTS / "imputation.md").write_text(stamped(head + "\n".join(rows) + "\n"), "utf-8")


if __name__ == "__main__":
    main()
