"""A data set as the rows and columns of a regularised model."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError
from altsel.stats.generalised.model import RegularisedModel
from altsel.stats.generalised.splines import spline_block
from altsel.stats.generalised.targets import FAMILIES, RowColumns, family_of
from altsel.stats.standardised import (
    checked_given,
    column_of,
    is_category,
    row_weights,
    standardised_block,
    warn_of_constants,
)


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
    made = family_of(data, family, rows, weights)
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
