"""What regularised models are worth by their losses: a share explained, or less a price for coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError
from altsel.runtime.on_demand import OnDemand
from altsel.stats.generalised.fit import fit_columns
from altsel.stats.generalised.model import RegularisedModel

special: Any = OnDemand("scipy.special")

PENALTIES = {"aic": "AIC", "bic": "BIC", "ebic": "EBIC"}
"""Names of the penalties, and how they are written."""
MANY = 1_500
"""Coefficients from which the model of all features is not fitted."""


@dataclass(frozen=True, eq=False)
class FittedModels:
    """The models of sets, and what a loss is worth; larger is better.

    With F the loss of a set, ridge included, F_0 that without features, q the coefficients and n the cases:

    ===== ==============================================
    none  ``1 - F / F_0``
    aic   ``-(2 F + 2 q)``
    bic   ``-(2 F + q log n)``
    ebic  ``-(2 F + q log n + 2 log(p choose k))``
    ===== ==============================================

    Attributes
    ----------
    model
        Rows and columns.
    penalty
        ``"aic"``, ``"bic"``, ``"ebic"`` or None.

    Notes
    -----
    D. McFadden (1974); H. Akaike (1974); G. Schwarz (1978); of ``ebic`` J. Chen and Z. Chen, Biometrika 95
    (2008), with gamma 1. For Cox regression n is the number of events (C. T. Volinsky and A. E. Raftery,
    Biometrics 56, 2000).
    """

    model: RegularisedModel
    penalty: str | None

    def __post_init__(self) -> None:
        if self.penalty is not None and self.penalty not in PENALTIES:
            raise ArgumentError(f"penalty={self.penalty!r}; use {', '.join(map(repr, PENALTIES))} or None")

    @property
    def title(self) -> str:
        """How the penalty is written; nothing if there is none."""
        return PENALTIES[self.penalty] if self.penalty else ""

    @property
    def _of_one(self) -> float:
        """The price of a coefficient, in units of a loss."""
        if self.penalty is None:
            return 0.0
        return 1.0 if self.penalty == "aic" else log(max(self.model.family.cases, 1.0)) / 2

    @cached_property
    def prices(self) -> FloatArray:
        """The price of each feature, in units of a loss."""
        return np.asarray(self._of_one * self.model.family.coefficients * self.model.widths.astype(float))

    def cost(self, losses: Any, members: Any) -> Any:
        """Add the prices of sets to their losses; members of shape (k,) or (sets, k)."""
        return losses + self.prices[members].sum(axis=-1)

    def least_prices(self, size: int) -> float:
        """Return what the features of a set of a size cost at least."""
        return float(np.sort(self.prices)[:size].sum())

    def worth(self, cost: Any, size: int) -> Any:
        """Return what sets of a size are worth by their costs."""
        if self.penalty is None:
            return 1.0 - cost / self.model.null
        return -2.0 * cost - self._besides(size)

    def cost_of(self, worth: float, size: int) -> float:
        """Return the cost of sets of a size that are worth so much."""
        if self.penalty is None:
            return (1.0 - worth) * self.model.null
        return -(worth + self._besides(size)) / 2.0

    def _besides(self, size: int) -> float:
        """Return what all sets of a size pay besides: constants, given columns, for ebic the size."""
        family, always = self.model.family, len(self.model.always)
        of_all = len(family.start) - family.channels + family.coefficients + family.coefficients * always
        several = 0.0
        if self.penalty == "ebic":
            n = len(self.model.features)
            several = 2.0 * float(
                special.gammaln(n + 1) - special.gammaln(size + 1) - special.gammaln(n - size + 1)
            )
        return 2.0 * self._of_one * of_all + several

    @cached_property
    def lowest(self) -> float:
        """A bound below the losses of all sets: that of all features together."""
        model = self.model
        if len(model.owner) * model.family.channels > MANY:
            return 0.0
        fitted = fit_columns(model, np.arange(len(model.owner))[None])
        return max(float(fitted.lower[0]), 0.0)
