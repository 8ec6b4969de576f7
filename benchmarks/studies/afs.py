"""The study of AFS (Bach, Finding Optimal Diverse Feature Sets via Alternative Feature Selection, v1).

    python -m benchmarks.studies.afs FOLDER --out STORE [--hour] [--folds 10] [--selectors mi,gain,fcbf]
    python -m benchmarks.studies.afs report STORE

The first does 30 data sets x 10 folds x selectors x 15 settings x 6 searches, 558,000 sets in all, with
decision trees and random forests on each distinct set, and keeps the records in one SQLite file; what is
there already is not done again, whatever stopped the run. ``--hour`` does the part that two cores finish in
about an hour: three folds, all searches of mutual information, model gain and FCBF (but of FCBF on chess
and coil2000, where several sets together take up to the limit of 60 s: two more hours, by ``--hour --data
chess,coil2000 --selectors fcbf``), all trees, forests for sequential sets of k = 5 with tau .2 and 1; and
the wrapper of 300 calls on the ten smallest sets, fold 0, k = 5, tau .2, .6 and 1, three alternatives.
``--later`` adds what the later version of the paper has: mRMR, the smallest quality as total, and both
greedy heuristics. ``--scheduler ADDRESS`` runs on a dask cluster whose workers see the folder.

The second writes benchmarks/results/afs.md and its figures from the file alone.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import joblib

from altsel.errors import ArgumentError
from altsel.parallel import run
from altsel.runtime.identity import identity
from benchmarks.command import folder_of, in_one_line, whole
from benchmarks.studies.afs_design import (
    FOLDS,
    LATER,
    SELECTORS,
    Setting,
    coded,
    later_settings,
    name_of,
    settings,
)
from benchmarks.studies.afs_models import CHUNKS, MODELS, Features, Fits, chunks, fitted
from benchmarks.studies.afs_records import scores_of, store_of
from benchmarks.studies.afs_report import written
from benchmarks.studies.afs_search import Record, Unit, searched

SMALLEST = 10
"""Data sets of the wrapper's part of an hour."""
DEAR = {"chess", "coil2000"}
"""Data that FCBF's part of an hour leaves out, unless they are named."""
WRAPPER_IN_AN_HOUR = [
    Setting(5, tau, search, 3) for tau in (0.2, 0.6, 1.0) for search in ("sequential", "sum")
]
"""Runs of the wrapper's part of an hour."""


