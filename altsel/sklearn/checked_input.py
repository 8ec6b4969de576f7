"""From what a scikit-learn estimator is given to a `Dataset`; columns keep their kinds."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.validation import check_consistent_length, validate_data

from altsel.catalogue import of_missing
from altsel.data import Dataset, Task
from altsel.data.frames import to_table
from altsel.data.peculiarities import of_leaks
from altsel.errors import ArgumentError, DataError, DataWarning, listing
from altsel.runtime.caller import warn_caller

MOST_CELLS = 2**27
"""Most cells of a sparse table, as its zeros are written out: 1 GiB."""
TASKS = ("auto", "classification", "regression")


@dataclass(frozen=True, eq=False)
class CheckedInput:
    """What an estimator was fitted to.

    Attributes
    ----------
    data
        The usable features and the target; or several tables, where values are missing.
    names
        Names of all columns in their order, constant ones too.
    """

    data: Any
    names: tuple[str, ...]


def checked_input(estimator: Any, X: Any, y: Any, task: str, missing: Any = "error") -> CheckedInput:
    """Check what an estimator is fitted to, and note the number and names of its columns on it.

    Parameters
    ----------
    estimator
        It gets ``n_features_in_`` and, if the columns have names, ``feature_names_in_``.
    X
        A frame (pandas, polars, pyarrow), an array, or a sparse array or matrix.
    y
        One value a row; ordered pandas categories keep their order.
    task
        ``"auto"``, ``"classification"`` or ``"regression"``.
    missing
        What is done with missing values: a name of `altsel.catalogue.MISSING`, or a function.

    Raises
    ------
    ValueError
        As scikit-learn raises it, or a `DataError`: values that are missing or infinite, lengths that
        differ, one class only, a sparse table of too many cells.
    """
    frame, read = as_frame(X), reader_of(missing)
    gaps = allows_gaps(missing)
    if frame is None:
        values, checked = validate_data(
            estimator,
            X,
            y,
            accept_sparse="csc",
            ensure_min_samples=2,
            ensure_all_finite="allow-nan" if gaps else True,
        )
        names = getattr(estimator, "feature_names_in_", [f"x{j}" for j in range(values.shape[1])])
        table = pd.DataFrame(_dense(values), columns=pd.Index(names, dtype=object))
    else:
        checked = validate_data(estimator, y=y)
        validate_data(estimator, X, skip_check_array=True)
        check_consistent_length(X, checked)
        table = to_table(X)
        if not gaps:
            _refuse_missing(table)
    target = _target(checked, y, list(table.columns))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # they would come again with every fold
        data = read(table, target, task=checked_task(task, target), keep=list(table.columns))
    if isinstance(data, Dataset):
        for message in of_leaks(data.target, data.determining):
            warn_caller(message, DataWarning)
    return CheckedInput(data, tuple(table.columns))


def allows_gaps(missing: Any) -> bool:
    """Return whether a table may have missing values, by what is done with them."""
    return callable(missing) or missing != "error"


def reader_of(missing: Any) -> Callable[..., Any]:
    """Return what reads the table of an estimator, whose rows all stay.

    Raises
    ------
    ArgumentError
        If there is no such way, or it drops rows.
    """
    if isinstance(missing, str) and missing == "drop rows":
        raise ArgumentError(
            "missing='drop rows': an estimator keeps its rows; use 'complete rows', 'category' or 'impute'"
        )
    return of_missing(missing)


def as_frame(X: Any) -> nw.DataFrame[Any] | None:
    """Return a frame of any library as one of narwhals, and None for what is no frame."""
    if not nw.dependencies.is_into_dataframe(X):
        return None
    try:
        frame: nw.DataFrame[Any] = nw.from_native(X, eager_only=True)
    except nw.exceptions.DuplicateError as fault:
        raise DataError(f"column names occur more than once; rename them: {fault}") from fault
    return frame


def columns_of(X: Any, indices: npt.NDArray[np.intp]) -> Any:
    """Take some columns of a frame, an array or a sparse array, in the library it comes from."""
    frame = as_frame(X)
    if frame is not None:
        return frame[:, indices.tolist()].to_native()
    return X[:, indices]


def are_numbers(frame: nw.DataFrame[Any]) -> bool:
    """Return whether all columns are numbers, true or false."""
    return all(kind.is_numeric() or kind == nw.Boolean for kind in frame.schema.values())


def as_array(frame: nw.DataFrame[Any]) -> npt.NDArray[Any]:
    """Return the columns of a frame as an array: of numbers if all are, else of objects.

    Examples
    --------
    >>> as_array(nw.from_native(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}))).tolist()
    [[1, 'x'], [2, 'y']]
    """
    found = np.empty(frame.shape, dtype=object)
    for j, column in enumerate(frame.iter_columns()):
        found[:, j] = column.to_list()
    return found.astype(float) if are_numbers(frame) else found


def in_library(frame: nw.DataFrame[Any], library: str) -> Any:
    """Return a frame of one library as a frame of another; categories become text.

    Examples
    --------
    >>> in_library(nw.from_native(pd.DataFrame({"a": [1, 2]})), "pandas")["a"].tolist()
    [1, 2]
    """
    if frame.implementation.value == library:
        return frame.to_native()
    columns = {
        column.name: column.to_numpy() if column.dtype.is_numeric() else column.to_list()
        for column in frame.iter_columns()
    }
    backend: Any = library
    return nw.from_dict(columns, backend=backend).to_native()


def checked_task(task: str, target: pd.Series[Any]) -> Task | None:
    """Return the task of a word: None where the target tells.

    Raises
    ------
    ArgumentError
        If there is no such task.
    """
    if task == "auto":
        return None
    if task == "classification":
        return Task.BINARY if target.nunique() == 2 else Task.MULTICLASS
    if task in set(Task):
        return Task(task)
    raise ArgumentError(f"task={task!r}; use {listing(TASKS)}")


def _dense(values: Any) -> npt.NDArray[Any]:
    """Write the zeros of a sparse table out; columns of 0 and 1 become integers."""
    if not hasattr(values, "nnz"):
        return np.array(values)
    rows, columns = values.shape
    if rows * columns > MOST_CELLS:
        raise DataError(
            f"X is sparse, of {rows} rows and {columns} columns: with its zeros it would have more than "
            f"{MOST_CELLS} cells; leave out columns before, by VarianceThreshold or SelectKBest, say"
        )
    ones = bool((values.data == 1).all())
    return np.asarray(values.astype(np.uint8 if ones else np.float64).toarray())


def _refuse_missing(table: pd.DataFrame) -> None:
    missing = [name for name in table if table[name].isna().any()]
    if missing:
        raise DataError(
            f"missing values (NaN) in {listing(missing)}; fill them in a step before, by an imputer, or say "
            "missing='impute', 'category' or 'complete rows'"
        )


def _target(checked: npt.NDArray[Any], y: Any, taken: list[str]) -> pd.Series[Any]:
    """Name the target as no feature is, and keep the order of its categories."""
    given = getattr(y, "name", None)
    name = given if isinstance(given, str) and given else "y"
    while name in taken:
        name += "_"
    target = pd.Series(checked, name=name)
    dtype: Any = getattr(y, "dtype", None)
    ordered = isinstance(dtype, pd.CategoricalDtype) and dtype.ordered
    return target.astype(dtype) if ordered else target
