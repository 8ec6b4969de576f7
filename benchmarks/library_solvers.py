"""Whether other solvers read the library's MPS files, and agree on the optima.

``python -m benchmarks.library_solvers LIBRARY --limit 20``; LIBRARY is a folder that ``altsel library make``
filled. Each file is read by the solver's own reader: altsel has no part in it. Programs are looked for on the
PATH (``cbc``, ``glpsol``), packages are highspy, pyscipopt and ortools. It goes on where it was ended.
"""

from __future__ import annotations

import argparse
import gzip
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.library.files import path_of
from altsel.library.records import records
from benchmarks.command import folder_of, in_one_line, stamped, whole

RESULTS = Path(__file__).parent / "results"
AGREE = 1e-5
"""Difference of two values that is none: solvers keep rows to 1e-6, and a value may take up several."""
COLUMNS = ("name", "solver", "status", "value", "seconds")
Answer = tuple[str, float | None]
"""``"optimal"`` with the objective's value, ``"infeasible"``, ``"open"`` or what went wrong."""
HEAD = """# Five solvers read the library

`python -m benchmarks.library_solvers LIBRARY --limit {limit}`: of the {all} questions of the library that
have an MPS file {tried} were tried: of each kind the first, and others where all five solved that. Each file
is read by the solver's own reader, on one thread, with {limit} seconds of wall time on a busy machine: what
is open says little of a solver, claims do. LIBRARY was made by `altsel library make LIBRARY`. CP-SAT, a
solver for integers, takes continuous variables as multiples of 1e-6 (`mip_var_scaling`; by default of 1,
with which it calls wrong values optimal); HiGHS and CBC have a gap of 0.

*optimal*, *infeasible*: what the solver claims; *agree*: claims equal to the library's, optima within
{agree:g} of the larger of 1 and the optimum, or no worse than the best known where the library has no proof;
*contradict*: claims that are not; *open*: no claim within the limit. Seconds are CPU seconds of all trials.
"""


def by_highs(path: Path, limit: float) -> Answer:
    """Solve a file by highspy."""
    highspy: Any = import_module("highspy")
    engine = highspy.Highs()
    engine.setOptionValue("output_flag", False)
    engine.setOptionValue("threads", 1)
    engine.setOptionValue("time_limit", limit)
    engine.setOptionValue("mip_rel_gap", 0.0)
    engine.readModel(str(path))
    engine.run()
    status = engine.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return "optimal", float(engine.getInfo().objective_function_value)
    return ("infeasible" if status == highspy.HighsModelStatus.kInfeasible else "open"), None


def by_scip(path: Path, limit: float) -> Answer:
    """Solve a file by PySCIPOpt."""
    model = import_module("pyscipopt").Model()
    model.hideOutput()
    model.setParam("limits/time", limit)
    model.readProblem(str(path))
    model.optimize()
    status = model.getStatus()
    if status == "optimal":
        return "optimal", float(model.getObjVal())
    return ("infeasible" if status == "infeasible" else "open"), None


def by_cpsat(path: Path, limit: float) -> Answer:
    """Solve a file by CP-SAT, as OR-tools reads MPS."""
    builder: Any = import_module("ortools.linear_solver.python.model_builder")
    model = builder.Model()
    if not model.import_from_mps_file(str(path)):
        return "not read", None
    engine = builder.Solver("sat")
    engine.set_time_limit_in_seconds(limit)
    engine.set_solver_specific_parameters("num_workers:1,mip_var_scaling:1000000")
    status = engine.solve(model)
    if status == builder.SolveStatus.OPTIMAL:
        return "optimal", float(engine.objective_value)
    return ("infeasible" if status == builder.SolveStatus.INFEASIBLE else "open"), None


def _program(command: list[str], limit: float) -> None:
    """Run a program until it has ended; one that keeps no limit is stopped."""
    try:
        subprocess.run(command, capture_output=True, timeout=limit + 10, check=False)
    except subprocess.TimeoutExpired:
        return


def by_cbc(path: Path, limit: float) -> Answer:
    """Solve a file by the program cbc."""
    out = path.with_suffix(".cbc")
    _program(["cbc", str(path), "-ratioGap", "0", "-sec", str(limit), "-solve", "-solu", str(out)], limit)
    first = out.read_text("utf-8").partition("\n")[0] if out.exists() else ""
    found = re.match(r"Optimal - objective value (\S+)", first)
    if found:
        return "optimal", float(found[1])
    return ("infeasible" if re.match(r"(Integer i|I)nfeasible", first) else "open"), None


def by_glpk(path: Path, limit: float) -> Answer:
    """Solve a file by the program glpsol."""
    out = path.with_suffix(".glpk")
    _program(["glpsol", "--freemps", str(path), "--tmlim", str(int(limit)), "-o", str(out)], limit)
    text = out.read_text("utf-8") if out.exists() else ""
    status = re.search(r"^Status: +(.*)$", text, re.MULTILINE)
    value = re.search(r"^Objective: .* = (\S+)", text, re.MULTILINE)
    if status and value and status[1] in {"INTEGER OPTIMAL", "OPTIMAL"}:
        return "optimal", float(value[1])
    return ("infeasible" if status and status[1] in {"INTEGER EMPTY", "INFEASIBLE"} else "open"), None


