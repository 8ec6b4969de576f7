"""Choose a test by the kinds of the columns."""

from __future__ import annotations

from altsel.data.columns import Kind
from altsel.data.dataset import Dataset
from altsel.stats.independence.g_square import GSquare
from altsel.stats.independence.likelihood_ratio import LikelihoodRatio
from altsel.stats.independence.partial_correlation import PartialCorrelation
from altsel.stats.independence.protocol import Independence


def auto(data: Dataset) -> Independence:
    """Choose the usual test for a table.

    ==================== ================================== ==========================
    target               features                           test
    ==================== ================================== ==========================
    classes              all discrete                       `GSquare`
    number               all numbers, or of two values      `PartialCorrelation`
    classes or number    anything else                      `LikelihoodRatio`
    ==================== ================================== ==========================

    Discrete are categories, columns of two values, and integers of at most 20 values.

    Parameters
    ----------
    data
        The table.

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
    if data.discrete_target and data.discrete().all():
        return GSquare(data)
    if not data.discrete_target and Kind.CATEGORICAL not in data.kinds.values():
        return PartialCorrelation(data)
    return LikelihoodRatio(data)
