"""Which family a kind of target has, and how a model of it is fitted."""

from __future__ import annotations

from typing import Any

import pandas as pd

from altsel._types import FloatArray
from altsel.data.schema import Kind
from altsel.errors import ArgumentError
from altsel.stats.independence.glm.cumulative import CumulativeFit, fit_cumulative
from altsel.stats.independence.glm.families import Categorical, Gaussian, GLMFamily, ProportionalOdds
from altsel.stats.independence.glm.grouped import Grouped, fit_grouped
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.negative_binomial import (
    NegativeBinomial,
    family_of_counts,
    fit_dispersed,
)
from altsel.stats.independence.glm.newton import Fitted, fit

AnyFamily = GLMFamily | ProportionalOdds


def usual_family(target: pd.Series[Any], kind: Kind, counts: FloatArray | None = None) -> AnyFamily:
    """Choose the family of a target by its kind; the rows count as often as `counts` says."""
    if kind in {Kind.CATEGORICAL, Kind.BINARY}:
        return Categorical()
    if kind is Kind.ORDINAL:
        return ProportionalOdds()
    if kind is Kind.COUNT:
        return family_of_counts(target.to_numpy(dtype=float), counts)
    return Gaussian()


def fit_model(
    family: AnyFamily, response: FloatArray, design: FloatArray, counts: FloatArray | None = None
) -> Fitted | CumulativeFit:
    """Fit one model of a target by the columns of a design, the first of which is the intercept."""
    if isinstance(family, ProportionalOdds):
        return fit_cumulative(family, response, design, counts)
    if isinstance(family, NegativeBinomial):
        return fit_dispersed(family, lambda one: fit(one, response, design, counts))
    return fit(family, response, design, counts)


def fitted_with_levels(
    family: GLMFamily,
    response: FloatArray,
    levels: Levels,
    further: FloatArray,
    counts: FloatArray | None = None,
) -> Grouped:
    """Fit one model of a target by a category of many levels and further columns."""
    if isinstance(family, NegativeBinomial):
        return fit_dispersed(family, lambda one: fit_grouped(one, response, levels, further, counts))
    return fit_grouped(family, response, levels, further, counts)


def checked_family(family: object) -> None:
    """Raise an ArgumentError unless something is a family, or None."""
    if family is not None and (isinstance(family, type) or not hasattr(family, "response")):
        raise ArgumentError(f"family={family!r}; give one of altsel.independence, such as Poisson()")