def main(arguments: list[str] | None = None) -> None:
    """Run the study, or report it."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["report"]:
        parser = argparse.ArgumentParser(prog="python -m benchmarks.studies.afs report")
        parser.add_argument("store", type=Path, help="the file that a run was told to keep")
        store = parser.parse_args(given[1:]).store
        with in_one_line(parser):
            written(store)
        return
    parser = _parser()
    wanted = _wanted(parser, given)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("altsel").setLevel(logging.WARNING)
    logging.getLogger("altsel.parallel").setLevel(logging.INFO)
    began = time.perf_counter()
    with in_one_line(parser), _workers(wanted):
        _refuse_other_tables(wanted)
        records = _searches(wanted)
        _models(wanted, records)
    logging.info(
        "%.0f s; now: python -m benchmarks.studies.afs report %s", time.perf_counter() - began, wanted.out
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=folder_of("*.csv.gz"), help="holds the data sets, column `target`")
    parser.add_argument("--out", type=Path, required=True, help="the store of records, made or gone on with")
    parser.add_argument("--hour", action="store_true", help="the part of about an hour on two cores")
    folds = f"the first so many of {FOLDS} folds"
    parser.add_argument("--folds", type=whole(1, FOLDS), default=FOLDS, help=folds)
    names = ",".join((*SELECTORS, *LATER))
    parser.add_argument("--selectors", default=",".join(SELECTORS), help=f"some of {names}")
    parser.add_argument("--data", default="", help="names of data sets, separated by commas; default: all")
    parser.add_argument("--calls", type=whole(1), default=1000, help="solver calls of a hill of the wrapper")
    parser.add_argument("--no-forests", action="store_true", help="fit trees alone")
    parser.add_argument("--later", action="store_true", help="what the later version of the paper adds")
    parser.add_argument("--n-jobs", type=int, default=-1, help="processes; -1: one for each core")
    parser.add_argument("--scheduler", help="address of a dask scheduler; 'local' starts two workers here")
    return parser


def _wanted(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    wanted = parser.parse_args(arguments)
    wanted.paths = sorted(wanted.folder.glob("*.csv.gz"))
    if wanted.data:
        named, every = set(wanted.data.split(",")), sorted(map(name_of, wanted.paths))
        wanted.paths = [path for path in wanted.paths if name_of(path) in named]
        if len(wanted.paths) < len(named):
            missing = ", ".join(sorted(named.difference(every)))
            parser.error(f"--data: no file of {missing}; there are {', '.join(every)}")
    wanted.selectors = wanted.selectors.split(",")
    if unknown := set(wanted.selectors) - {*SELECTORS, *LATER}:
        parser.error(
            f"--selectors: no {', '.join(sorted(unknown))}; there are {', '.join((*SELECTORS, *LATER))}"
        )
    if wanted.hour:
        wanted.folds = min(wanted.folds, 3)
    if wanted.later:
        wanted.selectors += LATER
    return wanted


def _workers(wanted: argparse.Namespace) -> AbstractContextManager[Any]:
    """Let joblib use a cluster, if one is named."""
    if not wanted.scheduler:
        return nullcontext()
    from dask.distributed import Client, LocalCluster  # noqa: PLC0415  (the extra `cluster`)

    local = wanted.scheduler == "local"
    cluster = LocalCluster(n_workers=2, threads_per_worker=1) if local else wanted.scheduler
    return joblib.parallel_config("dask", client=Client(cluster))  # type: ignore[no-any-return]


def _refuse_other_tables(wanted: argparse.Namespace) -> None:
    """Keep what tells each table from others of its name; raise an ArgumentError where it is another one."""
    store = store_of(wanted.out)
    now = {f"table {name_of(path)}": sha256(path.read_bytes()).hexdigest() for path in wanted.paths}
    before = store.load(now)
    for name, digest in now.items():
        if before.get(name, digest) != digest:
            raise ArgumentError(f"--out {wanted.out} holds results of another {name}; use a new file")
    for name in now.keys() - before.keys():
        store.save(name, now[name])


def _searches(wanted: argparse.Namespace) -> list[Record]:
    """Do the searches that are not in the store, the dearest first; return all records wanted."""
    sizes = {path: coded(path)[0].shape for path in wanted.paths}
    tasks = dict(sorted(_units(wanted, sizes), key=lambda item: -_cost(item[1], sizes[item[1].path])))
    results = run(searched, tasks, store_of(wanted.out), wanted.n_jobs, "unit")
    return [record for records in results.values() for record in records]


def _units(wanted: argparse.Namespace, sizes: dict[Path, tuple[int, int]]) -> Iterator[tuple[str, Unit]]:
    smallest = sorted(wanted.paths, key=lambda path: sizes[path][0] * sizes[path][1])[:SMALLEST]
    for path in wanted.paths:
        for number in range(wanted.folds):
            for selector in wanted.selectors:
                unit = Unit(path, number, selector, tuple(settings()), wanted.calls)
                later = replace(unit, runs=tuple(later_settings(selector)))
                if selector == "wrapper":
                    if not wanted.hour:
                        yield from _by_setting(unit, (*unit.runs, *later.runs * wanted.later))
                    elif path in smallest and number == 0:
                        yield from _by_setting(replace(unit, calls=300), WRAPPER_IN_AN_HOUR)
                elif not (wanted.hour and not wanted.data and selector == "fcbf" and name_of(path) in DEAR):
                    yield f"{name_of(path)}, fold {number}, {selector}", unit
                    if wanted.later:
                        yield f"{name_of(path)}, fold {number}, {selector}, later", later


def _by_setting(unit: Unit, runs: Iterable[Setting]) -> Iterator[tuple[str, Unit]]:
    """Divide a unit of the wrapper, which takes hours, by its runs."""
    for one in runs:
        key = f"{name_of(unit.path)}, fold {unit.fold}, {unit.selector} of {unit.calls} calls, "
        yield f"{key}k {one.k}, tau {one.tau:g}, {one.search}, {one.asked}", replace(unit, runs=(one,))


def _cost(unit: Unit, shape: tuple[int, int]) -> float:
    """Estimate the seconds of a unit: only their order counts."""
    rows, features = shape
    if unit.selector == "wrapper":
        return unit.calls * (rows * 1e-5 + 1e-3)
    pairs = features**2 * rows * 2e-7 if unit.selector in {"fcbf", "mrmr"} else 0.0
    return len(unit.runs) * 0.04 + pairs


def _models(wanted: argparse.Namespace, records: list[Record]) -> None:
    """Fit trees to all distinct sets of each fold, and forests to those wanted, but for what is stored."""
    store = store_of(wanted.out)
    known = scores_of(store.load())
    paths = {name_of(path): path for path in wanted.paths}
    for model in MODELS[: 1 if wanted.no_forests else 2]:
        sets: dict[tuple[str, int], set[Features]] = {}
        for record in records:
            if record["features"] and (model == "tree" or not wanted.hour or _in_an_hour(record)):
                sets.setdefault((record["data"], record["fold"]), set()).add(tuple(record["features"]))
        tasks = {}
        for (data, number), wanted_sets in sets.items():
            missing = wanted_sets - known.get((model, data, number), {}).keys()
            for part in chunks(missing, CHUNKS[model]):
                tasks[f"{data}, fold {number}, {model}, {identity(list(part))}"] = Fits(
                    paths[data], number, model, part
                )
        logging.info("%ss: %d tasks", model, len(tasks))
        run(fitted, tasks, store, wanted.n_jobs, "task")


def _in_an_hour(record: Record) -> bool:
    return record["search"] == "sequential" and record["k"] == 5 and record["tau"] in {0.2, 1.0}


if __name__ == "__main__":
    main()
