"""What a linear model is worth less a price for its coefficients: adjusted R^2, AIC, BIC, Mallows's Cp."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp, log
from typing import Any

import numpy as np

from altsel.errors import ArgumentError, DataError

PENALTIES = {"adjusted": "adjusted R2", "aic": "AIC", "bic": "BIC", "cp": "Cp"}
"""Names of the penalties, and how they are written."""
EXPLAINED = 1e-6
"""Share of the variance left below which less makes no difference: logarithms of rounding tell nothing."""


@dataclass(frozen=True)
class Penalty:
    """A worth of a set, larger is better, that rises with its ``R^2`` for every given size.

    With m rows, p coefficients (the constant among them) and ``u = 1 - R^2``, at least 1e-6 in logarithms:

    ======== ===================================
    adjusted ``1 - u (m - 1) / (m - p)``
    aic      ``-(m log u + 2 p)``
    bic      ``-(m log u + p log m)``
    cp       ``-(u / u_all (m - p_all) - m + 2p)``
    ======== ===================================

    where p_all is the rank of all columns, and u_all what they leave.

    Parameters
    ----------
    name
        ``adjusted``, ``aic``, ``bic`` or ``cp``.
    rows
        Rows of positive weight.
    parameters
        Coefficients that every model has.
    unit
        ``u_all / (m - p_all)`` of all features; for ``cp`` alone.

    Notes
    -----
    H. Akaike (1974), G. Schwarz (1978), C. L. Mallows (1973). AIC and BIC are those of normal errors but
    for a constant, the same for all sets.
    """

    name: str
    rows: int
    parameters: int
    unit: float = 1.0

    @property
    def title(self) -> str:
        """How it is written."""
        return PENALTIES[self.name]

    def worth(self, explained: Any, size: Any) -> Any:
        """Return the worth of sets of a size by what they explain; both are numbers or arrays.

        Raises
        ------
        ArgumentError
            If there are no more rows than coefficients.
        """
        constant, factor = self.parts(size)
        left = 1.0 - explained
        return constant - factor * (np.log(np.maximum(left, EXPLAINED)) if self.logarithmic else left)

    @property
    def logarithmic(self) -> bool:
        """Whether it goes by the logarithm of what is left."""
        return self.name in {"aic", "bic"}

    def parts(self, size: Any) -> tuple[Any, Any]:
        """Return C and f of ``C - f u``, or ``C - f log u``, for sets of a size.

        Examples
        --------
        >>> Penalty("aic", rows=100, parameters=1).parts(3)
        (-8.0, 100.0)
        """
        p = self.coefficients(size)
        if self.name == "adjusted":
            return 1.0, (self.rows - 1) / (self.rows - p)
        if self.name == "cp":
            return self.rows - 2.0 * p, 1.0 / self.unit
        return -self._price * p, float(self.rows)

    def coefficients(self, size: Any) -> Any:
        """Return how many coefficients a model has, or say that there are too few rows for them."""
        most = size if isinstance(size, int) else int(np.max(size, initial=0))
        if self.parameters + most >= self.rows:
            raise ArgumentError(
                f"{self.title} of {most} columns: a model of {self.parameters + most} coefficients needs"
                f" more rows than {self.rows}; use k with which a set has at most "
                f"{max(self.rows - self.parameters - 1, 0)} (a category has several)"
            )
        return self.parameters + size

    def exact_worth(self, explained: Fraction, size: int) -> Fraction:
        """Return the worth without rounding, but for logarithms of 60 digits; of a logarithm u is above 0."""
        constant, factor = map(Fraction, self.parts(size))
        left = 1 - explained
        if self.logarithmic:
            with localcontext(prec=60):
                left = Fraction((Decimal(left.numerator) / Decimal(left.denominator)).ln())
        return constant - factor * left

    def needed(self, worth: float, size: int) -> float:
        """Return what sets of a size must explain to be worth so much; more than 1 if none can."""
        constant, factor = self.parts(size)
        left = float((constant - worth) / factor)
        if not self.logarithmic:
            return 1.0 - left
        left = exp(min(left, 700.0))
        return 1.0 - left if left >= EXPLAINED else 1.0 + EXPLAINED

    def steepness(self, most: float, size: int) -> float:
        """Return how much the worth of sets of a size rises at most with what they explain."""
        _, factor = self.parts(size)
        return float(factor / max(1.0 - most, EXPLAINED) if self.logarithmic else factor)

    @property
    def _price(self) -> float:
        return 2.0 if self.name == "aic" else log(self.rows)


def penalty_of(name: str, rows: int, parameters: int, left: float, rank: int) -> Penalty:
    """Return the penalty of a name, for data of so many rows.

    Parameters
    ----------
    name
        See `Penalty`.
    rows, parameters
        As there.
    left
        What all features together leave unexplained.
    rank
        How many of them are independent.

    Raises
    ------
    ArgumentError
        If there is none of the name.
    DataError
        If Cp has no variance to compare with.
    """
    if name not in PENALTIES:
        raise ArgumentError(f"penalty={name!r}; use {', '.join(map(repr, PENALTIES))} or None")
    if name != "cp":
        return Penalty(name, rows, parameters)
    free = rows - parameters - rank
    if free <= 0 or left <= EXPLAINED:
        raise DataError(
            "Cp compares with the variance that all features leave, and they leave none; use penalty='bic'"
        )
    return Penalty(name, rows, parameters, left / free)
