"""What kind of values a column holds, and what makes it unusable."""

from __future__ import annotations

from datetime import date, time, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.errors import ArgumentError, DataError, did_you_mean, listing

FEW_LEVELS = 20
"""An integer column with at most so many values counts as discrete."""

MOSTLY, SEVERAL = 0.8, 3
"""Share of the cells that are numbers, and how many different ones, for a column that should be numeric."""
LARGEST_EXACT = 2**53
"""Whole numbers up to this are exact as floats."""
MODERATE = 300
"""Powers of two beyond which squares and sums of them may leave the range of floats."""


class Kind(StrEnum):
    """Kind of a column; ``BINARY`` are two values of any type."""

    CONTINUOUS = "continuous"
    INTEGER = "integer"
    CATEGORICAL = "categorical"
    BINARY = "binary"


class Task(StrEnum):
    """Kind of the target."""

    BINARY = "binary"
    MULTICLASS = "multiclass"
    REGRESSION = "regression"


def normal(column: pd.Series[Any]) -> pd.Series[Any]:
    """Bring a column to ``float64``, ``int64`` or ``category``; missing values stay missing.

    Raises
    ------
    DataError
        If the values are dates, complex numbers, lists or the like.
    """
    kind = column.dtype
    if _holds_dates(column):
        raise DataError(f"column {column.name!r} holds dates or times; turn it into a number first")
    if isinstance(kind, pd.CategoricalDtype):
        return column.cat.remove_unused_categories()
    if pd.api.types.is_bool_dtype(kind):
        return column.astype("float64" if column.hasnans else "int64")
    if pd.api.types.is_complex_dtype(kind):
        raise DataError(f"column {column.name!r} holds complex numbers; give real and imaginary part apart")
    if pd.api.types.is_integer_dtype(kind):
        fits = not column.hasnans and (not len(column) or int(column.max()) <= np.iinfo(np.int64).max)
        _refuse_collapse(column)
        return column.astype("int64" if fits else "float64")
    if pd.api.types.is_float_dtype(kind):
        return column.astype("float64")
    return _normal_objects(column)


def _holds_dates(column: pd.Series[Any]) -> bool:
    """Tell dates and times, also as objects and as labels of categories."""
    values: Any = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    kind = values.dtype
    if pd.api.types.is_datetime64_any_dtype(kind) or pd.api.types.is_timedelta64_dtype(kind):
        return True
    if isinstance(kind, pd.PeriodDtype) or str(kind).startswith(("date", "time", "duration")):
        return True
    if not pd.api.types.is_object_dtype(kind):
        return False
    present = values[_present(values)]
    return bool(len(present)) and all(isinstance(one, (date, time, timedelta, pd.Period)) for one in present)


def _present(values: Any) -> Any:
    """Tell which values are not missing; a signalling NaN of the decimal module is refused."""
    try:
        return values.notna()
    except ArithmeticError as fault:
        raise DataError(f"column {values.name!r} holds numbers that are none: {fault!r}") from fault


def _normal_objects(column: pd.Series[Any]) -> pd.Series[Any]:
    present = column[_present(column)]
    if len(present) and present.map(lambda value: isinstance(value, (int, float, Decimal, np.number))).all():
        try:
            _refuse_collapse(present)
            return normal(column.astype("float64"))
        except (OverflowError, ArithmeticError) as fault:
            raise DataError(
                f"column {column.name!r} holds numbers that are none or too large: {fault}"
            ) from fault
    try:
        return column.astype("category")
    except UnicodeEncodeError as fault:
        raise DataError(f"column {column.name!r} holds text that is no Unicode: {fault}") from fault
    except (TypeError, NotImplementedError) as fault:
        raise DataError(f"column {column.name!r} holds neither numbers nor categories: {fault}") from fault


