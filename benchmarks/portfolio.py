"""How near is `auto` to the best engine alone? Questions drawn at random, CPU seconds of each.

    python -m benchmarks.portfolio --seed 7 --questions 100 --limit 8 [--only NUMBER ...] [--json FILE]

A ratio compares times of at least .02 s. Engines alone are asked once before: loading counts for nobody. What
neither settles within the limit is left out of the shares.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import altsel
from altsel.exact import auto

FLOOR = 0.02
"""Seconds below which times are the same."""
SIZES, KS, TAUS = (12, 15, 20, 30, 45, 80, 120, 200), (3, 4, 5, 6, 8, 10), (0.4, 0.5, 0.6, 0.8, 1.0)
KINDS = ("uniform", "integer", "normal", "exponential", "factors")
CRITERIA = ("uni", "uni", "uni", "mrmr", "cfs", "fcbf")


@dataclass(frozen=True)
class Drawn:
    """A question: what is measured, of how many features, and which sets are wanted."""

    seed: int
    criterion: str
    kind: str
    n: int
    k: int
    alternatives: int
    measure: str
    tau: float
    total: str
    ruled: bool

    def problem(self) -> altsel.Problem:
        """Make the problem."""
        rng = np.random.default_rng(self.seed)
        names = [f"x{j}" for j in range(self.n)]
        relevance, redundancy = _numbers(rng, self.kind, self.n)
        given = altsel.Dependence(pd.Series(relevance, names), pd.DataFrame(redundancy, names, names))
        objectives: dict[str, Any] = {
            "uni": altsel.Univariate,
            "mrmr": altsel.MRMR,
            "cfs": altsel.CFS,
            "fcbf": altsel.FCBF,
        }
        rules = []
        if self.ruled:
            costs = dict(zip(names, rng.integers(1, 10, self.n).astype(float).tolist(), strict=True))
            rules = [altsel.domain.budget(costs, 4.5 * self.k)]
        return altsel.Problem(objectives[self.criterion](given), self.k, rules)

    def solve(self, problem: altsel.Problem, limit: float) -> altsel.Solutions:
        """Answer it."""
        measure: Any = altsel.Dice(self.tau) if self.measure == "Dice" else altsel.Jaccard(self.tau)
        if self.total == "one by one":
            return altsel.sequential(problem, measure, self.alternatives, time_limit=limit)
        return altsel.simultaneous(problem, measure, self.alternatives, self.total, time_limit=limit)


def drawn(seed: int, number: int) -> Drawn:
    """Draw a question."""
    rng = np.random.default_rng([seed, number])
    criterion, kind = str(rng.choice(CRITERIA)), str(rng.choice(KINDS))
    n, k = int(rng.choice(SIZES)), int(rng.choice(KS))
    total = str(rng.choice(["sum", "sum", "min", "one by one"]))
    alternatives = int(rng.choice([1, 2, 3, 4, 6, 8]))
    measure = "Dice" if rng.random() < 0.8 else "Jaccard"
    ruled = bool(rng.random() < 0.25)
    tau, own = float(rng.choice(TAUS)), seed * 1_000 + number
    return Drawn(own, criterion, kind, n, min(k, n // 3), alternatives, measure, tau, total, ruled)


def _numbers(rng: np.random.Generator, kind: str, n: int) -> tuple[Any, Any]:
    """Draw relevances and redundancies."""
    if kind == "factors":
        factors = rng.normal(size=(400, 6))
        table = factors @ rng.normal(size=(6, n)) + rng.normal(size=(400, n))
        target = factors.sum(axis=1) + rng.normal(size=400)
        redundancy = np.abs(np.corrcoef(table, rowvar=False))
        return np.abs([np.corrcoef(column, target)[0, 1] for column in table.T]), redundancy
    draws: dict[str, Any] = {
        "uniform": rng.random,
        "integer": lambda size: rng.integers(0, 20, size).astype(float),
        "normal": lambda size: np.abs(rng.normal(size=size)),
        "exponential": lambda size: rng.exponential(size=size),
    }
    half = np.triu(rng.random((n, n)), 1)
    return draws[kind](n), half + half.T + np.eye(n)


def timed(question: Drawn, engines: tuple[Any, ...], limit: float) -> tuple[float, bool, float]:
    """Answer by some engines: CPU seconds, whether it was proved, and the total."""
    before, auto.ENGINES = auto.ENGINES, engines
    try:
        problem, began = question.problem(), time.process_time()
        try:
            found = question.solve(problem, limit)
        except altsel.AltselError:
            return time.process_time() - began, False, float("-inf")
        seconds = time.process_time() - began
    finally:
        auto.ENGINES = before
    proved = (found.proved and found.stop is altsel.Stop.COUNT) or found.stop is altsel.Stop.INFEASIBLE
    scores = [one.score for one in found]
    total = min(scores, default=float("-inf")) if question.total == "min" else sum(scores)
    return seconds, proved, total


def compared(question: Drawn, limit: float) -> dict[str, Any]:
    """Compare the table with each engine alone."""
    alone = {one.name: getattr(one, "engine", one) for one in auto.ENGINES}
    seconds, proved, total = timed(question, auto.ENGINES, limit)
    best, who = float("inf"), ""
    for name, engine in alone.items():
        one, settled, other = timed(question, (engine,), limit)
        if settled and one < best:
            best, who = one, name
        if settled and proved and abs(other - total) > 1e-6 * max(abs(total), 1e-9):
            print(f"DIFFERS {asdict(question)}: auto {total!r}, {name} {other!r}")
    return {"auto": seconds, "proved": proved, "best": best, "who": who}


def main() -> None:
    """Draw questions, and say how near `auto` is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--limit", type=float, default=8.0)
    parser.add_argument("--only", type=int, nargs="+")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for number in given.only or range(given.questions):
        question = drawn(given.seed, number)
        timed(question, auto.ENGINES, min(given.limit, 2.0))  # loads what is to be loaded
        row = compared(question, given.limit)
        rows.append({"number": number, **row, "question": asdict(question)})
        if given.json:
            given.json.write_text(json.dumps(rows), encoding="utf-8")
        times = f"auto {row['auto']:.3f}, best {row['best']:.3f} ({row['who']})"
        print(f"{number} {_short(question)}: {times}{'' if row['proved'] else ', open'}", flush=True)
    _report(rows)


def _short(question: Drawn) -> str:
    one = question
    rule = ", 1 rule" if one.ruled else ""
    wanted = f"n={one.n} k={one.k} a={one.alternatives} {one.measure} {one.tau} {one.total}{rule}"
    return f"{one.criterion} {one.kind} {wanted}"


def _report(rows: list[dict[str, Any]]) -> None:
    """Print the shares of questions within 1.5, 3 and 10 times the best engine's time."""
    settled = [row for row in rows if row["proved"] or row["best"] < float("inf")]
    ratios = np.array(
        [
            max(row["auto"], FLOOR) / max(row["best"], FLOOR) if row["proved"] else float("inf")
            for row in settled
        ]
    )
    shares = ", ".join(f"{100 * np.mean(ratios <= times):.0f} % within {times}" for times in (1.5, 3, 10))
    print(f"\n{len(settled)} of {len(rows)} settled by some engine; {shares}")
    total = sum(row["auto"] for row in settled)
    print(f"auto {total:.1f} CPU s, {sum(row['proved'] for row in settled)} proved")


if __name__ == "__main__":
    main()
