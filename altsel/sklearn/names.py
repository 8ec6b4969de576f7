"""What the words of parameters stand for: the names of `altsel.catalogue`, or objects themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import altsel
from altsel import catalogue
from altsel.errors import ArgumentError, ConfigurationError, did_you_mean, listing

SEARCHES = ("sequential", "sum", "min", "near-optimal", "most-different")


def by_name(what: str, given: Any, names: Any, *further: str) -> Any:
    """Return a name that is in a table of entries, or the member of an enumeration.

    Raises
    ------
    ArgumentError
        If there is none of that name; it lists the names.

    Examples
    --------
    >>> from altsel.catalogue import DISSIMILARITIES
    >>> by_name("distance", "dice", DISSIMILARITIES)
    'dice'
    """
    try:
        return names[given].name if isinstance(names, catalogue.Table) else names(given)
    except ConfigurationError:  # there is one of that name, of another package, and it is broken
        raise
    except ValueError as fault:
        known = [*further, *names]
        hint = did_you_mean(str(given), known)
        raise ArgumentError(f"{what}={given!r}; use {listing(known, 50)}{hint}") from fault


def criterion_of(given: Any, fit: catalogue.FitOptions) -> Callable[[Any], Any]:
    """Return what makes an objective of dependences or data, by its name.

    Raises
    ------
    ArgumentError
        If there is none, or it fits no models, and what only such take is given.
    """
    if not isinstance(given, str):
        if not callable(given):
            raise ArgumentError(f"criterion={given!r}; use a name, or a function of a Dependence: altsel.CFS")
        if fits_models(given):
            return partial(given, **fit.told)
        if fit.only_of_fits:
            raise _no_fit(given, fit)
        return given  # type: ignore[no-any-return]
    name = by_name("criterion", given, catalogue.OBJECTIVES)
    if not catalogue.takes(name, fit):
        raise _no_fit(given, fit)
    return partial(catalogue.objective, name, fit=fit)


def _no_fit(criterion: Any, fit: catalogue.FitOptions) -> ArgumentError:
    told = ["sample_weight" if name == "weights" else name for name in fit.only_of_fits]
    return ArgumentError(
        f"{listing(told)}: criterion={criterion!r} fits no models; use 'linear-fit' or 'logistic-fit'"
    )


def fits_models(criterion: Any) -> bool:
    """Return whether a criterion, a function or a class, is one of the fit of models."""
    return bool(getattr(getattr(criterion, "func", criterion), "of_data", False))


def takes_data(criterion: Any, relevance: Any) -> bool:
    """Return whether a criterion takes the data set itself, and no measure of dependence.

    Raises
    ------
    ArgumentError
        If it does, and a measure is given.
    """
    if isinstance(criterion, str):
        known = catalogue.of_data(by_name("criterion", criterion, catalogue.OBJECTIVES))
    else:
        known = fits_models(criterion)
    if known and relevance != "auto":
        raise ArgumentError(f"relevance={relevance!r}: the criterion fits models to the data; leave it out")
    return known


def options_of(criterion: Any) -> Mapping[str, Any]:
    """Return the options that a criterion is made with, by its name or as a partial function."""
    if isinstance(criterion, str):
        return catalogue.OBJECTIVES[by_name("criterion", criterion, catalogue.OBJECTIVES)].options
    return getattr(criterion, "keywords", {})


def measure_of(given: Any, criterion: Any) -> Any:
    """Return the measure of a name, or the default one of a criterion."""
    if not isinstance(given, str):
        return given
    if given != "auto":
        return catalogue.measure(by_name("relevance", given, catalogue.MEASURES, "auto"), 0)
    if isinstance(criterion, str):
        return catalogue.measure_for(criterion, None, 0)
    return getattr(criterion, "default_measure", altsel.measures.association)


def diversity_of(distance: Any, tau: Any) -> Any:
    """Return the diversity of a name and a bound."""
    if not isinstance(distance, str):
        return distance
    name = by_name("distance", distance, catalogue.DISSIMILARITIES)
    entry = catalogue.DISSIMILARITIES[name]
    if not (entry.alike or entry.package) or entry.of_file or entry.takes("features"):
        raise ArgumentError(
            f"distance={distance!r}; use 'dice', 'jaccard', or a dissimilarity with its own tau"
        )
    return catalogue.DissimilarityFactory(name)(tau)


def search_of(given: Any, within: Any, solver: Any) -> Callable[[altsel.Problem, Any, int], altsel.Solutions]:
    """Return the search of a name: a function of problem, diversity and number of alternatives."""
    if callable(given):
        return given  # type: ignore[no-any-return]
    if given == "sequential":
        return partial(altsel.sequential, solver=solver)
    if given in {"sum", "min"}:
        return partial(altsel.simultaneous, total=given, solver=solver)
    if given not in SEARCHES:
        raise ArgumentError(f"search={given!r}; use {listing(SEARCHES)} or a function")
    if within is None:
        raise ArgumentError(f"search={given!r} needs within=, the share of the best quality that may be lost")
    loss = within if hasattr(within, "floor") else altsel.RelativeLoss(within)
    if given == "most-different":
        return partial(altsel.most_different, within=loss, solver=solver)

    def near(problem: altsel.Problem, diversity: Any, alternatives: int) -> altsel.Solutions:
        return altsel.near_optimal(problem, loss, alternatives + 1, diversity, solver)

    return near
