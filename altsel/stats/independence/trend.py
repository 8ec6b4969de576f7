"""Test of independence of ordinal variables by their scores, within strata: Mantel's trend test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.columns import codes, moderate, numbers
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.errors import DataError, listing, no_negative
from altsel.stats.discrete.contingency import Tables, crossed
from altsel.stats.discrete.counts import Columns
from altsel.stats.discrete.weighted import crossed_weighted
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.g_square import coded
from altsel.stats.independence.protocol import TestResults
from altsel.stats.independence.rows import Given, refuse_groups, rows_of
from altsel.stats.log_p import log_chi_square


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
    groups
        Not taken: with rows that belong together use `RobustScore`.

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
        self._variables = Variables.of(self.data)
        scores = _scores(self.data)
        self._columns = Columns(coded(self.data, "the trend test", "LikelihoodRatio"))
        self._levels = [
            scores[np.unique(code, return_index=True)[1], j] for j, code in enumerate(self._columns.codes)
        ]

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test the correlation of each candidate's scores with the target's in the strata of the given."""
        indices, known = self._variables.indices(candidates, given)
        goal = self._variables.index[self.target]
        number, done, freedom = len(indices), 0, 0.0
        moments = np.zeros((4, number))
        for table in self._tables(indices, goal, known) if number else ():
            some = slice(done, done + len(table.starts))
            scores = np.concatenate([self._levels[j] for j in indices[some].tolist()])
            moments[:, some], freedom = _moments(table, scores, self._levels[goal])
            done = some.stop
        covariance, variance, u_squares, v_squares = moments
        varies = u_squares > 0
        statistic = np.divide(covariance**2, variance, out=np.zeros(number), where=varies)
        scale = np.sqrt(u_squares * v_squares)
        effect = np.divide(covariance, scale, out=np.zeros(number), where=varies)
        tested = np.full(number, freedom >= self.samples and freedom > 0)
        log_p = np.where(tested, log_chi_square(statistic, varies.astype(float)), 0.0)
        return TestResults(tuple(candidates), log_p, statistic, varies.astype(float), effect, tested)

    def _tables(self, indices: IntArray, goal: int, known: list[int]) -> Iterator[Tables]:
        target = self._columns.codes[goal].astype(np.int64)
        if self.counts is None:
            return crossed(self._columns, indices, target, known)
        return crossed_weighted(self.counts, self._columns, indices, target, known)


def _moments(table: Tables, scores: FloatArray, target: FloatArray) -> tuple[FloatArray, float]:
    """Sum what the statistic is made of over the strata.

    Parameters
    ----------
    table
        Counts.
    scores, target
        Scores of the candidates' levels, and of the target's.

    Returns
    -------
    tuple
        Covariance, its variance, and sums of squares of candidate and target, shape (4, candidates); and the
        number of rows less one for each stratum.
    """
    sizes = table.in_stratum
    v = target[:, None] - target @ table.in_target / sizes
    v_squares = (table.in_target * v**2).sum(axis=0)
    telling = sizes > 1  # weights may sum to less
    share = np.divide(v_squares, sizes - 1.0, out=np.zeros(len(sizes)), where=telling)
    by_level = table.counts.reshape(len(scores), -1) @ (v * telling).ravel()
    covariance = np.add.reduceat(scores * by_level, table.starts)
    held = table.in_level
    sums = np.add.reduceat(scores[:, None] * held, table.starts)
    squares = np.add.reduceat(scores[:, None] ** 2 * held, table.starts) - sums**2 / sizes
    differ = np.add.reduceat(held > 0, table.starts, dtype=np.int64) > 1
    u_squares = np.where(differ & telling, squares, 0.0)
    found = np.stack(
        [
            covariance,
            u_squares @ share,
            u_squares.sum(axis=1),
            np.full(len(covariance), v_squares[telling].sum()),
        ]
    )
    return found, float((sizes[telling] - 1).sum())


def _scores(data: Dataset) -> FloatArray:
    """Return scores of features and target, each of variance 1, or say which columns have no order."""
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
