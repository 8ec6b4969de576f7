"""Whether other programs read the models: HiGHS, SCIP, CBC and GLPK, each as many rows and columns."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import highspy
import pandas as pd
import pyscipopt

from altsel.errors import DataError
from benchmarks.library.models import DAMAGED

Size = tuple[int, int]
"""Rows and columns; of SCIP and CBC without the objective, of GLPK less the row it makes of it."""


def by_highs(path: Path) -> Size:
    """Read by HiGHS."""
    engine = highspy.Highs()
    engine.setOptionValue("output_flag", False)
    if engine.readModel(str(path)) == highspy.HighsStatus.kError:
        return -1, -1  # it only warns where it leaves out entries below 1e-9
    return engine.getNumRow(), engine.getNumCol()


def by_scip(path: Path) -> Size:
    """Read by SCIP."""
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(path))
    return int(model.getNConss()), int(model.getNVars())


def by_cbc(path: Path) -> Size:
    """Read by the program cbc."""
    return _numbers(["cbc", str(path), "-quit"], r"has (\d+) rows, (\d+) columns")


def by_glpk(path: Path) -> Size:
    """Read by the program glpsol, which counts the objective as a row."""
    rows, columns = _numbers(["glpsol", "--freemps", str(path), "--check"], r"(\d+) rows?, (\d+) columns?")
    return rows - 1, columns


READERS: dict[str, Callable[[Path], Size]] = {
    "HiGHS": by_highs,
    "SCIP": by_scip,
    "CBC": by_cbc,
    "GLPK": by_glpk,
}


def _numbers(command: list[str], pattern: str) -> Size:
    if shutil.which(command[0]) is None:
        raise SystemExit(f"{command[0]} is not installed")
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = re.search(pattern, said)
    return (int(found[1]), int(found[2])) if found else (-1, -1)


def read(packed: Path) -> dict[str, object]:
    """Read a compressed MPS file by all of them."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "model.mps"
        try:
            with gzip.open(packed, "rb") as source, plain.open("wb") as target:
                shutil.copyfileobj(source, target)
        except DAMAGED as fault:
            raise DataError(f"{packed} is damaged ({fault}); --models writes it anew") from fault
        sizes = {name: reader(plain) for name, reader in READERS.items()}
    name = packed.name.removesuffix(".mps.gz")
    return {"name": name, "same": len(set(sizes.values())) == 1, **{who: str(n) for who, n in sizes.items()}}


def read_all(models: Path, path: Path) -> None:
    """Read every model, and keep what was read."""
    pd.DataFrame([read(one) for one in sorted(models.glob("*.mps.gz"))]).to_csv(path, index=False)
