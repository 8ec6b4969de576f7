"""Univariate filter: the sum of the features' relevances."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import flags
from altsel.models.clipping import needed_loss
from altsel.models.objective import Kind, Objective, SizedBy
from altsel.pyomo_on_demand import pyo
from altsel.stats.dependence import Dependence, dependence
from altsel.stats.dependence.given import named_numbers


@dataclass(frozen=True, init=False, eq=False)
class Univariate(Objective):
    """Univariate filter objective ``Q(s) = sum_j q(X_j, y) s_j`` (AFS eq. univariate-filter).

    Linear in the selection, so its model has no further variable or row.

    Parameters
    ----------
    relevance
        A `Dependence`, a Series (names in the index), an array (names ``x0``, ``x1``, …), with
        one finite number a feature, of any sign; or a data set, whose association is used.
    normalised
        Whether to divide by the sum of all relevances, so that all features together have quality 1 (AFS
        5.2.1).

    Raises
    ------
    DataError
        If a number is missing or infinite, or a name is empty or twice.

    Examples
    --------
    >>> quality = Univariate([0.4, 0.3, 0.1])
    >>> quality.score(np.array([True, False, True]))
    0.5
    """

    kind = Kind.SUM
    exchangeable = True
    sized_by = SizedBy.NOISE

    features: tuple[str, ...]
    relevance: FloatArray = field(repr=False)
    name: str
    target: str | None
    seed: int | None
    fingerprint: str | None

    def __init__(self, relevance: Any, *, normalised: bool = False) -> None:
        flags(normalised=normalised)
        if isinstance(relevance, Dataset):
            relevance = dependence(relevance, criterion=type(self))
        if normalised and not isinstance(relevance, Dependence):
            relevance = Dependence(relevance)
        given = relevance if isinstance(relevance, Dependence) else None
        if given and normalised:
            given = given.normalized()
        numbers = given.relevance if given else named_numbers(relevance)
        weights = numbers.to_numpy(dtype=float, copy=True)
        weights.setflags(write=False)
        object.__setattr__(self, "features", tuple(numbers.index))
        object.__setattr__(self, "relevance", weights)
        object.__setattr__(self, "name", f"sum of {given.measure if given else 'given numbers'}")
        object.__setattr__(self, "target", given.target if given else None)
        object.__setattr__(self, "seed", given.seed if given else None)
        object.__setattr__(self, "fingerprint", given.fingerprint if given else None)
        object.__setattr__(self, "members", given.members if given else {})
        object.__setattr__(self, "absent", given.absent if given else {})

    def score(self, mask: BoolArray) -> float:
        """Sum the relevances of a set, correctly rounded, so in any order the same."""
        return fsum(self.weights[mask])

    def scores(self, members: IntArray) -> FloatArray:
        """Score many sets at once, given by the indices of their features, shape (sets, k)."""
        return np.asarray(self.weights[members].sum(axis=1))

    @property
    def weights(self) -> FloatArray:
        """The relevances, as the weights of a plain sum."""
        return self.relevance

    def exchanged(self, members: IntArray) -> FloatArray:
        """Sum the relevances of all sets with one feature exchanged."""
        total = self.weights[members].sum()
        return np.asarray(total + self.weights[None, :] - self.weights[members][:, None])

    def clipped(self, level: float, sizes: tuple[int, int]) -> Univariate:
        """Reduce weights that keep a set below a level to what that takes; see `needed_loss`."""
        if self.weights.min() >= 0:
            return self
        none = np.zeros((len(self.weights), 1))
        needed = max(needed_loss(self.weights, none, m, level) for m in range(sizes[0], sizes[1] + 1))
        if self.weights.min() >= -needed:
            return self
        copy = object.__new__(Univariate)
        copy.__dict__.update(self.__dict__, relevance=np.maximum(self.weights, -needed))
        copy.__dict__.pop("_weight_of", None)
        return copy

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add ``quality = sum_j q_j x_j`` to the block."""
        del sizes
        weight = self._weight_of
        block.quality = pyo.Expression(expr=pyo.quicksum(weight[f] * x for f, x in block.x.items()))

    @cached_property
    def _weight_of(self) -> dict[str, float]:
        return dict(zip(self.features, self.weights.tolist(), strict=True))
