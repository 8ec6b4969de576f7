"""The sets of one size that are compatible with earlier ones, as tables for the loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum, inf

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.rules.linear_rules import ROUNDING
from altsel.exact.sources.plain_sum.conditions import Conditions
from altsel.exact.sources.plain_sum.prices import prices

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Bounding:
    """What bounds a branch: the sum of a set's weights here and the constant is at least its score.

    Attributes
    ----------
    weights
        One a feature of the ground.
    constant
        Added to the sum.
    hidden
        What rounding may hide in such a bound, as the loop sums it up.
    """

    weights: FloatArray
    constant: float
    hidden: float


@dataclass(eq=False)
class Ground:
    """Sets of ``need`` features besides the required ones, in a window of features.

    Attributes
    ----------
    features
        Indices of the features that may be chosen, in falling weight.
    weights
        What they weigh.
    earlier
        Which of them are in which earlier set, for sets that may share too much: shape (features, sets).
    slack
        Features that may still be shared with each.
    rows, limits
        Rows of rules less what required features use; `widened` limits allow for rounding.
    exact_rows
        Of each row in full terms: what the members chosen leave, its limit, and the size of its terms.
    numbers
        Of the rows, and then of the earlier sets, among all there are.
    start
        Prices of all rows and earlier sets of a step before, for the subgradient steps to begin with.
    price
        Those of this step, once they were wanted.
    """

    need: int
    required: IntArray
    features: IntArray
    weights: FloatArray
    constant: tuple[float, float]
    earlier: BoolArray
    slack: IntArray
    rows: FloatArray
    limits: FloatArray
    exact_rows: FloatArray
    numbers: IntArray
    start: FloatArray | None = None
    price: FloatArray | None = field(default=None, init=False)
    _tails: dict[bytes, FloatArray] = field(default_factory=dict, init=False)

    @property
    def top(self) -> float:
        """Upper bound on the score of a set, but for rounding."""
        return self.constant[0] + float(self.weights[: self.need].sum())

    @property
    def bottom(self) -> float:
        """Lower bound on it."""
        return self.constant[0] + float(self.weights[len(self.weights) - self.need :].sum())

    @property
    def rounding(self) -> float:
        """What rounding may hide in a bound that is summed up as the loop does it."""
        return self._hidden(abs(self.constant[0]) + self.need * float(np.abs(self.weights).max(initial=0.0)))

    @cached_property
    def plain(self) -> Bounding:
        """The weights themselves."""
        return Bounding(self.weights, self.constant[0], self.rounding)

    @cached_property
    def ruled(self) -> Bounding:
        """The weights less the prices of the rules' rows."""
        if not len(self.rows):
            return self.plain
        return self._price(self.rows, self.limits, prices(self.weights, self.rows, self.limits, self.need))

    @cached_property
    def priced(self) -> Bounding:
        """The weights less the prices of the rules' rows and of overlaps with earlier sets."""
        rows = np.vstack([self.rows, self.earlier.T.astype(float)])
        limits = np.concatenate([self.limits, self.slack.astype(float)])
        start = None
        if self.start is not None:
            start = np.zeros(max(len(self.start), int(self.numbers.max(initial=-1)) + 1))
            start[: len(self.start)] = self.start
            start = start[self.numbers]
        self.price = prices(self.weights, rows, limits, self.need, start)
        return self._price(rows, limits, self.price)

    def _price(self, rows: FloatArray, limits: FloatArray, price: FloatArray) -> Bounding:
        weights, constant = self.weights - price @ rows, float(price @ limits)
        terms = np.abs(self.weights) + price @ np.abs(rows)
        paid = float(price @ np.abs(limits))
        scale = abs(self.constant[0]) + paid + self.need * float(terms.max(initial=0.0))
        return Bounding(weights, self.constant[0] + constant, self._hidden(scale, len(limits)))

    def _hidden(self, scale: float, priced: int = 0) -> float:
        """Bound what rounding hides: sums of so many terms, each of so many prices, and `loop`'s updates."""
        return 4e-16 * (len(self.weights) + 8 * self.need + 4 * priced + 100) * scale

    def tails(self, order: IntArray) -> FloatArray:
        """Least sums of each row over so many of the features from each place of an order on."""
        key = order.tobytes()
        if key not in self._tails:
            self._tails[key] = least_sums(self.rows[:, order], self.need)
        return self._tails[key]


