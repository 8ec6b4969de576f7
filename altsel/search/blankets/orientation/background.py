"""What is known of causes before any test: the order of variables in time, edges that must or cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from altsel.errors import ArgumentError, absence, list_of_names, of_kind

Pair = tuple[str, str]


@dataclass(frozen=True)
class Background:
    """Knowledge of what cannot cause what, and of edges that are known.

    Parameters
    ----------
    tiers
        Variables in the order of time: none causes one of an earlier tier. Those of one tier may cause each
        other, and so may variables that are in none.
    forbidden
        Pairs (a, b): a is no cause of b.
    required
        Pairs (a, b): if there is an edge between them, a causes b.

    Raises
    ------
    ArgumentError
        If a variable is in two tiers, an edge is no pair of names, or two statements contradict each other.

    Examples
    --------
    >>> known = Background(tiers=[["sex", "age"], ["dose"], ["outcome"]])
    >>> known.is_no_cause("dose", "age"), known.is_no_cause("age", "dose")
    (True, False)
    """

    tiers: Sequence[Iterable[str]] = ()
    forbidden: Iterable[Pair] = ()
    required: Iterable[Pair] = ()

    def __post_init__(self) -> None:
        for what in ("tiers", "forbidden", "required"):
            of_kind(what, getattr(self, what), Iterable, "a list of lists of names")
        tiers = tuple(list_of_names(f"tier {number}", tier) for number, tier in enumerate(self.tiers))
        object.__setattr__(self, "tiers", tiers)
        for what in ("forbidden", "required"):
            object.__setattr__(self, what, frozenset(_pairs(what, getattr(self, what))))
        names = [name for tier in tiers for name in tier]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ArgumentError(f"{twice[0]!r} is in two tiers")
        for cause, effect in self.required:
            if self.is_no_cause(cause, effect):
                raise ArgumentError(
                    f"{cause!r} is required to cause {effect!r}, and known not to: drop one of both"
                )

    @property
    def names(self) -> set[str]:
        """All variables that something is known of."""
        pairs = {name for pair in (*self.forbidden, *self.required) for name in pair}
        return pairs | {name for tier in self.tiers for name in tier}

    def check(self, variables: Sequence[str]) -> None:
        """Refuse names that are no variables."""
        for name in sorted(self.names):
            if name not in variables:
                raise ArgumentError(
                    f"background: there is no variable {name!r}{absence(name, variables, {})}"
                )

    def is_no_cause(self, one: str, other: str) -> bool:
        """Return whether the first is known to be no cause of the second."""
        tier = {name: number for number, some in enumerate(self.tiers) for name in some}
        later = one in tier and other in tier and tier[one] > tier[other]
        return later or (one, other) in self.forbidden or (other, one) in self.required


def _pairs(what: str, given: Iterable[Pair]) -> Iterator[Pair]:
    for number, pair in enumerate(given):
        names = list_of_names(f"edge {number} of {what}", pair)
        if len(names) != 2 or names[0] == names[1]:
            raise ArgumentError(f"edge {number} of {what} must be two different names: a cause and an effect")
        yield names[0], names[1]
