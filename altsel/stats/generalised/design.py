"""A data set as the rows and columns of a regularised model."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.schema import Kind
from altsel.errors import ArgumentError, DataError
from altsel.stats.generalised.cox import Cox
from altsel.stats.generalised.family import Family
from altsel.stats.generalised.model import RegularisedModel
from altsel.stats.generalised.multinomial import Multinomial
from altsel.stats.generalised.ordinal import Ordinal
from altsel.stats.generalised.row_losses import Logistic, Poisson
from altsel.stats.standardised import (
    checked_given,
    column_of,
    is_category,
    row_numbers,
    row_weights,
    standardised_block,
    units,
    warn_of_constants,
)

KNOTS = (0.05, 0.35, 0.65, 0.95)
"""Quantiles of a column at which pieces of its spline meet (Harrell 2001, section 2.4.6)."""
SPAN = 1e-6
"""Length of a piece of a spline, relative to the longest, up to which the others determine it."""
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


def regularised_model(
    data: Dataset, family: str, ridge: float, rows: RowColumns, given: Collection[str], expand: str | None
) -> RegularisedModel:
    """Standardise a data set for a family of models.

    Parameters
    ----------
    data
        Columns of any kind, and a target that the family takes.
    family
        Its name; see `FAMILIES`.
    ridge
        Above 0.
    rows
        Weights, offset, event.
    given
        Names of features that are in every model.
    expand
        ``"spline"``: numbers as natural cubic splines of three columns; None: as they are.

    Raises
    ------
    ArgumentError, DataError
        If an argument or a column is none of these.
    """
    checked_dataset("ModelFit", data)
    _check_options(family, ridge, expand)
    always = checked_given(data, given, rows.held)
    features = tuple(name for name in data.features if name not in {*always, *rows.held})
    weights = row_weights(rows.weights, data)
    kept = weights > 0
    root = np.sqrt(weights / weights.mean())
    names = [*always, *features]
    blocks = [_block(data, name, root, expand) for name in names]
    warn_of_constants(names, blocks)
    scale = np.sqrt(len(weights)) / root[kept]
    columns = [scale * column for block in blocks for column in block[kept].T]
    owner = np.repeat(np.arange(len(names)) - len(always), [block.shape[1] for block in blocks])
    table = np.ascontiguousarray(np.vstack([*columns, np.zeros(int(kept.sum()))]))
    made = _family(data, family, rows, weights, kept)
    return RegularisedModel(features, table, np.maximum(owner, -1), made, float(ridge))


def _check_options(family: str, ridge: float, expand: str | None) -> None:
    if not isinstance(family, str) or family not in FAMILIES:
        raise ArgumentError(f"family={family!r}; use {', '.join(map(repr, FAMILIES))}")
    number = isinstance(ridge, (int, float, np.number)) and not isinstance(ridge, bool)
    if not number or not np.isfinite(ridge) or ridge <= 0:
        raise ArgumentError(
            f"ridge={ridge!r}; use a number above 0, such as 1: without any ridge coefficients of classes "
            "that a feature separates are infinite"
        )
    if expand not in {None, "spline"}:
        raise ArgumentError(f"expand={expand!r}; use 'spline' or None")


def _block(data: Dataset, name: str, root: FloatArray, expand: str | None) -> FloatArray:
    """Return the columns of a feature, times the roots of the weights, of length 1 and orthogonal."""
    if expand is None or is_category(data, name):
        return standardised_block(data, name, root)
    return spline_block(column_of(data, name), root)


def spline_block(values: FloatArray, root: FloatArray) -> FloatArray:
    """Return an orthonormal basis of a natural cubic spline of a column, of three columns at most.

    Its knots are at four quantiles; where these are not different, the column itself.
    """
    knots = np.quantile(values[root > 0], KNOTS)
    alone = units(values[:, None], root)
    if (np.diff(knots) <= 0).any():
        return alone
    first, *between, one, last = knots

    def cube(knot: float) -> FloatArray:
        return np.asarray(np.maximum((values - knot) / (last - first), 0.0) ** 3)

    def piece(knot: float) -> FloatArray:
        gap = last - one
        return np.asarray(cube(knot) - cube(one) * ((last - knot) / gap) + cube(last) * ((one - knot) / gap))

    pieces = np.column_stack([values, *(piece(knot) for knot in (first, *between))])
    left, sizes, _ = np.linalg.svd(units(pieces, root), full_matrices=False)
    return np.asarray(left[:, sizes > SPAN * sizes[0]]) if sizes[0] > 0 else alone


@dataclass(frozen=True, eq=False)
class _Kept:
    """The rows of positive weight: which of all, and what they hold."""

    rows: BoolArray
    weights: FloatArray
    offset: FloatArray


def _family(data: Dataset, name: str, rows: RowColumns, weights: FloatArray, kept: BoolArray) -> Family:
    """Return the family of the target in the rows of positive weight."""
    offset = np.zeros(len(weights)) if rows.offset is None else row_numbers("offset", rows.offset, data)
    if rows.event is not None and name != "cox":
        raise ArgumentError(f"event: only family='cox' takes events, not {name!r}")
    return FAMILIES[name](data, rows, _Kept(kept, weights[kept], offset[kept]))


def _logistic(data: Dataset, rows: RowColumns, kept: _Kept) -> Family:
    del rows
    if len(data.classes) != 2:
        raise DataError(
            f"family='logistic' takes a target of two classes; {data.target!r} "
            + (
                f"has {len(data.classes)}: use 'multinomial'"
                if data.classes
                else "is a number: use 'poisson' for counts, 'cox' for times, or LinearFit"
            )
        )
    codes = data.target_values()[kept.rows]
    _refuse_one_class(codes, data)
    return Logistic(codes, kept.weights, kept.offset)


def _multinomial(data: Dataset, rows: RowColumns, kept: _Kept) -> Family:
    if not data.classes:
        raise DataError(f"family='multinomial' takes a target of classes; {data.target!r} is a number")
    if rows.offset is not None:
        raise ArgumentError("offset: several classes have no common offset; leave it out")
    codes = data.target_values()[kept.rows]
    _refuse_one_class(codes, data)
    present, held = np.unique(codes, return_inverse=True)
    return Multinomial(held, len(present), kept.weights)


def _ordinal(data: Dataset, rows: RowColumns, kept: _Kept) -> Family:
    del rows
    text = str(data.y.dtype) == "category" and len(data.classes) > 2
    if text and data.target_kind is not Kind.ORDINAL:
        order = list(map(str, data.classes))
        raise DataError(
            f"family='ordinal': the order of the classes of {data.target!r} is not known; declare it, the "
            f"lowest first: kinds={{{data.target!r}: {order!r}}} "
            f"(--kind {data.target}=ordinal:{','.join(order)})"
        )
    present, held = np.unique(data.target_values()[kept.rows], return_inverse=True)
    if not 2 <= len(present) <= LEVELS:
        raise DataError(
            f"family='ordinal' takes a target of 2 to {LEVELS} ordered classes; {data.target!r} has "
            f"{len(present)}"
        )
    return Ordinal(held, len(present), kept.weights, kept.offset)


def _poisson(data: Dataset, rows: RowColumns, kept: _Kept) -> Family:
    del rows
    counts = _numbers_of(data, "poisson", "counts")
    if (counts != np.round(counts)).any():
        raise DataError(
            f"family='poisson' takes counts; {data.target!r} holds {counts[counts % 1 != 0][0]:g}: LinearFit "
            "takes any numbers"
        )
    if not counts[kept.rows].any():
        raise DataError(f"family='poisson': all counts of {data.target!r} are 0")
    return Poisson(counts[kept.rows], kept.weights, kept.offset)


def _cox(data: Dataset, rows: RowColumns, kept: _Kept) -> Family:
    times = _numbers_of(data, "cox", "times")
    seen = np.ones(len(times)) if rows.event is None else row_numbers("event", rows.event, data)
    if other := sorted({*seen.tolist()} - {0.0, 1.0}):
        held = "it holds" if not isinstance(rows.event, str) else f"{rows.event!r} holds"
        raise ArgumentError(f"event: give 1 (or True) where the event was seen, else 0; {held} {other[0]:g}")
    if not seen[kept.rows].any():
        raise ArgumentError("event: no event was seen; times alone say nothing")
    return Cox(times[kept.rows], seen[kept.rows] > 0, kept.weights, kept.offset)


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


def _refuse_one_class(codes: FloatArray, data: Dataset) -> None:
    if len(np.unique(codes)) < 2:
        raise DataError(f"{data.target!r} has one class in the rows of positive weight")


FAMILIES: dict[str, Callable[[Dataset, RowColumns, _Kept], Family]] = {
    "logistic": _logistic,
    "multinomial": _multinomial,
    "poisson": _poisson,
    "cox": _cox,
    "ordinal": _ordinal,
}
"""What makes the family of a data set, by its name."""
