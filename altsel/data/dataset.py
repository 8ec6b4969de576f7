"""`Dataset`: a checked table and its target; the feature names key everything after it."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data import columns
from altsel.data.columns import Kind, Task
from altsel.data.frames import as_frame, is_unicode, to_table, without
from altsel.data.peculiarities import differ_by_blanks, leaks, odd_classes, peculiarities
from altsel.data.reading import Reading
from altsel.errors import ArgumentError, DataError, DataWarning, did_you_mean, listing


@dataclass(frozen=True, init=False, eq=False)
class Dataset:
    """A table of features and a target, checked once so that nothing after needs to check again.

    Parameters
    ----------
    X
        DataFrame (pandas, polars, pyarrow, …), 2-d array (columns are named ``x0``, ``x1``, …)
        or path of a CSV or Parquet file; shape (rows, features).
    y
        Target values, one a row, or the name of the column of `X` that is the target.
    task
        ``"binary"``, ``"multiclass"`` or ``"regression"``; inferred if not given.
    missing
        ``"error"`` or ``"drop rows"``.
    kinds
        Kinds of single columns, over the inferred ones: ``{"zip": "categorical"}``.
    drop
        Names of columns of `X` to leave out.
    reading
        How a CSV file is written, if not as usual: ``Reading(separator=";", decimal=",")``.

    Attributes
    ----------
    X
        Usable features: ``float64``, ``int64`` or ``category`` columns, none missing or constant.
    y
        The target.
    task, kinds
        See above; one kind a feature.
    constant
        Names of constant columns, left out of `X` and so never selected.
    dropped
        How many rows were dropped for missing values.
    reading, left_out
        `reading` and `drop` as given; hold-out files are read in the same way.

    Raises
    ------
    DataError
        If names are empty or occur twice, values are missing or infinite, lengths differ,
        the target has one value only, or no feature is usable.
    ArgumentError
        If the target, the task or a kind is unknown.

    Warns
    -----
    DataWarning
        If columns are constant, copies of each other, or categories that differ in most rows.

    Examples
    --------
    >>> data = Dataset({"a": [1, 2, 3, 4], "b": [0.5, 0.1, 0.2, 0.9]}, [0, 1, 0, 1])
    >>> data.features, data.task.value
    (('a', 'b'), 'binary')
    """

    X: pd.DataFrame
    y: pd.Series[Any]
    task: Task
    kinds: Mapping[str, Kind]
    constant: tuple[str, ...]
    dropped: int
    reading: Reading | None
    left_out: tuple[str, ...]

    def __init__(
        self,
        X: Any,
        y: Any,
        task: Task | str | None = None,
        *,
        missing: str = "error",
        kinds: Mapping[str, Kind | str] | None = None,
        drop: Collection[str] = (),
        reading: Reading | None = None,
    ) -> None:
        if isinstance(drop, str) or not isinstance(drop, Collection):
            raise ArgumentError(f"drop={drop!r}; give a list of names: [{str(drop)!r}]")
        if kinds is not None and not isinstance(kinds, Mapping):
            raise ArgumentError(f"kinds={kinds!r}; give kinds by name: {{'zip': 'categorical'}}")
        given = as_frame(X) if isinstance(X, Mapping) else X
        table, target = _split(without(to_table(given, reading, drop), drop), y, X)
        table, target, dropped = _without_missing(table, target, missing)
        columns.refuse_infinite(table)
        columns.refuse_infinite(target.to_frame())
        single = [str(name) for name in table if table[name].nunique() < 2]
        table = table.drop(columns=single)
        if not table.shape[1]:
            raise DataError("no usable feature: every column is constant")
        if target.name in (kinds or {}):
            raise ArgumentError(
                f"kinds names the target {target.name!r}: give task='regression' for numbers, 'multiclass' "
                "for classes (command line: --task)"
            )
        known = columns.overridden(
            {str(name): columns.kind_of(table[name]) for name in table}, dict(kinds or {}), table
        )
        _set(self, X=table, y=target, task=_checked_task(task, target), kinds=known)
        _set(self, constant=tuple(single), dropped=dropped, reading=reading, left_out=tuple(drop))
        declared = isinstance(getattr(y, "dtype", None), pd.CategoricalDtype)
        odd = odd_classes(target) if task is None and not declared else []
        for message in [*odd, *peculiarities(table, single, from_file=isinstance(X, (str, Path)))]:
            warnings.warn(message, DataWarning, stacklevel=2)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the usable features, in the order of the table."""
        return tuple(self.X.columns)

    @property
    def target(self) -> str:
        """Name of the target."""
        return str(self.y.name)

    @property
    def discrete_target(self) -> bool:
        """Whether the target holds classes."""
        return self.task is not Task.REGRESSION

    @cached_property
    def determining(self) -> tuple[str, ...]:
        """Names of features that determine the target, as copies of it would; see `peculiarities.leaks`."""
        return tuple(leaks(self.X, self.y))

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of names, kinds and values of features and target, whatever file they came from."""
        digest = sha256()
        for column in [*(self.X[name] for name in self.features), self.y]:
            held = isinstance(column.dtype, pd.CategoricalDtype)
            values = column.cat.codes if held else columns.as_integers(column)
            labels = list(map(repr, column.cat.categories)) if held else []
            digest.update(repr((str(column.name), str(values.dtype) if not held else labels)).encode())
            digest.update(np.ascontiguousarray(values.to_numpy()).tobytes())
        return digest.hexdigest()

    def discrete(self) -> BoolArray:
        """Return which features are discrete: categorical, binary, or integers of at most 20 values."""
        return np.array([columns.is_discrete(self.X[name], self.kinds[name]) for name in self.features])

    def matrix(self) -> FloatArray:
        """Return the features as numbers, categories by their codes; shape (rows, features)."""
        return np.column_stack([columns.numbers(self.X[name]) for name in self.features])

    def target_values(self) -> FloatArray:
        """Return the target as numbers; classes are numbered 0, 1, … in sorted order."""
        return columns.codes(self.y).astype(float) if self.discrete_target else columns.numbers(self.y)

    def holdout(self, X: Any, y: Any, *, missing: str = "error") -> Dataset:
        """Check other rows of the same table: same features (constant ones too), kinds and task.

        Raises
        ------
        DataError
            If a feature is absent, a column holds numbers here and categories there, or the target has
            classes that the rows to learn from do not have.
        """
        table, target = _split(to_table(X, self.reading, self.left_out), y, X)
        absent = [name for name in self.features if name not in table]
        if absent:
            raise DataError(f"the hold-out data lack the features {listing(absent)}")
        table, target, dropped = _without_missing(table[list(self.features)], target, missing)
        columns.refuse_infinite(table)
        for one, known in ((target, self.y), *((table[name], self.X[name]) for name in self.features)):
            if (one.dtype == "category") != (known.dtype == "category"):
                raise DataError(
                    f"{known.name!r} holds {_examples(one)} here and {_examples(known)} in the rows to "
                    "learn from"
                )
        if self.discrete_target:
            unseen = sorted(set(target.unique()) - set(self.y.unique()), key=str)
            if unseen:
                raise DataError(
                    f"the hold-out target {self.target!r} has classes never seen: {listing(unseen)}; "
                    f"the rows to learn from have {listing(self.y.unique())}"
                )
        other = object.__new__(Dataset)
        _set(other, X=table, y=target, task=self.task, kinds=self.kinds, constant=(), dropped=dropped)
        _set(other, reading=self.reading, left_out=self.left_out)
        return other


def _examples(column: pd.Series[Any]) -> str:
    kind = "categories" if column.dtype == "category" else "numbers"
    return f"{kind} ({listing(column.unique(), 3)})"


def _set(data: Dataset, **attributes: Any) -> None:
    for name, value in attributes.items():
        object.__setattr__(data, name, value)


def _split(table: pd.DataFrame, y: Any, X: Any) -> tuple[pd.DataFrame, pd.Series[Any]]:
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
    return pd.DataFrame({name: columns.normal(table[name]) for name in table}), columns.normal(target)


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


def _without_missing(
    table: pd.DataFrame, target: pd.Series[Any], missing: str
) -> tuple[pd.DataFrame, pd.Series[Any], int]:
    if missing not in {"error", "drop rows"}:
        raise ArgumentError(f"missing={missing!r}; use 'error' or 'drop rows'")
    absent = (table.isna().any(axis=1) | target.isna()).to_numpy()
    if not absent.any():
        return table, target, 0
    if missing == "error":
        columns.refuse_missing(table.assign(**{str(target.name): target}))
    if absent.all():
        raise DataError("every row has a missing value; fill them or drop the columns that miss most")
    kept = pd.DataFrame({name: columns.normal(table[name][~absent]) for name in table})
    return kept.reset_index(drop=True), target[~absent].reset_index(drop=True), int(absent.sum())


def _checked_task(task: Task | str | None, target: pd.Series[Any]) -> Task:
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
