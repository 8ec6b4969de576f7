"""What an objective declares besides its formula: whether all is there, and can be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from math import isnan
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, DataError, listing
from altsel.models.objective import Kind, Objective, is_own
from altsel.models.own_code import call_own, check_array, number_of
from altsel.stats.generalised.worth import FittedModels
from altsel.stats.least_squares import Design

ROUNDING = 1e-9
"""Relative difference of the two entries of a pair that is put down to rounding."""
ORDER = "in the order of features"
NEEDED = {
    Kind.SUM: ("weights",),
    Kind.QUADRATIC: ("quadratic",),
    Kind.RATIO: ("parametric", "bound_from_excess"),
    Kind.LEAST_SQUARES: ("least_squares",),
    Kind.MODEL_FIT: ("model_fit",),
}
"""What a class of each kind must define."""
MADE_OF = {Kind.LEAST_SQUARES: Design, Kind.MODEL_FIT: FittedModels}
"""Classes of what some of them give."""


def check_declared(objective: Objective) -> None:
    """Refuse an objective that lacks what every one needs, or what its kind needs.

    Raises
    ------
    ArgumentError
        Names what is missing, or cannot be used: features named twice, arrays of another shape.
    DataError
        If a number that it declares is missing or infinite; names the feature.
    """
    title, needed = type(objective).__name__, ["score", "express", *NEEDED.get(objective.kind, ())]
    needed += ["exchanged"] if objective.exchangeable else []
    missing = [name for name in needed if getattr(type(objective), name) is getattr(Objective, name)]
    missing += [name for name in ("features", "name") if not hasattr(objective, name)]
    if not isinstance(objective.kind, Kind):
        kinds = ", ".join(kind.name for kind in Kind)
        raise ArgumentError(f"{title}: kind is {objective.kind!r}; give an altsel.models.Kind: {kinds}")
    if objective.kind is Kind.SUM and objective.conditional:
        raise ArgumentError(
            f"{title}: a plain sum has no conditions; leave out its kind, and put them on the model"
        )
    if missing:
        kind = f" of kind {objective.kind.name}" if objective.kind is not Kind.GENERAL else ""
        raise ArgumentError(f"{title}: an objective{kind} needs {listing(missing)}")
    if is_own(objective):
        check_features(objective)
        check_numbers(objective)


def check_features(objective: Objective) -> None:
    """Refuse names of features that are no list, or not each once.

    Raises
    ------
    ArgumentError
        Names the objective and the features.
    """
    features: Any = objective.features
    if (
        isinstance(features, str)
        or not isinstance(features, Collection)
        or not hasattr(features, "__getitem__")
    ):
        shown = repr(features) if isinstance(features, str) else f"a {type(features).__name__}"
        raise ArgumentError(f"{objective.name}: features is {shown}; give a tuple of names: ('age', 'dose')")
    try:
        twice = [f for f, count in Counter(features).items() if count > 1]
    except TypeError as fault:
        raise ArgumentError(f"{objective.name}: features holds what is no name: {fault}") from fault
    if twice:
        raise ArgumentError(f"{objective.name}: features names {listing(twice)} twice; name each once")


def check_numbers(objective: Objective) -> None:
    """Refuse weights, relevances, pairs in conflict, rows and a largest score that cannot be used.

    Raises
    ------
    ArgumentError
        If one is no array of the right shape; it names the objective.
    DataError
        If a number is missing or infinite; it names the feature too.
    """
    n = len(objective.features)
    if objective.kind is Kind.SUM:
        _check_each(objective, "weights", _read(objective, "weights"))
    if (relevance := _read(objective, "relevance")) is not None:
        _check_each(objective, "relevance", relevance)
    if (conflict := _read(objective, "conflict")) is not None:
        check_array(objective.name, "conflict", conflict, (n, n), "b", f"True or False a pair, {ORDER}")
    if (rows := _read(objective, "rows")) is not None:
        _check_rows(objective, rows)
    if isnan(number_of(most := _read(objective, "most"), lambda: f"{objective.name}: most")):
        raise DataError(f"{objective.name}: most is {most!r}; give a number that no set exceeds, or infinity")


def check_forms(objective: Objective, sizes: tuple[int, int]) -> None:
    """Refuse quadratic forms, those of a ratio, and a design that cannot be used.

    Raises
    ------
    ArgumentError
        If one fails, is no pair of arrays of the right shapes, or tells the first of a pair from the second.
    DataError
        If a number is missing, or infinite where that does not exclude a pair.
    """
    if objective.kind is Kind.RATIO:
        form = call_own(objective.parametric, (0.0,), lambda: f"{objective.name}: parametric(0.0)")
        quadratic = getattr(form, "kind", None) is Kind.QUADRATIC
        if not quadratic or list(form.features) != list(objective.features):
            raise ArgumentError(
                f"{objective.name}: parametric(0.0) gives a {type(form).__name__}; return an objective of "
                "kind QUADRATIC and of the same features"
            )
        _check_bound(objective, sizes)
        objective = form
    for kind, wanted in MADE_OF.items():
        if objective.kind is kind and not isinstance(given := _read(objective, NEEDED[kind][0]), wanted):
            raise ArgumentError(
                f"{objective.name}: {NEEDED[kind][0]} is a {type(given).__name__}; give an "
                f"{wanted.__module__}.{wanted.__name__}"
            )
    if objective.kind is Kind.QUADRATIC:
        for size in range(sizes[0], sizes[1] + 1):
            _check_form(objective, size)


def _check_bound(objective: Objective, sizes: tuple[int, int]) -> None:
    """Refuse a bound of a ratio that is no number."""

    def title() -> str:
        return f"{objective.name}: bound_from_excess(0.0, 0.0, {sizes})"

    bound = call_own(objective.bound_from_excess, (0.0, 0.0, sizes), title)
    if isnan(number_of(bound, title)):
        raise DataError(f"{title()} gives nan; give a number that no ratio exceeds, or infinity")


def _read(objective: Objective, name: str) -> Any:
    return call_own(getattr, (objective, name), lambda: f"{objective.name}: {name}")


def _check_form(objective: Objective, size: int) -> None:
    what, n = f"quadratic({size})", len(objective.features)
    given = call_own(objective.quadratic, (size,), lambda: f"{objective.name}: {what}")
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ArgumentError(
            f"{objective.name}: {what} gives a {type(given).__name__}; return two arrays: one number a "
            "feature, and one a pair"
        )
    linear, pairs = given
    _check_each(objective, f"{what}, the numbers of features,", linear)
    table = f"{what}, the table of pairs,"
    check_array(objective.name, table, pairs, (n, n), "fiu", f"one number a pair, {ORDER}")
    bad = np.isnan(pairs) | (pairs == -np.inf)
    np.fill_diagonal(bad, False)
    if bad.any():
        i, j = np.argwhere(bad)[0].tolist()
        pair = f"{objective.features[i]!r} and {objective.features[j]!r}"
        raise DataError(
            f"{objective.name}: {what} gives {float(pairs[i, j])!r} for {pair}; give a finite number, "
            "or infinity for a pair that is excluded"
        )
    if not np.array_equal(pairs, pairs.T) and not _symmetric(pairs):
        raise ArgumentError(f"{objective.name}: {what} gives a table of pairs that is not symmetric")


def _symmetric(pairs: FloatArray) -> bool:
    """Return whether a table is symmetric but for rounding."""
    upper, lower = (table[np.triu_indices(len(pairs), 1)] for table in (pairs, pairs.T))
    return bool(np.allclose(upper, lower, rtol=ROUNDING, atol=ROUNDING * _largest(upper)))


def _largest(numbers: FloatArray) -> float:
    return float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0))


def _check_each(objective: Objective, what: str, numbers: Any) -> None:
    """Refuse what is no array of one finite number a feature."""
    n = len(objective.features)
    check_array(objective.name, what, numbers, (n,), "fiu", f"one number a feature, {ORDER}")
    bad = [objective.features[j] for j in np.flatnonzero(~np.isfinite(numbers)).tolist()]
    if bad:
        raise DataError(
            f"{objective.name}: {what} missing or infinite for {listing(bad)}; give finite numbers"
        )


def _check_rows(objective: Objective, rows: Any) -> None:
    """Refuse rows that are no triples of an array, a least and a largest sum."""
    wanted = "a list of triples: an array of one number a feature, the least sum and the largest"
    if not isinstance(rows, Iterable):
        raise ArgumentError(f"{objective.name}: rows is a {type(rows).__name__}; give {wanted}")
    for number, row in enumerate(rows):
        what = f"rows[{number}]"
        if not isinstance(row, (tuple, list)) or len(row) != 3:
            raise ArgumentError(f"{objective.name}: {what} is {row!r:.60}; give {wanted}")
        _check_each(objective, what, row[0])
        for end in row[1:]:
            if isnan(number_of(end, lambda: f"{objective.name}: {what}")):  # noqa: B023  (called at once)
                raise DataError(
                    f"{objective.name}: {what} has a limit {end!r}; give numbers, or infinity for none"
                )
