"""Objectives, diversities and searches for alternatives by their names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import altsel
from altsel.catalogue.names import MeasureName, ObjectiveName, SearchName, Total
from altsel.errors import ArgumentError, listing

if TYPE_CHECKING:
    from altsel.models import Dissimilarity, Objective
    from altsel.results import Solutions

    ObjectiveFactory = Callable[[altsel.Dataset], Objective]


LINEAR_FITS = {
    ObjectiveName.LINEAR_FIT: None,
    ObjectiveName.LINEAR_FIT_ADJUSTED: "adjusted",
    ObjectiveName.LINEAR_FIT_AIC: "aic",
    ObjectiveName.LINEAR_FIT_BIC: "bic",
    ObjectiveName.LINEAR_FIT_CP: "cp",
}
"""Fits of linear models, and their penalties."""


@dataclass(frozen=True, eq=False)
class FitOptions:
    """What a fit of linear models takes besides its penalty: the arguments of `altsel.LinearFit`."""

    ridge: float = 0.0
    weights: Any = None
    given: Sequence[str] = ()

    def of(self, given: Any, penalty: str | None) -> Objective:
        """Return the fit of data."""
        return altsel.LinearFit(
            given, self.ridge, penalty=penalty, weights=self.weights, given=tuple(self.given)
        )

    @property
    def named(self) -> list[str]:
        """Names of those that were given."""
        used = {"ridge": self.ridge != 0, "weights": self.weights is not None, "given": len(self.given) > 0}
        return [name for name, told in used.items() if told]


PLAIN = FitOptions()


def default_measure(objective: ObjectiveName) -> MeasureName:
    """Return the measure that an objective is defined with: its class's ``default_measure``."""
    names = {
        altsel.measures.association: MeasureName.ASSOCIATION,
        altsel.measures.absolute_pearson: MeasureName.PEARSON,
        altsel.measures.symmetric_uncertainty: MeasureName.SU,
    }
    return names[_class_of(objective).default_measure]


def of_data(objective: ObjectiveName) -> bool:
    """Return whether an objective takes a data set itself, and no measure of dependence."""
    return _class_of(objective).of_data


def _class_of(objective: ObjectiveName) -> type[Objective]:
    classes: dict[ObjectiveName, type[Objective]] = {
        ObjectiveName.UNIVARIATE: altsel.Univariate,
        ObjectiveName.FCBF: altsel.FCBF,
        ObjectiveName.MRMR: altsel.MRMR,
        ObjectiveName.MRMR_SQUARE: altsel.MRMR,
        ObjectiveName.CFS: altsel.CFS,
        ObjectiveName.CFS_LINEARISED: altsel.CFS,
        **dict.fromkeys(LINEAR_FITS, altsel.LinearFit),
    }
    return classes[objective]


def measure(name: MeasureName, seed: int) -> altsel.measures.Measure:
    """Return the measure of a name."""
    if seed < 0:
        raise ArgumentError(f"--seed {seed}; use a number of at least 0")
    known = altsel.measures
    measures: dict[MeasureName, Callable[[], altsel.measures.Measure]] = {
        MeasureName.ASSOCIATION: lambda: known.association,
        MeasureName.MI: lambda: known.MutualInformation(random_state=seed),
        MeasureName.SU: lambda: known.symmetric_uncertainty,
        MeasureName.PEARSON: lambda: known.absolute_pearson,
        MeasureName.SPEARMAN: lambda: known.absolute_spearman,
        MeasureName.RATIO: lambda: known.correlation_ratio,
        MeasureName.COPULA: lambda: known.gaussian_copula_information,
        MeasureName.IMPORTANCES: lambda: known.importances(random_state=seed),
        MeasureName.PERMUTATION: lambda: known.permutation_importance(random_state=seed),
        MeasureName.RELIEF: lambda: known.Relief(random_state=seed),
        MeasureName.MI_PLAIN: lambda: known.MutualInformation(random_state=seed, debiased=False),
        MeasureName.SU_PLAIN: lambda: known.SymmetricUncertainty(debiased=False),
        MeasureName.RATIO_PLAIN: lambda: known.CorrelationRatio(debiased=False),
        MeasureName.IMPORTANCES_PLAIN: lambda: known.importances(random_state=seed, debiased=False),
        MeasureName.PERMUTATION_PLAIN: lambda: known.permutation_importance(random_state=seed, folds=None),
        MeasureName.RELIEF_PLAIN: lambda: known.Relief(random_state=seed, debiased=False),
    }
    return measures[name]()


