"""Which questions are hard for a solver of models: measured, never guessed."""

from __future__ import annotations

import csv
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from altsel.errors import AltselError
from altsel.exact.auto_solver import solver
from altsel.library.files import path_of
from altsel.library.records import records
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import limited
from altsel.runtime.phases import Spent
from altsel.solvers.read_models import read_model

log = logging.getLogger("altsel.library")
COLUMNS = ("name", "solver", "limit", "status", "value", "cpu", "message")
FILE = "hard.csv"
AGREE = 1e-6
OWN_SHARE = 0.8
"""Share of a limit that a solver must have had in CPU seconds: limits are of the clock on the wall."""


def hard(folder: str | Path, seconds: float, engine: str = "highs", most: int | None = None) -> pd.DataFrame:
    """Let a solver try the MPS file of every question, and tell which it does not prove; resumable.

    Solvers keep limits by the clock on the wall. A trial without a proof that got less than four fifths of
    its limit in CPU seconds tells of a busy machine, not of the question: it is tried again.

    Parameters
    ----------
    folder
        Of the library.
    seconds
        Limit of each.
    engine
        Name of a profile.
    most
        Questions that this call tries at most.

    Returns
    -------
    pandas.DataFrame
        One row a question that has a model: ``status`` ``"proved"``, ``"infeasible"``, ``"feasible"``,
        ``"open"`` or ``"error"``; ``agrees`` with the library's optimum, where both are proved; ``kind``:
        ``"hard"`` if the library has a proof and the solver none, ``"open"`` if neither has, ``"starved"`` if
        the machine was busy, else ``"easy"``.
    """
    into = Path(folder)
    path = into / FILE
    known = {one["name"]: one for one in records(into) if "mps" in one["files"]}
    done = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=list(COLUMNS))
    same = done[(done["solver"] == engine) & (done["limit"] == seconds)]
    same = same.drop_duplicates("name", keep="last")
    tried = {
        name
        for name, status, cpu in zip(same["name"], same["status"], same["cpu"], strict=True)
        if not _starved(status, cpu, seconds)
    }
    left = [name for name in known if name not in tried]
    for name in left[:most]:
        row = {"name": name, "solver": engine, "limit": seconds, **_tried(into, name, engine, seconds)}
        with path.open("a", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            if file.tell() == 0:
                table.writeheader()
            table.writerow(row)
        log.info("%s: %s", name, row["status"])
    done = pd.read_csv(path) if path.exists() else done
    done = done[(done["solver"] == engine) & (done["limit"] == seconds) & done["name"].isin(list(known))]
    done = done.drop_duplicates("name", keep="last")
    return done.assign(
        kind=[
            "starved" if _starved(status, cpu, seconds) else _kind(known[name], status)
            for name, status, cpu in zip(done["name"], done["status"], done["cpu"], strict=True)
        ],
        agrees=pd.Series([*_agreements(done, known)], index=done.index, dtype=object),
    ).reset_index(drop=True)


def _tried(folder: Path, name: str, engine: str, seconds: float) -> dict[str, Any]:
    """Let a solver try one file."""
    try:
        made: Any = solver(engine)
        model = read_model(path_of(folder, "mps", name))
        rows = model.rows
        began = Spent.now()
        with limited(seconds):
            outcome = made.solve(rows) if hasattr(made, "solve") else made(model.pyomo)
        cpu = (Spent.now() - began).cpu
    except AltselError as fault:
        return {"status": "error", "value": None, "cpu": None, "message": str(fault)}
    status = "open" if outcome.value is None else "feasible"
    status = "proved" if outcome.proof is Proof.OPTIMAL else status
    status = "infeasible" if outcome.stop is Stop.INFEASIBLE else status
    return {"status": status, "value": outcome.value, "cpu": round(cpu, 2), "message": ""}


def _starved(status: str, cpu: float, seconds: float) -> bool:
    """Return whether a trial without a proof had too little of the machine to count."""
    return status in {"feasible", "open"} and not cpu >= OWN_SHARE * seconds


def _kind(known: dict[str, Any], status: str) -> str:
    if status in {"proved", "infeasible"}:
        return "easy"
    return "hard" if known["status"] in {"opt", "inf"} else "open"


def _agreements(done: pd.DataFrame, known: dict[str, dict[str, Any]]) -> Iterator[bool | None]:
    """Yield whether what was proved is the library's optimum; None where it cannot be told."""
    for name, status, value in zip(done["name"], done["status"], done["value"], strict=True):
        best, one = known[name]["files"]["mps"], known[name]
        if status == "infeasible":
            yield one["status"] == "inf"
        elif status == "proved" and one["status"] in {"opt", "inf"}:
            yield best is not None and abs(value - best) <= AGREE * max(1.0, abs(best))
        else:
            yield None
