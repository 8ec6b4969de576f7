"""Mutual information of a Gaussian copula, in closed form from ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.runtime.on_demand import OnDemand
from altsel.stats.dependence.correlation import AbsoluteCorrelation, mid_ranks
from altsel.stats.dependence.measure import Caveats

special: Any = OnDemand("scipy.special")

LEAST_UNEXPLAINED = 1e-12
"""Smallest ``1 - r^2`` that rounding leaves of a correlation; columns of the same ranks have it."""


@dataclass(frozen=True)
class GaussianCopulaInformation:
    r"""Mutual information ``I = -log(1 - r^2) / 2`` of a Gaussian copula, in nats.

    r is the Pearson correlation of normal scores ``Phi^-1(rank / (n + 1))`` (mean rank of ties).
    Increasing maps of a column do not change it. It *is* the mutual information where such maps make the two
    columns jointly Gaussian, and only there: ``b = a^2`` has about 0. So it is a measure of its own, not a
    fast way to `mutual_information`, which assumes no such thing.

    It is meant for numbers. Binary columns count as 0 and 1 and ordered categories as 0, 1, 2, …, as with
    correlations; their ties make it another number than the information of the table. More than two classes
    without an order are refused. Columns of the same ranks, whose information is infinite, get
    ``6 log 10 = 13.8``. Of two independent columns the mean is about ``1 / (2 n)``: bias is not corrected.

    References
    ----------
    Ince et al., Human Brain Mapping 38 (2017), 1541; Cover and Thomas, Elements of Information Theory (2006),
    section 8.5.

    Examples
    --------
    >>> from altsel.measures import gaussian_copula_information
    >>> round(gaussian_copula_information([1, 2, 3], [0.1, 90, 5]), 4)  # r = 1/2: -log(3/4) / 2
    0.1438
    """

    name = "Gaussian-copula information"
    not_negative = True

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Information of two columns of numbers, ordered categories or two values."""
        return float(_information(np.array(_SCORES(a, b))))

    def caveats(self, data: Dataset) -> Caveats:
        """Every column's information of itself is infinite."""
        return Caveats(data.features)

    def relevance(self, data: Dataset) -> FloatArray:
        """Information of each feature and the target."""
        return _information(_SCORES.relevance(data))

    def redundancy(self, data: Dataset) -> FloatArray:
        """Information of each pair of features."""
        return _information(_SCORES.redundancy(data))


@dataclass(frozen=True)
class _NormalScores(AbsoluteCorrelation):
    """Absolute correlation of normal scores."""

    @property
    def name(self) -> str:
        return GaussianCopulaInformation.name

    def _values(self, columns: FloatArray) -> FloatArray:
        return np.asarray(special.ndtri(mid_ranks(columns) / (len(columns) + 1)))


def _information(correlation: FloatArray) -> FloatArray:
    return np.asarray(-np.log(np.maximum(1 - correlation**2, LEAST_UNEXPLAINED)) / 2)


_SCORES = _NormalScores()
gaussian_copula_information = GaussianCopulaInformation()
