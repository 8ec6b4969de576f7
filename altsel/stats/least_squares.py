"""Least squares of a target on sets of columns, with a constant always and a ridge if wanted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, DataError
from altsel.runtime.on_demand import OnDemand
from altsel.stats.standardised import (
    centred,
    checked_given,
    or_zero,
    row_weights,
    scaled_values,
    standardised_block,
    warn_of_constants,
)

linalg: Any = OnDemand("scipy.linalg")

DEPENDENT = 1e-6
"""Length outside the span of others, relative to its own, up to which a column lies in their span."""
SAME = 1.0 - 1e-9
"""Share of the longest remainder from which another is as long, so that rounding decides no order."""
PIVOT, VANISHED = 1e-5, 1e-13
"""Squared lengths left: above the first products of columns tell all, below the second not even the order."""
FAR, NEAR = 1e-4, 1e-11
"""Squared length left from which a column surely counts, and length up to which it surely does not."""
WIDE = 50
"""Columns of a category from which what they explain is taken off the other columns at once."""
PRODUCTS = 20_000_000
"""Products of columns of sets that are held at once."""
TOGETHER = 1_000_000
"""Numbers of the columns of sets that are orthogonalised at once."""


@dataclass(frozen=True, eq=False)
class Design:
    """Columns and a target, so that the fit of a set is the length of a projection.

    ``R^2`` of a set is `offset` plus the squared length of the projection of `target` on the span of its
    `columns`. The rows are those of a triangular factor of the data, and hold the ridge.

    Attributes
    ----------
    features
        Names of the columns.
    columns
        Of length 1 without ridge, ``sqrt(1 + ridge)`` with one, or 0; one a row, shape (columns, p). A number
        has one; a category as many as are independent of its levels but one, orthogonal to each other.
    target
        Shape (p,); ``offset + |target|^2 = 1``.
    offset
        What the columns that are always included explain, of the whole.
    rows
        Number of rows of the data.
    parameters
        Number of coefficients that every model has: the constant, and those of the columns always included.
    owner
        Index of the feature of each column, in order.
    """

    features: tuple[str, ...]
    columns: FloatArray
    target: FloatArray
    offset: float
    rows: int
    parameters: int
    owner: IntArray

    @property
    def whole(self) -> float:
        """A bound on the ``R^2`` of all features together, met where no rows are short of rank."""
        return self.offset + float(self.target[: len(self.columns)] @ self.target[: len(self.columns)])

    @cached_property
    def products(self) -> tuple[FloatArray, FloatArray]:
        """Those of the columns with each other, and with the target."""
        return self.columns @ self.columns.T, self.columns @ self.target

    def explained(self, members: Any) -> float:
        """Return the ``R^2`` of a set given by the indices of its columns."""
        if len(members) >= WIDE and (clear := self._clearly_explained(members)) is not None:
            return self.offset + clear
        return self.offset + float(explained(self.columns[members], self.target))

    def _clearly_explained(self, members: Any) -> float | None:
        """Find it by products, or at once, of many columns that each clearly count, in any order, or do not.

        None if that is not clear.
        """
        inside = np.ix_(members, members)
        gram, along = self.products[0][inside], self.products[1][members]
        try:
            np.linalg.cholesky(gram - FAR * gram.diagonal().max() * np.eye(len(gram)))
        except np.linalg.LinAlgError:
            found = _clearly_projected(self.columns[members], self.target)
            return None if found is None else found[0]
        return float(along @ np.linalg.solve(gram, along))

    @property
    def has_categories(self) -> bool:
        """Whether a feature has several columns."""
        return len(self.owner) > len(self.features)

    @property
    def widths(self) -> IntArray:
        """How many columns each feature has."""
        return np.bincount(self.owner, minlength=len(self.features))

    def columns_of(self, members: Any) -> Any:
        """Return the indices of the columns of features, in order."""
        return np.flatnonzero(np.isin(self.owner, members)) if self.has_categories else members

    def padded(self, members: IntArray) -> tuple[FloatArray, IntArray]:
        """Return the columns and one of zeros, and of many sets the indices of their columns.

        Sets with fewer columns have that of zeros more often.
        """
        if not self.has_categories:
            return self.columns, members
        none, widths = len(self.columns), self.widths
        first = np.searchsorted(self.owner, np.arange(len(self.features)))
        steps = np.arange(widths[members].max(initial=1))
        own = np.where(steps < widths[:, None], first[:, None] + steps, none)
        indices = np.sort(own[members].reshape(len(members), members.shape[1] * len(steps)), axis=1)
        most = int((indices < none).sum(axis=1).max(initial=1))
        return np.vstack([self.columns, np.zeros(self.columns.shape[1])]), indices[:, :most]

    def explained_by_each(self, members: IntArray) -> FloatArray:
        """Return the ``R^2`` of many sets, given by the indices of their features, shape (sets, k).

        What the widest category of a set explains is found once for all sets with it, and taken off.
        """
        if not members.shape[1] or self.widths.max() < WIDE:
            columns, indices = self.padded(members)
            return np.asarray(self.offset + several(columns, self.target, indices))
        result = np.empty(len(members))
        widest = np.take_along_axis(members, self.widths[members].argmax(axis=1)[:, None], axis=1)[:, 0]
        wide = self.widths[widest] >= WIDE
        columns, indices = self.padded(members[~wide])
        result[~wide] = self.offset + several(columns, self.target, indices)
        for feature in np.unique(widest[wide]):
            sets = np.flatnonzero(wide & (widest == feature))
            others = members[sets][members[sets] != feature].reshape(len(sets), -1)
            result[sets] = self._explained_besides(int(feature), others)
        return result

    def _explained_besides(self, feature: int, others: IntArray) -> FloatArray:
        """Return the ``R^2`` of a category along with other features, one set a row."""
        apart = self._apart_from(feature)
        columns, indices = apart.padded(others)
        whole = float((self.columns * self.columns).sum(axis=1).max())
        total, unsure = _by_products(columns, apart.target, indices, whole)
        for one in np.flatnonzero(unsure):
            total[one] = self.explained(self.columns_of(np.append(others[one], feature))) - apart.offset
        return np.asarray(apart.offset + total)

    def _apart_from(self, feature: int) -> Design:
        """Return what is outside the span of a category, whose columns are orthogonal; found once."""
        known: dict[int, Design] = self.__dict__.setdefault("_apart", {})
        if feature not in known:
            own = self.columns[self.owner == feature]
            lengths = np.sqrt((own * own).sum(axis=1))
            basis = own[lengths > 0] / lengths[lengths > 0][:, None]
            left = np.vstack([self.columns, self.target])
            for _ in range(2):
                left = left - (left @ basis.T) @ basis
            left[:-1][self.owner == feature] = 0.0
            explained_ = float(((basis @ self.target) ** 2).sum())
            known[feature] = replace(
                self, columns=left[:-1], target=left[-1], offset=self.offset + explained_
            )
        return known[feature]

    def all_together(self) -> tuple[float, int]:
        """Return the ``R^2`` of all features, and how many of them are independent, by the same rule."""
        clear = _clearly_projected(self.columns, self.target) if len(self.columns) >= WIDE else None
        value, rank = clear or projected(self.columns, self.target)
        return self.offset + float(value), int(rank)


def explained(columns: Any, target: Any) -> float:
    """Return the squared length of the projection of a target on the span of columns, as `projected` does.

    Examples
    --------
    >>> float(explained(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0.6, 0.8])))
    0.36
    """
    total, _ = projected(columns, target)
    return total  # type: ignore[no-any-return]


def projected(columns: Any, target: Any) -> Any:
    """Return the squared length of the projection of a target on the span of columns, and their rank.

    Gram and Schmidt, the longest remainder first (of equal ones the first), each orthogonalised twice;
    columns of which no more than a millionth is left add nothing. That defines ``R^2`` everywhere.

    Parameters
    ----------
    columns
        One a row, shape (columns, p).
    target
        Shape (p,).

    Examples
    --------
    >>> value, rank = projected(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([0.6, 0.8]))
    >>> float(value), rank
    (0.36, 1)
    """
    work, rest, total, rank = columns.copy(), target.copy(), 0.0, 0
    count = work.shape[0]
    basis = np.zeros_like(work)
    left = np.sqrt((work * work).sum(axis=1))
    least = DEPENDENT * left.max() if count else 0.0  # all lengths are the same, or 0
    for step in range(count):
        longest = left.max()
        if longest <= least:
            break
        j = 0
        while left[j] < SAME * longest:
            j += 1
        unit = work[j] / left[j]
        unit = unit - np.dot(np.dot(basis[:step], unit), basis[:step])
        unit = unit / np.sqrt(np.dot(unit, unit))
        basis[step] = unit
        along = np.dot(unit, rest)
        total += along * along
        rest = rest - along * unit
        shares = np.dot(work, unit)
        touched = np.flatnonzero(shares)  # few of a category, whose columns are orthogonal
        part = work[touched] - shares[touched].reshape(-1, 1) * unit
        work[touched] = part
        left[touched] = np.sqrt((part * part).sum(axis=1))
        left[j] = 0.0
        rank += 1
    return total, rank


def _clearly_projected(columns: FloatArray, target: FloatArray) -> tuple[float, int] | None:
    """Do what `projected` does, at once, where each column clearly counts or not; None if one does not."""
    along, triangle, _ = linalg.qr_multiply(columns.T, target, mode="right", pivoting=True)
    left = np.abs(triangle.diagonal())
    kept = left > sqrt(FAR) * left.max(initial=0.0)
    if (left[~kept] > NEAR).any():
        return None
    along = along[: len(left)][kept]
    return float(along @ along), len(along)


def design(data: Dataset, ridge: float, weights: Any = None, given: Collection[str] = ()) -> Design:
    """Standardise a data set for least squares.

    Parameters
    ----------
    data
        Columns of numbers, of two values or categories, and a target of numbers or two values.
    ridge
        Added to the diagonal of the correlations; 0: plain least squares.
    weights
        One a row, at least 0, or the name of the column that holds them; None: all alike.
    given
        Names of columns that are always included, without ridge.

    Raises
    ------
    ArgumentError, DataError
        If an argument, or a column, is none of these.
    """
    checked_dataset("LinearFit", data)
    if not isinstance(ridge, (int, float, np.number)) or not np.isfinite(ridge) or ridge < 0:
        raise ArgumentError(f"ridge={ridge!r}; use a number of at least 0")
    held = {weights: "the weights of the rows"} if isinstance(weights, str) else {}
    always = checked_given(data, given, held)
    out = {*always, *held}
    features = tuple(name for name in data.features if name not in out)
    _refuse_classes(data)
    weight = row_weights(weights, data)
    root = np.sqrt(weight / weight.mean())
    y = centred(scaled_values(data.target_values(), data.target)[:, None], root)[0]
    if not (length := sqrt(float((y * y).sum()))):
        raise DataError(f"the target {data.target!r} is constant in the rows of positive weight")
    blocks = [standardised_block(data, name, root) for name in (*always, *features)]
    warn_of_constants([*always, *features], blocks)
    target = y[:, 0] / length
    basis = _span(np.column_stack([np.zeros((len(target), 0)), *blocks[: len(always)]]))
    target = target - basis @ (basis.T @ target)
    target = target - basis @ (basis.T @ target)
    blocks = [_outside(block, basis) for block in blocks[len(always) :]]
    columns, owner = np.column_stack(blocks), np.repeat(np.arange(len(blocks)), [b.shape[1] for b in blocks])
    p = columns.shape[1]
    table = _reduced(columns, owner, target)
    if ridge:
        below = np.column_stack([sqrt(ridge) * np.eye(p) * (np.abs(columns).sum(axis=0) > 0), np.zeros(p)])
        table = _triangle(np.vstack([table, below]))
    vectors, target = np.ascontiguousarray(table[:, :p].T), table[:, p].copy()
    rows = int((root > 0).sum())
    return Design(features, vectors, target, 1.0 - float(target @ target), rows, 1 + basis.shape[1], owner)


def _reduced(columns: FloatArray, owner: IntArray, target: FloatArray) -> FloatArray:
    """Return fewer rows with the same products: those of a category are orthonormal, and stay a block."""
    whole = np.column_stack([columns, target])
    widest = np.flatnonzero(owner == np.bincount(owner).argmax())
    if len(widest) < WIDE:
        return _triangle(whole)
    own = columns[:, widest]
    rest = np.delete(whole, widest, axis=1)
    along = own.T @ rest
    left = rest - own @ along
    again = own.T @ left
    below = _triangle(left - own @ again)
    made = np.zeros((len(widest) + len(below), whole.shape[1]))
    made[: len(widest), widest] = np.eye(len(widest))
    made[:, np.delete(np.arange(whole.shape[1]), widest)] = np.vstack([along + again, below])
    return made


def _triangle(table: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.qr(table, mode="r"))


def several(columns: FloatArray, target: FloatArray, members: Any) -> FloatArray:
    """Return the squared lengths of projections on many sets, shape (sets, k), as `explained` does."""
    size = members.shape[1]
    total, unsure = _by_products(
        columns, target, members, float((columns * columns).sum(axis=1).max(initial=0))
    )
    left = np.flatnonzero(unsure)
    portion = max(TOGETHER // max(size * len(target), 1), 1)
    for start in range(0, len(left), portion):
        some = left[start : start + portion]
        total[some] = _projected_each(columns[members[some]], target)
    return total


def _by_products(
    columns: FloatArray, target: FloatArray, members: Any, whole: float
) -> tuple[FloatArray, BoolArray]:
    """Do it by the products of the columns, for columns once of a squared length; return which are unsure."""
    gram, along = columns @ columns.T, columns @ target
    portion = max(PRODUCTS // max(members.shape[1] ** 2, 1), 1)
    parts = [
        _swept(gram, along, members[start : start + portion], whole)
        for start in range(0, max(len(members), 1), portion)
    ]
    totals, unsure = zip(*parts, strict=True)
    return np.concatenate(totals), np.concatenate(unsure)


def _swept(gram: FloatArray, along: FloatArray, members: Any, whole: float) -> tuple[FloatArray, BoolArray]:
    count, size = members.shape
    a = gram[members[:, :, None], members[:, None, :]]
    b = along[members]
    lengths = gram.diagonal()
    total, unsure = np.zeros(count), np.zeros(count, dtype=bool)
    for j in range(size):
        pivot = a[:, j, j].copy()
        kept = pivot > VANISHED * whole
        unsure |= (pivot < PIVOT * whole) & (lengths[members[:, j]] > 0)
        pivot = np.where(kept, pivot, 1.0)
        total += np.where(kept, b[:, j] ** 2 / pivot, 0.0)
        factor = np.where(kept[:, None], a[:, j, j + 1 :] / pivot[:, None], 0.0)
        b[:, j + 1 :] -= factor * b[:, j : j + 1]
        a[:, j + 1 :, j + 1 :] -= factor[:, :, None] * a[:, j : j + 1, j + 1 :]
    return total, unsure


def _projected_each(work: FloatArray, target: FloatArray) -> FloatArray:
    """Do what `projected` does for many sets at once, shape (sets, k, p)."""
    count, size, _ = work.shape
    total, rest = np.zeros(count), np.tile(target, (count, 1))
    left = np.sqrt((work * work).sum(axis=2))
    least = DEPENDENT * left.max(axis=1)
    basis = np.zeros_like(work)
    every = np.arange(count)
    for step in range(size):
        longest = left.max(axis=1)
        j = np.argmax(left >= SAME * longest[:, None], axis=1)
        going = longest > least
        unit = work[every, j] / np.where(going, longest, 1.0)[:, None]
        for i in range(step):
            unit = unit - basis[:, i] * (basis[:, i] * unit).sum(axis=1)[:, None]
        length = np.sqrt((unit * unit).sum(axis=1))
        unit = np.where(going, 1.0 / np.where(going, length, 1.0), 0.0)[:, None] * unit
        basis[:, step] = unit
        along = (unit * rest).sum(axis=1)
        total += along * along
        rest = rest - along[:, None] * unit
        work = work - (work @ unit[:, :, None]) * unit[:, None, :]
        left = np.where(left > 0, np.sqrt((work * work).sum(axis=2)), 0.0)
        left[every, j] = 0.0
    return total


def _refuse_classes(data: Dataset) -> None:
    if data.discrete_target and len(data.classes) > 2:
        raise DataError(
            f"LinearFit takes a target of numbers or of two classes; {data.target!r} has {len(data.classes)}"
            " classes: give task='regression' if they are numbers, or a target for one class against the rest"
        )


def _span(columns: FloatArray) -> FloatArray:
    """Return an orthonormal basis of the span of columns of length 1."""
    if not columns.shape[1]:
        return np.zeros((len(columns), 0))
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(left[:, sizes > DEPENDENT])


def _outside(block: FloatArray, basis: FloatArray) -> FloatArray:
    """Return what is outside a span, of length 1 again; nothing of a feature that lies in it."""
    if not basis.shape[1]:
        return block
    for _ in range(2):
        block = block - basis @ (basis.T @ block)
    if block.shape[1] > 1:
        return or_zero(_span(block))
    length = sqrt(float((block * block).sum()))
    return block / length if length > DEPENDENT else np.zeros_like(block)
