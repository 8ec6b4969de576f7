"""What tests found of two feature sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

EQUIVALENT = "it predicts as well, and neither set tells of the target what the other does not"
"""What 'equivalent' means of a set beside another, where both are tested, in words."""


class Definition(StrEnum):
    """What it means that two feature sets are equivalent (TMFBS, definitions 10 to 12).

    ``PERFORMANCE`` (PEQ): the best models of both have the same expected loss. ``MODEL`` (MEQ):
    they make the same predictions. ``INFORMATION`` (IEQ): given either set, the other one tells
    nothing more of the target.

    Examples
    --------
    >>> [one.value for one in Definition]
    ['PEQ', 'MEQ', 'IEQ']
    """

    PERFORMANCE = "PEQ"
    MODEL = "MEQ"
    INFORMATION = "IEQ"


class Shows(StrEnum):
    """What a small p speaks for: that the sets differ, or (TOST) that they are equivalent."""

    DIFFERENCE = "difference"
    EQUIVALENCE = "equivalence"


@dataclass(frozen=True)
class Comparison:
    """What one test found of two feature sets.

    Attributes
    ----------
    test
        Name of the test.
    definition
        The equivalence it is a test of.
    p
        Its p-value; 1 if it could not be made.
    statistic
        Its statistic; the test's documentation says which.
    difference
        What the second set loses against the first: mean loss of the second less that of the
        first (or AUC of the first less that of the second); None for tests without losses.
    tested
        False where the data do not suffice: then the sets are not called equivalent.
    shows
        What a small p speaks for.

    Examples
    --------
    >>> one = Comparison("paired t", Definition.PERFORMANCE, p=0.03, difference=0.1)
    >>> one.tested, one.definition.value
    (True, 'PEQ')
    """

    test: str
    definition: Definition
    p: float
    statistic: float = 0.0
    difference: float | None = None
    tested: bool = True
    shows: Shows = Shows.DIFFERENCE

    def equivalent(self, alpha: float) -> bool:
        """Return whether the sets pass: no difference is shown at a level, or equivalence is."""
        small = self.p <= alpha
        return self.tested and (small if self.shows is Shows.EQUIVALENCE else not small)


def lost(comparisons: Iterable[Comparison]) -> float | None:
    """Return what the second set loses by the first test that measures it."""
    return next(
        (comparison.difference for comparison in comparisons if comparison.difference is not None), None
    )


def smallest_p(comparisons: Iterable[Comparison]) -> float | None:
    """Return the smallest p of all tests; None if there was none."""
    return min((comparison.p for comparison in comparisons), default=None)


@dataclass(frozen=True)
class Discarded:
    """A set that a search for all blankets found and did not return.

    Attributes
    ----------
    features
        Its features.
    reason
        Why, in words.
    comparisons
        What tests found of it and the reference.

    Examples
    --------
    >>> one = Discarded(("a", "c"), "not equivalent to the first")
    >>> print(", ".join(one.features), "-", one.reason)
    a, c - not equivalent to the first
    """

    features: tuple[str, ...]
    reason: str
    comparisons: tuple[Comparison, ...] = ()
