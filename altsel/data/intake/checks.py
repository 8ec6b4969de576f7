"""What is found out of all columns at once: missing and infinite values, constants, kinds, copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray
from altsel.data.columns import numbers
from altsel.data.intake.blocks import blocks
from altsel.data.schema import FEW_LEVELS, Kind, Summary, is_discrete_by_kind

HEAD = 256
"""Rows that settle most columns."""
SAMPLE = 1024
"""Rows by which columns are told apart; only columns alike in these are compared whole."""


@dataclass(frozen=True, eq=False)
class Traits:
    """What holds of the columns of a normal table without missing values, one entry each.

    Attributes
    ----------
    infinite
        Whether a value is infinite.
    constant
        Whether all values are the same.
    kinds
        The kind that the schema infers.
    """

    infinite: BoolArray
    constant: BoolArray
    kinds: npt.NDArray[np.object_]

    @classmethod
    def of(cls, table: pd.DataFrame) -> Traits:
        """Look through a table; no column is empty, and all categories occur.

        Examples
        --------
        >>> table = pd.DataFrame({"a": [1.0, 2.5, 4.0], "b": [3, 3, 3], "c": [0.0, 5.0, 5.0]})
        >>> found = Traits.of(table)
        >>> [kind.value for kind in found.kinds], found.constant.tolist()
        (['continuous', 'integer', 'binary'], [False, True, False])
        """
        infinite, constant = np.zeros((2, table.shape[1]), dtype=bool)
        kinds = np.empty(table.shape[1], dtype=object)
        types = table.dtypes.to_numpy()
        for indices, values, categories in blocks(table):
            if categories:
                found = [_of_categories(types[index]) for index in indices.tolist()]
                kinds[indices] = [one.kind for one in found]
                constant[indices] = [one.values < 2 for one in found]
                continue
            low, high = values.min(axis=1), values.max(axis=1)
            infinite[indices], constant[indices] = np.isinf(low) | np.isinf(high), low == high
            integral = np.ones(len(values), dtype=bool)
            if values.dtype.kind == "f":
                integral = _throughout(values, lambda part, _: part == np.rint(part))
            more = ~_throughout(values, partial(_one_of, low, high))
            for shape in product((1, 2), (False, True), (False, True)):  # all that summaries may differ by
                of_this = (1 + (low < high) == shape[0]) & (more == shape[1]) & (integral == shape[2])
                kinds[indices[of_this]] = Summary("", *shape).kind
        return cls(infinite, constant, kinds)


def equal_columns(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Find columns that are equal as floats, bit by bit, to an earlier one; categories by their codes.

    Returns
    -------
    list of tuple
        Name of the column and of the first one like it, in the order of the table.

    Examples
    --------
    >>> equal_columns(pd.DataFrame({"a": [1, 2, 2], "b": [0.5, 0.1, 0.2], "c": [1.0, 2.0, 2.0]}))
    [('c', 'a')]
    """
    signs = np.empty(table.shape[1], dtype=np.uint64)
    for indices, values, _ in blocks(table.iloc[:SAMPLE]):
        signs[indices] = sums_of_bits(values)
    _, alike, times = np.unique(signs, return_inverse=True, return_counts=True)
    first: dict[bytes, str] = {}
    found = []
    for index in np.flatnonzero(times[alike] > 1).tolist():
        name = str(table.columns[index])
        earlier = first.setdefault(sha256(numbers(table.iloc[:, index]).tobytes()).digest(), name)
        if earlier != name:
            found.append((name, earlier))
    return found


def sums_of_bits(values: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Compute a number from each column's bits: a sum of products with random odd numbers, modulo 2^64.

    Shape (columns, values); columns that are equal as floats have the same.
    """
    bits = np.ascontiguousarray(values.T, dtype=float).view(np.uint64)
    factors = np.random.default_rng(0).integers(0, 2**63, len(bits), dtype=np.uint64) * np.uint64(
        2
    ) + np.uint64(1)
    return np.asarray(factors @ (bits ^ (bits >> np.uint64(32))))  # small integers have their bits on top


def _throughout(values: npt.NDArray[Any], holds: Callable[[Any, Any], BoolArray]) -> BoolArray:
    """Return in which columns something holds of all values; most are settled by their first ones."""
    everywhere = slice(None)
    result: BoolArray = np.asarray(holds(values[:, :HEAD], everywhere).all(axis=1))
    if values.shape[1] > HEAD and result.any():
        left: Any = everywhere if result.all() else np.flatnonzero(result)
        result[left] = holds(values[left], left).all(axis=1)
    return result


def _one_of(low: Any, high: Any, part: Any, chosen: Any) -> BoolArray:
    return np.asarray((part == low[chosen, None]) | (part == high[chosen, None]))


def _of_categories(dtype: pd.CategoricalDtype) -> Summary:
    labels = tuple(dtype.categories)
    return Summary("", len(labels), categories=labels, ordered=bool(dtype.ordered))


def discrete(table: pd.DataFrame, kinds: Sequence[Kind]) -> BoolArray:
    """Return which columns of these kinds are discrete; values are counted where the kind does not say it."""
    columns = zip(kinds, table.dtypes, strict=True)
    known = [is_discrete_by_kind(kind, isinstance(dtype, pd.CategoricalDtype)) for kind, dtype in columns]
    result = np.array(known, dtype=bool)  # None is false
    open_ = np.array([index for index, one in enumerate(known) if one is None], dtype=np.int64)
    result[open_] = _few_levels(table.iloc[:, open_])
    return result


def _few_levels(table: pd.DataFrame) -> BoolArray:
    """Return which columns of numbers have few values."""
    result = np.ones(table.shape[1], dtype=bool)
    for indices, values, _ in blocks(table):
        few = _changes(values[:, :HEAD]) < FEW_LEVELS
        if values.shape[1] > HEAD:
            few[few] = _changes(values[few]) < FEW_LEVELS
        result[indices] = few
    return result


def _changes(values: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    ordered = np.sort(values, axis=1)
    return np.asarray((ordered[:, 1:] != ordered[:, :-1]).sum(axis=1))
