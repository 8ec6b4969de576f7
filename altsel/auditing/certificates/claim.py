"""Claims that certificates prove one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from altsel.results.feature_set import FeatureSet

CLOSE = 1e-9
"""Share of a score by which a set may be better than what is called optimal."""
LISTED = 1e-12
"""The same above the floor of a list."""
TERMS = 2e-15
"""Share of the numbers that scores are made of, by which rounding may put a score off."""

Names = Sequence[str]


@dataclass(frozen=True)
class Claim:
    """Sets, and that no set at all, or no other one, scores more than a limit.

    Attributes
    ----------
    title
        In words.
    sets
        Sets that are shown to keep all rows and to reach their score.
    limit
        None: there is no set.
    of
        Which sets are bounded: "all", "others" than those listed, or "none".
    slack
        Share of the limit by which it may be above what is claimed; a share of what scores are made of at
        least, as their rounding is.
    known
        Sets to differ from.
    apart
        How different from these sets are; None: as the answer's are.
    part
        Part of the answer that has a diversity of its own.
    """

    title: str
    sets: tuple[FeatureSet, ...]
    limit: float | None
    of: str = "all"
    slack: float = 0.0
    known: tuple[Names, ...] = ()
    apart: Any = None
    part: str = ""


@dataclass(frozen=True)
class Together:
    """Sets found at once, and that no others together are better.

    Attributes
    ----------
    title
        In words.
    count
        Number of sets.
    sets
        Those found.
    total
        ``"sum"`` of their scores, or ``"min"``; less what they pay for being similar.
    limit
        Of that; None: there are no such sets.
    slack
        As of a `Claim`.
    apart, part
        As of a `Claim`.
    """

    title: str
    count: int
    sets: tuple[FeatureSet, ...]
    total: str
    limit: float | None
    slack: float = CLOSE
    apart: Any = None
    part: str = ""


@dataclass(frozen=True)
class Transversals:
    """Sets that are all the minimal ones with a feature of each of some others.

    Attributes
    ----------
    title
        In words.
    sets, others
        Names of features.
    """

    title: str
    sets: tuple[Names, ...]
    others: tuple[Names, ...]


Known = Claim | Together | Transversals


def raised(limit: float, slack: float, terms: float) -> float:
    """Raise a limit by a share of itself, and of what scores are made of for their rounding."""
    return float(limit + slack * abs(limit) + (TERMS if slack > 0 else -TERMS) * terms)
