"""The best integer points of one set of features: branch and bound on one feature after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.runtime.clock import clock
from altsel.stats.generalised.fit import Fits, fit_columns
from altsel.stats.generalised.model import RegularisedModel
from altsel.stats.generalised.row_losses import Logistic

PORTION = 40
"""Nodes whose children are fitted at once."""


@dataclass(frozen=True, eq=False)
class Card:
    """Points of a set of features, and the model that they make.

    The log odds of a row are ``constant + per_point * sum_j points_j (x_j - mean_j)``.

    Attributes
    ----------
    members
        Indices of the features, rising.
    points
        Integers other than 0, shape (k,).
    loss
        The loss, ridge included.
    per_point
        What a point adds to the log odds, above 0.
    constant
        The log odds at the means of the features.
    """

    members: IntArray
    points: IntArray
    loss: float
    per_point: float
    constant: float


@dataclass(frozen=True, eq=False)
class PointRules:
    """What points may be.

    Attributes
    ----------
    most
        Largest size of the points.
    signs
        1, -1, or 0 where both are allowed, of each feature.
    zero
        Whether points may be 0: then a set stands for all that are part of it.
    """

    most: int
    signs: IntArray
    zero: bool

    @cached_property
    def values(self) -> IntArray:
        """All integers that points may be."""
        return np.array([v for v in range(-self.most, self.most + 1) if v or self.zero])

    def keeps(self, members: IntArray, points: IntArray) -> IntArray:
        """Return which way round points keep the signs, shape (B,): 1, -1, 0 if neither, 2 if both."""
        with_signs = points * self.signs[members]
        up, down = (with_signs >= 0).all(axis=1), (with_signs <= 0).all(axis=1)
        return np.asarray(np.where(up & down, 2, up.astype(np.int64) - down))


@dataclass(frozen=True, eq=False)
class Table:
    """Features of few values, and two classes.

    Attributes
    ----------
    model
        All features, standardised, one column each.
    codes
        Of the values of each feature the numbers 0, 1, …; shape (features, rows).
    spread
        Standard deviation of each feature, shape (features,): what a unit is in standardised columns.
    """

    model: RegularisedModel
    codes: IntArray
    spread: FloatArray

    @cached_property
    def levels(self) -> IntArray:
        """How many values each feature has."""
        return np.asarray(self.codes.max(axis=1) + 1)

    def patterns(self, members: IntArray) -> tuple[FloatArray, Logistic]:
        """Return the distinct rows of some features, shape (k, q), and their classes."""
        family: Logistic = self.model.family  # type: ignore[assignment]
        code, many = np.zeros(self.codes.shape[1], dtype=np.int64), 1.0
        for j in members.tolist():
            code = code * self.levels[j] + self.codes[j]
            many *= float(self.levels[j])
            if many > 2.0**31:  # rows are numbered anew, so that codes stay integers of 64 bits
                code = np.unique(code, return_inverse=True)[1]
                many = float(len(code))
        _, first, at = np.unique(code, return_index=True, return_inverse=True)
        weights = np.bincount(at, family.weights).astype(float)
        response = np.bincount(at, family.weights * family.response) / weights
        columns = self.model.columns[members][:, first]
        return columns, Logistic(response, weights, np.zeros(len(first)))


@dataclass(frozen=True, eq=False)
class _Nodes:
    """Points of the first t features; the coefficients of the others are free.

    Attributes
    ----------
    points
        Shape (B, t).
    parameters
        Constants, coefficients of the sums of points, and of the free features; shape (B, 2 + k - t).
    lower
        No points that go on from these have a smaller loss, shape (B,).
    """

    points: IntArray
    parameters: FloatArray
    lower: FloatArray

    def only(self, some: IntArray | slice) -> _Nodes:
        return _Nodes(self.points[some], self.parameters[some], self.lower[some])


class PointSearch:
    """Search the points of one set of features.

    With the points of the first t features fixed up to a common factor m, the coefficients of the others and
    the constant free, the loss is that of a regularised model of ``1 + k - t`` columns: the sum of points, as
    one column of length 1, and the features that are free. Its tangents are below the losses of all points
    that go on from there. With all points fixed it is the loss of the card. The factor may have either sign
    until then: points and minus points are one node.

    Parameters
    ----------
    table
        The data.
    rules
        What points may be.
    members
        Indices of the features.
    close
        How much smaller a loss must be than the cut to be looked for.
    """

    def __init__(self, table: Table, rules: PointRules, members: IntArray, close: float) -> None:
        self._model, self._rules, self._close = table.model, rules, close
        columns, self._family = table.patterns(members)
        root = self._fit(columns, np.arange(len(members))[None], inf, None)
        own = root.parameters[0, 1:]
        order = np.argsort(-np.abs(own / table.spread[members]), kind="stable")
        self.members, self._spread = members[order], table.spread[members[order]]
        self._columns = columns[order]
        self._start = np.concatenate([root.parameters[0, :1], own[order]])
        self._lower, self._loss = float(root.lower[0]), root.loss
        self.best: Card | None = None

    def below(self, cut: float) -> Card | None:
        """Return the card of the smallest loss, if that is below a cut."""
        self._cut = cut
        first = self._rules.values[self._rules.values >= 0][:, None]
        start = np.tile(self._start, (len(first), 1))
        nodes = _Nodes(first, start, np.full(len(first), self._lower))
        if len(self.members) == 1:
            self._take(nodes.only(np.flatnonzero(first == 1)), self._loss)
        else:
            self._search(nodes)
        return self.best

    def _search(self, nodes: _Nodes) -> None:
        """Look at nodes, the least bound first, and at what goes on from each portion before the next.

        1. Nodes that cannot be better than the best card are left; 2. children are fitted, until each is
        proved no better, or done; 3. those of all features are cards.
        """
        nodes = nodes.only(np.argsort(nodes.lower, kind="stable"))
        for first in range(0, len(nodes.lower), PORTION):
            clock().check()
            some = nodes.only(slice(first, first + PORTION))
            some = some.only(np.flatnonzero(some.lower < self._cut - self._close))
            if not len(some.lower):
                return
            children, loss = self._children(some)
            if children.points.shape[1] == len(self.members):
                self._take(children, loss)
            else:
                self._search(children.only(np.flatnonzero(children.lower < self._cut - self._close)))

    def _children(self, nodes: _Nodes) -> tuple[_Nodes, FloatArray]:
        """Fit all that nodes become by points of the next feature; return them, and their losses."""
        t, values = nodes.points.shape[1], self._rules.values
        parent = np.repeat(np.arange(len(nodes.points)), len(values))
        points = np.hstack([nodes.points[parent], np.tile(values, len(nodes.points))[:, None]])
        kept = self._rules.keeps(self.members[: t + 1], points) != 0
        fresh: BoolArray = np.abs(points[:, :t]).sum(axis=1) == 0
        kept &= (points[:, t] >= 0) | ~fresh  # points and minus points are the same
        if t + 1 == len(self.members):  # twice the points are the same card
            kept &= np.gcd.reduce(points, axis=1) == 1
        points, parent, fresh = points[kept], parent[kept], fresh[kept]
        scaled = points * self._spread[: t + 1]
        length, before = (np.sqrt((part * part).sum(axis=1)) for part in (scaled, scaled[:, :t]))
        length[length == 0] = 1.0
        table = np.vstack([(scaled / length[:, None]) @ self._columns[: t + 1], self._columns[t + 1 :]])
        rest = np.arange(len(self.members) - t - 1) + len(points)
        indices = np.hstack([np.arange(len(points))[:, None], np.tile(rest, (len(points), 1))])
        start = np.delete(nodes.parameters[parent], 2, axis=1)
        start[:, 1] *= length / np.where(fresh, length, before)
        start[fresh, 1] = nodes.parameters[parent[fresh], 2]
        fits = self._fit(table, indices, self._cut - self._close, start)
        return _Nodes(points, fits.parameters, np.maximum(fits.lower, nodes.lower[parent])), fits.loss

    def _take(self, cards: _Nodes, loss: FloatArray) -> None:
        """Keep the best of the cards that are better than the best so far, the right way round."""
        way = self._rules.keeps(self.members, cards.points)
        up = np.where(cards.parameters[:, 1] > 0, 1, -1)
        loss = np.where((way == 2) | (way == up), loss, inf)
        at = int(loss.argmin()) if len(loss) else -1
        if at < 0 or not loss[at] < self._cut - self._close:
            return
        points = up[at] * cards.points[at]
        length = float(np.sqrt(((points * self._spread) ** 2).sum()))
        order = np.argsort(self.members)
        constant, along = cards.parameters[at, :2].tolist()
        per_point = abs(along) / length
        self.best = Card(self.members[order], points[order], float(loss[at]), per_point, constant)
        self._cut = self.best.loss

    def _fit(self, columns: FloatArray, indices: IntArray, cut: float, start: FloatArray | None) -> Fits:
        owner = np.arange(len(columns))
        model = RegularisedModel((), columns, owner, self._family, self._model.ridge)
        return fit_columns(model, indices, cut, start)
