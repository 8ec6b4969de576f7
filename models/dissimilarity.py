"""How different feature sets must be: the protocol, and Dice and Jaccard dissimilarity.

Both measures allow an overlap of at most ``share * (|F1| + |F2|)`` features; tau is taken as
the exact fraction it stands for, so that no rounding moves a bound: ``(1 - 0.9) * 10`` is 1.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, isfinite
from numbers import Rational
from typing import Any, Protocol

from altsel.errors import ArgumentError
from altsel.models.own_code import call_own, finite_number_of

WHOLE = 2**20
"""Largest denominator of a share for which a row is written in whole numbers."""


class Dissimilarity(Protocol):
    """How different two sets are, in [0, 1], and how different they must be: a measure with a threshold tau.

    ``__call__`` is its definition: answers and audits are checked by it. What solvers are given is one of two
    encodings, which a class of your own adds:

    - ``share``, if ``d(F, G) >= tau`` is ``|F & G| <= share (|F| + |G|)``: a Fraction;
    - ``rows(block, first, second)`` else: as a rule does, it adds conditions to a block of its own or returns
      them, where ``first[name]`` and ``second[name]`` are 0/1 variables of the two sets, fixed where a set is
      known. Products of them are taken.

    A dataclass with a field ``tau`` can be given another tau, as `altsel.most_different` does.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from altsel import Problem, Univariate, sequential
    >>> @dataclass(frozen=True)
    ... class OneScan:
    ...     tau: float
    ...     def __call__(self, first, second):
    ...         return float("x0" not in set(first) & set(second))
    ...     def rows(self, block, first, second):
    ...         return first["x0"] + second["x0"] <= 1
    >>> problem = Problem(Univariate([4, 3, 2, 1]), k=2)
    >>> [one.features for one in sequential(problem, OneScan(0.5), alternatives=1)]
    [('x0', 'x1'), ('x1', 'x2')]
    """

    @property
    def tau(self) -> float:
        """Smallest dissimilarity allowed."""
        ...

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets."""
        ...


@dataclass(frozen=True)
class Dice:
    """Dice dissimilarity ``d = 1 - 2 |F1 & F2| / (|F1| + |F2|) >= tau`` (AFS eq. 3 and 5).

    Parameters
    ----------
    tau
        Smallest dissimilarity, in [0, 1]; with sizes k the sets differ in at least tau k features.

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1].

    Examples
    --------
    >>> Dice(0.5)({"a", "b"}, {"b", "c"})
    0.5
    >>> largest_overlap(Dice(0.9), 10, 10)
    1
    """

    tau: float

    def __post_init__(self) -> None:
        exact(self.tau)

    @property
    def share(self) -> Fraction:
        """``(1 - tau) / 2``."""
        return (1 - exact(self.tau)) / 2

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Dissimilarity of two sets that are not both empty."""
        return 1 - 2 * _common(first, second) / (len(first) + len(second))


@dataclass(frozen=True)
class Jaccard:
    """Jaccard distance ``d = 1 - |F1 & F2| / |F1 | F2| >= tau`` (AFS eq. 2 and 4).

    Parameters
    ----------
    tau
        Smallest distance, in [0, 1].

    Raises
    ------
    ArgumentError
        If tau is outside [0, 1].

    Examples
    --------
    >>> round(Jaccard(0.5)({"a", "b"}, {"b", "c"}), 3)
    0.667
    """

    tau: float

    def __post_init__(self) -> None:
        exact(self.tau)

    @property
    def share(self) -> Fraction:
        """``(1 - tau) / (2 - tau)``."""
        return (1 - exact(self.tau)) / (2 - exact(self.tau))

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Distance of two sets that are not both empty."""
        common = _common(first, second)
        return 1 - common / (len(first) + len(second) - common)


def exact(tau: float) -> Fraction:
    """Read tau as the fraction of small denominator within 1e-12 of it, or as the float it is.

    Raises
    ------
    ArgumentError
        If it is no number in [0, 1].
    """
    if isinstance(tau, bool) or not isinstance(tau, (int, float, Fraction)) or not 0 <= tau <= 1:
        raise ArgumentError(f"tau={tau!r}; use a number from 0 (may be the same) to 1 (no common feature)")
    return _near(tau)


@lru_cache(maxsize=1024)
def _near(tau: float) -> Fraction:
    near = Fraction(tau).limit_denominator(10_000)
    close = abs(near - Fraction(tau)) <= Fraction(1, 10**12)
    return near if close and (near > 0 or tau == 0) else Fraction(tau)  # above 0 sets are distinct


