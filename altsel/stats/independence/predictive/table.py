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
from altsel.data.columns import codes, numbers
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.runtime.on_demand import OnDemand

special: Any = OnDemand("scipy.special")
stats: Any = OnDemand("scipy.stats")

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
        discrete = [
            kind in {Kind.CATEGORICAL, Kind.BINARY} or isinstance(column.dtype, pd.CategoricalDtype)
            for kind, column in zip(kinds, columns, strict=True)
        ]
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
    def single(self) -> Single:
        """All variables in single precision, as trees take them."""
        return np.column_stack([self.as_single(j, self.coded[:, j]) for j in range(self.coded.shape[1])])

    def as_single(self, variable: int, values: FloatArray) -> Single:
        """Return values of a variable in single precision, rescaled as in ``single``."""
        return self._scales[variable](values)

    @cached_property
    def _scales(self) -> tuple[Scale, ...]:
        return tuple(Scale.of(self.coded[:, j]) for j in range(self.coded.shape[1]))

    @cached_property
    def scores(self) -> FloatArray:
        """Normal scores ``Phi^-1((rank - 1/2) / n)`` of all variables; ties share their mean rank."""
        ranks = stats.rankdata(self.coded, axis=0)
        return np.asarray(special.ndtri((ranks - 0.5) / len(ranks)))

    @cached_property
    def spread(self) -> FloatArray:
        """Standard deviation of each variable."""
        centred = self.coded - self.coded.mean(axis=0)
        largest = np.abs(centred).max(axis=0)
        return np.asarray(largest * (centred / largest).std(axis=0))

    @cached_property
    def negentropy(self) -> FloatArray:
        """How far each variable is from a normal one, ``log(2 pi e var(x)) / 2 - h(x)``; may be infinite."""
        standard = (self.coded - self.coded.mean(axis=0)) / self.spread
        with np.errstate(divide="ignore"):
            entropy = stats.differential_entropy(standard, axis=0)
        return np.asarray(np.log(2 * np.pi * np.e) / 2 - entropy)

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


SAME = np.float32(1e-7)
"""Values nearer than this are not divided by scikit-learn's trees."""
DISTINCT = 0.9
"""Share of a variable's values, and of its rows, that must stay distinct in single precision."""


@dataclass(frozen=True, eq=False)
class Scale:
    """How values are brought to single precision: as they are, or by another unit, or by their ranks.

    Attributes
    ----------
    power
        Power of two that they are divided by.
    values
        Distinct values, ascending, whose ranks stand for them; empty if nothing stands for them.
    """

    power: int
    values: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> Scale:
        """Choose the first of these that keeps most values distinct."""
        distinct, counts = np.unique(values, return_counts=True)
        largest = int(np.frexp(np.abs(distinct).max())[1])
        for power in (0, largest):
            scale = cls(power, np.empty(0))
            group = groups(scale(distinct))
            alone = np.bincount(group)[group] == 1
            if alone.mean() >= DISTINCT and counts[alone].sum() >= DISTINCT * len(values):
                return scale
        return cls(0, distinct)

    def __call__(self, values: FloatArray) -> Single:
        """Bring values to single precision."""
        if len(self.values):
            return np.interp(values, self.values, np.arange(len(self.values))).astype(np.float32)
        with np.errstate(over="ignore"):
            return np.asarray(np.ldexp(values, -self.power), dtype=np.float32)


def groups(ascending: Single) -> IntArray:
    """Return numbers of the groups of ascending values that scikit-learn's trees cannot divide, from 0."""
    with np.errstate(invalid="ignore"):
        apart = ascending[1:] > ascending[:-1] + SAME
    return np.concatenate([[0], np.cumsum(apart)])


def copies_of(changes: Sequence[Change]) -> Iterator[tuple[int, FloatArray, slice]]:
    """Yield each change with the copies of the rows it makes; copy 0 is of the rows as they are."""
    first = 1
    for variable, values in changes:
        yield variable, values, slice(first, first + len(values))
        first += len(values)


def number_of_copies(changes: Sequence[Change]) -> int:
    """Count the rows as they are, and every copy of every change."""
    return 1 + sum(len(values) for _, values in changes)


def aligned(known: FloatArray, present: IntArray, classes: int) -> FloatArray:
    """Add zeros for classes that a model has not seen; shape (…, present classes) to (…, classes)."""
    if known.shape[-1] == classes:
        return known
    full = np.zeros((*known.shape[:-1], classes))
    full[..., present] = known
    return full


def _levels(column: pd.Series[Any]) -> np.ndarray:
    if isinstance(column.dtype, pd.CategoricalDtype):
        used = np.unique(column.cat.codes)
        return np.asarray(column.cat.categories.to_numpy()[used].astype(str))
    return np.unique(column.to_numpy())
