"""Relevances and redundancies that are given as numbers: checked, and with the features' names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray
from altsel.data.files.names import checked_names
from altsel.errors import DataError, listing

TILE = 256
"""Rows and columns of a table that are compared at a time."""
LARGEST = 1e100
"""Largest relevance and redundancy."""


def named_numbers(values: Any) -> pd.Series[float]:
    """Check one finite number a feature; an array's are named ``x0``, ``x1``, ….

    Raises
    ------
    DataError
        If there are none, one is no finite number, or a name is empty or twice.
    """
    if isinstance(values, pd.Series):
        names = checked_names(values.index)
    elif isinstance(values, Mapping):
        return named_numbers(pd.Series(dict(values)))
    else:
        values = _array(values, "relevances")
        if values.ndim != 1:
            raise DataError(f"relevances have shape {values.shape}; give one number a feature")
        names = [f"x{j}" for j in range(len(values))]
    if not names:
        raise DataError("no relevances given")
    array = _real(values, "relevances")
    if not np.isfinite(array).all():
        bad = [names[j] for j in np.flatnonzero(~np.isfinite(array))]
        raise DataError(f"relevances are missing or infinite: {listing(bad)}")
    _addable(array, "relevances")
    return pd.Series(array.copy(), index=pd.Index(names, dtype=object), name="relevance")


def named_pairs(values: Any, names: list[str]) -> pd.DataFrame:
    """Check one finite number a pair of features; an array's rows and columns are in the order of the names.

    Raises
    ------
    DataError
        If the shape or the names are others, a number is none or not finite, or the table is not symmetric.
    """
    if isinstance(values, pd.DataFrame):
        if list(values.index) != names or list(values.columns) != names:
            raise DataError("redundancy must have the names of relevance as rows and columns, in that order")
    else:
        values, n = _array(values, "redundancies"), len(names)
        if values.shape != (n, n):
            raise DataError(f"redundancy has shape {values.shape}; {n} features need ({n}, {n})")
    array = _real(values, "redundancies")
    if not (np.isfinite(array.min()) and np.isfinite(array.max())):  # NaN is the least, if there is any
        raise DataError("redundancy holds missing or infinite values")
    _addable(array, "redundancies")
    if not _is_symmetric(array):
        i, j = np.unravel_index(int(np.abs(array - array.T).argmax()), array.shape)
        raise DataError(
            f"redundancy must be symmetric; of {listing([names[i], names[j]])} it is {array[i, j]:g} and "
            f"{array[j, i]:g}"
        )
    if isinstance(values, pd.DataFrame) and all(kind.kind == "f" for kind in values.dtypes):
        return values  # not a copy: the table may be large
    labels = pd.Index(names, dtype=object)
    return pd.DataFrame(array.copy(), index=labels, columns=labels)


def _array(values: Any, what: str) -> npt.NDArray[Any]:
    if np.ma.is_masked(values):
        raise DataError(f"{what} are masked in places; give a number everywhere")
    try:
        return np.asarray(values)
    except ValueError as fault:
        raise DataError(f"{what} must be a table of numbers: {fault}") from fault


def _real(values: Any, what: str) -> FloatArray:
    if np.iscomplexobj(values):
        raise DataError(f"{what} are complex numbers; give real ones")
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError) as fault:
        raise DataError(f"{what} must be numbers: {fault}") from fault


def _is_symmetric(array: FloatArray) -> bool:
    """Compare tiles with those across the diagonal, each while it is in the processor's cache."""
    starts = range(0, len(array), TILE)
    for i in starts:
        for j in range(i, len(array), TILE):
            one, other = array[i : i + TILE, j : j + TILE], array[j : j + TILE, i : i + TILE].T
            if not np.array_equal(one, other) and not (
                np.allclose(one, other, rtol=1e-9, atol=1e-12)
                and np.allclose(other, one, rtol=1e-9, atol=1e-12)
            ):
                return False
    return True


def _addable(array: FloatArray, what: str) -> None:
    if max(array.max(), -array.min()) > LARGEST:
        raise DataError(f"{what} above {LARGEST:g} cannot be added up; divide all by one number")
