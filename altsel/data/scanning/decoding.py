"""Columns of record batches as arrays: numbers, or labels and the number of each row's label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray
from altsel.data.intake.arrow import as_text, is_bytes
from altsel.data.scanning.partitions import Partition, pa
from altsel.errors import DataError, listing

LARGEST = np.iinfo(np.int64).max


class ValueType(StrEnum):
    """What the values of a column are, whatever their width: those of one type go together."""

    LOGIC = "true and false"
    INTEGERS = "integers"
    NUMBERS = "numbers"
    LABELS = "categories"
    NOTHING = "nothing but missing values"


@dataclass(frozen=True, eq=False)
class Labelled:
    """A column of categories.

    Attributes
    ----------
    labels
        Its labels; None stands for a missing value.
    indices
        Which label each row has; -1: missing.
    """

    labels: tuple[Any, ...]
    indices: npt.NDArray[np.integer[Any]]


Values = npt.NDArray[Any] | Labelled
"""True and false as ``bool``, integers as ``int64`` or narrower, other numbers as floats, or categories."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows, none of which lacks a value.

    Attributes
    ----------
    rows, dropped
        How many there are, and how many were dropped for missing values.
    values
        The columns by name.
    lacking
        How many rows lacked a value of a column, by its name.
    """

    rows: int
    dropped: int
    values: Mapping[str, Values]
    lacking: Mapping[str, int] = field(default_factory=dict)


def batches(
    part: Partition, columns: Sequence[str], rows: int, missing: str, whole: Sequence[str] | None = None
) -> Iterator[Batch]:
    """Read some columns of a partition batch by batch.

    Parameters
    ----------
    part
        The partition.
    columns
        Names of the columns.
    rows
        Most rows of a batch.
    missing
        ``"error"``, or ``"drop rows"`` for rows that lack a value.
    whole
        All columns that a row must have a value of, if it is known that some row lacks one.

    Raises
    ------
    DataError
        If values are missing, or of no kind that is read; names the partition and the column.
    """
    needed = list(columns if whole is None else whole)
    first = 0
    for batch in part.batches(needed, rows):
        there = set(batch.schema.names)
        absent = [name for name in needed if name not in there]
        if absent:
            raise DataError(f"{part.name} lacks the columns {listing(absent)}")
        if len(batch):
            yield _decoded(
                batch, needed, columns, missing, f"{part.name}, rows {first} to {first + len(batch) - 1}"
            )
        first += len(batch)


def _decoded(batch: Any, needed: Sequence[str], columns: Sequence[str], missing: str, where: str) -> Batch:
    keep: BoolArray | None = None
    values: dict[str, Values] = {}
    lacking: dict[str, int] = {}
    wanted = set(columns)
    for name in needed:
        array = batch.column(batch.schema.get_field_index(name))
        try:
            column, absent = decoded(array)
        except (DataError, pa.ArrowException) as fault:
            raise DataError(f"column {name!r} {fault}; in {where}") from fault
        if absent is not None and absent.any():
            lacking[name] = int(absent.sum())
            keep = ~absent if keep is None else keep & ~absent
        if name in wanted:
            values[name] = column
    if keep is None:
        return Batch(len(batch), 0, values)
    if missing == "error":
        counts = ", ".join(f"{name!r} ({count})" for name, count in list(lacking.items())[:5])
        raise DataError(
            f"missing values in {counts}{' and more columns' if len(lacking) > 5 else ''} of {where}; fill "
            "them, or drop their rows with missing='drop rows' (command line: --drop-missing)"
        )
    kept = {name: _chosen(column, keep) for name, column in values.items()}
    return Batch(int(keep.sum()), len(batch) - int(keep.sum()), kept, lacking)


def decoded(array: Any) -> tuple[Values, BoolArray | None]:
    """Return the values of an Arrow array, and which of them are missing; None: none is.

    Raises
    ------
    DataError
        If they are of a kind that is not read; says what is held.
    """
    kind = array.type
    value_type = value_type_of(kind)
    if value_type is ValueType.LABELS:
        if is_bytes(kind):
            array = as_text(array)
        if not pa.types.is_dictionary(kind):
            array = array.dictionary_encode()
        return _labelled(array)
    if value_type is ValueType.NOTHING:
        return np.zeros(len(array), dtype=np.int64), np.ones(len(array), dtype=bool)
    absent = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
    if pa.types.is_decimal(kind):
        array = array.cast(pa.float64())
    if absent is not None:
        array = array.fill_null(0)
    values: npt.NDArray[Any] = array.to_numpy(zero_copy_only=False)
    if value_type in {ValueType.LOGIC, ValueType.INTEGERS}:
        if values.dtype == np.uint64:
            if len(values) and int(values.max()) > LARGEST:
                raise DataError("holds integers beyond 2^63")
            values = values.astype(np.int64)
        return values, absent
    values = values.astype(np.float64, copy=False)
    no_number = np.isnan(values)
    if no_number.any():
        absent = no_number if absent is None else absent | no_number
    return values, absent


def value_type_of(kind: Any) -> ValueType:
    """Return what a type of Arrow holds.

    Raises
    ------
    DataError
        If it is none that is read.
    """
    types = pa.types
    if types.is_dictionary(kind):
        if kind.ordered:
            raise DataError(
                "holds ordered categories, whose order may differ from part to part: list it from the lowest "
                "to the highest, kinds={name: [low, …, high]}, and store plain text"
            )
        inner = value_type_of(kind.value_type)
        if inner is ValueType.NUMBERS:
            raise DataError("holds a dictionary of numbers with fractions; store them as numbers, or as text")
        return ValueType.LABELS
    if types.is_integer(kind) or types.is_boolean(kind):
        return ValueType.INTEGERS if types.is_integer(kind) else ValueType.LOGIC
    if types.is_floating(kind) or types.is_decimal(kind):
        return ValueType.NUMBERS
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind) or is_bytes(kind):
        return ValueType.LABELS
    if types.is_null(kind):
        return ValueType.NOTHING
    if types.is_temporal(kind):
        raise DataError(
            f"holds dates or times ({kind}); turn it into a number, such as days since a first one"
        )
    raise DataError(f"holds {kind}, neither numbers nor categories; leave it out (drop=)")


def _labelled(array: Any) -> tuple[Labelled, BoolArray | None]:
    labels = array.dictionary.to_pylist()
    indices = array.indices
    if indices.null_count:
        indices = indices.cast(pa.int64()).fill_null(-1)
    numbers: npt.NDArray[Any] = indices.to_numpy(zero_copy_only=False)
    absent: BoolArray | None = None
    if array.indices.null_count:
        absent = numbers < 0
    if None in labels:
        holes = np.array([label is None for label in labels])
        lost = np.append(holes, True)[numbers]
        absent = lost if absent is None else absent | lost
    return Labelled(tuple(labels), numbers), absent


def _chosen(column: Values, keep: BoolArray) -> Values:
    return Labelled(column.labels, column.indices[keep]) if isinstance(column, Labelled) else column[keep]
