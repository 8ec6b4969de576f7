"""Models of conditioning sets, each fitted once and from a smaller one."""

from __future__ import annotations

from dataclasses import dataclass, field

from altsel._types import FloatArray
from altsel.stats.independence.cache import Memory
from altsel.stats.independence.glm.design import Design
from altsel.stats.independence.glm.families import GLMFamily
from altsel.stats.independence.glm.newton import Fitted, fit, fit_from, with_coefficients

FITS = 1 << 12
"""Conditioning sets whose coefficients are remembered."""


@dataclass(frozen=True, eq=False)
class _Fit:
    """What is remembered of a fit: coefficients of shape (predictors, columns), and whether it had an end."""

    coefficients: FloatArray
    log_likelihood: float
    ended: bool


@dataclass(frozen=True, eq=False)
class RememberedFits:
    """Models of targets by the columns of some variables, whose coefficients are remembered.

    Attributes
    ----------
    design
        Columns of the variables.
    """

    design: Design
    _fits: Memory[_Fit] = field(default_factory=lambda: Memory[_Fit](FITS))

    def forget(self) -> None:
        """Drop all."""
        self._fits.forget()

    def model(self, target: str, known: list[int], family: GLMFamily, response: FloatArray) -> Fitted:
        """Return the model of a target by some variables, which are in order."""
        columns, counts = self.design.given(known), self.design.counts

        def fitted() -> _Fit:
            smaller = self._smaller(target, known, family, response)
            model = fit_from(smaller, columns) if smaller else fit(family, response, columns, counts)
            return _Fit(model.coefficients, model.log_likelihood, model.ended)

        coefficients = self._fits((target, *known), fitted).coefficients
        return with_coefficients(family, response, columns, coefficients, counts)

    def _smaller(
        self, target: str, known: list[int], family: GLMFamily, response: FloatArray
    ) -> Fitted | None:
        """Return the likeliest remembered model of all variables but one; None if one of them had no end."""
        parts = [[other for other in known if other != one] for one in known]
        found = [(fit, part) for part in parts if (fit := self._fits.get((target, *part))) is not None]
        if not found or not all(fit.ended for fit, _ in found):
            return None
        best, part = max(found, key=lambda pair: pair[0].log_likelihood)
        design = self.design.given(part)
        return with_coefficients(family, response, design, best.coefficients, self.design.counts)
