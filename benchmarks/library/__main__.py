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
from benchmarks.library.models import audited, best_known, solu, write
from benchmarks.library.page import page
from benchmarks.library.questions import grids, name_of
from benchmarks.library.reading import read_all

AUDITS, READS = "audits.csv", "reads.csv"
RESULTS = Path(__file__).parents[1] / "results"
SOLVERS = ("auto", "highs", "cp-sat", "scip", "cbc")


def runs_of(folder: Path, out: Path, solvers: Sequence[str], seconds: float, jobs: int) -> pd.DataFrame:
    """Run what is not done yet, and return all runs with the questions' names."""
    tables = []
    for grid in grids(folder, out, solvers, seconds):
        table = bench(grid, out / "runs", jobs)
        tables.append(table.assign(name=[name_of(case) for case in grid.cases()]))
    return pd.concat(tables, ignore_index=True)


def report(out: Path) -> None:
    """Write the best known values and the page from the runs alone."""
    runs = pd.read_csv(out / "runs.csv")
    known = best_known(runs)
    text = "".join(f"{line}\n" for line in solu(known))
    (out / "library.solu").write_text(text, encoding="utf-8")
    (RESULTS / "library.solu").write_text(text, encoding="utf-8")
    audits, reads = (
        pd.read_csv(out / one) if (out / one).exists() else pd.DataFrame() for one in (AUDITS, READS)
    )
    (RESULTS / "library.md").write_text(page(runs, known, audits, reads), encoding="utf-8")


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
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--models", action="store_true", help="write every model as .mps.gz and .lp.gz")
    parser.add_argument("--read", action="store_true", help="let HiGHS, SCIP, CBC and GLPK read the models")
    parser.add_argument("--solvers", nargs="*", default=list(SOLVERS))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--n-jobs", type=int, default=1)
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
        runs = runs_of(given.folder, given.out, given.solvers, given.seconds, given.n_jobs)
        runs.to_csv(given.out / "runs.csv", index=False)


if __name__ == "__main__":
    main()
