"""What a criterion must offer, and what it may offer besides to be solved faster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard, runtime_checkable

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.errors import ArgumentError
from altsel.stats.dependence import Dependence


@runtime_checkable
class Objective(Protocol):
    """A criterion with two faces: the paper's formula on a mask, and its MILP on a block."""

    @property
    def features(self) -> Sequence[str]:
        """Names of the features, in the order of the mask."""
        ...

    @property
    def name(self) -> str:
        """The criterion in words, shown in results."""
        ...

    def score(self, mask: BoolArray) -> float:
        """Evaluate the formula on a set, given as a boolean mask over `features`."""
        ...

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Put the formula on a block: an Expression ``block.quality`` of the variables ``block.x``."""
        ...


@runtime_checkable
class Separable(Objective, Protocol):
    """An objective that is a plain sum of one weight a feature, without constraints of its own."""

    @property
    def weights(self) -> FloatArray:
        """The weights, in the order of `features`."""
        ...


@runtime_checkable
class Exchangeable(Objective, Protocol):
    """An objective that can score all exchanges of one feature for another at once.

    An attribute ``conflict``, boolean of shape (features, features), tells which pairs exclude
    each other, if there are such.
    """

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score the sets in which feature j replaces the i-th member, shape (k, features).

        `members` are indices, shape (k,). Entries where j is a member itself mean nothing.
        """
        ...


@runtime_checkable
class Quadratic(Objective, Protocol):
    """An objective that is a quadratic form for every size of a set.

    An attribute ``rows``, of triples (coefficients, least, largest), gives linear conditions on
    the sets it admits, if there are such.
    """

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write it for k features as ``sum_i a_i s_i - sum_{i<j} b_ij s_i s_j``; infinite b exclude."""
        ...


@runtime_checkable
class Ratio(Objective, Protocol):
    """An objective solved by levels: what is better than a level is a linear question."""

    @property
    def encoding(self) -> str:
        """``"parametric"`` if it is to be solved by levels."""
        ...

    def at(self, level: float) -> Objective:
        """Return the objective that is above 0 if and only if this one is above the level."""
        ...

    def ceiling(self, level: float, excess: float, sizes: tuple[int, int]) -> float:
        """Bound this objective, where the one at a level is at most `excess`."""
        ...


def solved_by_levels(objective: Objective) -> TypeGuard[Ratio]:
    """Return whether an objective is a ratio that asks to be solved by levels."""
    return isinstance(objective, Ratio) and objective.encoding == "parametric"


def feasible(objective: Objective, mask: BoolArray) -> bool:
    """Return whether a criterion admits a set; most admit all."""
    is_feasible = getattr(objective, "is_feasible", None)
    return is_feasible is None or bool(is_feasible(mask))


def needs_pairs(name: str, dependence: Any) -> None:
    """Refuse what is no `Dependence`, as a criterion of pairs needs it.

    Raises
    ------
    ArgumentError
        Says how to make one.
    """
    if not (hasattr(dependence, "relevance") and hasattr(dependence, "redundancy")):
        kind = type(dependence).__name__
        raise ArgumentError(
            f"{name} needs relevances and redundancies, not a {kind}: give altsel.dependence(data), or "
            "altsel.Dependence(relevance, redundancy) for numbers of your own"
        )


def describe(objective: Any, dependence: Dependence, name: str) -> None:
    """Give a frozen objective its name, and what it takes over from the dependence."""
    object.__setattr__(objective, "features", tuple(dependence.relevance.index))
    object.__setattr__(objective, "name", f"{name} by {dependence.measure}")
    object.__setattr__(objective, "target", dependence.target)
    object.__setattr__(objective, "seed", dependence.seed)
    object.__setattr__(objective, "fingerprint", dependence.fingerprint)
