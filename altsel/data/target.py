"""The target of a table: where it comes from, whether it belongs to the rows, what task it makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.data import columns
from altsel.data.columns import Task
from altsel.data.frames import is_unicode
from altsel.data.intake.checks import some_missing
from altsel.data.intake.normal_table import normal_table, without_unused_categories
from altsel.data.peculiarities import differ_by_blanks
from altsel.errors import ArgumentError, DataError, did_you_mean, listing


def split(table: pd.DataFrame, y: Any, X: Any) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Take the target from its table, or check what is given of it; `X` is what the table was made from."""
    if isinstance(y, str):
        if y not in table:
            hint = did_you_mean(y, table.columns) or f"; there are {listing(table.columns)}"
            raise ArgumentError(f"no column {y!r} to be the target{hint}")
        target = table.pop(y)
    else:
        target = _series(y)
        if target.name in table.columns:
            raise DataError(f"the target {target.name!r} is also a column of X; leave it out of X")
        _refuse_shuffled(X, y)
    if len(target) != len(table):
        raise DataError(f"X has {len(table)} rows, y has {len(target)}")
    if not len(table) or not table.shape[1]:
        raise DataError(f"no data: {len(table)} rows and {table.shape[1]} features")
    return normal_table(table), columns.normal(target)


def _refuse_shuffled(X: Any, y: Any) -> None:
    if not (isinstance(X, pd.DataFrame) and isinstance(y, pd.Series)) or X.index.equals(y.index):
        return
    if len(X) != len(y):
        return
    common = len(X.index.unique().intersection(y.index.unique()))
    if common == len(X) and X.index.is_unique:
        raise DataError("the indexes of X and y have the same labels in another order; align them")
    unlabelled = pd.RangeIndex(len(X))
    slices = isinstance(X.index, pd.RangeIndex) and isinstance(y.index, pd.RangeIndex)
    if not slices and (X.index.equals(unlabelled) or y.index.equals(unlabelled)):
        return
    raise DataError(
        f"the indexes of X and y differ: {common} of {len(X)} labels are in both; give rows of the same "
        "data, or y.to_numpy() if they go together by their order"
    )


def _series(y: Any) -> pd.Series[Any]:
    if np.ma.isMaskedArray(y):
        hidden = np.ma.getmaskarray(y).tolist()
        y = pd.Series(
            [None if out else one for one, out in zip(np.ma.getdata(y).tolist(), hidden, strict=True)]
        )
    if isinstance(y, (list, tuple)) and 0 < sum(isinstance(value, str) for value in y) < len(y):
        y = pd.Series(y, dtype=object)  # an array would make text of the numbers
    if isinstance(y, pd.Categorical):
        y = pd.Series(y)  # an array would lose the order
    try:
        values = y if isinstance(y, pd.Series) else np.asarray(y)
    except Exception as fault:  # each library has errors of its own
        raise DataError(f"y must be one value a row: {fault}") from fault
    if values.ndim == 1 and not isinstance(values, pd.Series) and values.dtype.kind == "U":
        _refuse_surrogates_and_nan(values)
    if values.ndim == 0 and not hasattr(y, "__len__"):
        raise ArgumentError(f"y={y!r} is no column; give values, one a row, or a column's name as text")
    if values.ndim == 2 and values.shape[1] == 1:
        fix = "y.iloc[:, 0]" if hasattr(y, "iloc") else "y.ravel()"
        raise DataError(f"y has shape {values.shape}; it must be one value a row: give {fix}")
    if values.ndim != 1:
        raise DataError(f"y has shape {values.shape}; it must be one value a row")
    series = pd.Series(values).reset_index(drop=True)
    name = getattr(y, "name", None)
    return series.rename("y" if name is None else str(name))


def _refuse_surrogates_and_nan(values: npt.NDArray[np.str_]) -> None:
    """Refuse text that numpy made of a missing value, or that is no Unicode."""
    labels = [str(label) for label in np.unique(values)]
    if "nan" in labels:
        raise DataError(
            "y holds the text 'nan', which numpy makes of a missing value; give y as a list or Series"
        )
    if not all(is_unicode(label) for label in labels):
        raise DataError("y holds text that is no Unicode")


def without_missing(
    table: pd.DataFrame, target: pd.Series[Any], missing: str
) -> tuple[pd.DataFrame, pd.Series[Any], int]:
    """Refuse or drop rows with missing values; return also how many were dropped."""
    if missing not in ("error", "drop rows"):
        raise ArgumentError(f"missing={missing!r}; use 'error' or 'drop rows'")
    if not some_missing(table) and not target.hasnans:
        return table, target, 0
    absent = (table.isna().any(axis=1) | target.isna()).to_numpy()
    if missing == "error":
        columns.refuse_missing(table.assign(**{str(target.name): target}))
    if absent.all():
        raise DataError("every row has a missing value; fill them or drop the columns that miss most")
    kept = without_unused_categories(table[~absent])
    return kept.reset_index(drop=True), target[~absent].reset_index(drop=True), int(absent.sum())


def checked_task(task: Task | str | None, target: pd.Series[Any]) -> Task:
    """Return the task that a target makes, or refuse one that it does not."""
    levels = target.nunique()
    if levels < 2:
        raise DataError(f"the target {target.name!r} has one value only; there is nothing to explain")
    same = differ_by_blanks(target)
    if same and task is None:
        raise DataError(
            f"classes of the target {target.name!r} differ by blanks, capitals or type alone: "
            f"{listing(same)}; make them the same, or say that they are meant: task='multiclass' "
            "(--task multiclass)"
        )
    if task is None:
        return columns.task_of(target)
    try:
        wanted = Task(task)
    except ValueError as fault:
        raise ArgumentError(f"unknown task {task!r}; use {listing(Task)}") from fault
    if wanted is Task.BINARY and levels != 2:
        raise ArgumentError(f"task 'binary', but the target {target.name!r} has {levels} values")
    if wanted is Task.REGRESSION and isinstance(target.dtype, pd.CategoricalDtype):
        raise ArgumentError(f"task 'regression', but the target {target.name!r} holds categories")
    return wanted
