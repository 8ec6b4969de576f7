"""FCBF as a constrained problem: the most relevant features none of which is redundant to another."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import fsum
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.models.clipping import needed_loss
from altsel.models.cliques import OneOfEach, clique_cover, core
from altsel.models.objective import Kind, Objective, SizedBy, describe
from altsel.models.pair_criterion import PairCriterion, of_pairs
from altsel.models.univariate import Univariate
from altsel.pyomo_on_demand import pyo
from altsel.stats.dependence import Dependence, symmetric_uncertainty


@dataclass(frozen=True, init=False, eq=False)
class FCBF(PairCriterion):
    """Sum of relevances of features that predominate: AFS eq. fcbf, after Yu and Liu (2003).

    ``max sum_j q(X_j, y) s_j`` subject to ``q(X_i, X_j) < min(q(X_i, y), q(X_j, y))`` for all
    *selected* pairs i, j. (Read literally, the paper's ``q(X_i, X_j) s_i s_j < q(X_i, y)`` also
    binds pairs that are not selected, ``0 < q(X_i, y)``: one feature without relevance would
    make everything infeasible. Here such a feature just cannot share a set with another.)

    Encoding: pairs that violate the condition are conflicts, covered by cliques
    ``sum_{j in C} x_j <= 1``; features with too few compatible partners are fixed to 0.

    Parameters
    ----------
    dependence
        Relevance and redundancy by one measure with one scale for both, such as symmetric
        uncertainty, with which FCBF is defined and which is used for a data set. By mutual information,
        numbers that are only a little dependent exclude each other, as pairs have larger values than
        relevances for few classes can have.

    Examples
    --------
    >>> import pandas as pd
    >>> q = pd.Series({"a": 0.5, "b": 0.4, "c": 0.3})
    >>> r = pd.DataFrame([[1, 0.45, 0.1], [0.45, 1, 0.1], [0.1, 0.1, 1]], index=q.index, columns=q.index)
    >>> quality = FCBF(Dependence(q, r))
    >>> [bool(quality.is_feasible(np.array(mask))) for mask in ([1, 1, 0], [1, 0, 1])]
    [False, True]
    """

    kind = Kind.QUADRATIC
    exchangeable = True
    sized_by = SizedBy.NOISE
    default_measure = symmetric_uncertainty

    features: tuple[str, ...]
    relevance: FloatArray = field(repr=False)
    name: str
    target: str | None
    seed: int | None
    fingerprint: str | None

    def __init__(self, dependence: Dependence | Dataset) -> None:
        dependence = of_pairs(type(self), dependence)
        object.__setattr__(self, "relevance", dependence.relevance.to_numpy(dtype=float, copy=True))
        self._take_pairs(dependence)
        if not self.wide and not self.conflict.any():
            object.__setattr__(self, "kind", Kind.SUM)
        describe(self, dependence, "FCBF")

    @cached_property
    def conflict(self) -> BoolArray:  # type: ignore[override]
        """Pairs that exclude each other."""
        return _conflicts(self.redundancy, self.relevance)

    def with_relevance(self, relevance: FloatArray) -> Objective:
        """Return the criterion with other relevances, and the conflicts that follow from them."""
        if self.wide:
            return super().with_relevance(relevance)
        names = list(self.features)
        table = pd.DataFrame(self.redundancy, index=names, columns=names)
        return FCBF(Dependence(pd.Series(relevance, index=names), table))

    @property
    def weights(self) -> FloatArray:
        """The relevances, as the weights of a plain sum."""
        return self.relevance

    def score(self, mask: BoolArray) -> float:
        """Sum the relevances of a set, predominant or not."""
        return fsum(self.relevance[np.asarray(mask, dtype=bool)])

    def is_feasible(self, mask: BoolArray) -> bool:
        """Return whether all features of a set predominate."""
        inside = np.flatnonzero(mask)
        if not self.wide:
            return not self.conflict[np.ix_(inside, inside)].any()
        return not _conflicts(self.redundancy_among(inside), self.relevance[inside]).any()

    @cached_property
    def conditional(self) -> bool:
        """Whether any two features exclude each other, or may do so."""
        return self.wide or bool(self.conflict.any())

    @property
    def as_sum(self) -> tuple[Objective, Any]:
        """The sum of all relevances, and a rule that leaves one feature a clique."""
        relevance = pd.Series(self.relevance, index=list(self.features))
        return Univariate(relevance), self._one_of_each

    def scores(self, members: IntArray) -> FloatArray:
        """Score many sets at once, shape (sets, k); -inf for those not feasible."""
        clash = np.zeros(len(members), dtype=bool)
        for i, j in combinations(range(members.shape[1]), 2):
            clash |= self.conflict[members[:, i], members[:, j]]
        return np.where(clash, -np.inf, self.relevance[members].sum(axis=1))

    def exchanged(self, members: IntArray) -> FloatArray:
        """Sum the relevances of all sets with one feature exchanged."""
        total = self.relevance[members].sum()
        return np.asarray(total + self.relevance[None, :] - self.relevance[members][:, None])

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write the sum with infinite redundancy between features that exclude each other."""
        del k
        return self.relevance, np.where(self.conflict, np.inf, 0.0)

    def clipped(self, level: float, sizes: tuple[int, int]) -> FCBF:
        """Reduce relevance that keeps a set below a level to what that takes; see `needed_loss`."""
        if self.relevance.min() >= 0:
            return self
        none = np.zeros((len(self.relevance), 1))
        needed = max(needed_loss(self.relevance, none, m, level) for m in range(sizes[0], sizes[1] + 1))
        if self.relevance.min() >= -needed:
            return self
        copy = object.__new__(FCBF)
        copy.__dict__.update(self.__dict__, relevance=np.maximum(self.relevance, -needed))
        copy.__dict__.pop("_weight_of", None)
        return copy

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add the sum and one row a clique to the block."""
        weight = dict(zip(self.features, self.relevance.tolist(), strict=True))
        block.quality = pyo.Expression(expr=pyo.quicksum(weight[f] * x for f, x in block.x.items()))
        possible = core(self.conflict, sizes[0])
        for j in np.flatnonzero(~possible):
            block.x[self.features[j]].fix(0)
        self._one_of_each(block)  # those that cannot be in a set too: a rule may fix one of them to 1

    @cached_property
    def _one_of_each(self) -> OneOfEach:
        return OneOfEach(self.features, clique_cover(self.conflict))


def _conflicts(redundancy: FloatArray, relevance: FloatArray) -> BoolArray:
    """Return which pairs are as redundant as the less relevant of the two is relevant."""
    conflict = redundancy >= np.minimum(relevance[:, None], relevance[None, :])
    np.fill_diagonal(conflict, val=False)
    return np.asarray(conflict | conflict.T)
