"""Projected covariance measure: what half of the rows tell of a feature, tested in the other half."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import checked_integer, flags
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.covariance.learners import chosen_learner
from altsel.stats.independence.covariance.products import studentised
from altsel.stats.independence.covariance.residuals import Remembered, without_rest
from altsel.stats.independence.covariance.variables import Columns
from altsel.stats.independence.protocol import TestResults

special: Any = OnDemand("scipy.special")

FEWEST = 40
"""Rows from which the test is done."""
HALVINGS = 20
"""Times the constant of the variance is halved in."""


class ProjectedCovariance(BoundTest):
    r"""Test whether a feature helps to predict the mean of the target.

    In one half ``g(x, s)`` is a regression of the target on the feature and the given ones,
    ``h = g - m`` with m a regression of g on S, and ``f = h``, or ``f = h / v`` with v a regression of
    ``(y - g)^2``, the variance. In the other half the generalised covariance measure of f and the target is
    taken,
    ``R_i = (f_i - E(f | s_i)) (y_i - E(y | s_i))``, and ``T = sqrt(n) mean(R) / sd(R)`` is large if
    ``E(y | x, s)`` is not ``E(y | s)``: *any* such dependence that g can learn, not only linear ones. As the
    direction is learnt elsewhere, T is asymptotically standard normal under independence, whatever g is.
    Both halves have their turn, in one or several random divisions,
    and the normal values of T are averaged; the
    mean of standard normal values has at most their variance, so that p is at most too large.

    What is tested is independence in mean. Dependence of the variance or the shape alone is not seen, nor
    are both directions the same: the target is what is predicted. The statistic is the mean of T over
    divisions, the effect that divided by the root of the rows of a half. Of categories as target each level
    is tested, and the smallest p is multiplied by their number (of two levels, one is tested).

    Parameters
    ----------
    data
        Features and target of any kind; see `GeneralisedCovariance`.
    learner
        As of `GeneralisedCovariance`. Splines get, for g and v, also products of the feature with the splines
        of each given one.
    divisions
        Random divisions into halves, each used both ways. More make p depend less on the seed, take as much
        longer, and find weak effects less often (``benchmarks/results/covariance_measures.md``).
    estimate_variance
        Whether f is ``h / v``, as in algorithm 1 of the paper, which pays with many rows and variances that
        differ much. By ridge regressions, whose variances may be near 0, it halved the power on 400 rows.
    random_state
        Seed of the divisions, and of estimators without one.

    Raises
    ------
    ArgumentError
        If an argument is out of its range, or (when it is called) an estimator fails.

    References
    ----------
    Lundborg, Kim, Shah and Samworth, Annals of Statistics 52 (2024), algorithm 1 and section 2.3.

    Examples
    --------
    >>> import altsel
    >>> s, x, other, noise = np.random.default_rng(0).normal(size=(4, 400))
    >>> data = altsel.Dataset({"s": s, "x": x + s, "other": other + s}, x**2 + np.exp(s) + noise)
    >>> altsel.independence.GeneralisedCovariance(data)(["x", "other"], ["s"]).p < 0.01
    array([False, False])
    >>> (ProjectedCovariance(data)(["x", "other"], ["s"]).p < 0.01).tolist()
    [True, False]
    """

    def __init__(
        self,
        data: Dataset,
        learner: Any = "splines",
        *,
        divisions: int = 1,
        estimate_variance: bool = False,
        random_state: int = 0,
    ) -> None:
        checked_dataset("a test", data)
        flags(estimate_variance=estimate_variance)
        self.estimate_variance = estimate_variance
        self.divisions = checked_integer("divisions", divisions, 1)
        self.random_state = checked_integer("random_state", random_state, 0)
        self.data, self._variables = data, Variables.of(data)
        columns = Columns.of(data)
        halves: dict[str, IntArray] = {}
        for number in range(self.divisions):
            order = np.random.default_rng([self.random_state, 56, number]).permutation(columns.rows)
            for half, part in enumerate(np.array_split(order, 2)):
                halves[f"{number}.{half}"] = np.sort(part)
        self._known = Remembered(columns, chosen_learner(learner, self.random_state), halves)

    @property
    def seed(self) -> int:
        """Seed of everything random."""
        return self.random_state

    @property
    def name(self) -> str:
        """The test in words."""
        times = "once" if self.divisions == 1 else f"{self.divisions} times"
        return f"projected covariance measure ({self._known.learner.name}, divided {times})"

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Learn of each candidate how it predicts in one half of the rows, and test it in the other."""
        indices, known = self._variables.indices(candidates, given)
        number = len(indices)
        if self._known.columns.rows < FEWEST:
            zeros = np.zeros(number)
            return TestResults(tuple(candidates), zeros, zeros, zeros + 1, zeros, zeros.astype(bool))
        z = np.array([self._mean(j, known) for j in indices.tolist()])
        log_p = np.array(special.log_ndtr(-z))
        levels = self._response(self._known.rows()).shape[1]
        log_p = np.minimum(log_p + np.log(levels), 0.0)
        ones = np.ones(number)
        effect = z / np.sqrt(self._known.columns.rows / 2)
        return TestResults(tuple(candidates), log_p, z, ones, effect, ones.astype(bool))

    def forget(self) -> None:
        """Drop the residuals that are remembered."""
        self._known.forget()

    def _mean(self, candidate: int, known: list[int]) -> float:
        """Return the mean statistic over divisions, of the level of the target that has the largest."""
        found = []
        for number in range(self.divisions):
            clock().check()
            one, other = f"{number}.0", f"{number}.1"
            found.append(self._statistic(candidate, known, one, other))
            found.append(self._statistic(candidate, known, other, one))
        return float(np.mean(found, axis=0).max())

    def _statistic(self, candidate: int, known: list[int], learn: str, test: str) -> FloatArray:
        """Learn in one part of the rows, and test in another; one normal value a level of the target."""
        # 1. the direction h, from the rows to learn from, in all rows
        rows, tested = self._known.rows(learn), self._known.rows(test)
        every = np.concatenate([rows, tested])
        y = self._response(rows)
        alone = self._known.smoother(known, learn)
        full = self._known.learner.with_candidate(self._known.columns, sorted(known), rows, candidate, alone)
        g = full.predict(y, every)
        m = alone.predict(g[: len(rows)], every)
        h = g - m
        # 2. its sign, by the rows to learn from
        sign = np.where(((y - m[: len(rows)]) * h[: len(rows)]).mean(axis=0) < 0, -1.0, 1.0)
        # 3. what is projected, in units of its variance if that is estimated
        f = (sign * h)[len(rows) :]
        if self.estimate_variance:
            squares = (y - g[: len(rows)]) ** 2
            f = f / variance(full.predict(squares, every), squares)[len(rows) :]
        # 4. the covariance of what the given features leave, in the rows to test
        goal = self._variables.index[self.target]
        (left,) = self._known.of([goal], known, test)
        projected = without_rest(self._known.smoother(known, test).residuals(f), f)
        levels = range(y.shape[1])
        return np.array(
            [
                studentised(projected.columns(slice(k, k + 1)), left.columns(slice(k, k + 1))).z[0, 0]
                for k in levels
            ]
        )

    def _response(self, rows: IntArray) -> FloatArray:
        """Return the target: a number, or indicators."""
        return self._known.columns.response(self._variables.index[self.target])[rows]


def variance(predicted: FloatArray, squares: FloatArray) -> FloatArray:
    """Return variances: what is predicted, and a constant that makes squares 1 on average in their units.

    It is the smallest ``c >= 0`` with ``mean(squares / (max(predicted, 0) + c)) <= 1`` over their rows.

    Parameters
    ----------
    predicted
        Shape (rows, columns); the first rows are those of the squares.
    squares
        Squared residuals; shape (first rows, columns).
    """
    positive = np.maximum(predicted, 0.0)
    own = positive[: len(squares)]
    high = squares.mean(axis=0)  # with c = mean(squares) the mean is at most 1
    floor = 1e-6 * np.maximum(high, 1e-300)
    low = np.zeros_like(high)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        large = (squares / (own + np.maximum(middle, floor))).mean(axis=0) > 1
        low, high = np.where(large, middle, low), np.where(large, high, middle)
    return np.asarray(positive + np.maximum(high, floor))
