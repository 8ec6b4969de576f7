"""Test of independence of jointly normal variables by partial correlation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.columns import codes, numbers
from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan, Statistics
from altsel.data.scanning.scan import refuse_rows
from altsel.data.schema import Kind
from altsel.errors import DataError, flags, listing
from altsel.runtime.on_demand import OnDemand
from altsel.stats.gram import correlations, parts_of_table, with_column
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.cholesky import Factors
from altsel.stats.independence.protocol import TestResults, one_by_one
from altsel.stats.independence.rows import Given, refuse_groups, rows_or_scan
from altsel.stats.independence.unit_columns import UnitColumns
from altsel.stats.log_p import log_correlation, log_normal

SHORT = 4
"""Tables of more rows a column are summed up by their correlations, which take less room and time."""
stats: Any = OnDemand("scipy.stats")  # half a second of start-up


class PartialCorrelation(BoundTest):
    r"""Test whether the partial correlation ``r = r(X, T | S)`` is zero.

    ``t = r sqrt(d / (1 - r^2))`` with ``d = n - 2 - |S|`` degrees of freedom, exact for normal
    variables; or Fisher's ``z = atanh(r) sqrt(n - |S| - 3)``, asymptotic. Features that the given
    ones determine have p = 1, and given features that others determine count for nothing. The
    statistic is t or z, the effect is r.

    It is a test of conditional independence where all relations are linear; errors need not be normal. Where
    a given feature acts otherwise on both, what is left of it correlates them, by values as by ranks.
    Transform such features first so that relations are linear (``altsel.Dataset`` of ``log(x)``, say),
    or use a test that sees any relation: `kernel`, or `PredictivePermutation` with draws by a regressor that
    sees them (`Conditional`), on more rows the more features are given. Neither categories made of numbers
    nor trees remove what the given features tell within a bin.

    Rejected at .05 of candidates that are independent given three features (``benchmarks/results/level.md``):

    ============================== ======== ========= ===========
    relations                      50 rows  200 rows  2,000 rows
    ============================== ======== ========= ===========
    linear, normal; values         .05      .05       .06
    linear, normal; ranks          .06      .09       .48
    linear, skewed errors; values  .06      .04       .04
    linear, skewed errors; ranks   .08      .08       .32
    exponential; values            .94      1.00      1.00
    exponential; ranks             .64      1.00      1.00
    ============================== ======== ========= ===========

    Parameters
    ----------
    data
        Numbers, or a scan of them, or its statistics, whose moments do; features or a target of two values
        count as 0 and 1, ordered categories as 0, 1, 2, ….
    ranks
        Correlate ranks (Spearman) instead of values. With nothing given it sees any monotone relation.
        Given others it is *no test of conditional independence* unless all ranks are related linearly: ranks
        of normal variables are not quite, and independent features are rejected the more often the more
        rows there are (below).
    fisher
        Fisher's z instead of the exact t.
    weights
        Frequency weights, as of `LikelihoodRatio`.
    groups
        Not taken: with rows that belong together use `RobustScore`.

    Raises
    ------
    DataError
        If a feature or the target holds categories, or the weights do not fit the data.

    References
    ----------
    Anderson, An Introduction to Multivariate Statistical Analysis, section 4.3.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [1.0, 2, 3, 4, 5, 6], "b": [2.0, 1, 4, 3, 6, 5.5]}, [1, 2, 3, 5, 4, 7.0])
    >>> PartialCorrelation(data)(["a"], ["b"]).effect.round(4).tolist()
    [0.9349]
    """

    signed: ClassVar[bool] = True
    """The statistic has a sign."""

    def __init__(
        self,
        data: Dataset | Scan | Statistics,
        *,
        ranks: bool = False,
        fisher: bool = False,
        weights: Given = None,
        groups: Given = None,
    ) -> None:
        flags(ranks=ranks, fisher=fisher)
        refuse_groups("partial correlation test", groups, "use RobustScore(data, groups)")
        rows = rows_or_scan(data, weights)
        self.data, self.counts, self.ranks, self.fisher = rows.data, rows.counts, ranks, fisher
        self._variables = Variables.of(self.data)
        if isinstance(self.data, (Scan, Statistics)):
            self._factors = self._of_moments(self.data)
            return
        target = _numeric_target(self.data)
        if not ranks and rows.counts is None and len(target) > SHORT * len(self._variables.names):
            parts = with_column(parts_of_table(self.data.X), target)
            self._factors = Factors.from_correlations(correlations(parts), len(target))
            return
        if not ranks and rows.counts is None:
            self._factors = Factors.from_columns(UnitColumns(self.data.X, target), len(target))
            return
        matrix = np.column_stack([self.data.matrix(), target])
        self._factors = Factors(_ranks(matrix, rows.counts) if ranks else matrix, rows.counts)

    def _of_moments(self, data: Scan | Statistics) -> Factors:
        """Take correlations instead of rows."""
        if self.ranks:
            refuse_rows(self.name)
        refuse_categories(data, [one.name for one in data.layout.columns if not one.numeric])
        statistics = data.statistics() if isinstance(data, Scan) else data
        return Factors.from_correlations(statistics.correlations, statistics.rows)

    @property
    def name(self) -> str:
        """The test in words."""
        kind = "Spearman" if self.ranks else "Pearson"
        return f"partial correlation test ({kind}, {'Fisher z' if self.fisher else 'exact t'})"

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Test the partial correlation of each candidate and the target given some features."""
        indices, known = self._variables.indices(candidates, given)
        correlation, rank = self._factors.partial(indices, self._variables.index[self.target], known)
        return self._answers(tuple(candidates), correlation, self._factors.rows - 2 - rank)

    def leave_one_out(self, features: Sequence[str]) -> TestResults:
        """Test each feature given the others: all by one inverse, where none determines another."""
        indices, _ = self._variables.indices(features, ())
        correlation = self._factors.each_given_others(indices, self._variables.index[self.target])
        if correlation is None:
            return one_by_one(self, features)
        return self._answers(tuple(features), correlation, self._factors.rows - 1 - len(features))

    def _answers(self, candidates: tuple[str, ...], correlation: FloatArray, freedom: float) -> TestResults:
        dof = np.full(len(candidates), float(max(freedom, 0)))
        enough = freedom >= (2 if self.fisher else 1)
        if not enough:
            zeros = np.zeros(len(candidates))
            return TestResults(candidates, zeros, zeros, dof, correlation, zeros.astype(bool))
        rest = np.sqrt(np.maximum((1 - correlation) * (1 + correlation), np.finfo(float).tiny))
        if self.fisher:
            statistic = np.log((1 + correlation) / rest) * np.sqrt(freedom - 1)
            log_p = log_normal(statistic)
        else:
            statistic = correlation / rest * np.sqrt(freedom)
            log_p = log_correlation(correlation, freedom)
        return TestResults(
            candidates, log_p, statistic, dof, correlation, np.ones(len(candidates), dtype=bool)
        )


