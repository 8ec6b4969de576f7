"""How near is `auto` to the best engine alone? Questions drawn at random, CPU seconds of each.

    python -m benchmarks.portfolio --seed 7 --questions 100 --limit 8 [--only NUMBER ...] [--json FILE]
    python -m benchmarks.portfolio --read FILE ...

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
from altsel.runtime.clock import turn

FLOOR = 0.02
"""Seconds below which times are the same."""
SIZES, KS = (10, 12, 15, 20, 30, 45, 80, 120, 200, 500), (2, 3, 4, 5, 6, 8, 10, 12)
TAUS = (0.2, 0.4, 0.5, 0.6, 0.8, 1.0)
KINDS = ("uniform", "integer", "normal", "exponential", "beta", "factors")
CRITERIA = ("uni", "uni", "uni", "mrmr", "cfs", "fcbf")
MEASURES = ("Dice",) * 12 + ("Jaccard",) * 3 + ("own", "Average", "Penalised")
RULES = ("none",) * 6 + ("budget", "quota")


@dataclass(frozen=True)
class Drawn:
    """A question: what is measured, of how many features, and which sets are wanted."""

    seed: int
    criterion: str
    kind: str
    n: int
    k: tuple[int, int]
    alternatives: int
    measure: str
    tau: float
    total: str
    rule: str

    def __str__(self) -> str:
        low, high = self.k
        rule = "" if self.rule == "none" else f", {self.rule}"
        size = str(low) if low == high else f"{low}..{high}"
        wanted = f"n={self.n} k={size} a={self.alternatives} {self.measure} {self.tau} {self.total}"
        return f"{self.criterion} {self.kind} {wanted}{rule}"

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
        low, high = self.k
        rules = []
        if self.rule == "budget":
            costs = dict(zip(names, rng.integers(1, 10, self.n).astype(float).tolist(), strict=True))
            rules = [altsel.domain.budget(costs, 4.5 * high)]
        if self.rule == "quota":
            rules = [altsel.domain.at_most(max(high // 3, 1), names[::3])]
        size = low if low == high else self.k
        return altsel.Problem(objectives[self.criterion](given), size, rules)

    def diversity(self) -> Any:
        """Make the diversity; one of the user's own weighs features, which rows state."""
        if self.measure == "Jaccard":
            return altsel.Jaccard(self.tau)
        if self.measure == "own":
            weights = np.random.default_rng([self.seed, 1]).integers(1, 5, self.n).tolist()
            return altsel.WeightedDice(self.tau, {f"x{j}": weight for j, weight in enumerate(weights)})
        if self.measure == "Average":
            return altsel.Average(altsel.Dice(self.tau))
        return (
            altsel.Penalised(altsel.Dice(self.tau), 0.5)
            if self.measure == "Penalised"
            else altsel.Dice(self.tau)
        )

    def solve(self, problem: altsel.Problem) -> altsel.Solutions:
        """Answer it."""
        if self.total == "one by one":
            return altsel.sequential(problem, self.diversity(), self.alternatives)
        return altsel.simultaneous(problem, self.diversity(), self.alternatives, self.total)


def drawn(seed: int, number: int) -> Drawn:
    """Draw a question."""
    rng = np.random.default_rng([seed, number])
    criterion, kind = str(rng.choice(CRITERIA)), str(rng.choice(KINDS))
    n, k = int(rng.choice(SIZES)), int(rng.choice(KS))
    k = min(k, n // 3)
    sizes = (max(k - 2, 1), k) if rng.random() < 0.15 else (k, k)
    total = str(rng.choice(["sum", "sum", "min", "one by one"]))
    alternatives = int(rng.choice([1, 2, 3, 4, 6, 9]))
    measure, rule = str(rng.choice(MEASURES)), str(rng.choice(RULES))
    if measure == "Average" and total == "one by one":
        measure = "Dice"
    tau, own = float(rng.choice(TAUS)), seed * 1_000 + number
    return Drawn(own, criterion, kind, n, sizes, alternatives, measure, tau, total, rule)


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
        "beta": lambda size: rng.beta(2, 8, size),
    }
    half = np.triu(rng.random((n, n)), 1)
    return draws[kind](n), half + half.T + np.eye(n)


