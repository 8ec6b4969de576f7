"""A variable that is a number: normal, with a mean linear in the numbers among its parents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import DataError


@dataclass(frozen=True, eq=False)
class ConditionalGaussian:
    """The distribution of a number given its parents, of a linear Gaussian or a mixed network.

    ``X | s, z ~ N(intercept[s] + coefficients[s] @ z, deviation[s]^2)`` for the states s of its discrete
    parents, and the values z of those that are numbers, both in the order of its parents.

    Parameters
    ----------
    intercept
        Shape (states of discrete parents…), a number if there are none.
    coefficients
        Shape (states of discrete parents…, numbers among the parents).
    deviation
        Standard deviations, as `intercept`; at least 0.

    Raises
    ------
    DataError
        If they are no finite numbers, or a deviation is negative.

    Notes
    -----
    S. L. Lauritzen and N. Wermuth (1989). A discrete variable has no parents that are numbers.

    Examples
    --------
    >>> taller = ConditionalGaussian([165.0, 178.0], np.zeros((2, 0)), [6.0, 7.0])  # of two states
    >>> taller.values([np.array([0, 1])], [], np.array([0.5, -1.0])).tolist()
    [168.0, 171.0]
    """

    intercept: Any = 0.0
    coefficients: Any = ()
    deviation: Any = 1.0

    def __post_init__(self) -> None:
        for what in ("intercept", "coefficients", "deviation"):
            try:
                given = np.array(getattr(self, what), dtype=float)
            except (TypeError, ValueError):
                raise DataError(f"{what} is no array of numbers") from None
            if not np.isfinite(given).all():
                raise DataError(f"{what} has numbers that are not finite")
            object.__setattr__(self, what, given)
        if (self.deviation < 0).any():
            raise DataError("a deviation is negative; use 0 for what its parents determine")

    def check(self, name: str, states: Sequence[int], numbers: int) -> None:
        """Refuse shapes that are not those of the parents.

        Parameters
        ----------
        name
            The variable.
        states
            Number of states of each discrete parent.
        numbers
            How many parents are numbers.
        """
        wanted = {"intercept": (*states,), "coefficients": (*states, numbers), "deviation": (*states,)}
        for what, shape in wanted.items():
            given = getattr(self, what).shape
            if given != shape:
                raise DataError(f"the {what} of {name!r} has shape {given}, not {shape}")

    def values(self, states: Sequence[Any], numbers: Sequence[FloatArray], noise: FloatArray) -> FloatArray:
        """Return the value of each row.

        Parameters
        ----------
        states
            Codes of each discrete parent, shape (rows,).
        numbers
            Values of each other parent, shape (rows,).
        noise
            Standard normal noise, shape (rows,).

        Returns
        -------
        array of shape (rows,)
        """
        at = tuple(states)
        slopes = self.coefficients[at]
        mean = self.intercept[at] + sum(
            (slopes[..., i] * x for i, x in enumerate(numbers)), np.zeros(len(noise))
        )
        return np.asarray(mean + self.deviation[at] * noise, dtype=float)
