"""Mutual information."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data.columns import codes, is_discrete, kind_of, normal, numbers
from altsel.data.dataset import Dataset
from altsel.data.intake.blocks import matrix
from altsel.data.scanning import Statistics
from altsel.data.scanning.scan import refuse_rows
from altsel.errors import ArgumentError, DataError, checked_integer, flags
from altsel.parallel import checked_jobs
from altsel.stats.dependence.in_parts import in_parts
from altsel.stats.dependence.measure import Caveats
from altsel.stats.dependence.neighbours import Neighbours
from altsel.stats.dependence.of_counts import chance_information, features_of, information
from altsel.stats.discrete.coding import coded_columns
from altsel.stats.discrete.entropies import Coded, chance_table, mutual_information_table

LARGEST_SEED = 2**32 - 1
DEBIASED = ", debiased"
"""What the name of an estimate says if what chance gives is subtracted."""
ROUNDING = 1e-12
"""Information of less, in nats, is rounding."""


@dataclass(frozen=True)
class MutualInformation:
    r"""Mutual information ``I(A; B) = H(A) + H(B) - H(A, B)``, in nats.

    Two discrete columns: the plug-in estimate from observed frequencies, less its mean over all orders of
    one column's rows, at least 0: ``max(I - E[I], 0)``. The plug-in estimate is above 0 for independent
    columns, by about ``(A - 1)(B - 1) / 2n`` for A and B levels, so that a category of many levels would win.
    What no sample could tell from noise, such as an identifier, has 0. The mean is that of hypergeometric
    counts, as in adjusted mutual information; its error is below 1e-5 nats.

    Otherwise estimates by nearest neighbours, which have no such bias (of 600 rows and 200 levels of noise
    the mean is within .01 nats of 0, a third of the standard deviation): those of Kraskov et al. (2004) for
    two numbers and of Ross (2014) for a number and classes, with noise of 1e-10 that breaks ties:
    ``random_state`` makes that repeatable. A pair is always estimated in the same direction, so the measure
    is exactly symmetric and does not depend on the order of columns. Values are those of scikit-learn's
    ``mutual_info_regression`` and ``mutual_info_classif`` to 1e-12, but where a class has 2 to
    ``2 * neighbors + 1`` rows: scikit-learn rounds the distances in these, so that the last neighbour counts
    or does not by chance.

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
    debiased
        Whether what chance gives is subtracted; if not, two discrete columns have the plug-in estimate.

    Raises
    ------
    ArgumentError
        If `neighbors` is no integer of at least 1, `random_state` no seed, or `n_jobs` no number of workers.

    References
    ----------
    Kraskov, Stögbauer and Grassberger, Physical Review E 69 (2004), 066138; Ross, PLoS ONE 9 (2014), e87357;
    Vinh, Epps and Bailey, Journal of Machine Learning Research 11 (2010), on the mean; Miller, Information
    Theory in Psychology (1955), on the bias.

    Examples
    --------
    >>> from altsel.measures import mutual_information
    >>> a = [0, 0, 1, 1]
    >>> round(MutualInformation(debiased=False)(a, a), 4), round(mutual_information(a, a), 4)
    (0.6931, 0.4621)
    >>> mutual_information(a, ["n1", "n2", "n3", "n4"])  # any order would tell as much
    0.0
    """

    neighbors: int = 3
    random_state: int = 0
    discrete: bool = True
    n_jobs: int | None = field(default=None, compare=False)
    debiased: bool = True
    by_level = False
    not_negative = True

    def __post_init__(self) -> None:
        checked_integer("neighbors", self.neighbors, 1)
        flags(discrete=self.discrete, debiased=self.debiased)
        checked_jobs(self.n_jobs)
        if checked_integer("random_state", self.random_state, 0) > LARGEST_SEED:
            raise ArgumentError(f"random_state={self.random_state}; use an integer of at most {LARGEST_SEED}")

    @property
    def name(self) -> str:
        """Name, with the estimate of discrete features."""
        if not self.discrete:
            return "mutual information (all features as numbers)"
        return "mutual information" + DEBIASED * self.debiased

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Mutual information of two columns, each judged discrete or not as in a `Dataset`."""
        (first, flat), (second, even) = checked_pair(a, b)
        flat, even = flat and self.discrete, even and self.discrete
        if flat and even:
            return float(self._table(Coded([codes(first)]), Coded([codes(second)]))[0, 0])
        columns, discrete = numbers(first)[None], np.array([flat])
        return float(self._neighbours.relevances(columns, discrete, numbers(second), even)[0])

    def caveats(self, data: Dataset) -> Caveats:
        """Information has as many scales as columns have entropies, and a number's of itself is infinite."""
        numeric = ~self._discrete(data)
        return Caveats(tuple(name for name, one in zip(data.features, numeric, strict=True) if one), True)

    def _discrete(self, data: Dataset) -> BoolArray:
        return np.asarray(data.discrete() & self.discrete)

    @in_parts
    def relevance(self, data: Dataset) -> FloatArray:
        """Mutual information of each feature and the target."""
        discrete, rest = self._discrete(data), np.ones(len(data.features), dtype=bool)
        result = np.zeros(len(rest))
        if data.discrete_target and discrete.any():
            table = self._table(_coded(data, discrete), Coded([codes(data.y)]))
            result[discrete], rest = table[:, 0], ~discrete
        if rest.any():
            columns = np.ascontiguousarray(matrix(data.X.loc[:, rest]).T)
            target, classes = data.target_values(), data.discrete_target
            result[rest] = self._neighbours.relevances(columns, discrete[rest], target, classes)
        return result

    def redundancy(self, data: Dataset) -> FloatArray:
        """Mutual information of each pair of features; a discrete column with itself: of two copies."""
        discrete = self._discrete(data)
        table = np.zeros((len(discrete), len(discrete)))
        if not discrete.all():
            table = self._neighbours.redundancies(np.ascontiguousarray(data.matrix().T), discrete)
        if discrete.any():
            coded = _coded(data, discrete)
            table[np.ix_(discrete, discrete)] = self._table(coded, coded)
        return table

    def _table(self, first: Coded, second: Coded) -> FloatArray:
        """Information of two groups of discrete columns."""
        shared = mutual_information_table(first, second)
        return cut_at_0(shared, chance_table(first, second)) if self.debiased else shared

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
        shared, _ = information(statistics, "mutual information")
        return cut_at_0(shared, chance_information(statistics)) if self.debiased else shared

    @property
    def _neighbours(self) -> Neighbours:
        return Neighbours(self.neighbors, self.random_state, self.n_jobs)


