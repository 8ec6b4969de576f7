"""Products of the columns of features given chosen ones, where a category has many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.runtime.clock import clock
from altsel.stats.least_squares import Design

CLEAR = 1e-6
"""Squared length left from which a direction is told by the products."""
NOTHING = 1e-12
"""Length left up to which a direction is a combination of those chosen but for rounding."""
SPANNED = 1e-6
"""Length from which a direction is in the span of chosen columns."""
ROUNDING = 4e-15
"""Of the products of columns of length 1."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """What is left of features given chosen ones; the columns left of a feature are orthonormal.

    A direction of which nothing is left is a column of its own, orthogonal to all and to the target.

    Attributes
    ----------
    design
        The standardised data.
    chosen
        Indices of the features that are conditioned on.
    features
        Indices of those left, in order.
    first
        Index of the first column of each.
    products, along
        Of the columns with each other, and with the target.
    base
        What the chosen features explain.
    rounding
        Of the products.
    unclear
        Which features have a direction of which so little is left that products do not tell what it adds.
    """

    design: Design
    chosen: tuple[int, ...]
    features: IntArray
    first: IntArray
    products: FloatArray
    along: FloatArray
    base: float
    rounding: float
    unclear: BoolArray

    @classmethod
    def of(cls, design: Design) -> Blocks:
        """Return the columns of all features, given none."""
        columns, n = design.columns, len(design.features)
        first = np.searchsorted(design.owner, np.arange(n))
        made = cls(
            design, (), np.arange(n), first, columns @ columns.T, columns @ design.target, 0.0, ROUNDING,
            np.zeros(n, dtype=bool),
        )  # fmt: skip
        return made._orthonormal()

    @property
    def widths(self) -> IntArray:
        """How many columns each feature has here."""
        return np.diff(np.append(self.first, len(self.along)))

    @property
    def gains(self) -> FloatArray:
        """What each feature adds to what the chosen ones explain."""
        return self.sums(self.along**2)

    def sums(self, terms: FloatArray) -> FloatArray:
        """Sum terms of columns by features."""
        return np.add.reduceat(terms, self.first) if len(self.first) else np.zeros(0)

    def each(self, numbers: FloatArray) -> FloatArray:
        """Repeat numbers of features for each column."""
        return np.repeat(numbers, self.widths)

    def kept(self, keep: BoolArray) -> Blocks:
        """Return the same for some of the features left."""
        if keep.all():
            return self
        inside, widths = np.flatnonzero(np.repeat(keep, self.widths)), self.widths[keep]
        return replace(
            self,
            features=self.features[keep],
            first=np.cumsum(widths) - widths,
            products=self.products[np.ix_(inside, inside)],
            along=self.along[inside],
            unclear=self.unclear[keep],
        )

    def given(self, index: int) -> Blocks:
        """Condition on one of the features left, by its index among them."""
        own = slice(self.first[index], self.first[index] + self.widths[index])
        rest = self.kept(np.arange(len(self.features)) != index)
        inside = np.delete(np.arange(len(self.along)), own)
        spread, along = self.products[inside, own], self.along[own]
        left = replace(
            rest,
            chosen=(*self.chosen, int(self.features[index])),
            products=rest.products - spread @ spread.T,
            along=rest.along - spread @ along,
            base=self.base + float(along @ along),
        )
        return left._orthonormal()

    def _orthonormal(self) -> Blocks:
        """Orthonormalise the columns of each feature; see what is unclear."""
        a, b = self.products, self.along.copy()
        ends, worst, unclear = np.append(self.first, len(b)), 1.0, self.unclear.copy()
        diagonal = a.diagonal().copy()
        single = (self.widths == 1) & (diagonal[self.first] > CLEAR)
        scale = np.ones(len(b))
        scale[self.first[single]] = 1 / np.sqrt(diagonal[self.first[single]])
        worst = max(worst, float(scale.max(initial=1.0)) ** 2)
        a, b = a * scale[:, None] * scale, b * scale
        gone: list[int] = []
        changes = []
        for i in np.flatnonzero(~single):
            own = slice(ends[i], ends[i + 1])
            change, none, sure = self._basis(a[own, own], int(self.features[i]))
            unclear[i] |= not sure
            gone += (ends[i] + np.flatnonzero(none)).tolist()
            if change is not None:
                changes.append((own, change))
                worst = max(worst, float(np.abs(change).sum(axis=0).max() * np.abs(change).sum(axis=1).max()))
        for _ in range(2):
            for own, change in changes:
                a[own] = change @ a[own]
            a = np.ascontiguousarray(a.T)
        for own, change in changes:
            b[own] = change @ b[own]
        a[gone] = 0.0
        a[:, gone] = 0.0
        b[gone] = 0.0
        a[gone, gone] = 1.0
        return replace(self, products=a, along=b, rounding=self.rounding * worst + ROUNDING, unclear=unclear)

    def _basis(self, own: FloatArray, feature: int) -> tuple[FloatArray | None, BoolArray, bool]:
        """Return what makes columns of such products orthonormal, which are gone, and if that is sure."""
        none = np.zeros(len(own), dtype=bool)
        if np.abs(own - np.eye(len(own))).max() <= ROUNDING:
            return None, none, True
        try:
            np.linalg.cholesky(own - CLEAR * np.eye(len(own)))
        except np.linalg.LinAlgError:
            values, vectors = np.linalg.eigh(own)
            none = values < CLEAR
            change = vectors.T / np.sqrt(np.where(none, 1.0, values))[:, None]
            return change, none, self._surely_gone(feature, int(none.sum()))
        return np.linalg.inv(np.linalg.cholesky(own)), none, True

    def _surely_gone(self, feature: int, count: int) -> bool:
        """Return whether so many directions of a feature are combinations of the chosen columns."""
        columns, owner = self.design.columns, self.design.owner
        _, sizes, directions = np.linalg.svd(columns[np.isin(owner, self.chosen)], full_matrices=False)
        basis, rest = directions[sizes > SPANNED], columns[owner == feature]
        for _ in range(2):
            rest = rest - (rest @ basis.T) @ basis
        left = np.linalg.svd(rest, compute_uv=False)
        return int((left <= NOTHING).sum()) + len(rest) - len(left) >= count


def added(design: Design, members: IntArray, clear: float) -> tuple[FloatArray, BoolArray] | None:
    """Return what sets with one feature more explain, shape (features,), and which of that is unsure.

    Parameters, and None, as in `exchanged`.
    """
    given = _Given.of(design, members, clear)
    if given is None:
        return None
    values, unsure = np.empty(len(design.features)), np.zeros(len(design.features), dtype=bool)
    nothing = np.zeros((0, len(given.rest)))
    for one in given.families:
        gained, sure = one.gains(nothing[:, one.columns], given.rest[one.columns], clear)
        values[one.features], unsure[one.features] = design.offset + given.whole + gained, ~sure
    return values, unsure


def exchanged(design: Design, members: IntArray, clear: float) -> tuple[FloatArray, BoolArray] | None:
    """Return what sets with one feature exchanged explain, shape (k, features), and which of that is unsure.

    Given all of a set, the products of every other feature's columns are found once; what a member explained
    is put back, as wide as the member is. If the clock runs out the rest is minus infinity.

    Parameters
    ----------
    design
        The standardised data.
    members
        Indices of the features of the set.
    clear
        Squared length of directions from which products tell what they explain.

    Returns
    -------
    tuple of array, or None
        None if the set's own columns nearly depend on each other.
    """
    given, n = _Given.of(design, members, clear), len(design.features)
    if given is None:
        return None
    values, unsure = np.full((len(members), n), -np.inf), np.zeros((len(members), n), dtype=bool)
    for i, member in enumerate(members):
        if clock().over:
            break
        at = given.owner == member
        back = np.linalg.cholesky(np.linalg.inv(given.inverse[np.ix_(at, at)]))
        parts, lost = back.T @ given.spread[at], back.T @ given.own[at]
        without, rest = given.whole - float(lost @ lost), given.rest + parts.T @ lost
        for one in given.families:
            gained, sure = one.gains(parts[:, one.columns], rest[one.columns], clear)
            values[i, one.features], unsure[i, one.features] = design.offset + without + gained, ~sure
    return values, unsure


@dataclass(frozen=True, eq=False)
class _Given:
    """What is left of the columns given a set, with its coefficients, and the features by width."""

    owner: IntArray
    inverse: FloatArray
    spread: FloatArray
    own: FloatArray
    rest: FloatArray
    whole: float
    families: list[_Family]

    @classmethod
    def of(cls, design: Design, members: IntArray, clear: float) -> _Given | None:
        gram, along = design.products
        inside = np.flatnonzero(np.isin(design.owner, members))
        products = gram[np.ix_(inside, inside)]
        if not _surely_above(products, clear):
            return None
        inverse = np.asarray(np.linalg.inv(products), dtype=float)
        spread, own = inverse @ gram[inside], inverse @ along[inside]
        families = [
            _Family.left(gram, gram[inside], spread, np.flatnonzero(design.widths == width), design, clear)
            for width in np.unique(design.widths)
        ]
        rest, whole = along - gram[inside].T @ own, float(own @ along[inside])
        return cls(design.owner[inside], inverse, spread, own, rest, whole, families)


@dataclass(frozen=True, eq=False)
class _Family:
    """Features of one width, the products of their columns given a set, and inverses where sure."""

    features: IntArray
    columns: IntArray
    products: FloatArray
    inverse: FloatArray
    sure: BoolArray

    @classmethod
    def left(
        cls, gram: FloatArray, crossed: FloatArray, spread: FloatArray, features: IntArray, design: Design,
        clear: float,
    ) -> _Family:  # fmt: skip
        columns = np.flatnonzero(np.isin(design.owner, features)).reshape(len(features), -1)
        products = np.array([gram[np.ix_(own, own)] - crossed[:, own].T @ spread[:, own] for own in columns])
        sure = np.array([_surely_above(one, clear) for one in products], dtype=bool)
        safe = np.where(sure[:, None, None], products, np.eye(columns.shape[1]))
        return cls(features, columns, products, np.linalg.inv(safe), sure)

    def gains(self, parts: FloatArray, rest: FloatArray, clear: float) -> tuple[FloatArray, BoolArray]:
        """Return what they add, once a member's part is put back, and which of that is sure."""
        parts, sure = (
            np.moveaxis(parts, 1, 0),
            self.sure.copy(),
        )  # features, columns of the member, own columns
        if parts.shape[1] < parts.shape[2]:
            alone = np.einsum("gab,gb->ga", self.inverse, rest)
            crossed = parts @ self.inverse
            inner = crossed @ np.moveaxis(parts, 1, 2) + np.eye(parts.shape[1])
            along = np.einsum("gab,gb->ga", crossed, rest)
            taken = (along * np.linalg.solve(inner, along[:, :, None])[:, :, 0]).sum(axis=1)
            added = (alone * rest).sum(axis=1) - taken
        else:
            whole = np.where(sure[:, None, None], self.products, np.eye(parts.shape[2]))
            whole = whole + np.moveaxis(parts, 1, 2) @ parts
            added = (rest * np.linalg.solve(whole, rest[:, :, None])[:, :, 0]).sum(axis=1)
        for g in np.flatnonzero(~sure):
            one = self.products[g] + parts[g].T @ parts[g]
            if _surely_above(one, clear):
                added[g], sure[g] = rest[g] @ np.linalg.solve(one, rest[g]), True
        return added, sure


def _surely_above(products: Any, least: float) -> bool:
    """Return whether no eigenvalue is below one."""
    try:
        np.linalg.cholesky(products - least * np.eye(len(products)))
    except np.linalg.LinAlgError:
        return False
    return True
