"""Test of independence of ordinal variables by their scores, within strata: Mantel's trend test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.columns import Kind, codes, moderate, numbers
from altsel.data.dataset import Dataset
from altsel.errors import DataError, listing, no_negative
from altsel.stats.discrete.counts import Columns, compact
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.g_square import coded
from altsel.stats.independence.log_p import log_chi_square
from altsel.stats.independence.protocol import TestResults
from altsel.stats.independence.rows import Given, refuse_groups, rows_of

CONSTANT = 1e-20
"""A score of which strata leave no more than this share of its variance is constant in them."""


class Trend(BoundTest):
    r"""Test whether scores of two ordinal variables are correlated within the strata of the given ones.

    With scores u of the candidate and v of the target, centred in each stratum s of n_s rows,
    ``M2 = (sum_s sum_i u_i v_i)^2 / sum_s (sum_i u_i^2)(sum_i v_i^2) / (n_s - 1)``, asymptotically
    chi-square with one degree of freedom, whatever the numbers of values: the Cochran-Mantel-Haenszel
    statistic of nonzero correlation. Mean and variance are exact for fixed margins, so that many small
    strata do no harm. Without strata it is ``(n - 1) r^2``; for two binary variables it is the
    Mantel-Haenszel test without correction for continuity. The effect is the correlation within strata.

    It looks for a trend, up or down in the strata on the whole: this it finds in fewer rows than
    `GSquare`, other dependences not at all.

    Parameters
    ----------
    data
        Features and target of ordered values: ordinal, binary, or integers of at most 20 values. The scores
        of numbers are the numbers, those of categories 0, 1, 2, ….
    samples
        A test is done only with at least so many rows, less one for each stratum, in strata of two rows or
        more in which the target varies.
    weights
        Frequency weights, as of `LikelihoodRatio`.

    Raises
    ------
    DataError
        If a column holds categories without an order, or other numbers, or the weights do not fit.
    ArgumentError
        If `samples` is negative.

    References
    ----------
    Mantel, Journal of the American Statistical Association 58 (1963); Landis, Heyman and Koch, International
    Statistical Review 46 (1978); Agresti, Categorical Data Analysis, section 8.4.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"dose": [0, 0, 1, 1, 2, 2] * 4}, [0, 0, 0, 1, 1, 1] * 4)
    >>> answers = Trend(data)(["dose"])
    >>> answers.statistic.round(3).tolist(), answers.dof.tolist(), answers.effect.round(3).tolist()
    ([15.333], [1.0], [0.816])
    """

    name = "trend test (Mantel)"

    def __init__(
        self, data: Dataset, *, samples: float = 10, weights: Given = None, groups: Given = None
    ) -> None:
        refuse_groups("trend test", groups, "use RobustScore(data, groups)")
        no_negative("samples", samples)
        rows = rows_of(data, weights)
        self.data, self.counts, self.samples = rows.data, rows.counts, samples
        self._variables = Variables((*self.data.features, self.data.target), self.data.target)
        self._columns = Columns(coded(self.data, "the trend test", "LikelihoodRatio"))
        self._weights = np.ones(len(self.data.y)) if rows.counts is None else rows.counts
        self._scores = _scores(self.data)

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test the correlation of each candidate's scores with the target's in the strata of the given."""
        indices, known = self._variables.indices(candidates, given)
        strata = self._strata(known)
        number, freedom = len(indices), float((strata.sizes - 1).sum())
        tested = np.full(number, freedom >= self.samples and freedom > 0)
        if not number or not freedom:
            zeros = np.zeros(number)
            return TestResults(tuple(candidates), zeros, zeros, zeros, zeros, tested)
        v = self._scores[:, self._variables.index[self.target]]
        v = strata.centred(v[strata.rows, None])[:, 0]
        u = strata.centred(self._scores[np.ix_(strata.rows, indices)])
        weights, u_squares = strata.weights, strata.weights @ u**2
        v_squares = np.add.reduceat(weights * v**2, strata.starts)
        covariance = (weights * v) @ u
        variance = (weights * np.repeat(v_squares / (strata.sizes - 1), strata.lengths)) @ u**2
        varies = u_squares > CONSTANT * weights.sum()
        statistic = np.divide(covariance**2, variance, out=np.zeros(number), where=varies)
        effect = np.divide(
            covariance, np.sqrt(u_squares * v_squares.sum()), out=np.zeros(number), where=varies
        )
        log_p = np.where(tested, log_chi_square(statistic, varies.astype(float)), 0.0)
        return TestResults(tuple(candidates), log_p, statistic, varies.astype(float), effect, tested)

    def _strata(self, known: list[int]) -> Strata:
        """Sort the rows by the strata of the given, without those that tell nothing of the target."""
        numbers, most = self._columns.strata(known)
        numbers, most = compact(numbers, most)
        target = self._columns.codes[self._variables.index[self.target]]
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(most))
        least = np.minimum.reduceat(target[order], starts)
        varies = np.maximum.reduceat(target[order], starts) > least
        sizes = np.add.reduceat(self._weights[order], starts)
        telling = varies & (sizes > 1)
        rows = order[telling[numbers[order]]]
        lengths = np.bincount(numbers, minlength=most)[telling]
        return Strata(rows, np.cumsum(lengths) - lengths, lengths, sizes[telling], self._weights[rows])


@dataclass(frozen=True, eq=False)
class Strata:
    """Rows sorted by strata.

    Attributes
    ----------
    rows
        The rows.
    starts, lengths
        Where each stratum begins among them, and how many rows it has.
    sizes
        The sum of the weights of each.
    weights
        Of each row.
    """

    rows: IntArray
    starts: IntArray
    lengths: IntArray
    sizes: FloatArray
    weights: FloatArray

    def centred(self, values: FloatArray) -> FloatArray:
        """Subtract the mean of its stratum from each row; shape (rows, columns)."""
        sums = np.add.reduceat(values * self.weights[:, None], self.starts, axis=0)
        return np.asarray(values - np.repeat(sums / self.sizes[:, None], self.lengths, axis=0))


def _scores(data: Dataset) -> FloatArray:
    """Give scores of features and target, each of variance 1, or say which columns have no order."""
    kinds = [*data.kinds.values(), data.target_kind]
    columns = [*(data.X[name] for name in data.features), data.y]
    unordered = [
        str(column.name)
        for column, kind in zip(columns, kinds, strict=True)
        if kind is Kind.CATEGORICAL and column.dtype == "category"
    ]
    if unordered:
        raise DataError(
            f"the trend test needs ordered values; {listing(unordered)} hold categories: list their values "
            "from the lowest to the highest (kinds={name: [...]}), leave them out (drop=), or use GSquare or "
            "LikelihoodRatio"
        )
    scores = [
        codes(column).astype(float) if kind is Kind.BINARY else moderate(numbers(column))
        for column, kind in zip(columns, kinds, strict=True)
    ]
    matrix = np.column_stack(scores)
    matrix -= matrix.mean(axis=0)
    return np.asarray(matrix / np.sqrt((matrix**2).mean(axis=0)))
