"""Rules that are evaluated on sets: any function of a set's features, or a second criterion."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from altsel.errors import AltselError, ArgumentError
from altsel.runtime.clock import OutOfTimeError

if TYPE_CHECKING:
    from altsel.models.objective import Objective
    from altsel.models.rule import Rule

MONOTONE = ("down", "up", None)


@runtime_checkable
class Condition(Protocol):
    """A rule that is evaluated on a set; rows, if it adds any to a block, may say less.

    Attributes
    ----------
    monotone
        ``"down"`` if what holds for a set holds for every part of it, ``"up"`` if for every larger set, or
        None.
    has_rows
        Whether it adds rows to a block.
    rows_suffice
        Whether they say all.
    """

    monotone: str | None
    has_rows: bool
    rows_suffice: bool

    def holds(self, names: tuple[str, ...]) -> bool:
        """Return whether a set keeps the rule; names in the order of the features."""
        ...

    def __call__(self, block: Any) -> None:
        """Add rows that all sets that keep the rule keep, or none."""
        ...


@runtime_checkable
class Learned(Condition, Protocol):
    """A condition that learns, from sets it is evaluated on, which others break it too.

    `cuts` removes every set that it has refused, from the next question on also in other searches.

    Attributes
    ----------
    withdrawn
        How many cuts have been withdrawn, as they removed sets that keep the rule.
    """

    withdrawn: int

    def cuts(self) -> Iterable[Cut]:
        """Return the families of sets that are known to break the rule."""
        ...

    def doubts(self) -> Sequence[str]:
        """Confirm what the cuts rest on, and say in words what is not confirmed; cuts may be withdrawn."""
        ...

    def parts(self) -> Iterable[tuple[str, Rule]]:
        """Return the same as rules, each with its name, to tell which of them are in conflict with others."""
        ...


@runtime_checkable
class OfData(Protocol):
    """A rule that was made of a table, and means sets that explain its target."""

    def check(self, objective: Objective) -> None:
        """Raise an ArgumentError if a criterion is of another table, another target, or more features."""
        ...


@dataclass(frozen=True)
class Predicate:
    """Any function of a feature set as a rule: see `altsel.domain.predicate`.

    Attributes
    ----------
    function
        Of a tuple of names.
    title
        The rule in words.
    monotone
        See `Condition`.
    """

    function: Callable[[tuple[str, ...]], bool]
    title: str
    monotone: str | None = None
    has_rows = False
    rows_suffice = False

    def holds(self, names: tuple[str, ...]) -> bool:
        """Evaluate the function.

        Raises
        ------
        ArgumentError
            If it fails, or returns what is neither True nor False.
        """
        try:
            value = self.function(names)
        except (AltselError, OutOfTimeError):
            raise
        except Exception as fault:
            raise ArgumentError(
                f"rule {self.title!r} fails for {names!r}: {type(fault).__name__}: {fault}"
            ) from fault
        if not isinstance(value, (bool, np.bool_)):
            raise ArgumentError(
                f"rule {self.title!r} returns {value!r:.60} for {names!r}; a predicate returns True or False"
            )
        return bool(value)

    def __call__(self, block: Any) -> None:
        """Add nothing: the function is known by its values alone."""

    @property
    def __name__(self) -> str:
        return self.title


@dataclass(frozen=True)
class Cut:
    """A family of sets that break a rule: those with all features of `inside`, and none of `outside`.

    Examples
    --------
    >>> Cut(frozenset("ab"), frozenset()).removes({"a", "b", "c"})
    True
    """

    inside: frozenset[str]
    outside: frozenset[str]

    def removes(self, names: Collection[str]) -> bool:
        """Return whether a set is one of them."""
        chosen = frozenset(names)
        return self.inside <= chosen and not chosen & self.outside
