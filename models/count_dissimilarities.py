"""Dissimilarities by the numbers of features: overlap coefficient and Hamming distance."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from altsel.errors import checked_integer
from altsel.models.dissimilarity import Dice, Dissimilarity, exact
from altsel.pyomo_on_demand import pyo


@dataclass(frozen=True)
class Overlap:
    """Overlap coefficient as a dissimilarity: ``d = 1 - |F & G| / min(|F|, |G|) >= tau``.

    A set is not different from one that contains it. For sets of one size it is `Dice`.

    Parameters
    ----------
    tau
        Smallest dissimilarity, in [0, 1].

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1].

    References
    ----------
    Szymkiewicz, Une contribution statistique à la géographie floristique, 1934; Simpson, Mammals and the
    nature of continents, 1943.

    Examples
    --------
    >>> Overlap(0.5)({"a", "b"}, {"a", "b", "c"}), Dice(0.5)({"a", "b"}, {"a", "b", "c"})
    (0.0, 0.19999999999999996)
    """

    tau: float

    def __post_init__(self) -> None:
        exact(self.tau)

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets, neither of them empty."""
        return 1 - len(set(first) & set(second)) / min(len(first), len(second))

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> list[Any]:
        """Return ``|F & G| <= (1 - tau) |F|``, and the same for G."""
        del block
        kept = 1 - exact(self.tau)
        common = pyo.quicksum(first[f] * second[f] for f in first)
        return [
            kept.denominator * common <= kept.numerator * pyo.quicksum(one[f] for f in first)
            for one in (first, second)
        ]

    def of_size(self, k: int) -> Dissimilarity:
        """Return what it is for sets of k features: `Dice`."""
        del k
        return Dice(self.tau)


@dataclass(frozen=True)
class Hamming:
    """Hamming distance: the share of all features that are in one of two sets only.

    ``d = |F ^ G| / n >= tau``, as `scipy.spatial.distance.hamming` of the sets as 0/1 vectors.

    Parameters
    ----------
    tau
        Smallest distance, in [0, 1]: sets of k of n features are at most 2 k / n apart.
    features
        Number n of features in all.

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1], or the number of features is no integer of at least 1.

    Examples
    --------
    >>> Hamming(0.2, features=10)({"a", "b"}, {"b", "c"})
    0.2
    """

    tau: float
    features: int

    def __post_init__(self) -> None:
        exact(self.tau)
        checked_integer("features", self.features, 1)

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Distance of two sets."""
        return len(set(first) ^ set(second)) / self.features

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        """Return ``|F| + |G| - 2 |F & G| >= tau n``."""
        del block
        apart = pyo.quicksum(first[f] + second[f] - 2 * first[f] * second[f] for f in first)
        return apart >= ceil(exact(self.tau) * self.features)

    def of_size(self, k: int) -> Dissimilarity | None:
        """Return what it is for sets of k features, `Dice`; None if no two are so far apart."""
        tau = exact(self.tau) * self.features / (2 * k)
        return Dice(float(tau)) if tau <= 1 and exact(float(tau)) == tau else None
