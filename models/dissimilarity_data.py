"""Dissimilarities as plain data, as files of solutions hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from altsel.models.correlation_aware import CorrelationAware
from altsel.models.count_dissimilarities import Hamming, Overlap
from altsel.models.dissimilarity import Dice, Dissimilarity, Jaccard
from altsel.models.group_dice import GroupDice
from altsel.models.weighted_dissimilarities import WeightedDice, WeightedJaccard


def _correlation_aware(tau: float, base: str, r: float, alike: list[list[str]]) -> CorrelationAware:
    pairs = [(str(one), str(other)) for one, other in alike]
    bases: dict[str, Callable[[float], Dice | Jaccard]] = {"Dice": Dice, "Jaccard": Jaccard}
    return CorrelationAware(bases[base](tau), r=r, alike=pairs)


MADE: dict[str, Callable[..., Dissimilarity]] = {
    "Dice": Dice,
    "Jaccard": Jaccard,
    "Overlap": Overlap,
    "Hamming": Hamming,
    "WeightedDice": WeightedDice,
    "WeightedJaccard": WeightedJaccard,
    "GroupDice": GroupDice,
    "CorrelationAware": _correlation_aware,
}
"""What makes a dissimilarity of each name, from tau and its other parameters."""
PARAMETERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "Hamming": lambda measure: {"features": measure.features},
    "WeightedDice": lambda measure: {"weights": dict(measure.weights)},
    "WeightedJaccard": lambda measure: {"weights": dict(measure.weights)},
    "GroupDice": lambda measure: {"groups": dict(measure.groups)},
    "CorrelationAware": lambda measure: {
        "base": type(measure.base).__name__,
        "r": measure.r,
        "alike": [list(pair) for pair in sorted(measure.alike)],
    },
}
"""The parameters of each besides tau."""


def plain_dissimilarity(measure: Any) -> dict[str, Any]:
    """Write a dissimilarity as plain data; of one of the user's own, its name and tau.

    Examples
    --------
    >>> plain_dissimilarity(GroupDice(0.5, {"mean": "ecg"}))
    {'measure': 'GroupDice', 'tau': 0.5, 'groups': {'mean': 'ecg'}}
    """
    name = type(measure).__name__
    known = type(measure) in (*MADE.values(), CorrelationAware)
    own = PARAMETERS[name](measure) if known and name in PARAMETERS else {}
    return {"measure": name, "tau": float(measure.tau), **own}


def made_dissimilarity(plain: Mapping[str, Any]) -> Dissimilarity | None:
    """Build the dissimilarity that plain data state; None if it is none of altsel's.

    Examples
    --------
    >>> made_dissimilarity({"measure": "Hamming", "tau": 0.2, "features": 10})
    Hamming(tau=0.2, features=10)
    """
    make = MADE.get(str(plain.get("measure")))
    if make is None:
        return None
    own = {key: value for key, value in plain.items() if key not in {"measure", "tau", "kind", "penalty"}}
    return make(tau=plain["tau"], **own)