def refuse_no_dissimilarity(measure: object) -> None:
    """Refuse what is no dissimilarity, and one whose distance is not what solvers are to keep.

    Raises
    ------
    ArgumentError
        Says what to add.
    """
    kind, needed = type(measure), "share (a Fraction) or rows(block, first, second)"
    if isinstance(measure, type):
        raise ArgumentError(
            f"{measure.__name__} is a class; give one of its kind, such as {measure.__name__}(0.5)"
        )
    if not callable(measure):
        example = measure if isinstance(measure, (int, float)) else 0.5
        raise ArgumentError(f"{measure!s:.50} is no dissimilarity; use Dice({example}) or Jaccard({example})")
    _refuse_tau(measure)
    ancestry = kind.__mro__
    encoded = [i for i, one in enumerate(ancestry) if {"share", "rows"} & vars(one).keys()]
    if not encoded and not {"share", "rows"} & set(getattr(measure, "__dict__", ())):
        raise ArgumentError(
            f"{kind.__name__} says what the distance is, and not how a solver is to keep it; add {needed}: "
            "see altsel.models.Dissimilarity"
        )
    _refuse_encoding(measure, needed)
    defined = [i for i, one in enumerate(ancestry) if "__call__" in vars(one)]
    if encoded and len(defined) > 1 and defined[0] < encoded[0] <= defined[1]:
        raise ArgumentError(
            f"{kind.__name__} defines __call__ and inherits what solvers keep from "
            f"{ancestry[encoded[0]].__name__}, which may be something else; add {needed} of its own"
        )


def _refuse_tau(measure: object) -> None:
    """Refuse a tau that is missing, or no number from 0 to 1."""
    name = type(measure).__name__
    tau = _attribute(measure, "tau")
    if tau is MISSING:
        raise ArgumentError(
            f"{name} has no tau: give it an attribute tau, the smallest distance wanted, from 0 to 1"
        )
    try:
        exact(tau)
    except ArgumentError as fault:
        raise ArgumentError(f"{name}: {fault}") from None


def _refuse_encoding(measure: object, needed: str) -> None:
    """Refuse rows that are none, and a share that is no fraction: a float's rounding would move a bound."""
    name, share, rows = type(measure).__name__, _attribute(measure, "share"), _attribute(measure, "rows")
    if share is MISSING or share is None:
        if not callable(rows):
            raise ArgumentError(f"{name} has no share, and its rows cannot be called; add {needed}")
    elif isinstance(share, bool) or not isinstance(share, Rational) or share < 0:
        number = isinstance(share, float) and isfinite(share) and share >= 0
        such_as = Fraction(share).limit_denominator(10_000) if number else Fraction(1, 4)
        raise ArgumentError(
            f"{name}: share={share!r:.60}; give a fraction of at least 0, as a float is rounded: "
            f"fractions.Fraction({such_as.numerator}, {such_as.denominator})"
        )


MISSING = object()
"""Stands for an attribute that there is not."""


def _attribute(measure: object, name: str) -> Any:
    """Return an attribute of a measure, which may be computed."""
    return call_own(getattr, (measure, name, MISSING), lambda: f"{type(measure).__name__}: {name}")


def dissimilarity_of(measure: Dissimilarity, first: Collection[str], second: Collection[str]) -> float:
    """Evaluate a measure on two sets.

    Raises
    ------
    ArgumentError
        If it fails, or gives what is no finite number; it names the measure and both sets.

    Examples
    --------
    >>> dissimilarity_of(Dice(0.5), {"a", "b"}, {"b", "c"})
    0.5
    """

    def title() -> str:
        one, other = (tuple(sorted(map(str, names))) for names in (first, second))
        return f"{type(measure).__name__}: __call__ for {one!r} and {other!r}"

    return finite_number_of(call_own(measure, (first, second), title), title)


def share_of(dissimilarity: Dissimilarity) -> Fraction | None:
    """Return the largest overlap allowed, as a share of ``|F1| + |F2|``; None where it is no such share.

    Examples
    --------
    >>> share_of(Jaccard(0.5)), share_of(lambda first, second: 1.0)
    (Fraction(1, 3), None)
    """
    return getattr(dissimilarity, "share", None)


def asks_nothing(dissimilarity: Dissimilarity) -> bool:
    """Return whether all sets differ enough, a set from itself too: tau is 0."""
    return dissimilarity.tau <= 0


def largest_overlap(dissimilarity: Dissimilarity, first: int, second: int) -> int:
    """Largest number of common features of two sets of known sizes, under a dissimilarity with a share."""
    share = share_of(dissimilarity)
    assert share is not None
    return min(first, second, floor(share * (first + second)))


def within_share(share: Fraction, common: Any, total: Any) -> Any:
    """Return the row ``common <= share total``, in whole numbers where they are small.

    Examples
    --------
    >>> within_share(Fraction(1, 3), 2, 6), within_share(Fraction(0.3), 2, 6)
    (True, False)
    """
    if share.denominator > WHOLE:
        return common <= float(share) * total
    return share.denominator * common <= share.numerator * total


def simplest_share(dissimilarity: Dissimilarity, most: int) -> Fraction:
    """Simplify the share of the overlap allowed, for sets of at most `most` features together.

    The largest fraction p / q below the share with ``q <= most`` allows the same overlaps:
    ``floor(share * m) / m`` is such a fraction for every ``m <= most``. So rows on sizes that are free
    hold small integers, and a broken one is broken by 1 or more, whatever tau is.

    Examples
    --------
    >>> simplest_share(Dice(1e-9), 8)
    Fraction(3, 7)
    """
    share = share_of(dissimilarity)
    assert share is not None
    return _simplest(share, most)


@lru_cache(maxsize=1024)
def _simplest(share: Fraction, most: int) -> Fraction:
    if share.denominator <= most:
        return share
    return max(Fraction(floor(share * q), q) for q in range(1, most + 1))


def _common(first: Collection[str], second: Collection[str]) -> int:
    return len(set(first) & set(second))
