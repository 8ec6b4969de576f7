"""One tree on several processes: the answers are those of one process and of all sets.

    python -m benchmarks.tree_workers --seed 1 --jobs 2  # writes benchmarks/results/tree_workers.md

Small questions are those of `benchmarks.exactness`, checked there against all sets; middling ones have trees
of some hundred nodes, and are put to one process too. In both, workers begin at the root and are dealt a few
nodes at a time, so that there are rounds at all. What time is saved: `benchmarks.tree_times`.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import joblib
import numpy as np
import pandas as pd

import altsel
from altsel.parallel import run
from benchmarks.exactness.calls import SHARED, attempt, mode
from benchmarks.exactness.families import BASES
from benchmarks.exactness.instance import Instance, Ready

RESULTS = Path(__file__).parent / "results" / "tree_workers.md"
FAMILIES = ("sequential", "near_optimal", "simultaneous")
QUADRATIC = ("mrmr-k2", "mrmr", "cfs")
Found = altsel.Solutions
log = logging.getLogger("altsel.search")


class Rounds(logging.Handler):
    """Counts the rounds that workers have searched, as the search reports them."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count a message of a round."""
        self.count += "workers: best" in record.msg


@contextmanager
def counted() -> Iterator[Rounds]:
    """Count rounds."""
    rounds, level = Rounds(), log.level
    log.addHandler(rounds)
    log.setLevel(logging.INFO)
    try:
        yield rounds
    finally:
        log.removeHandler(rounds)
        log.setLevel(level)


@dataclass
class Count:
    """What a campaign saw of one kind of question."""

    ends: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def join(self, other: Count) -> None:
        """Add what another campaign saw."""
        self.ends.update(other.ends)
        self.faults += other.faults

    def row(self, name: str) -> str:
        """Write a row of the table."""
        cells = [
            self.ends[one] for one in ("all", "shared", "rounds", "proved", "wrong", "differ", "tied", "slow")
        ]
        return f"| {name} | {' | '.join(map(str, cells))} |"


def drawn(seed: int, name: str, number: int) -> Instance:
    """Draw a question of the campaign of exactness whose criterion is quadratic, and whose sets are many."""
    rng = Random(f"{seed}:{name}:{number}")
    while True:
        instance = BASES[name].draw(rng)
        many = instance.criterion.n >= 6 and instance.k[1] >= 3
        if instance.criterion.kind in QUADRATIC and many and not instance.across:
            return replace(instance, solver="auto", mode="workers")


def small(seed: int, numbers: range) -> dict[str, Count]:
    """Put small questions to two processes; check the answers against all sets and against one process."""
    found = {f"small, {name}": Count() for name in FAMILIES}
    with joblib.parallel_config("loky", n_jobs=2):  # alarms are not for workers that have yet to start
        run(_started, {"0": 0, "1": 1})
    for number in numbers:
        name = FAMILIES[number % len(FAMILIES)]
        instance, family = drawn(seed, name, number), BASES[name]
        with counted() as rounds, mode("workers"):
            both = attempt(lambda: family.call(Ready(instance, "auto")))  # noqa: B023 (called at once)
        with mode("convex"):
            alone = attempt(lambda: family.call(Ready(instance, "auto")))  # noqa: B023
        name = f"small, {name}"
        if "slow" in {both.ended, alone.ended}:
            found[name].ends.update(all=1, slow=1)
            continue
        wrong = family.check(instance, both.result) if both.ended == "fine" else []
        wrong += [] if both.ended == alone.ended else [f"{both.ended}: {both.text}; {alone.ended} alone"]
        _note(found[name], f"{name}:{number}", rounds.count, wrong, (alone.result, both.result))
    return found


def _started(number: int) -> int:
    """Search once, so that what is compiled is loaded."""
    problem = altsel.Problem(altsel.MRMR(related(np.random.default_rng(number), 30, 3)), 5)
    with mode("convex"):
        altsel.sequential(problem, altsel.Dice(0.5), 0)
    return number


def _note(count: Count, name: str, rounds: int, wrong: list[str], answers: tuple[Any, Any]) -> None:
    alone, both = answers
    count.ends.update(all=1, shared=int(rounds > 0), rounds=rounds, wrong=int(bool(wrong)))
    count.faults += [f"{name}: {fault}" for fault in wrong[:2]]
    if both is not None and alone is not None:
        said = compared(alone, both)
        count.ends.update(proved=int(both.proved), differ=int(bool(said)))
        count.ends.update(tied=int([one.features for one in alone] != [one.features for one in both]))
        count.faults += [f"{name}: {said}"] if said else []


