"""Choose a test by the kinds of the columns."""

from __future__ import annotations

from altsel._types import FloatArray
from altsel.data.columns import FEW_LEVELS, Kind
from altsel.data.dataset import Dataset
from altsel.data.kinds import are_counts
from altsel.stats.independence.g_square import GSquare
from altsel.stats.independence.glm.families import Gaussian
from altsel.stats.independence.glm.fitting import AnyFamily
from altsel.stats.independence.glm.negative_binomial import family_of_counts
from altsel.stats.independence.likelihood_ratio import LikelihoodRatio
from altsel.stats.independence.partial_correlation import PartialCorrelation
from altsel.stats.independence.protocol import Independence
from altsel.stats.independence.robust_score import RobustScore
from altsel.stats.independence.rows import Given, rows_of


def auto(data: Dataset, *, weights: Given = None, groups: Given = None) -> Independence:
    """Choose the usual test for a table.

    ==================== ================================== ===========================================
    target               features                           test
    ==================== ================================== ===========================================
    ordinal              any                                `LikelihoodRatio`, `ProportionalOdds`
    classes              all discrete                       `GSquare`
    count                any                                `LikelihoodRatio`, `Poisson` or
                                                            `NegativeBinomial`
    number               all numbers, or of two values      `PartialCorrelation`
    classes or number    anything else                      `LikelihoodRatio`
    ==================== ================================== ===========================================

    Discrete are categories, columns of two values, and integers of at most 20 values. A target is ordinal
    if it holds ordered categories or is declared so. It is a count if it is declared so, or if it is a
    regression target of integers of at least 0 with more than 20 values that vary at least as much as
    Poisson counts: Fisher's index of dispersion chooses the family, see `family_of_counts`; what varies
    less is a number. With groups it is always `RobustScore`, by regressions of the same families.

    Parameters
    ----------
    data
        The table.
    weights, groups
        Frequency weights, and which rows belong together: names of columns, which then are no features, or
        arrays of shape (rows,); see `LikelihoodRatio` and `RobustScore`.

    Returns
    -------
    Independence
        A test bound to the data's target, with its default options.

    Examples
    --------
    >>> import altsel
    >>> auto(altsel.Dataset({"a": [0.5, 1.5, 2.5, 4.5] * 3}, [0, 0, 1, 1] * 3)).name
    'likelihood-ratio test (logistic or multinomial regression)'
    """
    rows = rows_of(data, weights, groups)
    table, counts = rows.data, rows.counts
    family = _of_counts(table, counts)
    if rows.groups is not None:
        return RobustScore(table, rows.groups, family=family, weights=counts)
    if family is not None or table.target_kind is Kind.ORDINAL:
        return LikelihoodRatio(table, family=family, weights=counts)
    if table.discrete_target and table.discrete().all():
        return GSquare(table, weights=counts)
    unordered = {Kind.CATEGORICAL, Kind.ORDINAL}
    if not table.discrete_target and not unordered.intersection(table.kinds.values()):
        return PartialCorrelation(table, weights=counts)
    return LikelihoodRatio(table, weights=counts)


def _of_counts(data: Dataset, counts: FloatArray | None) -> AnyFamily | None:
    """Return the family of a target of counts, or None for others."""
    declared = data.target_kind is Kind.COUNT
    many = data.target_kind is Kind.INTEGER and data.y.nunique() > FEW_LEVELS and are_counts(data.y)
    if not declared and not many:
        return None
    family = family_of_counts(data.y.to_numpy(dtype=float), counts, declared=declared)
    return None if isinstance(family, Gaussian) else family
