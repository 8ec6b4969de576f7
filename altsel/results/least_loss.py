"""What the best set of some kind loses against the best of all, or what bounds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

from altsel.results.text import number_text

SIGNS = {"more than": "> ", "at least": "≥ ", "at most": "≤ "}
"""What stands before a loss of which a bound is known."""


class Known(StrEnum):
    """What is known of a loss.

    ``EXACTLY``: it is the value. ``MORE_THAN``, ``AT_LEAST``, ``AT_MOST``: the value bounds it.
    ``NO_SET``: no admissible set is as wanted, whatever it may lose. ``NOTHING``: nothing is known.

    Examples
    --------
    >>> from altsel.results import LeastLoss
    >>> str(LeastLoss(Known.MORE_THAN, 0.05)), str(LeastLoss(Known.NO_SET))
    ('> 0.05', 'no set')
    """

    EXACTLY = "exactly"
    MORE_THAN = "more than"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    NO_SET = "no set"
    NOTHING = "not known"


@dataclass(frozen=True)
class LeastLoss:
    """What the best set with a feature, or without it, loses against the best of all.

    Attributes
    ----------
    known
        What is known of it.
    value
        The loss or its bound, in the criterion's unit; None if there is none.

    Examples
    --------
    >>> str(LeastLoss(Known.EXACTLY, 0.25)), str(LeastLoss(Known.AT_MOST, 0.25))
    ('0.25', '≤ 0.25')
    """

    known: Known
    value: float | None = None

    @property
    def exact(self) -> bool:
        """Whether nothing is left open."""
        return self.known in (Known.EXACTLY, Known.NO_SET)

    @property
    def rank(self) -> float:
        """What losses are sorted by: infinite where no set is left."""
        return inf if self.known is Known.NO_SET else self.value or 0.0

    def __str__(self) -> str:
        if self.value is None:
            return self.known.value
        return SIGNS.get(self.known, "") + number_text(self.value)
