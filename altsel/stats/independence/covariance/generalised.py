"""Generalised covariance measure: the covariance of what regressions on the given features leave."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError, checked_integer, did_you_mean, listing
from altsel.runtime.clock import clock
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.covariance.learners import Residuals, chosen_learner
from altsel.stats.independence.covariance.products import log_p_of_products, studentised
from altsel.stats.independence.covariance.residuals import Remembered
from altsel.stats.independence.covariance.variables import Columns
from altsel.stats.independence.protocol import TestResults, joined

FEWEST = 20
"""Rows from which the test is done."""
AT_ONCE = 256
"""Candidates whose residuals are held at once."""
HALVES = ("first half", "second half")


class Weighting(StrEnum):
    """How products of residuals are weighted, so that effects of changing sign do not cancel.

    ``NONE``: not; ``SIGNS``: also by fixed signs, and the largest counts; ``ESTIMATED``: by signs that
    one half of the rows tells for the other.

    Examples
    --------
    >>> Weighting("signs") is Weighting.SIGNS
    True
    """

    NONE = "none"
    SIGNS = "signs"
    ESTIMATED = "estimated"


class GeneralisedCovariance(BoundTest):
    r"""Test whether what the given features leave of a feature and of the target is correlated.

    With ``R_i = (x_i - f(s_i)) (y_i - g(s_i))``, f and g any regressions,
    ``T = sqrt(n) mean(R) / sd(R)`` is asymptotically standard normal if X and Y are independent given S and
    the product of the errors of f and g vanishes faster than ``n^(-1/2)``: each may converge slowly. No model
    of the errors is needed, which may be heteroscedastic. Categories are indicators; of several products the
    largest ``|T|`` counts, compared with the largest of normal values of the same correlations. Rejecting
    means that the expected conditional covariance is not 0. So it sees linear association of what is left:
    ``y = x^2 + e`` or a sign that changes with s are missed; see `weighting` and `ProjectedCovariance`.

    Regressions are shared: of one conditioning set the target is regressed once, and each candidate once for
    all targets; named learners decompose their basis once for all of them. The statistic is T of the largest
    ``|T|``, with its sign; the effect the correlation of those residuals. Linear smoothers are corrected for
    the degrees of freedom that their fits take. A variable of which the given features leave a share of 1e-6
    of the variance or less has p = 1.

    Parameters
    ----------
    data
        Features and target of any kind. Levels of fewer than 10 rows count as one; ordered categories are
        tested by their codes (a trend), and given by indicators.
    learner
        Regressions on the given features: ``"splines"`` (cubic splines of each, products of each two, ridge
        penalty by generalised cross-validation), ``"linear"`` (the same of numbers as they are), ``"kernel"``
        (200 random Fourier features of a Gaussian kernel), ``"forest"`` (100 trees), any regressor of
        scikit-learn, a classifier, or a pair (classifier, regressor). Classifiers tell probabilities of
        levels. What is no ridge regression is cross-fitted in five parts of the rows.
    weighting
        ``"none"``; ``"signs"``: products are also multiplied by ``sign(s - q)`` for each given number at
        `functions` quantiles q, and for the levels of categories, and the largest ``|T|`` of all counts;
        ``"estimated"``: by the sign of a regression of the products on S in one half of the rows, for T in
        the other half (one-sided). Without given features they are the same as ``"none"``.
    functions
        Quantiles of each given number, for ``"signs"``.
    random_state
        Seed of halves, of parts, and of estimators without one.

    Raises
    ------
    ArgumentError
        If an argument is out of its range, or (when it is called) an estimator fails.

    References
    ----------
    Shah and Peters, Annals of Statistics 48 (2020), theorem 6 and section 3.2; Scheidegger, Hörrmann and
    Bühlmann, Journal of Machine Learning Research 23 (2022), methods wGCM.fix and wGCM.est.

    Examples
    --------
    >>> import altsel
    >>> s, x, other, noise = np.random.default_rng(0).normal(size=(4, 300))
    >>> curved = {"s": s, "x": np.exp(s) + x, "other": np.exp(s) + other}
    >>> data = altsel.Dataset(curved, np.exp(s) + 0.5 * x + noise)
    >>> altsel.independence.PartialCorrelation(data)(["x", "other"], ["s"]).p < 0.01
    array([ True,  True])
    >>> GeneralisedCovariance(data)(["x", "other"], ["s"]).p.round(3).tolist()
    [0.0, 0.422]
    """

    def __init__(
        self,
        data: Dataset,
        learner: Any = "splines",
        *,
        weighting: Weighting | str = Weighting.NONE,
        functions: int = 7,
        random_state: int = 0,
    ) -> None:
        checked_dataset("a test", data)
        self.functions = checked_integer("functions", functions, 1)
        self.random_state = checked_integer("random_state", random_state, 0)
        self.weighting = _checked(weighting)
        self.data, self._variables = data, Variables.of(data)
        columns = Columns.of(data)
        order = np.random.default_rng([self.random_state, 55]).permutation(columns.rows)
        halves = {name: np.sort(part) for name, part in zip(HALVES, np.array_split(order, 2), strict=True)}
        self._known = Remembered(columns, chosen_learner(learner, self.random_state), halves)

    @property
    def seed(self) -> int:
        """Seed of everything random."""
        return self.random_state

    @property
    def name(self) -> str:
        """The test in words."""
        weighted = {"none": "", "signs": "weighted ", "estimated": "weighted "}[self.weighting.value]
        return f"{weighted}generalised covariance measure ({self._known.learner.name})"

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Correlate residuals of each candidate with those of the target."""
        indices, known = self._variables.indices(candidates, given)
        if self._known.columns.rows < FEWEST:
            zeros = np.zeros(len(indices))
            return TestResults(tuple(candidates), zeros, zeros, zeros + 1, zeros, zeros.astype(bool))
        parts = []
        for first in range(0, len(indices), AT_ONCE):
            clock().check()
            some = indices[first : first + AT_ONCE].tolist()
            names = candidates[first : first + AT_ONCE]
            estimated = self.weighting is Weighting.ESTIMATED and known
            rows = self._by_halves(some, known) if estimated else self._on_all_rows(some, known)
            log_p, statistic, effect = np.array(rows).reshape(-1, 3).T
            parts.append(_results(names, log_p, statistic, effect))
        return joined(parts)

    def forget(self) -> None:
        """Drop the residuals that are remembered."""
        self._known.forget()

    def _on_all_rows(self, candidates: list[int], known: list[int]) -> list[tuple[float, float, float]]:
        """Test in all rows; return log p, statistic and effect of each candidate."""
        goal = self._variables.index[self.target]
        y, *left = self._known.of([goal, *candidates], known)
        weights = self._weights(known)
        together = Residuals(np.hstack([one.values for one in left]), np.hstack([one.kept for one in left]))
        found = [studentised(together, y, weight) for weight in weights.T]
        t, z = np.stack([one.t for one in found]), np.stack([one.z for one in found])
        effect = np.stack([one.effect for one in found])
        answers, first = [], 0
        for one in left:
            own = slice(first, first + one.values.shape[1])
            first = own.stop
            answers.append(_largest(t[:, own], z[:, own], effect[:, own], (one.values, y.values, weights)))
        return answers

    def _weights(self, known: list[int]) -> FloatArray:
        """Return a column of ones and, if wanted, signs by the given features; shape (rows, weights)."""
        columns = self._known.columns
        signs = [np.ones((columns.rows, 1))]
        if self.weighting is Weighting.SIGNS:
            for j in sorted(known):
                if columns.categories[j]:
                    signs.append(2 * columns.indicators(j) - 1)
                else:
                    values = columns.values[:, [j]]
                    shares = np.arange(1, self.functions + 1) / (self.functions + 1)
                    cuts = np.unique(np.quantile(values, shares))
                    signs.append(np.where(values > cuts[cuts < values.max()], 1.0, -1.0))
        return np.hstack(signs)

    def _by_halves(self, candidates: list[int], known: list[int]) -> list[tuple[float, float, float]]:
        """Learn the sign of each product in one half of the rows, and test in the other."""
        goal = self._variables.index[self.target]
        learnt, tested = (self._known.of([goal, *candidates], known, half) for half in HALVES)
        smoother, rows = self._known.smoother(known, HALVES[0]), self._known.rows(HALVES[1])
        answers = []
        for learn, test in zip(learnt[1:], tested[1:], strict=True):
            clock().check()
            products = np.einsum("ij,ik->ijk", learn.values, learnt[0].values)
            expected = smoother.predict(products.reshape(len(products), -1), rows)
            signs = np.where(expected >= 0, 1.0, -1.0).reshape(len(rows), *products.shape[1:])
            answers.append(_one_sided(test, tested[0], signs))
        return answers


