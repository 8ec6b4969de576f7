"""A unit of the study of AFS: all runs of a selector on one fold, as records of one set each."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altsel
from benchmarks.studies.afs_design import SECONDS, Fold, Setting, fold
from benchmarks.studies.afs_quality import Quality, quality

Record = dict[str, Any]


@dataclass(frozen=True)
class Unit:
    """A selector on one fold of a data set.

    Attributes
    ----------
    path
        The table.
    fold
        Number of the fold.
    selector
        ``"mi"``, ``"gain"``, ``"fcbf"``, ``"wrapper"`` or ``"mrmr"``.
    runs
        The runs wanted.
    calls
        Solver calls of one hill of the wrapper.
    """

    path: Path
    fold: int
    selector: str
    runs: tuple[Setting, ...]
    calls: int = 1000


def searched(unit: Unit) -> list[Record]:
    """Do the runs of a unit: one record for each set that was asked for, found or not."""
    divided = fold(unit.path, unit.fold)
    began = time.process_time()
    judged = quality(unit.selector, divided)
    spent = time.process_time() - began
    records = (record for run in unit.runs for record in _run(unit, divided, judged, run))
    return [{**record, "seconds_quality": spent} for record in records]


def _run(unit: Unit, divided: Fold, judged: Quality, run: Setting) -> list[Record]:
    """Do one run, and describe its sets."""
    began = time.process_time()
    found = _found(unit, judged, run)
    spent = time.process_time() - began
    same = {"data": divided.data, "fold": divided.number, "selector": unit.selector, "k": run.k}
    same |= {"tau": run.tau, "search": run.search, "asked": run.asked, "seconds": spent}
    same |= {"n": divided.X.shape[1], "rows": len(divided.X)}
    records: list[Record] = []
    for number in range(run.asked + 1):
        if number < len(found):
            one = found[number]
            what: Record = {"features": sorted(one.features), "status": one.proof.value, "bound": one.bound}
            what |= {"train": one.score, "test": judged.test_score(one.features)}
        else:
            none = found.stop is altsel.Stop.INFEASIBLE
            what = {"features": None, "status": "infeasible" if none else "not solved"}
            what |= {"bound": None, "train": None, "test": None}
        records.append({**same, "number": number, **what})
    return records


def _found(unit: Unit, judged: Quality, run: Setting) -> altsel.Solutions:
    """Search as a setting says."""
    problem, distance = altsel.Problem(judged.objective, run.k), altsel.Dice(run.tau)
    if unit.selector == "wrapper":
        climb = altsel.OrderedFlips(max_iters=unit.calls)
        together = run.search != "sequential"
        total = run.search if together else "sum"
        return altsel.wrapper(problem, distance, run.asked, climb, together=together, total=total)
    limited = altsel.solver("auto", time_limit=SECONDS)
    if run.search == "sequential":
        return altsel.sequential(problem, distance, run.asked, limited)
    if run.search in {"sum", "min"}:
        return altsel.simultaneous(problem, distance, run.asked, run.search, limited)
    heuristic = altsel.greedy.replacement if run.search == "replacement" else altsel.greedy.balancing
    return heuristic(problem, distance, run.asked)
