"""Fingerprints of tables: the same for the same names, kinds and values, whatever they came from."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.data.columns import LARGEST_EXACT
from altsel.data.intake.blocks import CELLS


def fingerprint(table: pd.DataFrame, target: pd.Series[Any]) -> str:
    """Return SHA-256 of names, types and values, column by column; floats that are integers as such.

    Examples
    --------
    >>> y = pd.Series([0, 1], name="y")
    >>> one, other = (fingerprint(pd.DataFrame({"a": [1, 2]}, dtype=kind), y) for kind in ("uint8", "float"))
    >>> one == other
    True
    """
    digest = sha256()
    for part in (table, target.to_frame()):
        for name, form, values in _columns(part):
            digest.update(repr((name, form)).encode())
            digest.update(values.data)
    return digest.hexdigest()


def _columns(table: pd.DataFrame) -> Iterator[tuple[str, str | list[str], npt.NDArray[Any]]]:
    """Return each column's name, its type or categories, and its values."""
    names, width = list(map(str, table.columns)), max(1, CELLS // max(len(table), 1))
    for kind, run in groupby(enumerate(table.dtypes), key=lambda one: one[1]):
        indices = [index for index, _ in run]
        if isinstance(kind, pd.CategoricalDtype):
            for index in indices:
                column = table.iloc[:, index].cat
                codes = np.ascontiguousarray(column.codes.to_numpy())
                yield names[index], list(map(repr, column.categories)), codes
            continue
        for first in range(indices[0], indices[-1] + 1, width):
            last = min(first + width, indices[-1] + 1)
            values = np.ascontiguousarray(table.iloc[:, first:last].to_numpy().T)
            for name, column, integral in zip(names[first:last], values, _integral(values), strict=True):
                whole = np.asarray(column, dtype=np.int64) if integral else column
                yield name, str(whole.dtype), whole


def _integral(values: npt.NDArray[Any]) -> list[bool]:
    """Return which columns hold integers that are exact as floats; shape (columns, rows)."""
    if values.dtype.kind != "f":
        return [values.dtype.kind in "iu"] * len(values)
    likely = (values[:, :1] == np.rint(values[:, :1])).all(axis=1)
    for index in np.flatnonzero(likely).tolist():
        one = values[index]
        likely[index] = bool(((one == np.rint(one)) & (np.abs(one) <= LARGEST_EXACT)).all())
    return list(map(bool, likely))
