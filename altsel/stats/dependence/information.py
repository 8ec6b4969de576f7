"""Mutual information and symmetric uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.binning import cut
from altsel.data.columns import codes, is_discrete, kind_of, normal, numbers
from altsel.data.dataset import Dataset
from altsel.data.intake.blocks import matrix
from altsel.data.scanning import Statistics
from altsel.data.scanning.scan import refuse_rows
from altsel.errors import ArgumentError, DataError, checked_integer, flags
from altsel.parallel import checked_jobs
from altsel.stats.dependence.measure import Caveats
from altsel.stats.dependence.neighbours import Neighbours
from altsel.stats.dependence.of_counts import features_of, information
from altsel.stats.discrete.coding import coded, coded_columns
from altsel.stats.discrete.entropies import Coded, mutual_information_table

LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class MutualInformation:
    r"""Mutual information ``I(A; B) = H(A) + H(B) - H(A, B)``, in nats.

    Two discrete columns: the plug-in estimate from observed frequencies. Otherwise estimates by nearest
    neighbours, those of Kraskov et al. (2004) for two numbers and of Ross (2014) for a number and classes,
    with noise of 1e-10 that breaks ties: ``random_state`` makes that repeatable. A pair is
    always estimated in the same direction, so the measure is exactly symmetric and does
    not depend on the order of columns. Values are those of scikit-learn's ``mutual_info_regression`` and
    ``mutual_info_classif`` to 1e-12, but where a class has 2 to ``2 * neighbors + 1`` rows: scikit-learn
    rounds the distances in these, so that the last neighbour counts or does not by chance.

    Many pairs of numbers take a fraction of the time with numba (``pip install "altsel[fast]"``).

    Parameters
    ----------
    neighbors
        Number of neighbours for continuous columns; in tables of fewer rows, all others.
    random_state
        Seed of the tie-breaking noise.
    discrete
        Whether discrete features are taken as such. If not, integers, codes and categories are taken
        for numbers and every feature is estimated by neighbours, as in AFS 5.2.1; target classes stay so.
    n_jobs
        Workers for estimates by neighbours; -1: one for each core. Default: those of the
        ``joblib.parallel_config`` in force, else 1. They are threads unless that names another backend.
        No value depends on it.

    Raises
    ------
    ArgumentError
        If `neighbors` is no integer of at least 1, `random_state` no seed, or `n_jobs` no number of workers.

    References
    ----------
    Kraskov, Stögbauer and Grassberger, Physical Review E 69 (2004), 066138; Ross, PLoS ONE 9 (2014), e87357.

    Examples
    --------
    >>> from altsel.measures import mutual_information
    >>> round(mutual_information([0, 0, 1, 1], [1, 1, 0, 0]), 4)
    0.6931
    """

    neighbors: int = 3
    random_state: int = 0
    discrete: bool = True
    n_jobs: int | None = field(default=None, compare=False)
    by_level = False

    def __post_init__(self) -> None:
        checked_integer("neighbors", self.neighbors, 1)
        flags(discrete=self.discrete)
        checked_jobs(self.n_jobs)
        if checked_integer("random_state", self.random_state, 0) > LARGEST_SEED:
            raise ArgumentError(f"random_state={self.random_state}; use an integer of at most {LARGEST_SEED}")

    @property
    def name(self) -> str:
        """Name, with the estimate of discrete features if it is not the usual one."""
        return "mutual information" + ("" if self.discrete else " (all features as numbers)")

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Mutual information of two columns, each judged discrete or not as in a `Dataset`."""
        (first, flat), (second, even) = _pair(a, b)
        flat, even = flat and self.discrete, even and self.discrete
        if flat and even:
            return float(mutual_information_table(Coded([codes(first)]), Coded([codes(second)]))[0, 0])
        columns, discrete = numbers(first)[None], np.array([flat])
        return float(self._neighbours.relevances(columns, discrete, numbers(second), even)[0])

    def caveats(self, data: Dataset) -> Caveats:
        """Information has as many scales as columns have entropies, and a number's of itself is infinite."""
        numeric = ~self._discrete(data)
        return Caveats(tuple(name for name, one in zip(data.features, numeric, strict=True) if one), True)

    def _discrete(self, data: Dataset) -> BoolArray:
        return np.asarray(data.discrete() & self.discrete)

    def relevance(self, data: Dataset) -> FloatArray:
        """Mutual information of each feature and the target."""
        discrete, rest = self._discrete(data), np.ones(len(data.features), dtype=bool)
        result = np.zeros(len(rest))
        if data.discrete_target and discrete.any():
            table = mutual_information_table(_coded(data, discrete), Coded([codes(data.y)]))
            result[discrete], rest = table[:, 0], ~discrete
        if rest.any():
            columns = np.ascontiguousarray(matrix(data.X.loc[:, rest]).T)
            target, classes = data.target_values(), data.discrete_target
            result[rest] = self._neighbours.relevances(columns, discrete[rest], target, classes)
        return result

    def redundancy(self, data: Dataset) -> FloatArray:
        """Mutual information of each pair of features; a column with itself: its entropy if discrete."""
        discrete = self._discrete(data)
        table = np.zeros((len(discrete), len(discrete)))
        if not discrete.all():
            table = self._neighbours.redundancies(np.ascontiguousarray(data.matrix().T), discrete)
        if discrete.any():
            coded = _coded(data, discrete)
            table[np.ix_(discrete, discrete)] = mutual_information_table(coded, coded)
        return table

    def name_of(self, statistics: Statistics) -> str:
        """Name, with the bins of numbers."""
        return self.name + (
            "" if statistics.bins is None else f" ({statistics.bins} bins for continuous columns)"
        )

    def relevance_of(self, statistics: Statistics) -> FloatArray:
        """Mutual information of each feature and the target, from counts."""
        return self._counted(statistics)[:-1, -1]

    def redundancy_of(self, statistics: Statistics) -> FloatArray:
        """Mutual information of each pair of features, from counts."""
        return features_of(statistics, self._counted(statistics))

    def _counted(self, statistics: Statistics) -> FloatArray:
        if not self.discrete:
            refuse_rows(self.name)
        return information(statistics, "mutual information")[0]

    @property
    def _neighbours(self) -> Neighbours:
        return Neighbours(self.neighbors, self.random_state, self.n_jobs)


