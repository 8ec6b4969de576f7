"""What one feature is to the target, among several solutions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import exp


class FeatureClass(StrEnum):
    """What a feature is (TMFBS, definitions 6 to 9).

    ``INDISPENSABLE``: in every solution; ``REPLACEABLE``: in some; ``REDUNDANT``: in none, though it
    tells something of the target in some context; ``IRRELEVANT``: found to tell nothing in any context
    that was asked about; ``OUTSIDE``: in none, and nothing was asked.
    """

    INDISPENSABLE = "indispensable"
    REPLACEABLE = "replaceable"
    REDUNDANT = "redundant"
    IRRELEVANT = "irrelevant"
    OUTSIDE = "in no solution"


class Relevance(StrEnum):
    """Classes of John, Kohavi and Pfleger (TMFBS, definitions 3 to 5); one copy makes another weak."""

    STRONG = "strongly relevant"
    WEAK = "weakly relevant"
    IRRELEVANT = "irrelevant"
    UNKNOWN = "not tested"


@dataclass(frozen=True)
class FeatureReport:
    """One feature and the evidence for its class.

    Attributes
    ----------
    feature
        Its name.
    feature_class
        Its class.
    relevance
        Its class after John, Kohavi and Pfleger.
    share
        Share of the solutions that have it.
    log_p
        Logarithm of the smallest p of the contexts asked about, times the number of contexts
        (Bonferroni); contexts are asked about until it is small enough. None if nothing was asked.
    given
        The context of that p.
    """

    feature: str
    feature_class: FeatureClass
    relevance: Relevance
    share: float
    log_p: float | None = None
    given: tuple[str, ...] = ()

    @property
    def p(self) -> float | None:
        """The p-value; 0 if it is too small for a float."""
        return None if self.log_p is None else exp(self.log_p)
