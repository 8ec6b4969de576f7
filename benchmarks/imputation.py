"""Levels of tests on tables with gaps: pooled over imputed tables, on complete rows, and before the gaps.

    OMP_NUM_THREADS=1 python -m benchmarks.imputation --repeats 80

300 rows of five columns. ``x1`` is independent of the target given ``x0``, and has gaps: whether it is
missing hangs on ``x0`` and the target (*at random*). *Three levels*:
x1 is cut into categories. *Both*: x0 has gaps too, that hang on the target. Counted is how often p of x1
given x0 is at most .05, and the same where x1 does act (power). Writes results/imputation.md.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

import altsel
from altsel.imputation import CompleteRows, impute
from benchmarks.command import stamped

RESULTS = Path(__file__).parent / "results"
GAPS = ((True, 0.2), (True, 0.4))
ROWS, ALPHA, EFFECT = 300, 0.05, 0.25
NUMBERS, CLASSES = altsel.independence.PartialCorrelation, altsel.independence.LikelihoodRatio
LEVELS, BOTH = "three levels", "both"
CASES = (
    *((make, "", at_random, share) for make in (NUMBERS, CLASSES) for at_random, share in GAPS),
    (CLASSES, LEVELS, True, 0.2),
    (NUMBERS, BOTH, True, 0.2),
)
HEAD = """# Tests on tables with gaps

`python -m benchmarks.imputation --repeats {repeats} --tables {tables} --cases {cases}`:
{rows} rows, {tables} imputed tables. Rejected at .05: x1, which is independent of the target given x0
(level), and the same with an effect (power). A level is off by about {error:.3f} by chance. Gaps *at random*
hang on x0 and the target. *Three levels*: x1 holds categories. *Both*: x0 has gaps too, that hang on the
target. *No gaps*: the table before.

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


def with_gaps(random: np.random.Generator, x: Any, y: Any, case: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the table of a case before and after it lost values."""
    _, what, at_random, share = case
    missing = gaps(random, x, y, share, at_random)
    whole = pd.DataFrame(x, columns=[f"x{j}" for j in range(x.shape[1])])
    if what == LEVELS:
        whole["x1"] = pd.cut(whole["x1"], [-np.inf, -0.5, 0.5, np.inf], labels=list("abc")).astype(object)
    table = whole.copy()
    table.loc[missing, "x1"] = None if what == LEVELS else np.nan
    if what == BOTH:
        table.loc[gaps(random, np.zeros_like(x), y, share, True), "x0"] = np.nan
    return whole, table


def rejected(seed: int, case: tuple[Any, ...], effect: float, tables: int) -> tuple[bool, ...]:
    """Return whether x1 is found, by each way."""
    random, make = np.random.default_rng(seed), case[0]
    x, y = drawn(random, effect, make is CLASSES)
    whole, table = with_gaps(random, x, y, case)
    pooled = impute(table, y, number=tables, random_state=1000 * seed).test(make)
    tests = (pooled, CompleteRows(table, y, make), make(altsel.Dataset(whole, y)))
    return tuple(bool(test(["x1"], ["x0"]).p[0] <= ALPHA) for test in tests)


def row_of(case: tuple[Any, ...], repeats: int, tables: int) -> str:
    """Count one row of the table."""
    make, what, at_random, share = case
    cells = []
    for effect in (0.0, EFFECT):
        found = np.mean([rejected(seed, case, effect, tables) for seed in range(repeats)], axis=0)
        cells += [f"{value:.3f}" for value in found]
    kind = "at random" if at_random else "completely at random"
    target = "numbers" if make is NUMBERS else "two classes"
    named = f"{target}; {what}" if what else target
    return f"| {make.__name__}, {named} | {kind} | {share:.0%} | {' | '.join(cells)} |"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=80)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--cases", type=int, default=len(CASES), help="the first so many rows")
    given = parser.parse_args()
    rows, began = [], time.process_time()
    for case in CASES[: given.cases]:
        rows.append(row_of(case, given.repeats, given.tables))
        print(rows[-1], f"{time.process_time() - began:.0f} s", flush=True)
    error = (ALPHA * (1 - ALPHA) / given.repeats) ** 0.5
    head = HEAD.format(repeats=given.repeats, rows=ROWS, tables=given.tables, cases=len(rows), error=error)
    (RESULTS / "imputation.md").write_text(stamped(head + "\n".join(rows) + "\n"), "utf-8")


if __name__ == "__main__":
    main()
