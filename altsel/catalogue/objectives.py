"""Objectives by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import altsel
from altsel.catalogue.measures import MEASURES, checked_seed, measure
from altsel.catalogue.missing import each, is_several
from altsel.errors import ArgumentError, listing
from altsel.runtime.entries import Entry, Table

if TYPE_CHECKING:
    from altsel.models import Objective
    from altsel.stats.dependence import Measure

    ObjectiveFactory = Callable[[altsel.Dataset], Objective]

_FIT = "altsel.models.linear_fit:LinearFit"
_ON_FITS = "formulations/linear_fit"
_MODEL, _ON_MODELS = "altsel.models.model_fit:ModelFit", "formulations/model_fit"
FAMILIES = "logistic", "multinomial", "poisson", "cox", "ordinal"
"""Families of models that are objectives: each alone, and less a price for its coefficients."""


def _model_fits() -> Iterator[Entry]:
    """Yield the entries of the fits of models of classes, counts and times."""
    for family in FAMILIES:
        yield Entry(f"{family}-fit", _MODEL, {"family": family}, _ON_MODELS)
        for penalty in ("aic", "bic", "ebic"):
            yield Entry(f"{family}-fit-{penalty}", _MODEL, {"family": family, "penalty": penalty}, _ON_MODELS)


OBJECTIVES = Table(
    "objective",
    "altsel.objectives",
    (
        Entry("univariate", "altsel.models.univariate:Univariate", page="formulations/univariate"),
        Entry("fcbf", "altsel.models.fcbf:FCBF", page="formulations/fcbf"),
        Entry("mrmr", "altsel.models.mrmr:MRMR", page="formulations/mrmr"),
        Entry("mrmr-k2", "altsel.models.mrmr:MRMR", {"denominator": "k^2"}, "formulations/mrmr"),
        Entry("cfs", "altsel.models.cfs:CFS", page="formulations/cfs"),
        Entry("cfs-linearised", "altsel.models.cfs:CFS", {"encoding": "linearised"}, "formulations/cfs"),
        Entry("linear-fit", _FIT, page=_ON_FITS),
        Entry("linear-fit-adjusted", _FIT, {"penalty": "adjusted"}, _ON_FITS),
        Entry("linear-fit-aic", _FIT, {"penalty": "aic"}, _ON_FITS),
        Entry("linear-fit-bic", _FIT, {"penalty": "bic"}, _ON_FITS),
        Entry("linear-fit-cp", _FIT, {"penalty": "cp"}, _ON_FITS),
        *_model_fits(),
    ),
)
"""A class, or a function, of a `Dependence`; of the data set itself where it is ``of_data``."""
DEFAULT = "default"
"""Name of the measure that an objective is defined with, where that has no name of its own."""


@dataclass(frozen=True, eq=False)
class FitOptions:
    """What fits of models take besides family and penalty, as `altsel.LinearFit` and `altsel.ModelFit` do.

    None, and nothing given, is as usual for each of them.
    """

    ridge: float | None = None
    weights: Any = None
    given: Sequence[str] = ()
    offset: Any = None
    event: Any = None
    expand: str | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> FitOptions:
        """Return those among the options of a command."""
        ridge, names = told.get("ridge"), ("weights", "offset", "event", "expand")
        return cls(
            None if ridge is None else float(ridge),
            given=tuple(told.get("given") or ()),
            **{name: told.get(name) for name in names},
        )

    @property
    def named(self) -> list[str]:
        """Names of those that were given."""
        return [name for name, value in vars(self).items() if value is not None and not _empty(value)]

    @property
    def told(self) -> dict[str, Any]:
        """Those that were given, by name."""
        return {name: getattr(self, name) for name in self.named}

    @property
    def only_of_fits(self) -> list[str]:
        """Names of those given that are nothing to other criteria; a ridge of 0 is none."""
        return [name for name in self.named if name != "ridge" or self.ridge != 0]


def _empty(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and not len(value)


PLAIN = FitOptions()


def of_data(name: str) -> bool:
    """Return whether an objective takes a data set itself, and no measure of dependence."""
    return bool(getattr(OBJECTIVES[name].load(), "of_data", False))


def measure_for(name: str, named: str | None, seed: int) -> Measure:
    """Return the measure of a name, or that which an objective is defined with: its ``default_measure``."""
    checked_seed(seed)
    if named not in {None, DEFAULT}:
        return measure(str(named), seed)
    own: Measure = getattr(OBJECTIVES[name].load(), "default_measure", altsel.measures.association)
    return own


def default_measure(name: str) -> str:
    """Return the name of the measure that an objective is defined with; `DEFAULT` if it has none."""
    wanted = measure_for(name, None, 0)
    return next((entry.name for entry in MEASURES.own.values() if entry.load() is wanted), DEFAULT)


def objective(name: str, given: Any, fit: FitOptions = PLAIN) -> Objective:
    """Return the objective of a name, of given dependences, or of the data set where it is `of_data`."""
    from altsel.models.objective import Objective  # noqa: PLC0415  (heavy)

    entry = OBJECTIVES[name]
    made = entry.make(given, **(fit.told if of_data(name) else {}))
    if not isinstance(made, Objective):
        raise entry.refused(f"gives a {type(made).__name__}, which is no altsel.models.Objective")
    return made


def objective_factory(
    name: str, named: str | None, seed: int, normalize: bool = False, fit: FitOptions = PLAIN
) -> ObjectiveFactory:
    """Return what turns a table into the objective of a name.

    Raises
    ------
    ArgumentError
        If the objective takes no measure and one is named, or if it fits no models, and what only
        such take is given.
    """
    by = measure_for(name, named, seed)
    if of_data(name) and (named is not None or normalize):
        what = "--normalize" if named is None else f"--measure {named}"
        raise ArgumentError(f"{what}; {name} fits models to the data themselves: leave it out")
    if not takes(name, fit):
        options = listing(f"--{one}" for one in fit.only_of_fits)
        able = next((one for one in ("linear-fit", "logistic-fit", "cox-fit") if takes(one, fit)), "cox-fit")
        raise ArgumentError(f"{options}: {name} fits no models that take such; use --objective {able}")

    def make(rows: altsel.Dataset) -> Objective:
        if of_data(name):
            return objective(name, *fitted_rows(rows, fit, OBJECTIVES[name].options))
        dependence = each(rows, lambda one: altsel.dependence(one, by), "dependence")
        return objective(name, dependence.normalized() if normalize else dependence)

    return make


def fitted_rows(
    rows: Any, fit: FitOptions, options: Mapping[str, Any] | None = None
) -> tuple[Any, FitOptions]:
    """Return the rows that models are fitted to, with their weights where tables are several.

    Raises
    ------
    ArgumentError
        If there are none, `options` of the fit have a penalty, which counts rows, or weights, events or
        offsets are given besides.
    """
    if not is_several(rows):
        return rows, fit
    if (options or {}).get("penalty") is not None:
        raise ArgumentError(
            f"penalty={options['penalty']!r}: it counts rows, and imputed tables repeat them: use the fit "  # type: ignore[index]
            "without a penalty and a size k, or missing='category' (--missing category)"
        )
    wrong = [one for one in fit.named if one in {"weights", "event", "offset"}]
    if wrong:
        raise ArgumentError(
            f"{wrong[0]}: imputed tables have weights of their own, and take none: use missing='category' "
            "(--missing category)"
        )
    data, weights = rows.stacked()
    return data, replace(fit, weights=weights)


def takes(name: str, fit: FitOptions) -> bool:
    """Return whether an objective takes the options of fits that were given."""
    return not fit.only_of_fits or (of_data(name) and all(map(OBJECTIVES[name].takes, fit.named)))
