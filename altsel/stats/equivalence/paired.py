"""Paired tests on the losses, or the predictions, of two feature sets; and tests that show equivalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, flags, no_negative
from altsel.results.comparison import Comparison, Definition, Shows
from altsel.runtime.on_demand import OnDemand
from altsel.stats.equivalence.permutation import change_of, loss_change
from altsel.stats.equivalence.protocol import Models, Names, checked_models

stats: Any = OnDemand("scipy.stats")  # half a second of start-up


@dataclass(frozen=True)
class _Paired:
    """What these tests share: models, and which of their numbers are paired."""

    models: Models
    definition: Definition = Definition.PERFORMANCE

    def __post_init__(self) -> None:
        checked_models(self.models)
        object.__setattr__(self, "definition", _no_information(self.definition))


@dataclass(frozen=True)
class PairedT(_Paired):
    """Paired t test: ``t = mean(d) sqrt(n) / sd(d)`` with n - 1 degrees of freedom.

    On losses (PEQ), or on predictions (MEQ). It misleads on predictions: on the rows fitted to, models
    with an intercept all predict the same mean, whatever the sets are; on others the means differ by
    what was fitted, so it rejects one of five pairs that are equivalent, and accepts most that are not.

    Parameters
    ----------
    models
        The models compared.
    definition
        ``PERFORMANCE``: by losses; ``MODEL``: by predictions.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 4.2.4.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> PairedT(altsel.comparison.GLMModels(data))(["a"], ["b"]).statistic > 5
    True
    """

    @property
    def name(self) -> str:
        """The test in words."""
        return f"paired t test on {_what(self.definition)}"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is t."""
        change = _change(self.models, self.definition, first, second)
        mean, error, dof = _mean_and_error(change)
        t = mean / error if error else 0.0
        p = float(2 * stats.t.sf(abs(t), dof)) if error else float(mean == 0)
        return Comparison(self.name, self.definition, p, t, _loss(self.definition, mean), dof >= 1)


@dataclass(frozen=True)
class Wilcoxon(_Paired):
    """Wilcoxon's signed-rank test of differences d distributed symmetrically about zero.

    On losses (PEQ), or on predictions (MEQ); rows without a difference are left out. It misleads
    where d is skewed, as differences of losses often are: then it rejects though the means agree.

    Parameters
    ----------
    models, definition
        As in `PairedT`.

    References
    ----------
    Borboudakis and Tsamardinos (2021), section 4.2.4.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> Wilcoxon(altsel.comparison.GLMModels(data))(["a"], ["b"]).p < 0.01
    True
    """

    @property
    def name(self) -> str:
        """The test in words."""
        return f"Wilcoxon test on {_what(self.definition)}"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is the smaller sum of ranks."""
        change = _change(self.models, self.definition, first, second)
        mean = _loss(self.definition, float(change.mean()))
        if not change.any():
            return Comparison(self.name, self.definition, 1.0, 0.0, mean)
        moved = change[change != 0]
        results = stats.wilcoxon(moved, method="exact" if len(moved) <= 10 else "approx")
        return Comparison(self.name, self.definition, float(results.pvalue), float(results.statistic), mean)


@dataclass(frozen=True)
class TOST:
    """Two one-sided t tests: show that the mean change of the loss lies within a margin.

    Rejects ``mean(d) <= -margin`` and ``mean(d) >= margin``; p is the larger of the two. A small
    p shows equivalence: few rows never do, unlike a test that fails to show a difference.

    Parameters
    ----------
    models
        The models whose losses are compared.
    margin
        Largest change of the mean loss that does not matter.
    relative
        Whether the margin is a share of the first set's mean loss, instead of in its unit.

    Raises
    ------
    ArgumentError
        If the margin is not above 0.

    References
    ----------
    Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> TOST(altsel.comparison.GLMModels(data), margin=0.1)(["a"], ["b"]).equivalent(0.05)
    False
    """

    models: Models
    margin: float
    relative: bool = False

    definition = Definition.PERFORMANCE
    both_sides = True

    def __post_init__(self) -> None:
        checked_models(self.models)
        flags(relative=self.relative)
        no_negative("margin", self.margin)
        if not self.margin:
            raise ArgumentError("margin=0; no sample can show that nothing at all is lost: use more")

    @property
    def name(self) -> str:
        """The test in words."""
        kind = "TOST" if self.both_sides else "non-inferiority test"
        return f"{kind}, margin {self.margin:g}" + (" of the loss" if self.relative else "")

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is the t of the side that is nearer to the margin."""
        change = loss_change(self.models, first, second)
        mean, error, dof = _mean_and_error(change)
        margin = self.margin * (float(self.models.losses(first).mean()) if self.relative else 1.0)
        slack = margin - (abs(mean) if self.both_sides else mean)
        t = slack / error if error else 0.0
        p = float(stats.t.sf(t, dof)) if error else float(slack <= 0)
        return Comparison(self.name, self.definition, p, t, mean, dof >= 1, Shows.EQUIVALENCE)


@dataclass(frozen=True)
class NonInferiority(TOST):
    """One-sided: show that the second set loses at most a margin more than the first.

    Rejects ``mean(d) >= margin``; a set that is better passes. See `TOST` for the arguments.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> NonInferiority(altsel.comparison.GLMModels(data), margin=0.1)(["b"], ["a"]).equivalent(0.05)
    True
    """

    both_sides = False


def _change(models: Models, definition: Definition, first: Names, second: Names) -> FloatArray:
    if definition is Definition.PERFORMANCE:
        return loss_change(models, first, second)
    return change_of(models.predictions(first), models.predictions(second))


def _mean_and_error(change: FloatArray) -> tuple[float, float, int]:
    """Mean, its standard error (0 if that is rounding only), degrees of freedom."""
    mean, rows = float(change.mean()), len(change)
    error = float(change.std(ddof=1) / np.sqrt(rows)) if rows > 1 else 0.0
    return mean, error if error > 1e-12 * abs(mean) else 0.0, rows - 1


def _loss(definition: Definition, mean: float) -> float | None:
    return mean if definition is Definition.PERFORMANCE else None


def _what(definition: Definition) -> str:
    return "losses" if definition is Definition.PERFORMANCE else "predictions"


def _no_information(definition: object) -> Definition:
    """Return what a test is of, also where that is given by its value."""
    allowed = Definition.PERFORMANCE, Definition.MODEL
    if definition is Definition.INFORMATION or definition not in list(allowed):
        raise ArgumentError(
            f"definition={definition!r}: paired tests are of PEQ (losses) or MEQ (predictions); for IEQ see "
            "Comprehensive"
        )
    return Definition(str(definition))