def compared(alone: Found, both: Found) -> str:
    """Say in what two answers differ, but for sets of equal scores."""
    if alone.stop != both.stop or len(alone) != len(both):
        return f"{len(alone)} sets, {alone.stop}, alone; {len(both)}, {both.stop}"
    for one, other in zip(alone, both, strict=True):
        if one.proof != other.proof:
            return f"{one.features} is {one.proof} alone, {other.features} {other.proof}"
        if abs(one.score - other.score) > 1e-9 * max(abs(one.score), 1e-6):
            return f"{one.features} scores {one.score!r} alone, {other.features} {other.score!r}"
    return ""


def related(rng: np.random.Generator, n: int, factors: int) -> altsel.Dependence:
    """Make features that share a few factors, absolute correlations."""
    X = rng.normal(size=(200, factors)) @ rng.normal(size=(factors, n)) + 0.8 * rng.normal(size=(200, n))
    y = X[:, :5].sum(axis=1) + 3 * rng.normal(size=200)
    table = np.abs(np.corrcoef(np.column_stack([X, y]).T))
    names = [f"x{j}" for j in range(n)]
    both = (table[:-1, :-1] + table[:-1, :-1].T) / 2
    return altsel.Dependence(pd.Series(table[-1, :-1], names), pd.DataFrame(both, index=names, columns=names))


def middling(seed: int, numbers: range) -> dict[str, Count]:
    """Put questions with trees of some hundred nodes to one process, two processes and three threads."""
    found = {"middling, two processes": Count(), "middling, three threads": Count()}
    for number in numbers:
        call = _question(np.random.default_rng([seed, number]))
        with mode("convex"):
            alone = call()
        for name, backend, workers in zip(found, ("loky", "threading"), (2, 3), strict=True):
            with counted() as rounds, mode("workers"), joblib.parallel_config(backend, n_jobs=workers):
                both = call()
            _note(found[name], f"{name}:{number}", rounds.count, [], (alone, both))
    return found


def campaign(seed: int, instances: int, jobs: int) -> dict[str, Count]:
    """Put all small and middling questions, some processes at a time."""
    found: dict[str, Count] = {}
    with ProcessPoolExecutor(jobs) as pool:
        parts = [pool.submit(small, seed, range(first, instances, jobs)) for first in range(jobs)]
        parts += [pool.submit(middling, seed, range(first, instances // 8, jobs)) for first in range(jobs)]
        for part in parts:
            for name, count in part.result().items():
                found.setdefault(name, Count()).join(count)
    return found


def _question(rng: np.random.Generator) -> Callable[[], Found]:
    n, k = int(rng.integers(25, 45)), int(rng.integers(4, 7))
    given = related(rng, n, int(rng.integers(3, 7)))
    objective = altsel.CFS(given) if rng.random() < 0.3 else altsel.MRMR(given)
    rules = [altsel.domain.forbid("x0")] if rng.random() < 0.3 else []
    if rng.random() < 0.5:
        costs = dict(zip(given.relevance.index, rng.integers(1, 9, n), strict=True))
        rules.append(altsel.domain.budget(costs, 4 * k))
    problem = altsel.Problem(objective, (k - 1, k) if rng.random() < 0.2 else k, rules)
    if rng.random() < 0.4:
        return lambda: altsel.near_optimal(problem, altsel.RelativeLoss(0.02), 100)
    return lambda: altsel.sequential(problem, altsel.Dice(0.5), 2)


def page(seed: int, instances: int, jobs: int) -> str:
    """Run it all, and write the page."""
    assert all(usual != changed for usual, changed in SHARED.values())
    lines = [
        "# One tree on several processes",
        "",
        f"Run: python -m benchmarks.tree_workers --seed {seed} --instances {instances}",
        "",
    ]
    faults: list[str] = []
    lines += [SAME, "", TABLE]
    for name, count in campaign(seed, instances, jobs).items():
        lines.append(count.row(name))
        faults += count.faults
    lines += ["", "Nothing was refuted." if not faults else "\n".join(f"- {fault}" for fault in faults), ""]
    return "\n".join(lines)


SAME = """Each question is put to several workers and to one process. *Shared*: questions of which workers
searched some; *rounds*: how often nodes were dealt. *Wrong*: refuted by all sets (small questions); *differ*:
in stop, number of sets, proof or score from one process; *other sets*: in a set as well, where several
have the same score; *slow*: interrupted after 40 seconds of wall time, and neither checked nor compared."""
TABLE = """| questions | number | shared | rounds | proved | wrong | differ | other sets | slow |
|---|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Read the command line, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--instances", type=int, default=320)
    parser.add_argument("--jobs", type=int, default=1, help="questions of the campaign put at a time")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    RESULTS.write_text(page(given.seed, given.instances, given.jobs), encoding="utf-8")


if __name__ == "__main__":
    main()
