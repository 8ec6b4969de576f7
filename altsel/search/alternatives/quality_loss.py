"""How much quality may be lost: an absolute amount, or a share of the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from altsel.errors import ArgumentError, no_negative
from altsel.models.objective import Objective


class Loss(Protocol):
    """A loss of quality that is tolerated."""

    def floor(self, best: float) -> float:
        """Least quality, where the best is known."""
        ...


@dataclass(frozen=True)
class AbsoluteLoss:
    """``Q >= best - amount``.

    Parameters
    ----------
    amount
        Most that may be lost of the best quality, in its unit, at least 0.

    Raises
    ------
    ArgumentError
        If the amount is negative, missing or infinite.

    Examples
    --------
    >>> AbsoluteLoss(0.25).floor(2.0)
    1.75
    """

    amount: float

    def __post_init__(self) -> None:
        no_negative("amount", self.amount)

    def floor(self, best: float) -> float:
        """Least quality."""
        return best - self.amount


@dataclass(frozen=True)
class RelativeLoss:
    """``Q >= best - share * |best|``: a loss of 5 % at most is ``RelativeLoss(0.05)``.

    Parameters
    ----------
    share
        Most that may be lost as a share of the best quality, in [0, 1].

    Raises
    ------
    ArgumentError
        If the share is negative, missing, infinite or above 1.

    Examples
    --------
    >>> RelativeLoss(0.25).floor(2.0)
    1.5
    """

    share: float

    def __post_init__(self) -> None:
        no_negative("share", self.share)
        if self.share > 1:
            raise ArgumentError(
                f"share={self.share!r}; use at most 1: 0.05 is 5 %, or Absolute for an amount"
            )

    def floor(self, best: float) -> float:
        """Least quality."""
        return best - self.share * abs(best)


def checked_loss(within: Any, objective: Objective) -> Loss:
    """Return a loss of the quality of an objective.

    Raises
    ------
    ArgumentError
        If it is none, or a share of a quality whose 0 means nothing, as that of AIC.
    """
    if not callable(getattr(within, "floor", None)):
        raise ArgumentError(f"within={within!r}; use AbsoluteLoss(amount) or RelativeLoss(share)")
    if isinstance(within, RelativeLoss) and not objective.has_zero:
        raise ArgumentError(
            f"{within}: the 0 of {objective.name} means nothing, and so does a share of it; use"
            " AbsoluteLoss(2), in its unit (--within-absolute 2)"
        )
    return within  # type: ignore[no-any-return]


def plain_loss(within: Loss) -> dict[str, Any]:
    """Write a loss as plain data.

    Examples
    --------
    >>> plain_loss(RelativeLoss(0.05))
    {'kind': 'RelativeLoss', 'share': 0.05}
    """
    return {"kind": type(within).__name__, **vars(within)}
