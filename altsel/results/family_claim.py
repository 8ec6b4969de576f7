"""What may be said of all features that some sets show."""

from __future__ import annotations

from dataclasses import dataclass

from altsel.errors import listing
from altsel.results.base import Result
from altsel.results.text import number_of

ROUNDING = 1e-9


@dataclass(frozen=True)
class FamilyClaim(Result):
    """What may be said of all features that some sets show, however the sets were chosen.

    Attributes
    ----------
    features
        The features that any set shows, each group of interchangeable ones once.
    q
        Smallest level at which they are self-consistent, :math:`p / (|U| min e)`; 1 if at none below.
    level
        The level of the discoveries.
    weakest
        The feature with the smallest e-value; None of no features.
    undiscovered
        Features that are not among the discoveries: while they are shown, nothing is promised.
    needed
        How many features must be shown for the weakest to be covered at the level; None if none would do.

    Examples
    --------
    >>> claim = FamilyClaim(("dose", "age"), 0.08, 0.1, "age", (), 2)
    >>> claim.holds
    True
    >>> print(claim)
    2 features shown: at most 10 % of them are false in the mean (q = 0.08)
    """

    features: tuple[str, ...]
    q: float
    level: float
    weakest: str | None
    undiscovered: tuple[str, ...]
    needed: int | None

    @property
    def holds(self) -> bool:
        """Whether "at most a share of `level` of these features is false, in the mean" is promised."""
        return self.q <= self.level * (1 + ROUNDING)

    def __repr__(self) -> str:
        shown = number_of(len(self.features), "feature")
        return f"<FamilyClaim: {shown}, q = {self.q:.2g}, {'holds' if self.holds else 'does not hold'}>"

    def __str__(self) -> str:
        shown = f"{number_of(len(self.features), 'feature')} shown"
        if self.holds:
            return f"{shown}: at most {100 * self.level:g} % of them are false in the mean (q = {self.q:.2g})"
        if self.undiscovered:
            why = f"{listing(self.undiscovered)} not discovered; search among the discoveries alone"
        else:
            why = f"{self.weakest!r} is covered where {self.needed} or more discoveries are shown"
        return f"{shown}: nothing is promised at level {self.level:g} (q = {self.q:.2g}): {why}"
