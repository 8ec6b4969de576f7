"""Peers of `benchmarks.linear_fit`: leaps by Rscript, and abess and l0bnb in an environment of their own.

``PYTHON benchmarks/linear_fit_peers.py TABLE.csv K`` prints what abess finds, as JSON; the rest is called.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def by_leaps(frame: Any, k: int, best: int, seconds: float) -> dict[str, Any]:
    """Return leaps' sets of all sizes up to k, each with its R^2, and CPU seconds; none if out of time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        frame.to_csv(file, index=False)
        command = ["Rscript", str(HERE / "linear_fit.R"), str(file), str(k), str(best)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=True)
        except subprocess.TimeoutExpired:
            return {"seconds": None, "sets": []}
    lines = [line.split() for line in done.stdout.splitlines()]
    words = {line[0]: line[1] for line in lines if line[0] != "set"}
    sets = [
        (int(line[1]), float(line[2]), [int(one) for one in line[3:]]) for line in lines if line[0] == "set"
    ]
    return {"seconds": float(words["seconds"]), "version": words["version"], "sets": sets}


def by_python(python: str, frame: Any, k: int, penalised: bool) -> dict[str, Any]:
    """Return the set of k by abess and, if wanted, what l0bnb proved, from another environment."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        frame.to_csv(file, index=False)
        command = [python, str(Path(__file__)), str(file), str(k), *(["l0bnb"] if penalised else [])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _by_abess(columns: Any, target: Any, k: int) -> dict[str, Any]:
    import abess  # type: ignore[import-not-found]  # noqa: PLC0415

    began = time.process_time()
    model = abess.LinearRegression(support_size=k, thread=1)
    model.fit(columns, target)
    return {"seconds": time.process_time() - began, "set": [int(j) for j in model.coef_.nonzero()[0]]}


def _by_l0bnb(columns: Any, target: Any, k: int) -> dict[str, Any]:
    """Search a penalty at which it chooses k, for half a minute in all; its own gap says what it proved."""
    import numpy as np  # noqa: PLC0415

    setattr(np, "Inf", np.inf)  # noqa: B010 (l0bnb 1.0.0 still uses it)
    from l0bnb import BNBTree  # type: ignore[import-not-found]  # noqa: PLC0415

    x = (columns - columns.mean(axis=0)) / np.linalg.norm(columns - columns.mean(axis=0), axis=0)
    y = (target - target.mean()) / np.linalg.norm(target - target.mean())
    low, high, began, met = 1e-6, 0.5, time.process_time(), {}
    while time.process_time() - began < 30 and high / low > 1.02:
        price = float(np.sqrt(low * high))
        found = BNBTree(x, y).solve(price, 0.0, 10.0, gap_tol=1e-4, time_limit=15)
        chosen = np.flatnonzero(found.beta)
        if len(chosen) == k:
            met = {"set": [int(j) for j in chosen], "gap": float(found.gap)}
            break
        low, high = (price, high) if len(chosen) > k else (low, price)
    return {"seconds": time.process_time() - began, **met}


def _main() -> None:
    import numpy as np  # noqa: PLC0415

    table = np.loadtxt(sys.argv[1], delimiter=",", skiprows=1)
    columns, target, k = table[:, :-1], table[:, -1], int(sys.argv[2])
    found = {"abess": _by_abess(columns, target, k)}
    if "l0bnb" not in sys.argv[3:]:
        print(json.dumps(found))
        return
    try:
        found["l0bnb"] = _by_l0bnb(columns, target, k)
    except Exception as fault:  # whatever it is, it goes into the table
        found["l0bnb"] = {"failed": f"{type(fault).__name__}: {fault}"[:80]}
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
