"""The target of a table: where it comes from, whether it belongs to the rows, what task it makes."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.data.files.names import is_unicode
from altsel.data.files.spreadsheet import hint_of_sheets
from altsel.data.findings.finding import options
from altsel.data.findings.numerals import HALF, numerals
from altsel.data.findings.text_columns import same_but_for_blanks
from altsel.data.findings.written_numbers import MOSTLY
from altsel.data.schema import FEW_LEVELS, Kind, Summary, Task, task_and_kind
from altsel.errors import ArgumentError, DataError, did_you_mean, listing

SPOKEN = {"\t": "tab"}
SEPARATORS = (",", ";", "\t", "|")
"""What separates columns, as files of several programs have it."""


def split(table: pd.DataFrame, y: Any, X: Any) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Take the target from its table, or check what is given of it; `X` is what the table was made from."""
    table = table.copy(deep=False)
    if isinstance(y, str):
        if y not in table:
            raise no_target(y, table.columns, X)
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
    return table, target


def no_target(y: str, names: Iterable[Any], source: Any) -> ArgumentError:
    """Return the error of a table that has no such column; other sheets of its file may have it."""
    names = list(names)
    known = did_you_mean(y, names) or f"; there are {listing(names)}"
    hint = hint_of_sheets(source, y) or _other_separator(y, names) or known
    return ArgumentError(f"no column {y!r} to be the target{hint}")


def _other_separator(y: str, names: list[Any]) -> str:
    """Hint at what separates the columns, if the target is one of several names that were read as one."""
    for sign in SEPARATORS:
        if any(y in str(name).split(sign) for name in names if sign in str(name)):
            return (
                f"; the columns seem to be separated by {sign!r}: separator={sign!r} (command line: --sep "
                f"{quote(SPOKEN.get(sign, sign))})"
            )
    return ""


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


def checked_task(target: Summary, task: Task | str | None, given: Any) -> tuple[Task, Kind]:
    """Return task and kind of a target, as the schema has them; refuse classes that seem to be the same."""
    found = task_and_kind(target, task, given)
    inferred = task is None and (given is None or target.two)
    same = same_but_for_blanks(target.categories or ()) if inferred else []
    if same:
        raise DataError(
            f"classes of the target {target.name!r} differ by blanks, capitals or type alone: "
            f"{listing(same)}; make them the same, or say that they are meant: task='multiclass' "
            "(--task multiclass)"
        )
    return found


def odd_classes(target: pd.Series[Any]) -> list[str]:
    """Note a target of text whose values are numbers but for a few.

    Raises
    ------
    DataError
        If these would be more than 20 classes.
    """
    found = numerals(list(target.cat.categories)) if isinstance(target.dtype, pd.CategoricalDtype) else None
    if found is None:
        return []
    levels = list(map(str, target.cat.categories))
    counts = np.bincount(target.cat.codes.to_numpy(), minlength=len(levels))
    share = float(counts[found.is_number].sum() / counts.sum())
    rest = next((label for label, number in zip(levels, found.is_number, strict=True) if not number), "")
    if share < MOSTLY or (len(levels) <= FEW_LEVELS and (not rest or found.units)):
        return []
    why = f"all but a few of its values, such as {rest!r}, are numbers" if rest else "its values are numbers"
    if len(levels) <= FEW_LEVELS:
        return [f"the target {target.name!r} is taken for categories, yet {why}"]
    fix = "name what stands for a missing value (--na TOKEN)" if rest else "name the decimal sign (--decimal)"
    kind = options("kind", [f"{target.name}={HALF if found.beyond.any() else 'numeric'}"])
    raise DataError(
        f"the target {target.name!r} would have {len(levels)} classes, as it is text, but {why}; {fix}, read "
        f"it as numbers ({kind}), or say that these are classes: task='multiclass' (--task multiclass)"
    )