SOLVERS: dict[str, Callable[[Path, float], Answer]] = {
    "HiGHS": by_highs,
    "SCIP": by_scip,
    "CP-SAT": by_cpsat,
    "CBC": by_cbc,
    "GLPK": by_glpk,
}
CLAIMS = ("optimal", "infeasible")
PROGRAMS = {"CBC": "cbc", "GLPK": "glpsol"}


def spent() -> float:
    """Return the CPU seconds of this process and of the programs it has run."""
    of_others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + of_others.ru_utime + of_others.ru_stime


def kind_and_seed(name: str) -> tuple[str, int]:
    """Take the seed out of a name such as ``factors-20-1-mrmr-k5``."""
    table, features, seed, rest = name.split("-", 3)
    return f"{table}-{features}-{rest}", int(seed)


def wanted(known: dict[str, dict[str, Any]], done: pd.DataFrame) -> Iterator[str]:
    """Yield the first question of each kind, then the others of kinds whose first all solvers have solved."""
    first: dict[str, str] = {}
    for name in sorted(known, key=lambda one: (kind_and_seed(one)[1], one)):
        if first.setdefault(kind_and_seed(name)[0], name) == name:
            yield name
    for name in sorted(known, key=lambda one: (kind_and_seed(one)[1], one)):
        own = done[done["name"] == first[kind_and_seed(name)[0]]]
        if {*own["solver"][own["status"].isin(CLAIMS)]} == {*SOLVERS}:
            yield name


def tried(folder: Path, limit: int, path: Path) -> Iterator[dict[str, Any]]:
    """Yield what each solver says of each file that it was not tried on yet."""
    known = {one["name"]: one for one in records(folder) if "mps" in one["files"]}
    done = read(path)
    for name in wanted(known, done):
        packed = path_of(folder, "mps", name).read_bytes()
        for solver, solve in SOLVERS.items():
            if ((done["name"] == name) & (done["solver"] == solver)).any():
                continue
            with tempfile.TemporaryDirectory() as here:
                (file := Path(here) / "question.mps").write_bytes(gzip.decompress(packed))
                began = spent()
                status, value = solve(file, float(limit))
                seconds = round(spent() - began, 2)
            row = dict(zip(COLUMNS, (name, solver, status, value, seconds), strict=True))
            done.loc[len(done)] = row
            yield row


def read(path: Path) -> pd.DataFrame:
    """Read what was done; nothing of a file that is not there."""
    return pd.read_csv(path) if path.exists() else pd.DataFrame(columns=[*COLUMNS])


def agrees(row: Any, known: dict[str, Any]) -> bool:
    """Return whether a claim is the library's."""
    if row.status == "infeasible":
        return bool(known["status"] == "inf")
    value = known["files"]["mps"]
    if value is None:
        return bool(known["status"] == "unkn")
    room = AGREE * max(1.0, abs(value))
    return bool(row.value <= value + room if known["status"] == "best" else abs(row.value - value) <= room)


def page(table: pd.DataFrame, folder: Path, limit: int) -> str:
    """Write the page."""
    known = {one["name"]: one for one in records(folder) if "mps" in one["files"]}
    names = table["name"].nunique()
    lines = [
        HEAD.format(limit=limit, tried=names, all=len(known), agree=AGREE),
        "| solver | files | optimal | infeasible | agree | contradict | open | other | CPU s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    claimed = table[table["status"].isin(CLAIMS)]
    right = pd.Series(
        [agrees(row, known[row.name]) for row in claimed.itertuples(index=False)], claimed.index
    )
    for name, own in table.groupby("solver", sort=False):
        counts = [(own["status"] == status).sum() for status in CLAIMS]
        mine = right[right.index.isin(own.index)]
        counts += [mine.sum(), (~mine).sum(), (own["status"] == "open").sum()]
        counts.append(len(own) - counts[0] - counts[1] - counts[4])
        lines.append(f"| {name} | {len(own)} | {' | '.join(map(str, counts))} | {own['seconds'].sum():.0f} |")
    all_five = claimed[right].groupby("name")["solver"].nunique()
    lines.append(f"\nAll five claim, and agree, on {(all_five == len(SOLVERS)).sum()} questions.")
    for row in claimed[~right].itertuples(index=False):
        value = known[row.name]["files"]["mps"]
        lines.append(f"\n- {row.name}, {row.solver}: {row.status} {row.value}; the library: {value}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the arguments and do it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.library_solvers", description=__doc__)
    parser.add_argument("library", type=folder_of("records"), help="made by 'altsel library make'")
    parser.add_argument("--limit", type=whole(1), default=20, help="seconds of each trial")
    arguments = parser.parse_args()
    missing = [program for program in PROGRAMS.values() if shutil.which(program) is None]
    if missing:
        parser.error(f"not on the PATH: {', '.join(missing)}")
    with in_one_line(parser):
        path = RESULTS / "library_solvers.csv"
        for row in tried(arguments.library, arguments.limit, path):
            pd.DataFrame([row]).to_csv(path, mode="a", header=not path.exists(), index=False)
            print(*row.values(), flush=True)
        text = page(pd.read_csv(path), arguments.library, arguments.limit)
        (RESULTS / "library_solvers.md").write_text(stamped(text), encoding="utf-8")


if __name__ == "__main__":
    main()
