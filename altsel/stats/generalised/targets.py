"""The families of models that take a target: what each refuses, and its loss of rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.errors import ArgumentError, DataError
from altsel.stats.generalised.cox import Cox
from altsel.stats.generalised.family import Family
from altsel.stats.generalised.multinomial import Multinomial
from altsel.stats.generalised.ordinal import Ordinal
from altsel.stats.generalised.row_losses import Logistic, Poisson
from altsel.stats.standardised import row_numbers

ROLES = ("weights", "offset", "event")
"""What rows may hold besides: the fields of `RowColumns`."""
LEVELS = 20
"""Levels of a target up to which its values are ordered classes."""


@dataclass(frozen=True)
class RowColumns:
    """What rows hold besides features and target: numbers one a row, or the name of their column.

    Attributes
    ----------
    weights
        At least 0, as often as a row counts; None: once.
    offset
        Added to the linear predictor, such as the log of an exposure; None: nothing.
    event
        Whether the event was seen at the time that is the target, for ``"cox"``; None: always.
    """

    weights: Any = None
    offset: Any = None
    event: Any = None

    @property
    def held(self) -> dict[str, str]:
        """Names of the columns, which are no features, and what each holds."""
        words = {
            "weights": "the weights of the rows",
            "offset": "the offset of the rows",
            "event": "whether the event was seen",
        }
        return {given: word for name, word in words.items() if isinstance(given := getattr(self, name), str)}


@dataclass(frozen=True, eq=False)
class RowsOfTarget:
    """The rows of positive weight, as families take them; all of shape (m,).

    Attributes
    ----------
    target
        Its name.
    values
        Its numbers; of classes their numbers, in order.
    weights, offset
        Of the rows.
    seen
        Whether the event was seen.
    """

    target: str
    values: FloatArray
    weights: FloatArray
    offset: FloatArray
    seen: BoolArray

    @property
    def levels(self) -> tuple[FloatArray, Any]:
        """The values that occur, in order, and which of these each row has."""
        return np.unique(self.values, return_inverse=True)

    def refuse_one_class(self) -> None:
        """Raise a DataError unless there are two classes."""
        if len(self.levels[0]) < 2:
            raise DataError(f"{self.target!r} has one class in the rows of positive weight")


def family_of(data: Dataset, name: str, rows: RowColumns, weights: FloatArray) -> Family:
    """Return the family of the target in the rows of positive weight.

    Raises
    ------
    ArgumentError, DataError
        If the target, an offset or events are none that it takes.
    """
    every, kept = len(weights), weights > 0
    offset = np.zeros(every) if rows.offset is None else row_numbers("offset", rows.offset, data)
    if rows.event is not None and name != "cox":
        raise ArgumentError(f"event: only family='cox' takes events, not {name!r}")
    if rows.offset is not None and name == "multinomial":
        raise ArgumentError("offset: several classes have no common offset; leave it out")
    values = CHECKED[name](data)
    seen = np.ones(every) if rows.event is None else row_numbers("event", rows.event, data)
    if other := sorted({*seen.tolist()} - {0.0, 1.0}):
        held = "it holds" if not isinstance(rows.event, str) else f"{rows.event!r} holds"
        raise ArgumentError(f"event: give 1 (or True) where the event was seen, else 0; {held} {other[0]:g}")
    parts = (values[kept], weights[kept], offset[kept], seen[kept] > 0)
    return FAMILIES[name](RowsOfTarget(data.target, *parts))


def _two_classes(data: Dataset) -> FloatArray:
    if len(data.classes) != 2:
        raise DataError(
            f"family='logistic' takes a target of two classes; {data.target!r} "
            + (
                f"has {len(data.classes)}: use 'multinomial'"
                if data.classes
                else "is a number: use 'poisson' for counts, 'cox' for times, or LinearFit"
            )
        )
    return data.target_values()


def _classes(data: Dataset) -> FloatArray:
    if not data.classes:
        raise DataError(f"family='multinomial' takes a target of classes; {data.target!r} is a number")
    return data.target_values()


def _ordered(data: Dataset) -> FloatArray:
    text = str(data.y.dtype) == "category" and len(data.classes) > 2
    if text and data.target_kind is not Kind.ORDINAL:
        order = list(map(str, data.classes))
        raise DataError(
            f"family='ordinal': the order of the classes of {data.target!r} is not known; declare it, the "
            f"lowest first: kinds={{{data.target!r}: {order!r}}} "
            f"(--kind {data.target}=ordinal:{','.join(order)})"
        )
    return data.target_values()


def _counts(data: Dataset) -> FloatArray:
    counts = _numbers_of(data, "poisson", "counts")
    if (counts != np.round(counts)).any():
        raise DataError(
            f"family='poisson' takes counts; {data.target!r} holds {counts[counts % 1 != 0][0]:g}: LinearFit "
            "takes any numbers"
        )
    return counts


def _times(data: Dataset) -> FloatArray:
    return _numbers_of(data, "cox", "times")


def _numbers_of(data: Dataset, family: str, what: str) -> FloatArray:
    """Return a target of numbers of at least 0."""
    try:
        values = np.asarray(data.y.to_numpy(), dtype=float)
    except (TypeError, ValueError):
        fix = "use 'logistic' for two classes, 'multinomial' or 'ordinal' for more"
        raise DataError(f"family={family!r} takes {what}; {data.target!r} holds classes: {fix}") from None
    if values.min() < 0:
        raise DataError(
            f"family={family!r} takes {what} of at least 0; {data.target!r} holds {values.min():g}: "
            "LinearFit takes any numbers"
        )
    return values


def _logistic(rows: RowsOfTarget) -> Family:
    rows.refuse_one_class()
    return Logistic(np.asarray(rows.levels[1], dtype=float), rows.weights, rows.offset)


def _multinomial(rows: RowsOfTarget) -> Family:
    rows.refuse_one_class()
    present, held = rows.levels
    return Multinomial(held, len(present), rows.weights)


def _ordinal(rows: RowsOfTarget) -> Family:
    present, held = rows.levels
    if not 2 <= len(present) <= LEVELS:
        raise DataError(
            f"family='ordinal' takes a target of 2 to {LEVELS} ordered classes; {rows.target!r} has "
            f"{len(present)}"
        )
    return Ordinal(held, len(present), rows.weights, rows.offset)


def _poisson(rows: RowsOfTarget) -> Family:
    if not rows.values.any():
        raise DataError(f"family='poisson': all counts of {rows.target!r} are 0")
    return Poisson(rows.values, rows.weights, rows.offset)


def _cox(rows: RowsOfTarget) -> Family:
    if not rows.seen.any():
        raise ArgumentError("event: no event was seen; times alone say nothing")
    return Cox(rows.values, rows.seen, rows.weights, rows.offset)


CHECKED: dict[str, Callable[[Dataset], FloatArray]] = {
    "logistic": _two_classes,
    "multinomial": _classes,
    "poisson": _counts,
    "cox": _times,
    "ordinal": _ordered,
}
"""What refuses other targets and returns the numbers of a target, by the family's name."""
NAMES = {
    "logistic": Logistic.name,
    "multinomial": Multinomial.name,
    "poisson": Poisson.name,
    "cox": Cox.name,
    "ordinal": Ordinal.name,
}
"""The families in words, by their names."""
FAMILIES: dict[str, Callable[[RowsOfTarget], Family]] = {
    "logistic": _logistic,
    "multinomial": _multinomial,
    "poisson": _poisson,
    "cox": _cox,
    "ordinal": _ordinal,
}
"""What makes the family of rows, by its name."""
