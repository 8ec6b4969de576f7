"""mRMR and CFS where features share factors: how soon sets are proved, and what the bound is until then.

Run: python -m benchmarks.correlated [--folder FOLDER] [--part PART] [--seconds 60] [--seeds 5] [--anew]

One thread; seconds are CPU seconds, and so is the limit, at which a search is interrupted. What was measured
is kept in ``benchmarks/results/correlated.jsonl``, and not measured again unless ``--anew``. Writes
``benchmarks/results/correlated.md`` and its figure.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

import numpy as np
import pandas as pd

import altsel
from altsel import CFS, MRMR, Dice, Problem, Proof
from altsel.exact.sources import tree
from altsel.exact.sources.quadratic import source
from benchmarks.correlated_tables import RESULTS, drawn, write

LARGE = [(12, noise, seed) for noise in (1.2, 0.5, 3.0) for seed in range(5)] + [(5, 1.2, 0), (30, 1.2, 0)]
"""Factors, noise and seed of instances of 500 features."""
ROWS = RESULTS / "correlated.jsonl"
CRITERIA = {"mRMR": MRMR, "CFS": CFS}


@dataclass
class Row:
    """One search and what came of it; `curve` holds CPU seconds, best value and bound."""

    part: str
    instance: str
    question: str
    before: bool = False
    seconds: float = 0.0
    proved: bool = False
    score: float | None = None
    gap: float | None = None
    nodes: int = 0
    curve: list[tuple[float, float, float]] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Names the search."""
        return "|".join([self.part, self.instance, self.question, str(self.before)])


@dataclass(frozen=True)
class Task:
    """A search to be made."""

    row: Row
    made: Callable[[], altsel.Dependence]
    call: Callable[[altsel.Dependence], altsel.Solutions]


def factor(
    n: int, factors: int = 12, noise: float = 1.2, seed: int = 0, rows: int = 600
) -> altsel.Dependence:
    """Absolute correlations of rows x factors + noise; the target is 20 features and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, factors)) @ rng.normal(size=(factors, n)) + noise * rng.normal(size=(rows, n))
    y = X[:, :20].sum(axis=1) + 8 * rng.normal(size=rows)
    return dependence(pd.DataFrame(X).add_prefix("x"), y)


def dependence(table: pd.DataFrame, y: Any) -> altsel.Dependence:
    """Absolute correlations of a table of numbers."""
    correlations = np.minimum(np.abs(np.corrcoef(np.column_stack([table, y]).T)), 1.0)
    correlations = (correlations + correlations.T) / 2
    names = list(table.columns)
    r = pd.DataFrame(correlations[:-1, :-1], index=names, columns=names)
    return altsel.Dependence(pd.Series(correlations[-1, :-1], index=names), r)


def classification(n: int) -> altsel.Dependence:
    """Nearly independent features."""
    from sklearn.datasets import make_classification  # noqa: PLC0415

    X, y = make_classification(1000, n, n_informative=20, random_state=0)
    return dependence(pd.DataFrame(X).add_prefix("x"), y)


def digits() -> altsel.Dependence:
    """Pixels, and whether the digit is odd."""
    from sklearn.datasets import load_digits  # noqa: PLC0415

    data = load_digits()
    table = pd.DataFrame(data.data).add_prefix("x")
    return dependence(table.loc[:, table.std() > 0], data.target % 2)


def stored(folder: Path, name: str, most: int, binary: bool = False) -> altsel.Dependence:
    """Read a data set: its features of most relevance, cut at the median if they are to be binary."""
    table = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
    target = table.pop("target")
    y = target if pd.api.types.is_numeric_dtype(target) else pd.factorize(target)[0]
    table = table.select_dtypes("number")
    if binary:
        table = (table > table.median()).astype(float)
    table = table.loc[:, table.std() > 0]
    relevance = np.abs(np.corrcoef(np.column_stack([table, y]).T)[-1, :-1])
    return dependence(table.iloc[:, np.sort(np.argsort(-relevance, kind="stable")[:most])], y)


def one(criterion: str, k: int, made: altsel.Dependence) -> altsel.Solutions:
    """Search for the best set."""
    return altsel.sequential(Problem(CRITERIA[criterion](made), k), Dice(0.5), 0)


def several(criterion: str, search: str, made: altsel.Dependence) -> altsel.Solutions:
    """Search for six sets one after another, or for two at once."""
    problem = Problem(CRITERIA[criterion](made), 10)
    if search == "sequential":
        return altsel.sequential(problem, Dice(0.5), 5)
    return altsel.simultaneous(problem, Dice(0.5), 1, search)


def ruled(criterion: str, rule: str, made: altsel.Dependence) -> altsel.Solutions:
    """Search for the best set under a budget, or with quotas of four groups."""
    names = list(made.relevance.index)
    if rule == "budget":
        cost = dict(zip(names, np.random.default_rng(1).integers(1, 10, len(names)).tolist(), strict=True))
        rules = [altsel.domain.budget(cost, 30)]
    else:
        rules = [altsel.domain.at_most(3, names[i::4]) for i in range(4)]
    return altsel.sequential(Problem(CRITERIA[criterion](made), 10, rules), Dice(0.5), 0)


def tasks(folder: Path | None, seeds: int) -> Iterator[Task]:
    """List all searches, the cheap ones first."""
    yield from _factors(seeds)
    yield from _several()
    easy = {"digits": digits} | {f"made, n = {n}": partial(classification, n) for n in (200, 500, 1000)}
    for name, made in easy.items():
        for criterion in CRITERIA:
            yield from _with_before("easy", name, criterion, made)
    for n in (60, 100, 200):
        for criterion in CRITERIA:
            yield from _with_before("before", f"n = {n}", criterion, partial(factor, n))
    if folder is not None:
        yield from _stored(folder)
    for factors, noise, seed in LARGE:
        for criterion in CRITERIA:
            name = f"n = 500, {factors} factors, noise {noise}, seed {seed}"
            yield _task("factors", name, criterion, 10, partial(factor, 500, factors, noise, seed))
    for noise, seed in product((0.5, 1.2, 3.0), range(seeds)):
        for criterion in CRITERIA:
            name = f"n = 1000, 12 factors, noise {noise}, seed {seed}"
            yield _task("factors", name, criterion, 10, partial(factor, 1000, noise=noise, seed=seed))


def _several() -> Iterator[Task]:
    """List searches with other sizes, for several sets, and with rules."""
    for criterion in CRITERIA:
        for k in (5, 20, 40):
            yield _task("sizes", "n = 200", criterion, k, partial(factor, 200))
        for n in (100, 200):
            for search in ("sequential", "sum", "min"):
                row = Row("several", f"n = {n}", f"{criterion}, {search}")
                yield Task(row, partial(factor, n), partial(several, criterion, search))
            for rule in ("budget", "quotas"):
                row = Row("rules", f"n = {n}", f"{criterion}, {rule}")
                yield Task(row, partial(factor, n), partial(ruled, criterion, rule))


def _task(part: str, name: str, criterion: str, k: int, made: Any, before: bool = False) -> Task:
    return Task(Row(part, name, f"{criterion}, k = {k}", before), made, partial(one, criterion, k))


def _with_before(part: str, name: str, criterion: str, made: Any) -> Iterator[Task]:
    for before in (False, True):
        yield _task(part, name, criterion, 10, made, before)


def _factors(seeds: int) -> Iterator[Task]:
    for seed in range(seeds):
        for n in (60, 100, 200):
            for factors in (5, 12, 30):
                for noise in (0.5, 1.2, 3.0):
                    for criterion in CRITERIA:
                        name = f"n = {n}, {factors} factors, noise {noise}, seed {seed}"
                        made = partial(factor, n, factors, noise, seed)
                        yield _task("factors", name, criterion, 10, made)


def _stored(folder: Path) -> Iterator[Task]:
    tables = {
        "musk1": ("musk1", 166, False),
        "hill-valley-noise": ("hill-valley-noise", 100, False),
        "arcene (mass spectra), 500 features": ("arcene", 500, False),
        "prostate, 1,069 features cut at the median": ("prostate", 1069, True),
    }
    for label, (name, most, binary) in tables.items():
        for k in (5, 10, 20):
            for criterion in CRITERIA:
                yield _task("stored", label, criterion, k, partial(stored, folder, name, most, binary))


class _Curve(logging.Handler):
    """Keeps what the search reports of its best value and bound, by CPU time."""

    def __init__(self) -> None:
        super().__init__()
        self.began = time.process_time()
        self.points: list[tuple[float, float, float]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the numbers of the two messages that hold a bound."""
        given = record.args if isinstance(record.args, tuple) else ()
        seconds = time.process_time() - self.began
        if str(record.msg).startswith("root:"):
            self.points.append((seconds, float("nan"), float(given[1])))  # type: ignore[arg-type]
        elif str(record.msg).startswith("convexified:"):
            self.points.append((seconds, float(given[0]), float(given[1])))  # type: ignore[arg-type]