def _one_sided(x: Residuals, y: Residuals, signs: FloatArray) -> tuple[float, float, float]:
    """Test products with signs of shape (rows, columns of x, columns of y)."""
    single = [
        studentised(x.columns(slice(j, j + 1)), y.columns(slice(k, k + 1)), signs[:, j, k])
        for j in range(signs.shape[1])
        for k in range(signs.shape[2])
    ]
    z = np.array([one.z[0, 0] for one in single])
    products = (signs * x.values[:, :, None] * y.values[:, None, :]).reshape(len(signs), -1)
    best = int(z.argmax())
    one = np.ones((len(products), 1))
    log_p = log_p_of_products(z, products, one, one, two_sided=False)
    return log_p, float(single[best].t[0, 0]), float(single[best].effect[0, 0])


def _largest(
    t: FloatArray, z: FloatArray, effect: FloatArray, parts: tuple[FloatArray, FloatArray, FloatArray]
) -> tuple[float, float, float]:
    """Return log p of the largest product, its T and its effect; arrays of shape (weights, of x, of y)."""
    size = np.abs(z)
    best = np.unravel_index(int(size.argmax()), size.shape)
    if size[best] == 0:
        return 0.0, 0.0, 0.0
    return log_p_of_products(z, *parts), float(t[best]), float(effect[best])


def _results(
    candidates: Sequence[str], log_p: FloatArray, statistic: FloatArray, effect: FloatArray
) -> TestResults:
    ones = np.ones(len(log_p))
    return TestResults(tuple(candidates), log_p, statistic, ones, effect, ones.astype(bool))


def _checked(weighting: object) -> Weighting:
    names = [one.value for one in Weighting]
    if weighting not in names:
        hint = did_you_mean(weighting, names) if isinstance(weighting, str) else ""
        raise ArgumentError(f"weighting={weighting!r}; use one of {listing(names)}{hint}")
    return Weighting(weighting)
