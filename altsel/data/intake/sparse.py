"""Sparse matrices, and sparse columns of pandas: zeros are written out, in a byte where that suffices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.data.intake.blocks import columns_where
from altsel.errors import DataError
from altsel.runtime.memory import require


def from_sparse(source: Any) -> pd.DataFrame:
    """Build a table of a sparse matrix; columns are named ``x0``, ``x1``, …, zeros and ones are of one byte.

    Raises
    ------
    DataError
        If it holds no real numbers, or has another shape than a table.
    ArgumentError
        If memory does not suffice for all of its cells.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> table = from_sparse(csr_array([[0.0, 1.0], [1.0, 0.0]]))
    >>> list(table), set(map(str, table.dtypes)), table.to_numpy().tolist()
    (['x0', 'x1'], {'uint8'}, [[0, 1], [1, 0]])
    """
    if len(source.shape) != 2:
        raise DataError(f"X has shape {source.shape}; it must be a table of rows and columns")
    stored = source.tocsc()
    if stored.dtype.kind not in "biuf":
        raise DataError(f"X is sparse and holds {stored.dtype}; give a matrix of real numbers")
    if not stored.has_canonical_format:
        stored = stored.copy()
        stored.sum_duplicates()
    rows, count = stored.shape
    kind = _smallest(stored.data)
    require(
        2 * rows * count * kind.itemsize,
        f"all cells of a sparse table of {rows:,} rows and {count:,} columns",
        "choose fewer columns first, such as those in which ones are not too rare",
    )
    values = stored.astype(kind).toarray(order="F")
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(count)], copy=False)


def dense(table: pd.DataFrame) -> pd.DataFrame:
    """Write out the columns that pandas holds as sparse ones.

    Examples
    --------
    >>> table = pd.DataFrame({"a": pd.arrays.SparseArray([0, 1, 0], dtype="uint8"), "b": [1, 2, 3]})
    >>> dense(table).dtypes.astype(str).tolist()
    ['uint8', 'int64']
    """
    held = columns_where(table, lambda kind: isinstance(kind, pd.SparseDtype))
    if not held.any():
        return table
    accessor: Any = table.loc[:, held].sparse
    written: pd.DataFrame = accessor.to_dense()
    if held.all():
        return written
    order = np.argsort(np.concatenate([np.flatnonzero(held), np.flatnonzero(~held)]))
    return pd.concat([written, table.loc[:, ~held]], axis=1).iloc[:, order]


def _smallest(values: npt.NDArray[Any]) -> np.dtype[Any]:
    """Return the type of one byte if the values are 0 and 1 or are of one, else that of a normal column."""
    if values.dtype.itemsize == 1 and values.dtype.kind in "iu":
        return values.dtype
    if values.dtype.kind == "b" or ((values == 0) | (values == 1)).all():
        return np.dtype(np.uint8)
    return np.dtype(np.float64) if values.dtype.kind == "f" else values.dtype
