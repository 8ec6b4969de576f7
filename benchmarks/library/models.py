"""Models of questions as compressed MPS and LP files, and the best known values as in MIPLIB's ``.solu``."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import zlib
from collections.abc import Iterable
from math import inf
from pathlib import Path

import pandas as pd

import altsel
from altsel.bench.comparison import SOLVED
from altsel.bench.grid import BenchSearch, Case
from altsel.bench.question import diversity_of, problem_of, search
from altsel.exact.auto_solver import solver
from benchmarks.library.questions import name_of
from benchmarks.library.sets import as_text, better_of

DAMAGED = (OSError, EOFError, zlib.error)
"""What reading a compressed file raises that is not whole."""
AGREE = 1e-6
"""Relative difference of two proved values that is none: the solvers' tolerance."""


def write(case: Case, into: Path) -> None:
    """Write a question's model as ``.mps.gz`` and ``.lp.gz``, unless they are there, and whole."""
    into.mkdir(parents=True, exist_ok=True)
    for ending in (".mps", ".lp"):
        path = into / f"{name_of(case)}{ending}.gz"
        if path.exists() and _whole(path):
            continue
        total = "min" if case.search == BenchSearch.MIN else "sum"
        with tempfile.TemporaryDirectory(dir=into) as folder:
            plain = altsel.export(
                problem_of(case),
                Path(folder) / f"{name_of(case)}{ending}",
                diversity_of(case),
                case.alternatives,
                total,
            )
            packed = Path(folder) / path.name
            with (
                plain.open("rb") as source,
                packed.open("wb") as file,
                gzip.GzipFile("", "wb", fileobj=file, mtime=0) as target,  # the same bytes each time
            ):
                shutil.copyfileobj(source, target)
            packed.rename(path)


def _whole(packed: Path) -> bool:
    """Return whether a compressed file can be read to its end."""
    try:
        with gzip.open(packed) as file:
            while file.read(1 << 20):
                pass
    except DAMAGED:
        return False
    return True


def best_known(runs: pd.DataFrame) -> pd.DataFrame:
    """Find each question's best value, whether it is proved, by whom, and whether all runs agree."""
    return pd.DataFrame([_best(name, group) for name, group in runs.groupby("name", sort=False)])


def _best(name: object, group: pd.DataFrame) -> dict[str, object]:
    proofs = group[group["status"].isin(SOLVED)]
    infeasible = proofs["status"] == "infeasible"
    found, proved = group["objective_value"].dropna(), proofs["objective_value"].dropna()
    best = proved.max() if len(proved) else found.max()
    room = AGREE * max(1.0, abs(best)) if len(found) else 0.0
    if infeasible.any():
        known, agree = "inf", bool(infeasible.all()) and not len(found)
    else:
        known = "opt" if len(proved) else "best" if len(found) else "unkn"
        agree = not len(proved) or bool(proved.min() >= best - room and found.max() <= best + room)
    return {"name": name, "known": known, "value": best, "by": ", ".join(proofs["solver"]), "agree": agree}


def solu(known: pd.DataFrame) -> Iterable[str]:
    """Write a line a question: ``=opt= NAME VALUE``, ``=best=``, ``=inf=`` or ``=unkn=``."""
    for one in known.to_dict("records"):
        value = f" {one['value']:.15g}" if one["known"] in {"opt", "best"} else ""
        yield f"={one['known']}= {one['name']}{value}"


def improved(known: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Take over what a ``.solu`` file knows better: a proof, or a larger value where nothing is proved."""
    return better_of(known, values_in(path))


def values_in(path: Path) -> dict[str, tuple[str, float]]:
    """Read what a ``.solu`` file knows of questions: ``opt``, ``best``, ``inf`` or ``unkn``, and a value."""
    lines = [line.split() for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    return {line[1]: (line[0].strip("="), float(line[2]) if len(line) > 2 else -inf) for line in lines}


def audited(case: Case) -> dict[str, object]:
    """Search by `auto`, and let the audit check the sets, their scores and what they claim."""
    problem, diversity = problem_of(case), diversity_of(case)
    found = search(case, problem, solver(case.solver))
    checked = altsel.audit(found, problem, diversity)
    whole = len(found) == case.alternatives + 1
    return {
        "name": name_of(case),
        "sets": len(found),
        "members": as_text(one.features for one in found) if whole else "",
        "stop": str(found.stop),
        "verdict": str(checked.verdict),
    }
