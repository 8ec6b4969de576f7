"""Dissimilarities in which features weigh: by their cost, or by anything."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum, isfinite
from typing import Any

from altsel.errors import ArgumentError, listing
from altsel.models.dissimilarity import exact, within_share
from altsel.models.given_by_feature import by_feature
from altsel.pyomo_on_demand import pyo


@dataclass(frozen=True)
class _Weighted:
    """A share of weights that two sets may have in common.

    Parameters
    ----------
    tau
        Smallest dissimilarity, in [0, 1].
    weights
        One number a feature, at least 0; a feature of weight 0 makes no difference.
    """

    tau: float
    weights: Mapping[str, float] = field(hash=False)

    def __post_init__(self) -> None:
        exact(self.tau)
        object.__setattr__(self, "weights", by_feature(self.weights))
        if not isinstance(self.weights, Mapping) or not self.weights:
            raise ArgumentError(f"weights={self.weights!r:.60}; give a number for each feature: {{'age': 2}}")
        wrong = [f for f, w in self.weights.items() if not _is_weight(w)]
        if wrong:
            raise ArgumentError(f"weights of {listing(wrong)}: each must be a finite number of at least 0")
        object.__setattr__(self, "weights", {f: float(w) for f, w in self.weights.items()})

    def weight(self, features: Collection[str]) -> float:
        """Sum the weights of a set.

        Raises
        ------
        ArgumentError
            If a feature has none.
        """
        absent = [f for f in features if f not in self.weights]
        if absent:
            raise ArgumentError(f"{type(self).__name__}: there is no weight for {listing(absent)}")
        return fsum(self.weights[f] for f in set(features))

    def _share(self) -> Fraction:
        raise NotImplementedError

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Any]:
        """Return ``w(F & G) <= share (w(F) + w(G))``; and that they have a weight, if features have none."""
        del block
        self.weight(list(first))
        share = self._share()
        heavy = {f: w for f, w in self.weights.items() if w and f in first}
        total = pyo.quicksum(w * first[f] + w * second[f] for f, w in heavy.items())
        common = pyo.quicksum(w * first[f] * second[f] for f, w in heavy.items())
        rows = [within_share(share, common, total)]
        if len(heavy) < len(first) and self.tau > 0:
            rows.append(total >= min(heavy.values(), default=1.0))
        return rows


def _is_weight(value: Any) -> bool:
    try:
        return isfinite(float(value)) and float(value) >= 0
    except (TypeError, ValueError):
        return False


@dataclass(frozen=True)
class WeightedDice(_Weighted):
    """Dice dissimilarity of weights: ``d = 1 - 2 w(F & G) / (w(F) + w(G)) >= tau``.

    An alternative that exchanges only what costs nothing is none. Sets without any weight are not different.

    Parameters
    ----------
    tau
        Smallest dissimilarity, in [0, 1].
    weights
        One number a feature, at least 0, such as what it costs.

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1], or a weight is negative, missing or infinite.

    Examples
    --------
    >>> cost = {"scan": 9, "age": 1, "sex": 1}
    >>> WeightedDice(0.5, cost)({"scan", "age"}, {"scan", "sex"})
    0.09999999999999998
    >>> from altsel import Problem, Univariate, sequential
    >>> problem = Problem(Univariate({"scan": 3, "age": 2, "sex": 1}), k=1)
    >>> [one.features for one in sequential(problem, WeightedDice(0.5, cost), alternatives=1)]
    [('scan',), ('age',)]
    """

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets."""
        total = self.weight(first) + self.weight(second)
        return 1 - 2 * self.weight(set(first) & set(second)) / total if total else 0.0

    def _share(self) -> Fraction:
        return (1 - exact(self.tau)) / 2


@dataclass(frozen=True)
class WeightedJaccard(_Weighted):
    """Jaccard distance of weights: ``d = 1 - w(F & G) / w(F | G) >= tau``; see `WeightedDice`.

    Parameters
    ----------
    tau
        Smallest distance, in [0, 1].
    weights
        One number a feature, at least 0.

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1], or a weight is negative, missing or infinite.

    Examples
    --------
    >>> WeightedJaccard(0.5, {"scan": 9, "age": 1, "sex": 1})({"scan", "age"}, {"age", "sex"})
    0.9090909090909091
    """

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Distance of two sets."""
        total = self.weight(set(first) | set(second))
        return 1 - self.weight(set(first) & set(second)) / total if total else 0.0

    def _share(self) -> Fraction:
        return (1 - exact(self.tau)) / (2 - exact(self.tau))