SLOW_MEASURES = frozenset({MeasureName.IMPORTANCES, MeasureName.PERMUTATION, MeasureName.RELIEF})
"""Measures that fit models or look for neighbours: nothing is measured by them again unasked."""


def objective(name: ObjectiveName, given: Any, fit: FitOptions = PLAIN) -> Objective:
    """Return the objective of a name, of given dependences, or of the data set where it is `of_data`."""
    objectives: dict[ObjectiveName, Callable[[Any], Objective]] = {
        ObjectiveName.UNIVARIATE: altsel.Univariate,
        ObjectiveName.FCBF: altsel.FCBF,
        ObjectiveName.MRMR: altsel.MRMR,
        ObjectiveName.MRMR_SQUARE: lambda given: altsel.MRMR(given, "k^2"),
        ObjectiveName.CFS: altsel.CFS,
        ObjectiveName.CFS_LINEARISED: lambda given: altsel.CFS(given, "linearised"),
        **{one: partial(fit.of, penalty=penalty) for one, penalty in LINEAR_FITS.items()},
    }
    return objectives[name](given)


def objective_factory(
    name: ObjectiveName,
    named: MeasureName | None,
    seed: int,
    normalize: bool = False,
    fit: FitOptions = PLAIN,
) -> ObjectiveFactory:
    """Return what turns a table into the objective of a name.

    Raises
    ------
    ArgumentError
        If the objective takes no measure and one is named, or if it fits no models, and what only
        such take is given.
    """
    by = measure(named or default_measure(name), seed)
    if of_data(name) and (named is not None or normalize):
        what = "--normalize" if named is None else f"--measure {named}"
        raise ArgumentError(f"{what}; {name} fits models to the data themselves: leave it out")
    if fit.named and not of_data(name):
        options = listing(f"--{one}" for one in fit.named)
        raise ArgumentError(f"{options}: {name} fits no models; use --objective linear-fit")

    def make(rows: altsel.Dataset) -> Objective:
        if of_data(name):
            return objective(name, rows, fit)
        dependence = altsel.dependence(rows, by)
        return objective(name, dependence.normalized() if normalize else dependence)

    return make


def sizes(text: str) -> int | tuple[int, int]:
    """Read sizes of sets: ``5`` or ``3:5``.

    Examples
    --------
    >>> sizes("5"), sizes("3:5")
    (5, (3, 5))
    """
    parts = text.split(":")
    try:
        numbers = [int(part) for part in parts]
    except ValueError as fault:
        raise ArgumentError(f"-k {text!r}; use an integer, or two as in 3:5") from fault
    if len(numbers) > 2:
        raise ArgumentError(f"-k {text!r}; use an integer, or two as in 3:5")
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


def diversity(measured: Dissimilarity, average: bool, penalty: float | None) -> Any:
    """Return the diversity that wants a dissimilarity of each pair, on average, or at a penalty."""
    if average and penalty is not None:
        raise ArgumentError("--average and --penalty exclude each other")
    if penalty is not None:
        return altsel.Penalised(measured, penalty)
    return altsel.Average(measured) if average else measured


def loss(share: float | None, amount: float | None) -> Any:
    """Return the loss of a share of the best quality, 5 % if none is given, or of an amount.

    Raises
    ------
    ArgumentError
        If both are given.
    """
    if share is not None and amount is not None:
        raise ArgumentError("--within and --within-absolute exclude each other")
    if amount is not None:
        return altsel.AbsoluteLoss(amount)
    return altsel.RelativeLoss(0.05 if share is None else share)


def search(
    name: SearchName, total: Total, solver: Any, within: Any, start: Sequence[Collection[str]] = ()
) -> Callable[[altsel.Problem, Any, int], Solutions]:
    """Return the search of a name: a function of problem, diversity and number of alternatives."""
    if start and name in {SearchName.REPLACEMENT, SearchName.BALANCING}:
        raise ArgumentError(f"--search {name} begins with no sets: leave --start out")
    if name is SearchName.REPLACEMENT:
        return altsel.greedy.replacement
    if name is SearchName.BALANCING:
        return altsel.greedy.balancing
    if name is SearchName.MOST_DIFFERENT:
        return partial(altsel.most_different, within=within, solver=solver, start=start)
    if name is SearchName.SEQUENTIAL:
        return partial(altsel.sequential, solver=solver, start=start)
    return partial(altsel.simultaneous, total=total.value, solver=solver, start=start)