@dataclass(frozen=True)
class SymmetricUncertainty:
    """Symmetric uncertainty ``SU(A, B) = 2 I(A; B) / (H(A) + H(B))``, in [0, 1] (UV 2.2).

    It is defined for discrete columns; others are cut into bins of equal frequency.
    Two constant columns have SU 0.

    Parameters
    ----------
    bins
        Number of equal-frequency bins of a column that is not discrete, and of a numeric target.

    Examples
    --------
    >>> from altsel.measures import symmetric_uncertainty
    >>> symmetric_uncertainty([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    """

    bins: int = 10
    by_level = False

    @property
    def name(self) -> str:
        """Name with the number of bins, which are part of the definition."""
        return f"symmetric uncertainty ({self.bins} bins for continuous columns)"

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Symmetric uncertainty of two columns, each judged discrete or not as in a `Dataset`."""
        first, second = (
            codes(column) if flat else self._cut(numbers(column)) for column, flat in _pair(a, b)
        )
        return float(_uncertainty(Coded([first]), Coded([second]))[0, 0])

    def relevance(self, data: Dataset) -> FloatArray:
        """Symmetric uncertainty of each feature and the target."""
        target = codes(data.y) if data.discrete_target else self._cut(numbers(data.y))
        return _uncertainty(self._binned(data), Coded([target]))[:, 0]

    def redundancy(self, data: Dataset) -> FloatArray:
        """Symmetric uncertainty of each pair of features."""
        coded = self._binned(data)
        return _uncertainty(coded, coded)

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
        return _share(shared, own[:, None] + (own if statistics.pairs else own[-1:]))

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


def _uncertainty(first: Coded, second: Coded) -> FloatArray:
    return _share(
        mutual_information_table(first, second), first.entropies[:, None] + second.entropies[None, :]
    )


def _share(shared: FloatArray, total: FloatArray) -> FloatArray:
    return np.minimum(np.divide(2 * shared, total, out=np.zeros_like(shared), where=total > 0), 1.0)


def _coded(data: Dataset, chosen: BoolArray) -> Coded:
    kinds = [data.kinds[data.features[j]] for j in np.flatnonzero(chosen)]
    return Coded(list(coded_columns(data.X.loc[:, chosen], kinds, 2)))


def _pair(a: npt.ArrayLike, b: npt.ArrayLike) -> list[tuple[pd.Series[Any], bool]]:
    """Check two columns; tell of each whether it is discrete. In a fixed order, so that I(A; B) = I(B; A)."""
    shapes = [np.shape(a), np.shape(b)]
    if shapes[0] != shapes[1] or len(shapes[0]) != 1 or not shapes[0][0]:
        raise DataError(f"two columns of the same length are needed, not shapes {shapes[0]} and {shapes[1]}")
    pair = [normal(pd.Series(np.asarray(column))) for column in (a, b)]
    pair.sort(key=lambda column: numbers(column).tobytes())
    return [(column, is_discrete(column, kind_of(column))) for column in pair]


mutual_information = MutualInformation()
symmetric_uncertainty = SymmetricUncertainty()