@contextmanager
def _watched(seconds: float, before: bool) -> Iterator[_Curve]:
    """Interrupt after CPU seconds; without convex programs for what was before; note its bounds."""

    def ring(*_: Any) -> None:
        raise KeyboardInterrupt

    log, curve = logging.getLogger("altsel.search"), _Curve()
    level, handled = log.level, signal.signal(signal.SIGPROF, ring)
    log.addHandler(curve)
    log.setLevel(logging.INFO)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    out = patch.multiple(source, why_not_rewritten=lambda _: "taken out") if before else patch.dict({})
    try:
        with out, patch.object(tree, "HEARTBEAT", 0.2):
            yield curve
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handled)
        log.removeHandler(curve)
        log.setLevel(level)


def measured(task: Task, seconds: float) -> Row:
    """Make a search."""
    row, made = task.row, task.made()
    with _watched(seconds, row.before) as curve:
        began = time.process_time()
        try:
            found = task.call(made)
        except (KeyboardInterrupt, altsel.AltselError) as fault:
            row.question += f" ({type(fault).__name__})"
            found = None
        row.seconds = time.process_time() - began
    if found:
        row.proved = (
            all(subset.proof is Proof.OPTIMAL for subset in found) and found.stop.value != "interrupt"
        )
        row.score = found[0].score
        row.gap = max((subset.gap for subset in found if subset.gap is not None), default=None)
        row.nodes = found.effort.nodes
    row.curve = [
        (round(at, 2), value, bound) for at, value, bound in curve.points[:: max(1, len(curve.points) // 150)]
    ]
    return row


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--part", action="append")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--anew", action="store_true", help="measure all again")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.anew:
        ROWS.unlink(missing_ok=True)
    known = ROWS.read_text("utf-8").splitlines() if ROWS.exists() else []
    rows = {row.key: row for row in (Row(**json.loads(line)) for line in known)}
    one("mRMR", 10, factor(60))  # compiles
    for task in tasks(given.folder, given.seeds):
        key = task.row.key
        if key in rows or (given.part and task.row.part not in given.part):
            continue
        row = rows[key] = measured(task, 20.0 if task.row.before else given.seconds)
        row.curve = row.curve if drawn(row) else []
        print(row.seconds, row.proved, key, flush=True)
        with ROWS.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")
    write(list(rows.values()), RESULTS / "correlated.md")


if __name__ == "__main__":
    main()