def moderate(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Divide columns of extreme size by a power of two, so that squares neither overflow nor vanish.

    Others stay as they are, to the bit. For statistics that no scale of a column changes.

    Examples
    --------
    >>> import numpy as np
    >>> moderate(np.array([1e-170, 3e-170])).round(3).tolist(), moderate(np.array([1.0, 3.0])).tolist()
    ([0.302, 0.906], [1.0, 3.0])
    """
    if not len(values):
        return values
    power = np.frexp(np.abs(values).max(axis=0))[1]
    extreme = np.abs(power) > MODERATE
    return np.asarray(np.ldexp(values, np.where(extreme, -power, 0))) if extreme.any() else values


def _refuse_collapse(column: pd.Series[Any]) -> None:
    """Refuse whole numbers that are not the same but would be as floats."""
    present = column[column.notna()]
    if not len(present) or max(abs(int(present.max())), abs(int(present.min()))) <= LARGEST_EXACT:
        return
    if present.astype("float64").nunique() < present.nunique():
        raise DataError(
            f"column {column.name!r} holds whole numbers beyond 2^53 that floats cannot tell apart; subtract "
            "what they have in common, or turn them into text if they are names"
        )


def kind_of(column: pd.Series[Any]) -> Kind:
    """Tell the kind of a normal column without missing values."""
    if column.nunique() == 2:
        return Kind.BINARY
    if isinstance(column.dtype, pd.CategoricalDtype):
        return Kind.CATEGORICAL
    if pd.api.types.is_integer_dtype(column.dtype) or bool((column == column.round()).all()):
        return Kind.INTEGER
    return Kind.CONTINUOUS


def is_discrete(column: pd.Series[Any], kind: Kind) -> bool:
    """Tell whether a column counts as discrete: categories, two values, or at most 20 integers."""
    return kind in {Kind.CATEGORICAL, Kind.BINARY} or (
        kind is Kind.INTEGER and column.nunique() <= FEW_LEVELS
    )


def task_of(target: pd.Series[Any]) -> Task:
    """Infer the task: two values, categories or at most 20 integers make classes, the rest regression."""
    levels = target.nunique()
    if levels == 2:
        return Task.BINARY
    if kind_of(target) is Kind.CONTINUOUS or (levels > FEW_LEVELS and kind_of(target) is Kind.INTEGER):
        return Task.REGRESSION
    return Task.MULTICLASS


def odd_classes(target: pd.Series[Any]) -> list[str]:
    """Tell a target of text whose values are numbers but for a few.

    Raises
    ------
    DataError
        If these would be more than 20 classes.
    """
    if not isinstance(target.dtype, pd.CategoricalDtype):
        return []
    share, rest = _figures(target)
    levels = target.nunique()
    if share < MOSTLY or (levels <= FEW_LEVELS and not rest):
        return []
    why = f"all but a few of its values, such as {rest!r}, are numbers" if rest else "its values are numbers"
    if levels <= FEW_LEVELS:
        return [f"the target {target.name!r} is taken for categories, yet {why}"]
    mend = (
        "name what stands for a missing value (--na TOKEN)" if rest else "name the decimal sign (--decimal)"
    )
    raise DataError(
        f"the target {target.name!r} would have {levels} classes, as it is text, but {why}; {mend}, "
        "turn it into numbers, or say that these are classes: task='multiclass' (--task multiclass)"
    )


def refuse_infinite(table: pd.DataFrame) -> None:
    """Raise a `DataError` that names the columns with infinite values."""
    numeric = table.select_dtypes("number")
    bad = [str(name) for name in numeric if np.isinf(numeric[name].to_numpy(dtype=float)).any()]
    if bad:
        raise DataError(f"infinite values in {listing(bad)}; clip or drop them")


def refuse_missing(table: pd.DataFrame) -> None:
    """Raise a `DataError` that names the columns with missing values and how many there are."""
    counts = table.isna().sum()
    counts = counts[counts > 0]
    if len(counts):
        told = ", ".join(f"{name!r} ({count})" for name, count in counts.iloc[:5].items())
        more = f" and {len(counts) - 5} more columns" if len(counts) > 5 else ""
        raise DataError(
            f"missing values in {told}{more}; fill them, or drop their rows with missing='drop rows' "
            "(command line: --drop-missing)"
        )


def codes(column: pd.Series[Any]) -> npt.NDArray[np.int64]:
    """Give the distinct values of a column the numbers 0, 1, … in sorted order; no level is empty."""
    values = (column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column).to_numpy()
    if np.issubdtype(values.dtype, np.integer) and len(values):
        shifted = values.astype(np.int64) - int(values.min())
        if 0 <= shifted.max() < len(values) + FEW_LEVELS:  # few whole numbers: no need to sort
            present = np.bincount(shifted) > 0
            return np.asarray((np.cumsum(present) - 1)[shifted], dtype=np.int64)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def overridden(kinds: dict[str, Kind], given: dict[str, Any], table: pd.DataFrame) -> dict[str, Kind]:
    """Apply a user's kinds over the inferred ones.

    Raises
    ------
    ArgumentError
        If a name or kind is unknown, or a column of categories is called a number.
    """
    for name, kind in given.items():
        if name not in kinds:
            hint = did_you_mean(str(name), kinds)
            raise ArgumentError(f"kinds names {name!r}, which is not a usable feature{hint}")
        try:
            kinds[name] = Kind(kind)
        except ValueError as fault:
            raise ArgumentError(f"unknown kind {kind!r} of {name!r}; use {listing(Kind)}") from fault
        number = kinds[name] in {Kind.CONTINUOUS, Kind.INTEGER}
        if number and isinstance(table[name].dtype, pd.CategoricalDtype):
            raise ArgumentError(f"{name!r} holds categories; its kind cannot be {str(kind)!r}")
    return kinds


def numbers(column: pd.Series[Any]) -> npt.NDArray[np.float64]:
    """Give a column as floats; categories by their codes."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return codes(column).astype(float)
    return column.to_numpy(dtype=float)


def peculiarities(table: pd.DataFrame, constant: list[str]) -> list[str]:
    """Tell what is odd but can be lived with: constant columns, copies, categories that name the rows."""
    seen: dict[bytes, str] = {}
    copies = []
    for name in table:
        first = seen.setdefault(numbers(table[name]).tobytes(), str(name))
        if first != name:
            copies.append(f"{name} = {first}")
    nominal = table.select_dtypes("category")
    names = [str(name) for name in nominal if nominal[name].nunique() > max(FEW_LEVELS, len(table) // 2)]
    shares = {str(name): _figures(nominal[name]) for name in nominal}
    figures = [name for name in names if shares[name][0] == 1]
    mostly = {name: rest for name, (share, rest) in shares.items() if MOSTLY <= share < 1}
    blanks = [str(name) for name in nominal if differ_by_blanks(nominal[name])]
    told = {
        "constant columns are left out and never selected": constant,
        "columns are copies of others": copies,
        "columns hold numbers as text, taken for categories; convert them, or name the file's decimal sign "
        "(--decimal ,); marks between thousands must go": figures,
        "columns are taken for categories, as a few of their cells are no numbers; if these mean a missing "
        "value, name them (--na TOKEN)": [f"{name}: {rest}" for name, rest in mostly.items()],
        "categories differ in most rows, so any dependence on them is spurious; drop": [
            name for name in names if name not in figures and name not in mostly
        ],
        "labels differ by blanks, capitals or type alone, and count as different": blanks,
    }
    return [f"{what}: {listing(which)}" for what, which in told.items() if which]


def leaks(table: pd.DataFrame, target: pd.Series[Any]) -> list[str]:
    """Name the features that determine the target: recoded copies of it, or what it was made from.

    A feature does if its values, each of which occurs four times on average at the least, go with one
    value of the target each; or if the target is a straight line of it.
    """
    wanted = codes(target)
    found = []
    for name in table:
        column = table[name]
        if column.nunique() * 4 <= len(column):
            own = codes(column)
            pairs = len(np.unique(own * (int(wanted.max()) + 1) + wanted))
            determines = pairs == int(own.max()) + 1
        else:
            determines = _on_a_line(column, target)
        if determines:
            found.append(str(name))
    return found


def differ_by_blanks(column: pd.Series[Any]) -> list[str]:
    """Give the labels of a column that are the same but for blanks, capitals or type; none if all differ."""
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return []
    same: dict[str, list[str]] = {}
    for label in column.cat.categories:
        same.setdefault(" ".join(str(label).split()).casefold(), []).append(str(label))
    return next((group for group in same.values() if len(group) > 1), [])


def _figures(column: pd.Series[Any]) -> tuple[float, str]:
    """Share of the cells that are numbers written as text, if there are several; and a cell that is none."""
    text = pd.Series([str(one) for one in column.cat.categories]).str.strip()
    plain = text.str.replace(r"(?<=\d)[.' ](?=\d{3}(\D|$))", "", regex=True).str.replace(",", ".", n=1)
    is_number = pd.to_numeric(plain, errors="coerce").notna().to_numpy()
    if is_number.sum() < SEVERAL:
        return 0.0, ""
    counts = np.bincount(column.cat.codes.to_numpy(), minlength=len(text))
    return float(counts[is_number].sum() / counts.sum()), next(iter(text[~is_number]), "")


def _on_a_line(column: pd.Series[Any], target: pd.Series[Any]) -> bool:
    if isinstance(column.dtype, pd.CategoricalDtype) or isinstance(target.dtype, pd.CategoricalDtype):
        return False
    x, y = (one.to_numpy(dtype=float) for one in (column, target))
    x, y = (one / max(float(np.abs(one).max()), 1e-300) for one in (x, y))
    x, y = x - x.mean(), y - y.mean()
    off = y - x * (x @ y) / max(float(x @ x), 1e-300)
    return len(x) > FEW_LEVELS and float(off @ off) <= 1e-20 * float(y @ y)
