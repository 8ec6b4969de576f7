"""``python -m benchmarks.library``: run it, write the models, and the page from what is there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from altsel.bench.grid import Case
from altsel.bench.run import bench
from benchmarks.library import __doc__ as usage
from benchmarks.library.models import audited, best_known, improved, solu, write
from benchmarks.library.page import page
from benchmarks.library.questions import grids, name_of
from benchmarks.library.reading import read_all
from benchmarks.library.records import added, runs_in

AUDITS, READS = "audits.csv", "reads.csv"
RESULTS = Path(__file__).parents[1] / "results"
NONE = pd.DataFrame(columns=["name"])
SOLVERS = ("auto", "highs", "cp-sat", "scip", "cbc")


def run(folder: Path, out: Path, solvers: Sequence[str], seconds: float, jobs: int) -> None:
    """Run what is not done yet."""
    for grid in grids(folder, out, solvers, seconds):
        bench(grid, out / "runs", jobs)


def report(out: Path) -> None:
    """Add what was run, audited and read to the records, and write the best known values and the page."""
    runs = added(RESULTS / "library_runs.csv", runs_in(out / "runs"), ["name", "solver"])
    runs = runs.sort_values("solver", key=lambda names: names.map(_place), kind="stable")
    values = RESULTS / "library.solu"
    known = improved(best_known(runs), values)
    values.write_text("".join(f"{line}\n" for line in solu(known)), encoding="utf-8")
    audits, reads = (
        added(RESULTS / f"library_{one}", pd.read_csv(out / one) if (out / one).exists() else NONE, ["name"])
        for one in (AUDITS, READS)
    )
    (RESULTS / "library.md").write_text(page(runs, known, audits, reads), encoding="utf-8")


def _place(solver: str) -> int:
    """Return where a solver stands in the tables; others than the usual ones come last."""
    return SOLVERS.index(solver) if solver in SOLVERS else len(SOLVERS)


def audit_all(cases: Iterable[Case], path: Path) -> None:
    """Audit what is not audited yet; each answer is kept at once."""
    done = set(pd.read_csv(path)["name"]) if path.exists() else set()
    for case in cases:
        if name_of(case) not in done:
            pd.DataFrame([audited(case)]).to_csv(path, mode="a", header=not path.exists(), index=False)


def main() -> None:
    """Read the arguments and do it."""
    if sys.argv[1:2] == ["report"]:
        report(Path(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="holds sonar.csv.gz and spambase.csv.gz of PMLB")
    parser.add_argument("--out", type=Path, required=True, help="keeps tables, models and runs")
    parser.add_argument("--models", action="store_true", help="write every model as .mps.gz and .lp.gz")
    parser.add_argument("--read", action="store_true", help="let HiGHS, SCIP, CBC and GLPK read the models")
    parser.add_argument("--solvers", nargs="*", default=list(SOLVERS), help="profiles; none: run nothing")
    parser.add_argument("--seconds", type=float, default=60.0, help="of wall time, for each run")
    parser.add_argument("--n-jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--audit", action="store_true", help="let altsel.audit check auto's answers")
    given = parser.parse_args()
    cases = [
        case for grid in grids(given.folder, given.out, ["auto"], given.seconds) for case in grid.cases()
    ]
    for case in cases if given.models else []:
        write(case, given.out / "models")
    if given.read:
        read_all(given.out / "models", given.out / READS)
    if given.audit:
        audit_all(cases, given.out / AUDITS)
    if given.solvers:
        run(given.folder, given.out, given.solvers, given.seconds, given.n_jobs)


if __name__ == "__main__":
    main()