def _ranks(matrix: FloatArray, counts: FloatArray | None) -> FloatArray:
    """Rank each column; equal values share the mean of the ranks that their rows would have."""
    if counts is None:
        return np.asarray(stats.rankdata(matrix, axis=0))
    result = np.empty_like(matrix)
    for j, column in enumerate(matrix.T):
        place = np.unique(column, return_inverse=True)[1]
        sums = np.bincount(place, counts)
        result[:, j] = (np.cumsum(sums) - sums / 2 + 0.5)[place]
    return result


def _numeric_target(data: Dataset) -> FloatArray:
    """Return the target as numbers; refuse it, and features, where they are none."""
    nominal = data.target_kind is Kind.CATEGORICAL and isinstance(data.y.dtype, pd.CategoricalDtype)
    refuse_categories(data, [data.target] if nominal else [])
    return codes(data.y).astype(float) if data.y.nunique() == 2 else numbers(data.y)


def refuse_categories(data: Dataset | Scan | Statistics, others: Sequence[str]) -> None:
    """Raise a DataError that names the features of kind categorical, and others that hold no numbers."""
    bad = [name for name in data.features if data.kinds[name] is Kind.CATEGORICAL]
    bad += [name for name in others if name not in bad]
    if bad:
        raise DataError(
            f"partial correlation needs numbers; {listing(bad)} hold categories: "
            "use GSquare or LikelihoodRatio, or leave them out"
        )
