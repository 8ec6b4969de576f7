"""Pearson's chi-square test of independence in tables, with the exact moments of its statistic."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray
from altsel.stats.discrete.contingency import Tables
from altsel.stats.independence.g_square import GSquare
from altsel.stats.independence.log_p import log_chi_square

CERTAIN = 1e-12
"""Variance, relative to the squared mean, below which the statistic is the same for all tables."""


class ChiSquare(GSquare):
    r"""Pearson's chi-square test of independence of discrete variables, in every stratum of the given ones.

    ``X2 = sum_{x,t,s} (n_xts - e_xts)^2 / e_xts`` with ``e_xts = n_xs n_ts / n_s``. By default p is that
    of a permutation test which permutes the target within the strata, without permutations: given the
    margins, mean m and variance v of X2 are known exactly, and ``X2 / c`` is compared with a chi-square
    distribution with ``m / c`` degrees of freedom, ``c = v / 2m``. With many rows that is
    the usual test; with few rows, rare classes or many strata it keeps the level, which the usual
    one does not. No minimal number of rows is needed; where no other table is possible, p is 1. The effect
    is ``X2 / 2n``, which approaches the conditional mutual information as that becomes small.

    Parameters
    ----------
    data
        Discrete features and a target of classes.
    corrected
        Whether p is found so; otherwise X2 is compared with a chi-square distribution
        with the degrees of freedom of `GSquare`.
    samples_per_cell, untestable, adjusted
        As for `GSquare`.
    permutations
        If given, every p is found by permutations.

    Raises
    ------
    DataError
        If a feature or the target is not discrete.
    ArgumentError
        If an option is out of its range.

    References
    ----------
    Haldane, Biometrika 31 (1940); Dawson, Biometrika 41 (1954), for the moments; Mielke and Berry,
    Permutation Methods (2007), for p by moments.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0, 0, 1, 1] * 10, "b": [0, 1] * 20}, [0, 0, 1, 1] * 10)
    >>> ChiSquare(data)(["a", "b"]).statistic.tolist()
    [40.0, 0.0]
    """

    name = "chi-square test"

    def _of(self, tables: Tables) -> tuple[FloatArray, ...]:
        """Compute the statistic, its degrees of freedom, and its mean and variance given the margins."""
        if not self.corrected:
            return tables.chi_square(), tables.dof()
        statistic, mean, variance = tables.chi_square_by_margins()
        return statistic, tables.dof(), mean, variance

    def _log_p(self, numbers: FloatArray, dof: FloatArray) -> FloatArray:
        if not self.corrected:
            return super()._log_p(numbers, dof)
        statistic, _, mean, variance = numbers
        varies = variance > CERTAIN * mean**2
        scale = np.divide(variance, 2 * mean, out=np.ones_like(mean), where=varies)
        return log_chi_square(statistic / scale, np.where(varies, mean / scale, 0.0))
