"""Rules on one set as linear rows over its features and the rules' own helper variables; and without these.

A helper variable u is eliminated (Fourier 1827, Motzkin 1936) as each row that bounds it from below is added
to each that bounds it from above, so that u cancels. What is left can be kept if, and only if, some u keeps
the rows before: always if u is continuous, and if it is integer wherever the rows that bound it from one side
do so by integers at every 0/1 point, as ``u >= x_f`` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.models.rule import Row
from altsel.runtime.clock import clock

MOST_PROJECTED = 150
"""Rows after an elimination, above which helper variables stay."""
MOST_HELPERS = 100
"""Helper variables above which none is eliminated: products of all pairs are tried in vain for minutes."""
CANCELLED, LOST = 1e-14, 2e-7
"""Shares of the terms that a number is made up of: up to the first it is the rounding of 0; up to the second,
unless all are integers, so few digits are left that what rounds the terms counts beside it."""
EXACT = 2.0**53
"""Integers below it are floats without rounding."""


@dataclass(frozen=True, eq=False)
class System:
    """``low <= row @ x + helpers @ u <= high`` for each row, helper variables between ``least`` and ``most``.

    Attributes
    ----------
    rows
        Over the features, and the quality as one more column.
    helpers
        Coefficients of the helper variables, shape (rows, helpers).
    least, most
        Bounds of the helper variables.
    integer
        Which of these are integer.
    """

    rows: list[Row]
    helpers: FloatArray
    least: FloatArray
    most: FloatArray
    integer: BoolArray

    def inequalities(self) -> Inequalities:
        """Write all rows with upper limits only."""
        table = np.array([row for row, _, _ in self.rows])
        low, high = np.array([(least, most) for _, least, most in self.rows]).T
        return Inequalities(
            np.vstack([table[high < inf], -table[low > -inf]]),
            np.vstack([self.helpers[high < inf], -self.helpers[low > -inf]]),
            np.concatenate([high[high < inf], -low[low > -inf]]),
            self.least,
            self.most,
            self.integer,
        )


@dataclass(frozen=True, eq=False)
class Inequalities:
    """``features @ x + helpers @ u <= limits``, with helper variables between ``least`` and ``most``.

    Attributes
    ----------
    features, helpers
        Coefficients, shapes (rows, features) and (rows, helpers).
    limits
        Upper limits, one a row.
    least, most
        Bounds of the helper variables.
    integer
        Which of these are integer.
    terms
        Absolute sums of what the numbers of features, helpers and limits are made up of, side by side;
        default: they are given.
    """

    features: FloatArray
    helpers: FloatArray
    limits: FloatArray
    least: FloatArray
    most: FloatArray
    integer: BoolArray
    terms: FloatArray | None = None

    def project(self) -> Inequalities | None:
        """Eliminate all helper variables; None where that takes too many rows, or loses integrality.

        Examples
        --------
        A panel whose cost of 3 is paid once, of features that cost 1 and 2 each, within 4:

        >>> rows = np.array([[1.0, 2.0], [1.0, 0.0], [0.0, 1.0]])
        >>> panel = Inequalities(rows, np.array([[3.0], [-1.0], [-1.0]]), np.array([4.0, 0.0, 0.0]),
        ...                      np.zeros(1), np.ones(1), np.ones(1, dtype=bool))
        >>> alone = panel.project()
        >>> alone.features.tolist(), alone.limits.tolist()
        ([[4.0, 2.0], [1.0, 5.0]], [4.0, 4.0])
        """
        system: Inequalities | None = self
        while system is not None and system.helpers.shape[1]:
            clock().check()
            if system.helpers.shape[1] > MOST_HELPERS:
                return None
            products = (system.helpers > 0).sum(axis=0) * (system.helpers < 0).sum(axis=0)
            tries = map(system._without, np.argsort(products, kind="stable").tolist())
            system = next((one for one in tries if one is not None), None)
        return system

    def _without(self, h: int) -> Inequalities | None:
        """Eliminate one helper variable."""
        n, others = self.features.shape[1], np.delete(np.arange(self.helpers.shape[1]), h)
        whole = np.column_stack([self.features, self.helpers, self.limits])
        table, terms = (
            np.delete(one, n + h, axis=1)
            for one in (whole, np.abs(whole) if self.terms is None else self.terms)
        )
        own = self.helpers[:, h]
        sides, factors, sizes = [], [], []
        for sign, end in ((1.0, self.most[h]), (-1.0, -self.least[h])):
            where = sign * own > 0
            bound = np.zeros((int(end < inf), table.shape[1]))
            bound[:, -1] = end
            sides.append(np.vstack([table[where], bound]))
            sizes.append(np.vstack([terms[where], np.abs(bound)]))
            factors.append(np.append(np.abs(own[where]), np.ones(len(bound))))
        (above, below), (up, down) = sides, factors
        if self.integer[h] and not any(
            self._by_integers(side / factor[:, None], others) for side, factor in ((above, up), (below, down))
        ):
            return None
        if len(above) * len(below) > 100 * MOST_PROJECTED:
            return None
        combined, made_of = (
            (down[None, :, None] * one[:, None, :] + up[:, None, None] * other[None, :, :]).reshape(
                -1, table.shape[1]
            )
            for one, other in ((above, below), sizes)
        )
        combined[np.abs(combined) <= CANCELLED * made_of] = 0.0
        whole = (combined == np.round(combined)).all() and made_of.max(initial=0.0) < EXACT
        if not whole and ((combined != 0) & (np.abs(combined) < LOST * made_of)).any():
            return None
        rows, terms = np.vstack([table[own == 0], combined]), np.vstack([terms[own == 0], made_of])
        kept = self._drop_implied(rows, others)
        if len(kept) > MOST_PROJECTED:
            return None
        rows, bounds = rows[kept], (self.least[others], self.most[others], self.integer[others])
        return Inequalities(rows[:, :n], rows[:, n:-1], rows[:, -1], *bounds, terms[kept])

    def _by_integers(self, side: FloatArray, others: np.ndarray) -> bool:
        """Return whether rows bound the variable by integers wherever all else is integer."""
        free = np.abs(side[:, self.features.shape[1] : -1]).sum(axis=0) > 0
        return bool((side == np.round(side)).all() and self.integer[others][free].all())

    def _drop_implied(self, rows: FloatArray, others: np.ndarray) -> IntArray:
        """Return the rows that something breaks, and of those that differ in limits the strictest."""
        n = self.features.shape[1]
        with np.errstate(invalid="ignore"):
            ends = np.maximum(rows[:, n:-1] * self.most[others], rows[:, n:-1] * self.least[others])
        ends = np.where(rows[:, n:-1] == 0, 0.0, ends)
        largest = np.maximum(rows[:, :n], 0).sum(axis=1) + ends.sum(axis=1)
        broken = np.flatnonzero(largest > rows[:, -1])
        broken = broken[np.argsort(rows[broken, -1], kind="stable")]
        _, first = np.unique(rows[broken, :-1], axis=0, return_index=True)
        return broken[np.sort(first)]
