"""``python -m benchmarks.library``: run it, write the models, and the page from what is there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

import pandas as pd

from altsel.bench.grid import Case, Grid
from altsel.bench.run import bench
from benchmarks.command import folder_of, in_one_line, stamped
from benchmarks.library import __doc__ as usage
from benchmarks.library.models import audited, best_known, improved, solu, values_in, write
from benchmarks.library.page import page
from benchmarks.library.questions import grids, name_of
from benchmarks.library.reading import read_all
from benchmarks.library.records import SECONDS, added, of_a_minute, runs_in
from benchmarks.library.sets import COLUMNS, better, checked, with_sets

AUDITS, READS, SETS = "audits.csv", "reads.csv", "sets.csv"
RESULTS = Path(__file__).parents[1] / "results"
NONE = pd.DataFrame(columns=["name"])
SOLVERS = ("auto", "highs", "cp-sat", "scip", "cbc")


def run(every: Iterable[Grid], only: Sequence[str] | None, folder: Path, jobs: int) -> None:
    """Run what is not done yet."""
    for grid in every:
        if only is None:
            bench(grid, folder, jobs)
            continue
        for case in {(one.data, one.tau): one for one in grid.cases() if name_of(one) in only}.values():
            bench(replace(grid, data=[Path(case.data)], tau=[case.tau]), folder, jobs)


def report(out: Path) -> None:
    """Add what was run, audited, read and found to the records; write the best known values and the page."""
    runs = added(RESULTS / "library_runs.csv", of_a_minute(runs_in(out / "runs")), ["name", "solver"])
    runs = runs.sort_values("solver", key=lambda names: names.map(_place), kind="stable")
    values = RESULTS / "library.solu"
    sets = better(*(pd.read_csv(one) for one in (RESULTS / f"library_{SETS}", out / SETS) if one.exists()))
    sets.to_csv(RESULTS / f"library_{SETS}", index=False)
    known = with_sets(improved(best_known(runs), values), sets)
    values.write_text("".join(f"{line}\n" for line in solu(known)), encoding="utf-8")
    audits, reads = (
        added(RESULTS / f"library_{one}", _table(out / one), ["name"]) for one in (AUDITS, READS)
    )
    (RESULTS / "library.md").write_text(stamped(page(runs, known, audits, reads)), encoding="utf-8")


def _table(path: Path) -> pd.DataFrame:
    """Read what was audited or read; none where nothing was. Sets are kept elsewhere."""
    return pd.read_csv(path).drop(columns="members", errors="ignore") if path.exists() else NONE


def _place(solver: str) -> int:
    """Return where a solver stands in the tables; others than the usual ones come last."""
    return SOLVERS.index(solver) if solver in SOLVERS else len(SOLVERS)


def keep(found: pd.DataFrame, cases: Iterable[Case], out: Path) -> None:
    """Check sets of questions by the formulas, and keep those that are the best so far."""
    before = pd.read_csv(out / SETS) if (out / SETS).exists() else pd.DataFrame(columns=COLUMNS)
    known = values_in(RESULTS / "library.solu")
    new = checked(found, cases)
    for name, value in zip(new["name"], new["value"], strict=True):
        was, best = known.get(str(name), ("unkn", -inf))
        print(f"{name}: {value:.9g}" + (f"; known: {best:.9g}, {was}" if was in {"opt", "best"} else ""))
    better(before, new).to_csv(out / SETS, index=False)


def audit_all(cases: Iterable[Case], path: Path) -> None:
    """Audit what is not audited yet; each answer is kept at once."""
    done = set(pd.read_csv(path)["name"]) if path.exists() else set()
    for case in cases:
        if name_of(case) not in done:
            pd.DataFrame([audited(case)]).to_csv(path, mode="a", header=not path.exists(), index=False)


def main() -> None:
    """Read the arguments and do it."""
    if sys.argv[1:2] == ["report"]:
        parser = argparse.ArgumentParser(prog="python -m benchmarks.library report")
        parser.add_argument("out", type=folder_of("runs"), help="the folder that was named as --out")
        out = parser.parse_args(sys.argv[2:]).out
        with in_one_line(parser):
            report(out)
        return
    parser = _parser()
    given = parser.parse_args()
    with in_one_line(parser):
        _done(parser, given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.library",
        description=usage,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "folder", type=folder_of("*.csv.gz"), help="holds sonar.csv.gz and spambase.csv.gz of PMLB"
    )
    parser.add_argument("--out", type=Path, required=True, help="keeps tables, models and runs")
    parser.add_argument("--models", action="store_true", help="write every model as .mps.gz and .lp.gz")
    parser.add_argument("--read", action="store_true", help="let HiGHS, SCIP, CBC and GLPK read the models")
    parser.add_argument("--solvers", nargs="*", default=list(SOLVERS), help="profiles; none: run nothing")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of wall time, for each run")
    parser.add_argument("--n-jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--audit", action="store_true", help="let altsel.audit check auto's answers")
    parser.add_argument(
        "--sets", type=Path, help="check sets found elsewhere, a CSV file as library_sets.csv"
    )
    names = "names of questions, as in results/library.solu; default: all"
    parser.add_argument("--only", nargs="+", help=names)
    return parser


def _done(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """Do what is wanted."""
    every = [
        case for grid in grids(given.folder, given.out, ["auto"], given.seconds) for case in grid.cases()
    ]
    if unknown := set(given.only or ()) - set(map(name_of, every)):
        parser.error(f"--only: no such questions: {', '.join(sorted(unknown))}")
    cases = [case for case in every if given.only is None or name_of(case) in given.only]
    if given.sets:
        found = pd.read_csv(given.sets)
        if missing := {"name", "sets"} - set(found.columns):
            parser.error(f"--sets {given.sets}: no column {' and '.join(sorted(missing))}")
        keep(found, every, given.out)
    for case in cases if given.models else []:
        write(case, given.out / "models")
    if given.read:
        read_all(given.out / "models", given.out / READS)
    if given.audit:
        audit_all(cases, given.out / AUDITS)
        found = pd.read_csv(given.out / AUDITS).rename(columns={"sets": "number", "members": "sets"})
        keep(found[found["sets"].notna()], every, given.out)
    if given.solvers:
        run(
            grids(given.folder, given.out, given.solvers, given.seconds),
            given.only,
            given.out / "runs",
            given.n_jobs,
        )


if __name__ == "__main__":
    main()
