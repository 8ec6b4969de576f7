"""A column of any type brought to the few that are used, what is known of it, and its values as codes."""

from __future__ import annotations

from decimal import Decimal
from math import nan
from numbers import Complex, Real
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.dates import present, refuse_dates
from altsel.data.schema import FEW_LEVELS, Kind, Summary, is_discrete_by_kind
from altsel.errors import DataError, listing

LARGEST_EXACT = 2**53
"""Integers up to this are exact as floats."""
MODERATE = 300
"""Powers of two beyond which squares and sums of them may leave the range of floats."""


def normal(column: pd.Series[Any]) -> pd.Series[Any]:
    """Bring a column to ``float64``, ``int64`` or ``category``; missing values stay missing.

    Raises
    ------
    DataError
        If the values are dates, complex numbers, lists or the like.
    """
    kind = column.dtype
    refuse_dates(column)
    if isinstance(kind, pd.CategoricalDtype):
        return _without_unused(column)
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


def _without_unused(column: pd.Series[Any]) -> pd.Series[Any]:
    """Leave out categories that do not occur, if there are any, which counting says sooner than sorting."""
    codes = column.cat.codes.to_numpy()
    held = codes[codes >= 0] if len(codes) and codes.min() < 0 else codes
    found = np.bincount(held, minlength=len(column.cat.categories))
    return column if found.all() else column.cat.remove_unused_categories()


def _normal_objects(column: pd.Series[Any]) -> pd.Series[Any]:
    if isinstance(column.dtype, pd.StringDtype):
        return _named(column)
    there = present(column)
    held = column[there]
    if held.map(lambda value: isinstance(value, Complex) and not isinstance(value, Real)).any():
        raise DataError(f"column {column.name!r} holds complex numbers; give real and imaginary part apart")
    if len(held) and held.map(lambda value: isinstance(value, (Real, Decimal, np.number))).all():
        try:
            _refuse_collapse(held)
            return normal(column.where(there, nan).astype("float64"))
        except (OverflowError, ArithmeticError) as fault:
            raise DataError(
                f"column {column.name!r} holds numbers that are none or too large: {fault}"
            ) from fault
    return _named(column)


def _named(column: pd.Series[Any]) -> pd.Series[Any]:
    try:
        named = column.astype("category")
        "".join(label for label in named.cat.categories if isinstance(label, str)).encode()
        refuse_dates(named)
        return named
    except UnicodeEncodeError as fault:
        raise DataError(f"column {column.name!r} holds text that is no Unicode: {fault}") from fault
    except (TypeError, NotImplementedError) as fault:
        raise DataError(f"column {column.name!r} holds neither numbers nor categories: {fault}") from fault


def moderate(values: FloatArray) -> FloatArray:
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
    power = np.frexp(np.maximum(values.max(axis=0), -values.min(axis=0)))[1]
    extreme = np.abs(power) > MODERATE
    return np.asarray(np.ldexp(values, np.where(extreme, -power, 0))) if extreme.any() else values


def _refuse_collapse(column: pd.Series[Any]) -> None:
    """Refuse integers that are not the same but would be as floats."""
    present = column[column.notna()]
    if not len(present) or max(abs(int(present.max())), abs(int(present.min()))) <= LARGEST_EXACT:
        return
    if present.astype("float64").nunique() < present.nunique():
        raise DataError(
            f"column {column.name!r} holds integers beyond 2^53 that floats cannot tell apart; subtract "
            "what they have in common, or turn them into text if they are names"
        )


def summary_of(column: pd.Series[Any]) -> Summary:
    """Return what the rules of `altsel.data.schema` know of a normal column without missing values."""
    name, number, kind = str(column.name), int(column.nunique()), column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return Summary(name, number, categories=tuple(kind.categories), ordered=bool(kind.ordered))
    values = column.to_numpy()
    integral = values.dtype.kind in "iu" or bool((values == np.rint(values)).all())
    least = float(values.min()) if len(values) else np.inf
    return Summary(name, number, integral=integral, least=least)


def kind_of(column: pd.Series[Any]) -> Kind:
    """Return the kind of a normal column without missing values."""
    return summary_of(column).kind


def is_discrete(column: pd.Series[Any], kind: Kind) -> bool:
    """Return whether a column counts as discrete; values are counted only where the kind does not say it."""
    known = is_discrete_by_kind(kind, isinstance(column.dtype, pd.CategoricalDtype))
    return summary_of(column).few if known is None else known


def refuse_infinite(table: pd.DataFrame) -> None:
    """Raise a `DataError` that names the columns with infinite values."""
    numeric = table.select_dtypes("number")
    bad = [str(name) for name in numeric if np.isinf(numeric[name].to_numpy(dtype=float)).any()]
    if bad:
        raise DataError(f"infinite values in {listing(bad)}; clip or drop them")


def codes(column: pd.Series[Any]) -> IntArray:
    """Return the distinct values of a column the numbers 0, 1, … in sorted order; no level is empty."""
    values = (column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column).to_numpy()
    return level_numbers(values)


def levels(column: pd.Series[Any]) -> tuple[Any, ...]:
    """Return the distinct values of a column in the order of their codes."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return tuple(column.cat.categories)
    return tuple(np.unique(column.to_numpy()).tolist())


def level_numbers(values: npt.NDArray[Any]) -> IntArray:
    """Return the distinct numbers of an array the numbers 0, 1, … in sorted order."""
    if np.issubdtype(values.dtype, np.integer) and len(values):
        least = int(values.min())
        if int(values.max()) - least < len(values) + FEW_LEVELS:  # few integers: no need to sort
            shifted = values.astype(np.int64) - least
            found = np.bincount(shifted) > 0
            return np.asarray((np.cumsum(found) - 1)[shifted], dtype=np.int64)
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def numbers(column: pd.Series[Any]) -> FloatArray:
    """Return a column as floats; categories by their codes, which levels that do not occur keep free."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return np.asarray(column.cat.codes, dtype=float)
    return column.to_numpy(dtype=float)
