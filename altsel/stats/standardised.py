"""Columns of a data set for linear predictors: centred, of length 1, weighted; categories by all levels."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.columns import codes, numbers
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.errors import ArgumentError, DataError, DataWarning, absence, listing
from altsel.runtime.caller import warn_caller

CONSTANT = 1e-12
"""Length of a centred column, relative to that before, up to which it counts as constant."""
NOTHING = 1e-12
"""Weight of a level, of a mean weight of 1 a row, up to which it has none."""


def standardised_block(data: Dataset, name: str, root: FloatArray) -> FloatArray:
    """Return the columns of a feature, centred and of length 1; of a category a basis of its levels."""
    if not is_category(data, name):
        return units(column_of(data, name)[:, None], root)
    return or_zero(_of_levels(codes(data.X[name]), root))


def _of_levels(level: IntArray, root: FloatArray) -> FloatArray:
    """Return an orthonormal basis of the functions of levels of mean 0."""
    return np.asarray(root[:, None] * level_columns(np.bincount(level, root * root).astype(float))[level])


def level_columns(weight: FloatArray) -> FloatArray:
    """Return the values that levels have in such a basis, shape (levels, columns); levels are disjoint.

    Of weights w of the levels, columns ``root [level = l] / sqrt(w_l)`` are orthonormal, and the constant is
    ``c = sqrt(w / sum w)`` in them. The reflection that takes c to the first unit vector takes the others to
    a basis of what is orthogonal to it.
    """
    held = np.flatnonzero(weight > NOTHING)
    constant = np.sqrt(weight[held] / weight[held].sum())
    axis = constant.copy()
    axis[0] += 1.0
    basis = np.eye(len(held))[:, 1:] - np.outer(axis, axis[1:]) / axis[0]  # |axis|^2 = 2 axis[0]
    values = np.zeros((len(weight), basis.shape[1]))
    values[held] = basis / np.sqrt(weight[held])[:, None]
    return values


def is_category(data: Dataset, name: str) -> bool:
    """Return whether a column stands for several: its values are more than two, and no numbers."""
    several_levels = data.X[name].dtype == "category" and data.X[name].nunique() > 2
    return data.kinds[name] is Kind.CATEGORICAL or several_levels


def or_zero(block: FloatArray) -> FloatArray:
    """Return a block that has at least a column: nothing is left of a feature that adds nothing."""
    return block if block.shape[1] else np.zeros((len(block), 1))


def warn_of_constants(names: list[str], blocks: list[FloatArray]) -> None:
    """Warn of features of which nothing is left once they are centred."""
    if constant := [name for name, block in zip(names, blocks, strict=True) if not block.any()]:
        warn_caller(
            f"columns are constant but for rounding, or in the rows of positive weight, and add nothing: "
            f"{listing(constant)}; subtract a time stamp's or position's first value before",
            DataWarning,
        )


def row_numbers(what: str, given: Any, data: Dataset, least: float | None = None) -> FloatArray:
    """Return numbers, one a row, given as such or by the name of their column.

    Parameters
    ----------
    what
        Name of the argument.
    given
        The numbers, or the name.
    data
        The data set.
    least
        They are at least so much; None: any finite number.

    Raises
    ------
    ArgumentError
        If it is neither, or a number is missing, infinite or too small.
    """
    rows, finite = len(data.y), "finite numbers" + ("" if least is None else f" of at least {least:g}")
    wanted = f"{what}: give {rows} {finite}, one a row, or the name of their column"
    if isinstance(given, str):
        wanted = f"{what}: {given!r} must hold {finite}"
        if given not in data.kinds:
            raise ArgumentError(
                f"{what}: there is no column {given!r}{absence(given, data.kinds, data.absent)}; of "
                "copies that were grouped one name stands for all"
            )
        given = data.X[given].to_numpy()
    try:
        found = np.asarray(given)
        if found.dtype.kind == "c":
            raise ArgumentError(wanted)
        found = found.astype(float)
    except (TypeError, ValueError) as fault:
        raise ArgumentError(wanted) from fault
    small = least is not None and found.size and bool((found < least).any())
    if found.shape != (rows,) or not np.isfinite(found).all() or small:
        raise ArgumentError(wanted)
    return np.asarray(found)


def row_weights(weights: Any, data: Dataset) -> FloatArray:
    """Return the weights of the rows, 1 each if none are given.

    Raises
    ------
    ArgumentError
        If they are no numbers of at least 0, or all 0.
    """
    if weights is None:
        return np.ones(len(data.y))
    found = row_numbers("weights", weights, data, 0.0)
    if not found.any():
        raise ArgumentError("weights: all are 0")
    return found


def column_of(data: Dataset, name: str) -> FloatArray:
    """Return the numbers of a column, scaled as `scaled_values` does."""
    return scaled_values(numbers(data.X[name]), name)


def scaled_values(column: FloatArray, name: str) -> FloatArray:
    """Scale a column by a power of 2, which rounds nothing, so that no square is too large or too small."""
    largest = float(np.abs(column).max())
    if not np.isfinite(largest):
        raise DataError(f"{name!r} holds numbers too large for floats")
    return np.asarray(np.ldexp(column, -int(np.frexp(largest)[1])))


def centred(table: FloatArray, root: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Take the weighted means off, twice, as the first are rounded; return the lengths before too."""
    before = np.sqrt((table * table * (root * root)[:, None]).sum(axis=0))
    share = (root * root)[:, None] / (root * root).sum()
    for _ in range(2):
        table = table - (share * table).sum(axis=0)
    table = table * root[:, None]
    constant = np.sqrt((table * table).sum(axis=0)) <= CONSTANT * before
    return np.where(constant, 0.0, table), before


