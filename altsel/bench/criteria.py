"""Criteria of a benchmark: altsel's by their names, and one's own as ``module:object``."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from altsel import catalogue
from altsel.bench.changes import digest_of
from altsel.catalogue import Entry
from altsel.errors import ConfigurationError
from altsel.models.objective import Objective
from altsel.runtime.entries import OWN


def is_own_criterion(name: str) -> bool:
    """Return whether a criterion is named as ``module:object``."""
    return ":" in name


@cache
def own_criterion(name: str) -> Entry:
    """Return the entry of a criterion of one's own, whose module is on the path or in the working directory.

    Raises
    ------
    ConfigurationError
        If it cannot be imported, or is nothing to be called.
    """
    entry = Entry(name, name, package=OWN)
    made = entry.load()
    if not callable(made):
        raise ConfigurationError(f"{name}: {made!r:.60} cannot be called; name a class or a function")
    return entry


def digest_of_criterion(name: str) -> str:
    """Return the SHA-256 of the module that holds a criterion of one's own; nothing of altsel's."""
    if not is_own_criterion(name):
        return ""
    own_criterion(name)
    file = getattr(import_module(name.partition(":")[0]), "__file__", None)
    return digest_of(file) if file else name


def takes_data(name: str) -> bool:
    """Return whether a criterion takes a data set itself, and no measure of dependence."""
    if is_own_criterion(name):
        return bool(getattr(own_criterion(name).load(), "of_data", False))
    return catalogue.of_data(name)


def default_measure_of(name: str) -> str:
    """Return the name of the measure that a criterion is defined with; `catalogue.DEFAULT` if it has none."""
    return catalogue.DEFAULT if is_own_criterion(name) else catalogue.default_measure(name)


def measure_of(name: str, measure: str, seed: int) -> Any:
    """Return the measure of a name, or the criterion's own."""
    if measure != catalogue.DEFAULT:
        return catalogue.measure(measure, seed)
    if is_own_criterion(name):
        return getattr(own_criterion(name).load(), "default_measure", Objective.default_measure)
    return catalogue.measure_for(name, None, seed)


def criterion(name: str, given: Any) -> Objective:
    """Return the criterion of a name, of given dependences or of the data set.

    Raises
    ------
    ConfigurationError
        If one of one's own fails, or makes something else.
    """
    if not is_own_criterion(name):
        return catalogue.objective(name, given)
    entry = own_criterion(name)
    made = entry.make(given)
    if not isinstance(made, Objective):
        raise entry.refused(f"gives a {type(made).__name__}, which is no altsel.models.Objective")
    return made
