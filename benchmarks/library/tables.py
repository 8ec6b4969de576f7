"""The tables that the questions are about: real ones, and drawn ones of three kinds."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_wine

import altsel
from altsel.data.frames import to_table
from altsel.errors import DataError
from altsel.library.tables import collinear, factors, independent
from benchmarks.instances import filled

DRAWN = {"independent": independent, "factors": factors, "collinear": collinear}


def drawn(name: str) -> pd.DataFrame:
    """Draw a table of the name ``kind-features-seed``."""
    kind, features, seed = name.split("-")
    table, target = DRAWN[kind](np.random.default_rng(int(seed)), int(features))
    return pd.DataFrame(table).add_prefix("x").assign(target=target)


def real(name: str, folder: Path) -> pd.DataFrame:
    """Read a real table, complete: missing numbers are medians."""
    loaders = {"wdbc": load_breast_cancer, "wine": load_wine, "digits": load_digits}
    if name in loaders:
        bunch = loaders[name](as_frame=True)
        frame = bunch.data.set_axis([str(one).replace(" ", "_") for one in bunch.data], axis=1)
        frame = frame.loc[:, [len(set(frame[name])) > 1 for name in frame]]
        frame["target"] = bunch.target % 2 if name == "digits" else bunch.target
        return pd.DataFrame(frame)
    table = to_table(altsel.example() if name == "ionosphere" else folder / f"{name}.csv.gz")
    target = table.pop("target")
    table = table.apply(filled).loc[:, [len(set(table[name])) > 1 for name in table]]
    return table.assign(target=target)


def made(name: str, folder: Path, into: Path) -> Path:
    """Write a table as CSV, unless it is there; beside it is what tells that it was not changed since.

    Raises
    ------
    DataError
        If the table that is there is not the one that was written.
    """
    path, seal = into / f"{name}.csv", into / f"{name}.csv.sha256"
    if not path.exists() or not seal.exists():
        into.mkdir(parents=True, exist_ok=True)
        frame = drawn(name) if name.split("-", maxsplit=1)[0] in DRAWN else real(name, folder)
        part = path.with_suffix(".part")
        frame.to_csv(part, index=False)
        part.rename(path)
        seal.write_text(_digest(path), encoding="utf-8")
    elif seal.read_text("utf-8") != _digest(path):
        raise DataError(f"{path} was changed; delete it and the runs on it, and it is made anew")
    return path


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
