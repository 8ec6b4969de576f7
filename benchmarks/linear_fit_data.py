"""Tables for `benchmarks.linear_fit`: real ones, and synthetic ones with factors."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes

import altsel
from altsel.data.frames import to_table


def table(name: str, folder: Path) -> pd.DataFrame:
    """Return a table of numbers with its column ``target`` last; classes as 0 and 1."""
    if name.startswith(("factors", "strong")):
        return _factors(int(name.rpartition(" ")[2]), strong=name.startswith("strong"))
    if name == "diabetes":
        return pd.DataFrame(load_diabetes(as_frame=True).frame)
    if name == "wdbc":
        return pd.DataFrame(load_breast_cancer(as_frame=True).frame)
    found = to_table(folder / f"{name}.csv.gz").dropna()
    classes = sorted(found["target"].unique())
    if len(classes) == 2:
        found["target"] = (found["target"] == classes[1]).astype(float)
    found = found.select_dtypes("number").astype(float)
    return found.loc[:, found.max() > found.min()]


def dataset(frame: pd.DataFrame) -> altsel.Dataset:
    """Return altsel's data set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", altsel.DataWarning)
        return altsel.Dataset(frame.drop(columns="target"), frame["target"], task="regression")


def _factors(n: int, strong: bool) -> pd.DataFrame:
    """Make columns of eight factors: the target hangs on 15 columns, or weakly on all of strong factors."""
    rng = np.random.default_rng(n + strong)
    rows = 500
    share = 2.0 if strong else 1.0
    factors = rng.normal(size=(rows, 8))
    columns = share * factors @ rng.normal(size=(8, n)) / np.sqrt(8) + rng.normal(size=(rows, n))
    weights = (
        rng.normal(size=n) / np.sqrt(n) if strong else np.where(np.arange(n) < 15, rng.normal(size=n), 0.0)
    )
    signal = columns @ weights
    target = signal + signal.std() * (0.6 if strong else 0.7) * rng.normal(size=rows)
    frame = pd.DataFrame(columns, columns=[f"x{j}" for j in range(n)])
    return frame.assign(target=target)
