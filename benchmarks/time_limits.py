"""Time limits on correlated features: CPU seconds that each search uses, by each engine.

    python -m benchmarks.time_limits --seconds 0.5 2 10 --output benchmarks/results/time_limits.md

200 features share twelve factors; nothing here ends by itself within seconds but where a row says so.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel import CFS, FCBF, MRMR, Dependence, Dice, Problem, RelativeLoss, Univariate
from benchmarks.command import stamped

Search = Callable[[str, float], Any]
ENGINES = ("auto", "highs", "cp-sat", "scip", "glpk")


def correlated(features: int = 200, factors: int = 12, rows: int = 400) -> Dependence:
    """Absolute correlations of features that share some factors."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(rows, factors))
    table = common @ rng.normal(size=(factors, features)) + 1.2 * rng.normal(size=(rows, features))
    target = common @ rng.normal(size=factors) + rng.normal(size=rows)
    names = [f"x{j}" for j in range(features)]
    relevance = [abs(np.corrcoef(column, target)[0, 1]) for column in table.T]
    redundancy = np.abs(np.corrcoef(table.T))
    return Dependence(pd.Series(relevance, index=names), pd.DataFrame(redundancy, index=names, columns=names))


def searches(given: Dependence) -> dict[str, Search]:
    """Ten searches, each with a time limit for the whole call."""
    mrmr, half = MRMR(given), Dice(0.5)
    ten, free = Problem(mrmr, 10), Problem(mrmr, (8, 12))
    cfs, fcbf, plain = Problem(CFS(given), 10), Problem(FCBF(given), 5), Problem(Univariate(given), 10)
    return {
        "mRMR k=10, one after another": lambda s, t: altsel.sequential(ten, half, 3, s, time_limit=t),
        "mRMR k=8 to 12, one after another": lambda s, t: altsel.sequential(free, half, 3, s, time_limit=t),
        "CFS k=10, one after another": lambda s, t: altsel.sequential(cfs, half, 3, s, time_limit=t),
        "mRMR, three at once, sum": lambda s, t: altsel.simultaneous(ten, half, 2, "sum", s, t),
        "CFS, three at once, sum": lambda s, t: altsel.simultaneous(cfs, half, 2, "sum", s, t),
        "FCBF k=5, four at once, min": lambda s, t: altsel.simultaneous(fcbf, half, 3, "min", s, t),
        "univariate, five at once, min": lambda s, t: altsel.simultaneous(plain, half, 4, "min", s, t),
        "mRMR, near-optimal": lambda s, t: altsel.near_optimal(ten, RelativeLoss(0.05), 100, None, s, t),
        "mRMR, front": lambda s, t: altsel.pareto_front(ten, Dice(0), (), s, t),
        "mRMR, most different": lambda s, t: altsel.most_different(ten, Dice(0), 2, RelativeLoss(0.05), s, t),
    }


def cpu_seconds() -> float:
    """CPU seconds of this process and of the solvers it has run."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def timed(search: Search, engine: str, seconds: float) -> tuple[float, str]:
    """Run one search; return its CPU seconds and what came."""
    began = cpu_seconds()
    try:
        found = search(engine, seconds)
        came = f"{len(found)}, {found.stop}"
        if isinstance(found, altsel.Solutions):
            assert all(subset.bound is not None for subset in found), "a set without a bound"
    except altsel.SolverError:
        came = "refused"
    return cpu_seconds() - began, came


def main() -> None:
    """Read the command line, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.5, 2.0, 10.0])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    head = ["search", *(f"{engine} {t:g} s" for engine in given.engines for t in given.seconds)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    over = 0
    for name, search in searches(correlated()).items():
        cells = [name]
        for engine in given.engines:
            for seconds in given.seconds:
                used, came = timed(search, engine, seconds)
                late = used > 1.1 * seconds + 0.5
                over += late
                cells.append(f"{used:.2f}{' OVER' if late else ''} ({came})")
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    message = (
        "`python -m benchmarks.time_limits`: "
        f"CPU seconds used, and what came: number of sets and the stop. {over} cells above 110 % + 0.5 s."
    )
    text = "\n".join(["# Time limits, 200 correlated features", "", message, "", *lines, ""])
    if given.output:
        given.output.write_text(stamped(text), encoding="utf-8")


if __name__ == "__main__":
    main()