def _coded(data: Dataset, chosen: BoolArray) -> Coded:
    kinds = [data.kinds[data.features[j]] for j in np.flatnonzero(chosen)]
    return Coded(list(coded_columns(data.X.loc[:, chosen], kinds, 2)))


def cut_at_0(shared: FloatArray, chance: FloatArray) -> FloatArray:
    """Subtract what chance gives; less than that is 0: noise can be, and criteria meet no negative number."""
    left = shared - chance
    return np.where(left > ROUNDING, left, 0.0)


def checked_pair(a: npt.ArrayLike, b: npt.ArrayLike) -> list[tuple[pd.Series[Any], bool]]:
    """Check two columns; tell of each whether it is discrete. In a fixed order, so that I(A; B) = I(B; A)."""
    shapes = [np.shape(a), np.shape(b)]
    if shapes[0] != shapes[1] or len(shapes[0]) != 1 or not shapes[0][0]:
        raise DataError(f"two columns of the same length are needed, not shapes {shapes[0]} and {shapes[1]}")
    pair = [normal(pd.Series(np.asarray(column))) for column in (a, b)]
    pair.sort(key=lambda column: numbers(column).tobytes())
    return [(column, is_discrete(column, kind_of(column))) for column in pair]


mutual_information = MutualInformation()
