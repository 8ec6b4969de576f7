"""All columns of a data set in the forms that models take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.columns import Kind, codes, numbers
from altsel.data.dataset import Dataset

Change = tuple[int, FloatArray]
"""A variable, and other values for it in some rows, shape (copies, rows): numbers, or codes of categories."""
Single = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Response:
    """What models are fitted to.

    Attributes
    ----------
    values
        Numbers of classes, numbers, or times to an event (fields ``event`` and ``time``); shape (rows,).
    labels
        The classes in the order of their numbers; empty for numbers and times.
    """

    values: Any
    labels: np.ndarray

    @property
    def classes(self) -> int:
        """How many classes there are; 0 for numbers and times."""
        return len(self.labels)


@dataclass(frozen=True, eq=False)
class Table:
    """Features and target.

    Attributes
    ----------
    frame
        As they are in the data set.
    coded
        Numbers, and codes of categories and of columns of two values; shape (rows, variables).
    levels
        What the codes stand for; None for numbers.
    """

    frame: pd.DataFrame
    coded: FloatArray
    levels: tuple[np.ndarray | None, ...]

    @classmethod
    def of(cls, data: Dataset) -> Table:
        """Bring a data set into these forms; its target counts as what its task says."""
        target = Kind.CATEGORICAL if data.discrete_target else Kind.CONTINUOUS
        kinds = [*data.kinds.values(), target]
        frame = pd.concat([data.X, data.y.rename(data.target)], axis=1).reset_index(drop=True)
        columns = [frame.iloc[:, j] for j in range(frame.shape[1])]
        discrete = [kind in {Kind.CATEGORICAL, Kind.BINARY} for kind in kinds]
        pairs = list(zip(columns, discrete, strict=True))
        coded = [codes(column).astype(float) if one else numbers(column) for column, one in pairs]
        levels = tuple(_levels(column) if one else None for column, one in pairs)
        return cls(frame, np.column_stack(coded), levels)

    def response(self, variable: int) -> Response:
        """Return a variable as what models are fitted to."""
        values, levels = self.coded[:, variable], self.levels[variable]
        if levels is None:
            return Response(values, np.empty(0))
        return Response(values.astype(np.int64), levels)

    @cached_property
    def scaled(self) -> Single:
        """All variables in single precision, centred and divided by powers of two: the largest is about 1."""
        return np.column_stack([self.rescaled(j, self.coded[:, j]) for j in range(self.coded.shape[1])])

    def rescaled(self, variable: int, values: FloatArray) -> Single:
        """Bring values of a variable to the scale of ``scaled``."""
        centre, powers = self._scale
        return np.asarray(np.ldexp(values - centre[variable], -powers[variable]), dtype=np.float32)

    @cached_property
    def _scale(self) -> tuple[FloatArray, IntArray]:
        centre = self.coded.max(axis=0) / 2 + self.coded.min(axis=0) / 2
        largest = np.abs(self.coded - centre).max(axis=0)
        return centre, np.frexp(np.where(largest > 0, largest, 1.0))[1]

    def column(self, variable: int, values: FloatArray) -> Any:
        """Turn coded values into a column as it is in the data."""
        original, levels = self.frame.iloc[:, variable], self.levels[variable]
        if isinstance(original.dtype, pd.CategoricalDtype):
            positions = np.unique(original.cat.codes)[values.astype(np.int64)]
            return pd.Categorical.from_codes(positions, categories=original.cat.categories)
        if levels is not None:
            return levels[values.astype(np.int64)]
        whole = original.dtype.kind == "i" and bool((values == np.round(values)).all())
        return values.astype(np.int64) if whole else values


def copies_of(changes: Sequence[Change]) -> Iterator[tuple[int, FloatArray, slice]]:
    """Yield each change with the copies of the rows it makes; copy 0 is of the rows as they are."""
    first = 1
    for variable, values in changes:
        yield variable, values, slice(first, first + len(values))
        first += len(values)


def number_of_copies(changes: Sequence[Change]) -> int:
    """Count the rows as they are, and every copy of every change."""
    return 1 + sum(len(values) for _, values in changes)


def _levels(column: pd.Series[Any]) -> np.ndarray:
    if isinstance(column.dtype, pd.CategoricalDtype):
        used = np.unique(column.cat.codes)
        return np.asarray(column.cat.categories.to_numpy()[used].astype(str))
    return np.unique(column.to_numpy())
