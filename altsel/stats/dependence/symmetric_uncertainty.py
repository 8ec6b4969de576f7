"""Symmetric uncertainty: the information of two columns as a share of their entropies."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.data.binning import cut
from altsel.data.columns import codes, numbers
from altsel.data.dataset import Dataset
from altsel.data.scanning import Statistics
from altsel.errors import ArgumentError, checked_integer, flags
from altsel.stats.dependence.in_parts import in_parts
from altsel.stats.dependence.information import DEBIASED, ROUNDING, checked_pair, cut_at_0
from altsel.stats.dependence.of_counts import chance_information, features_of, information
from altsel.stats.discrete.coding import coded
from altsel.stats.discrete.entropies import Coded, chance_table, mutual_information_table


@dataclass(frozen=True)
class SymmetricUncertainty:
    """Symmetric uncertainty ``SU(A, B) = 2 I(A; B) / (H(A) + H(B))`` (UV 2.2), above chance, in [0, 1].

    With ``E[I]`` the mean of I over all orders of one column's rows it is
    ``(I - E[I]) / ((H(A) + H(B)) / 2 - E[I])``, at least 0: the adjusted mutual information. It is 1 for two
    copies and 0 in the mean for independent columns, however many levels they have; SU itself rewards many.

    It is defined for discrete columns; others are cut into bins of equal frequency.
    Two constant columns have 0, and so has an identifier, whose I no other order would change.

    Parameters
    ----------
    bins
        Number of equal-frequency bins of a column that is not discrete, and of a numeric target.
    debiased
        Whether what chance gives is subtracted; if not, it is SU.

    References
    ----------
    Yu, Liu and Li (2021), section 2.2; Vinh, Epps and Bailey, Journal of Machine Learning Research 11 (2010),
    equation 25 with the mean of the entropies.

    Examples
    --------
    >>> from altsel.measures import symmetric_uncertainty
    >>> a, b = [0, 0, 1, 1], [1, 1, 0, 1]
    >>> symmetric_uncertainty(a, a), round(symmetric_uncertainty(a, b), 4)
    (1.0, 0.0)
    >>> round(SymmetricUncertainty(debiased=False)(a, b), 4)  # of such margins chance gives as much
    0.3437
    """

    bins: int = 10
    debiased: bool = True
    by_level = False
    not_negative = True

    def __post_init__(self) -> None:
        checked_integer("bins", self.bins, 1)
        flags(debiased=self.debiased)

    @property
    def name(self) -> str:
        """Name with the number of bins, which are part of the definition."""
        return f"symmetric uncertainty{DEBIASED * self.debiased} ({self.bins} bins for continuous columns)"

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Symmetric uncertainty of two columns, each judged discrete or not as in a `Dataset`."""
        first, second = (
            codes(column) if flat else self._cut(numbers(column)) for column, flat in checked_pair(a, b)
        )
        return float(self._table(Coded([first]), Coded([second]))[0, 0])

    @in_parts
    def relevance(self, data: Dataset) -> FloatArray:
        """Symmetric uncertainty of each feature and the target."""
        target = codes(data.y) if data.discrete_target else self._cut(numbers(data.y))
        return self._table(self._binned(data), Coded([target]))[:, 0]

    def redundancy(self, data: Dataset) -> FloatArray:
        """Symmetric uncertainty of each pair of features."""
        coded = self._binned(data)
        return self._table(coded, coded)

    def name_of(self, statistics: Statistics) -> str:
        """Name with the number of bins that the scan has."""
        return self.name if statistics.bins is None else replace(self, bins=statistics.bins).name

    def relevance_of(self, statistics: Statistics) -> FloatArray:
        """Symmetric uncertainty of each feature and the target, from counts."""
        return self._counted(statistics)[:-1, -1]

    def redundancy_of(self, statistics: Statistics) -> FloatArray:
        """Symmetric uncertainty of each pair of features, from counts."""
        return features_of(statistics, self._counted(statistics))

    def _counted(self, statistics: Statistics) -> FloatArray:
        shared, own = information(
            statistics, "symmetric uncertainty", f", or bins={self.bins} for what it has in memory"
        )
        total = own[:, None] + (own if statistics.pairs else own[-1:])
        return _share(shared, total, chance_information(statistics) if self.debiased else None)

    def _table(self, first: Coded, second: Coded) -> FloatArray:
        """Symmetric uncertainty of two groups of columns."""
        shared = mutual_information_table(first, second)
        total = first.entropies[:, None] + second.entropies[None, :]
        return _share(shared, total, chance_table(first, second) if self.debiased else None)

    def _binned(self, data: Dataset) -> Coded:
        if self.bins < 2 and not data.discrete().all():
            raise self._too_few()
        return Coded(list(coded(data, self.bins)))

    def _cut(self, values: FloatArray) -> IntArray:
        if self.bins < 2:
            raise self._too_few()
        return cut(values, self.bins)

    def _too_few(self) -> ArgumentError:
        return ArgumentError(f"bins={self.bins}; use at least 2")


def _share(shared: FloatArray, total: FloatArray, chance: FloatArray | None) -> FloatArray:
    """Divide information by the mean of the entropies; of both what is above chance, if that is given."""
    if chance is not None:
        shared, total = cut_at_0(shared, chance), total - 2 * chance
    there = total > ROUNDING
    return np.minimum(np.divide(2 * shared, total, out=np.zeros_like(shared), where=there), 1.0)


symmetric_uncertainty = SymmetricUncertainty()