def least_sums(rows: FloatArray, most: int) -> FloatArray:
    """Sum the least coefficients of each row's tails.

    Returns
    -------
    array of shape (rows, features + 1, most + 1)
        Infinite where fewer features are left.

    Examples
    --------
    >>> least_sums(np.array([[3.0, 1.0, 2.0]]), 2)[0].tolist()
    [[0.0, 1.0, 3.0], [0.0, 1.0, 3.0], [0.0, 2.0, inf], [0.0, inf, inf]]
    """
    count, n = rows.shape
    table = np.full((count, n + 1, most + 1), inf)
    table[:, :, 0] = 0.0
    least = np.full((count, most), inf)
    for i in range(n - 1, -1, -1):
        least = np.sort(np.column_stack([least, rows[:, i]]), axis=1)[:, :most]
        table[:, i, 1:] = np.cumsum(least, axis=1)
    return table


def ground(
    conditions: Conditions, window: IntArray, size: int, earlier: Sequence[IntArray], shared: Sequence[int]
) -> Ground | None:
    """Collect what a size leaves to choose; None if there is no set of it.

    Parameters
    ----------
    conditions
        What the rules say.
    window
        Indices of the features to choose from.
    size
        Features of a set.
    earlier
        Indices of the features of each set to differ from.
    shared
        Features that a set of this size may share with each.
    """
    required, need = conditions.required, size - len(conditions.required)
    if need < 0 or not conditions.admit(size):
        return None
    must = np.zeros(len(conditions.weights), dtype=bool)
    must[required] = True
    slack = np.array([s - must[one].sum() for one, s in zip(earlier, shared, strict=True)], dtype=np.int64)
    if (slack < 0).any():
        return None
    position = np.full(len(conditions.weights), -1)
    position[window] = np.arange(len(window))
    member = np.zeros((len(window), len(earlier)), dtype=bool)
    for j, one in enumerate(earlier):
        inside = position[one]
        member[inside[inside >= 0], j] = True
    open_ = ~member[:, slack == 0].any(axis=1)
    window, member = window[open_], member[open_]
    binding = (slack > 0) & (np.minimum(member.sum(axis=0), need) > slack)
    if len(window) < need:
        return None
    order = np.argsort(-conditions.weights[window], kind="stable")
    window = window[order]
    weights = conditions.weights[window]
    kept = _rows(conditions, window, need)
    if kept is None:
        return None
    numbers = np.concatenate([kept[-1], len(conditions.rows) + np.flatnonzero(binding)])
    total = fsum(conditions.weights[required])
    rest = fsum([*conditions.weights[required].tolist(), -total])
    return Ground(
        need,
        required,
        window,
        weights,
        (total, rest),
        member[order][:, binding],
        slack[binding],
        *kept[:-1],
        numbers,
    )


def _rows(
    conditions: Conditions, window: IntArray, need: int
) -> tuple[FloatArray, FloatArray, FloatArray, IntArray] | None:
    """Leave out rows that any choice keeps; None if no choice keeps one; and number those that are left."""
    rows, limits = conditions.rows[:, window], conditions.limits
    fixed = conditions.rows[:, conditions.required]
    left = limits - fixed.sum(axis=1)
    own = np.abs(fixed).sum(axis=1)
    largest = np.abs(rows).max(axis=1, initial=0.0)
    widened = left + 2 * ROUNDING * (np.abs(limits) + own + need * largest)
    ordered = np.sort(rows, axis=1)
    if (ordered[:, :need].sum(axis=1) > widened).any():
        return None
    binding = ordered[:, ordered.shape[1] - need :].sum(axis=1) > left
    exact = np.column_stack([left, np.abs(limits), own])[binding]
    return rows[binding], widened[binding], exact, np.flatnonzero(binding)