def units(table: FloatArray, root: FloatArray) -> FloatArray:
    """Centre columns, and give them length 1."""
    held, _ = centred(table, root)
    lengths = np.sqrt((held * held).sum(axis=0))
    return np.asarray(held / np.where(lengths > 0, lengths, 1.0))


@dataclass(frozen=True, eq=False)
class Scaling:
    """What centres columns and gives them length 1, as learned from some rows.

    Attributes
    ----------
    means
        Weighted means, and what is left of them by rounding, shape (2, columns).
    lengths
        Of the centred columns; infinite of constant ones.
    """

    means: FloatArray
    lengths: FloatArray

    def of(self, table: FloatArray) -> FloatArray:
        """Scale any rows; constant columns become 0."""
        return np.asarray((table - self.means[0] - self.means[1]) / self.lengths)


def scaling(table: FloatArray, root: FloatArray) -> Scaling:
    """Learn the scale of columns from rows, by the roots of their weights."""
    share = (root * root)[:, None] / (root * root).sum()
    first = (share * table).sum(axis=0)
    means = np.stack([first, (share * (table - first)).sum(axis=0)])
    held, _ = centred(table, root)
    lengths = np.sqrt((held * held).sum(axis=0))
    return Scaling(means, np.where(lengths > 0, lengths, np.inf))


def checked_given(data: Dataset, given: Collection[str], held: Mapping[str, str]) -> list[str]:
    """Return the names that are always in the model, in the order of the data.

    Parameters
    ----------
    data
        The data set.
    given
        Names.
    held
        Columns that are no features, each with what it holds.

    Raises
    ------
    ArgumentError
        If it is no list of names, a name is given twice or is no feature, or no feature is left.
    """
    if isinstance(given, str) or not isinstance(given, Collection):
        raise ArgumentError(f"given={given!r}; give a list of names: [{str(given)!r}]")
    names = list(given)
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise ArgumentError(f"given: {listing(twice)} more than once; name each once")
    absent = [name for name in given if name not in data.kinds]
    if absent:
        why = absence(str(absent[0]), data.kinds, data.absent)
        raise ArgumentError(
            f"given: there is no feature {listing(absent)}{why}; of copies that were grouped one name stands "
            "for all"
        )
    if both := [name for name in names if name in held]:
        raise ArgumentError(f"given: {both[0]!r} holds {held[both[0]]}, and cannot be in the model")
    if set(data.features) <= {*names, *held}:
        raise ArgumentError("given names all features; leave some to choose from")
    return [name for name in data.features if name in set(given)]