def timed(question: Drawn, engines: tuple[Any, ...], limit: float) -> tuple[float, bool, float]:
    """Answer by some engines: CPU seconds, whether it was proved, and the total."""
    before, auto.ENGINES = auto.ENGINES, engines
    try:
        problem, began = question.problem(), time.process_time()
        try:
            with turn(limit):  # of CPU seconds: what else the machine does changes no answer
                found = question.solve(problem)
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
    alone = {engine_name(one): one for one in auto.ENGINES}
    seconds, proved, total = timed(question, auto.ENGINES, limit)
    times = {}
    for name, engine in alone.items():
        one, settled, other = timed(question, (engine,), limit)
        if settled:
            times[name] = one
        ties = question.total == "one by one"  # the next set depends on which of equal ones came before
        if settled and proved and not ties and abs(other - total) > 1e-6 * max(abs(total), 1e-9):
            print(f"DIFFERS {asdict(question)}: auto {total!r}, {name} {other!r}")
    return {"auto": seconds, "proved": proved, "alone": times}


def engine_name(engine: Any) -> str:
    """Return the name of an engine; lists are two."""
    return str(getattr(engine, "full_name", engine.name))


def ratio(row: dict[str, Any]) -> float:
    """Return how many times longer `auto` takes than the best engine alone."""
    best = min(row["alone"].values(), default=np.inf)
    return float(max(row["auto"], FLOOR) / max(best, FLOOR)) if row["proved"] else np.inf


def report(rows: list[dict[str, Any]]) -> str:
    """Return the shares of questions within 1.5, 3 and 8 times the best engine's time, and the worst."""
    settled = [row for row in rows if row["proved"] or row["alone"]]
    ratios = np.array([ratio(row) for row in settled])
    shares = ", ".join(f"{100 * np.mean(ratios <= times):.1f} % within {times}" for times in (1.5, 3, 8))
    closed = [row for row in settled if row["proved"] and row["alone"]]
    total, best = sum(row["auto"] for row in closed), sum(min(row["alone"].values()) for row in closed)
    lines = [
        f"{len(settled)} of {len(rows)} questions settled by some engine within the limit; {shares}.",
        f"`auto` proved {sum(row['proved'] for row in settled)}; where both did: {total:.1f} CPU s for "
        f"{best:.1f} of the best engines ({total / max(best, FLOOR):.2f} times).",
        "",
        "| question | `auto` | alone |",
        "|---|---|---|",
    ]
    worst = sorted(settled, key=ratio, reverse=True)[:12]
    for row in worst:
        times = sorted(row["alone"].items(), key=lambda one: one[1])
        alone = ", ".join(f"{name} {seconds:.3f}" for name, seconds in times) or "none"
        state = f"{row['auto']:.3f}" if row["proved"] else "open"
        lines.append(f"| {row['number']}: {Drawn(**row['question'])} | {state} | {alone} |")
    return "\n".join(lines)


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
    parser.add_argument("--read", type=Path, nargs="+", help="print the table of runs that were kept")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.read:
        print(report([row for path in given.read for row in json.loads(path.read_text(encoding="utf-8"))]))
        return
    rows = []
    for number in given.only or range(given.questions):
        question = drawn(given.seed, number)
        timed(question, auto.ENGINES, min(given.limit, 2.0))  # loads what is to be loaded
        row = compared(question, given.limit)
        rows.append({"number": number, **row, "question": asdict(question)})
        if given.json:
            given.json.write_text(json.dumps(rows), encoding="utf-8")
        alone = ", ".join(f"{name} {seconds:.3f}" for name, seconds in row["alone"].items())
        print(
            f"{number} {question}: {row['auto']:.3f}{'' if row['proved'] else ' open'} ({alone})", flush=True
        )
    print()
    print(report(rows))


if __name__ == "__main__":
    main()
