"""Criteria of relevances and redundancies; of very many features pairs are measured where they are needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataWarning
from altsel.models.objective import Kind, Objective
from altsel.runtime.caller import warn_caller
from altsel.runtime.memory import require, tables
from altsel.stats.dependence import Dependence, dependence
from altsel.stats.dependence.pairs import MeasuredPairs

MEASURED, SEARCHED = 3, 7
"""Tables of all pairs held once measured, and in a search by branch and bound; found by measuring."""
FEWER = "choose among fewer features first, such as the best by altsel.Univariate"
WIDE = 5_000
"""Features above which pairs are measured where they are needed, and not all beforehand."""


class PairCriterion(Objective):
    """A criterion that does not fall where a relevance rises, nor where a redundancy falls.

    So a feature that is as relevant as any that is left out, and redundant to none, bounds all of these: see
    `relaxed`, and `altsel.exact.stages.screening`, which rests on it.

    Attributes
    ----------
    pairs
        Measures redundancies where those of all pairs are not held; None where they are.
    """

    relevance: FloatArray
    pairs: MeasuredPairs | None = None

    @property
    def wide(self) -> bool:
        """Whether the redundancies of all pairs are not held."""
        return self.pairs is not None

    @property
    def redundancy(self) -> FloatArray:
        """Redundancy of each pair; where these are not held all are measured, at first use.

        Raises
        ------
        ArgumentError
            If a search on them would need more memory than is available.
        """
        if "_table" not in self.__dict__:
            _require_memory(type(self), len(self.features))
            self.__dict__["_table"] = self.redundancy_among(np.arange(len(self.features)))
        table: FloatArray = self.__dict__["_table"]
        return table

    def redundancy_among(self, inside: IntArray) -> FloatArray:
        """Return the redundancies of some features, by their indices in ascending order."""
        if self.pairs is None or "_table" in self.__dict__:
            return np.asarray(self.redundancy[np.ix_(inside, inside)])
        return self._checked(self.pairs.among(inside), [self.features[j] for j in inside.tolist()])

    def _checked(self, table: FloatArray, names: list[str]) -> FloatArray:
        """Return redundancies as the criterion uses them, or refuse them."""
        del names
        return table

    def _take_pairs(self, given: Dependence, whole: bool = False) -> None:
        """Hold the redundancies given, or what measures them where there are very many.

        `whole` tells that the criterion needs those of all pairs.
        """
        if _is_wide(given, whole):
            object.__setattr__(self, "pairs", given.pairs)
            return
        lent = isinstance(given._redundancy, pd.DataFrame)  # whose owner may write to it
        table = given.redundancy.to_numpy(dtype=float, copy=lent)
        self.__dict__["_table"] = self._checked(table, list(given.relevance.index))

    def with_redundancy(self, relevance: FloatArray, redundancy: FloatArray) -> Self:
        """Return the same criterion of these numbers."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, relevance=relevance, _table=redundancy, pairs=None)
        return copy

    def best_outside(self, inside: IntArray, most: int) -> FloatArray:
        """Return the largest relevances of features that are not among some, descending."""
        return np.sort(np.delete(self.relevance, inside))[::-1][:most]

    def relaxed(self, inside: IntArray, ideal: FloatArray) -> Self:
        """Return the criterion of some features, and of ideal ones that are redundant to none.

        Let U be the features inside, and the ideal ones have the m largest relevances of all outside U. Any
        set s of at most m features outside U scores at most what it does once these are exchanged, the most
        relevant for the ideal feature of the largest relevance, and so on: no relevance falls, and no
        redundancy rises, as none is below 0. So the best score over U and the ideal features is a bound on
        all sets, and if a best set holds no ideal feature, it is one of the best of all.

        Parameters
        ----------
        inside
            Indices of features, ascending.
        ideal
            Relevances of the ideal features: see `best_outside`.
        """
        names = [*(self.features[j] for j in inside.tolist()), *ideal_names(len(ideal))]
        count = len(inside)
        table = np.zeros((len(names), len(names)))
        table[:count, :count] = self.redundancy_among(inside)
        relevance = pd.Series(np.concatenate([self.relevance[inside], ideal]), index=names)
        make: Callable[..., Self] = type(self)
        other = make(Dependence(relevance, table), **self.settings)
        for name in ("name", "target", "seed", "fingerprint"):
            object.__setattr__(other, name, getattr(self, name))
        return other

    def ideal_bound(self, sizes: tuple[int, int]) -> float:
        """Bound all sets by those of ideal features alone."""
        ideal = self.best_outside(np.zeros(0, dtype=np.int64), sizes[1])
        everything = self.relaxed(np.zeros(0, dtype=np.int64), ideal)
        ranks = np.arange(sizes[1])
        return max(everything.score(ranks < size) for size in range(sizes[0], sizes[1] + 1))


def ideal_names(count: int) -> list[str]:
    r"""Return names of ideal features, which no feature of a table has.

    Examples
    --------
    >>> ideal_names(1)
    ['any other feature \x00 1']
    """
    return [f"any other feature \0 {number + 1}" for number in range(count)]


def of_pairs(criterion: type[Objective], given: Any, whole: bool = False) -> Dependence:
    """Return relevances and redundancies for a criterion of pairs: those given, or of a data set.

    `whole` tells that it needs those of all pairs, however many.

    Raises
    ------
    ArgumentError
        If it is neither; says how to make them. If a search would need more memory than is available.
    """
    name = criterion.__name__
    if isinstance(given, Dataset):
        measured = getattr(criterion.default_measure, "not_negative", False)
        if whole or not measured or len(given.features) <= WIDE:
            _require_memory(criterion, len(given.features))
        given = dependence(given, criterion=criterion)
    if not isinstance(given, Dependence):
        kind = type(given).__name__
        raise ArgumentError(
            f"{name} needs relevances and redundancies, not a {kind}: give the Dataset, "
            f"altsel.dependence(data, criterion=altsel.{name}), or altsel.Dependence(relevance, redundancy) "
            "for numbers of your own"
        )
    if _is_wide(given, whole):
        return given
    _require_memory(criterion, len(given.relevance), MEASURED if "redundancy" in vars(given) else 0)
    if given.caveats.several_scales:
        _compare_scales(name, given)
    return given


def _is_wide(given: Dependence, whole: bool) -> bool:
    """Return whether there are so many features that pairs are to be measured where they are needed."""
    can = given.pairs is not None and given.pairs.not_negative and "redundancy" not in vars(given)
    return can and not whole and len(given.relevance) > WIDE


def _require_memory(criterion: type[Objective], features: int, held: int = 0) -> None:
    """Refuse a criterion of pairs for which there is not enough memory, before pairs are measured."""
    searched = criterion.kind in {Kind.QUADRATIC, Kind.RATIO}
    needed, what = tables(features, (SEARCHED if searched else MEASURED + 1) - held)
    require(needed, f"{criterion.__name__}: {what}", FEWER)


def _compare_scales(name: str, given: Dependence) -> None:
    """Warn where redundancies are so much larger than relevances that they alone decide."""
    pairs = given.redundancy.to_numpy()[np.triu_indices(len(given.relevance), 1)]
    largest = float(given.relevance.max())
    if len(pairs) and (median := float(np.median(pairs))) > largest:
        warn_caller(
            f"{name}: relevances and redundancies are on different scales: relevances are at most "
            f"{largest:.2g}, half of the redundancies above {median:.2g}, by {given.measure}; the "
            "redundancies decide. One scale for both has altsel.measures.symmetric_uncertainty "
            "(--measure symmetric-uncertainty)",
            DataWarning,
        )
