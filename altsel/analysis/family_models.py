"""The models of classes, counts and times that a search fitted, to judge its sets on other rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataError
from altsel.models.model_fit import ModelFit
from altsel.results.sets import Names
from altsel.results.solutions import Solutions
from altsel.stats.generalised.targets import FAMILIES, ROLES, RowColumns, family_of
from altsel.stats.standardised import is_category, row_weights

OF_ROWS = "rows"
"""What solutions say of numbers that were given one a row."""


@dataclass(frozen=True, eq=False)
class FamilyModels:
    """The models of a family, as `altsel.ModelFit` fits them.

    Attributes
    ----------
    family, ridge, given, expand
        As of `altsel.ModelFit`.
    rows
        Weights, offset and event.
    """

    family: str
    ridge: float
    rows: RowColumns
    given: tuple[str, ...] = ()
    expand: str | None = None

    @property
    def deals_targets(self) -> bool:
        """Whether a target may be dealt to other rows: no offset and no event belongs to it."""
        return self.rows.offset is None and self.rows.event is None

    @property
    def of_numbers(self) -> bool:
        """Whether the target by itself is a number, or a class: neither a time nor a count of an exposure."""
        return self.family != "cox" and self.rows.offset is None

    def estimator(self, data: Dataset) -> Any:
        """Return what fits these models to a table that `beside` has been added to.

        Raises
        ------
        ArgumentError, DataError
            If the data lack a column, or hold what the family does not take.
        """
        from altsel.stats.generalised.regression import FamilyRegression  # noqa: PLC0415  (heavy)

        for name in (*self.given, *self.rows.held):
            if name not in data.kinds:
                raise DataError(f"the data lack {name!r}, which the search gave its models")
        family_of(data, self.family, self.rows, row_weights(self.rows.weights, data))
        return FamilyRegression(
            self.family,
            self.ridge,
            **self._labels(),
            expand=self.expand,
            categories=tuple(name for name in data.features if is_category(data, name)),
            given=self.given,
            classes=bool(data.discrete_target),
        )

    def _labels(self) -> dict[str, str | None]:
        """Return the columns that hold what rows have, by their roles."""
        given = {role: getattr(self.rows, role) for role in ROLES}
        return {
            role: one if one is None or isinstance(one, str) else f"{role} of the rows"
            for role, one in given.items()
        }

    def beside(self, data: Dataset, holdout: Dataset | None = None) -> pd.DataFrame:
        """Return the columns that all models get: features always in, weights, offset and event.

        Raises
        ------
        ArgumentError
            If rows are held out, and numbers were given one a row of the others.
        """
        names = [*self.given, *self.rows.held]
        if holdout is None:
            rows = {label: getattr(self.rows, role) for role, label in self._labels().items()}
            own = {label: np.asarray(one, dtype=float) for label, one in rows.items() if label not in names}
            return data.X[names].assign(**{label: one for label, one in own.items() if label is not None})
        for role, label in self._labels().items():
            if label is not None and label not in names:
                raise ArgumentError(
                    f"{role} was given one number a row, and rows held out have none: put it in a column of "
                    "the data, and name that"
                )
        levels = {name: holdout.X[name].dtype for name in names if holdout.X[name].dtype == "category"}
        return pd.concat([data.X[names].astype(levels), holdout.X[names]], ignore_index=True)


def family_models(found: Any, estimator: Any, data: Dataset) -> FamilyModels | None:
    """Return the models that a search by `altsel.ModelFit` fitted, where nothing else is to judge its sets.

    Parameters
    ----------
    found
        What was found.
    estimator
        What judges, if that was said: of a `altsel.ModelFit` its own models.
    data
        The rows.

    Raises
    ------
    ArgumentError
        If solutions do not hold what the models need.
    """
    if isinstance(estimator, ModelFit):
        own = estimator
        return FamilyModels(own.family, own.ridge, own.rows_hold, own.given, own.expand)
    if estimator is not None or not fits_families(found):
        return None
    told = _criterion(found)
    for role in ROLES:
        if told.get(role) == OF_ROWS and OF_ROWS not in row_columns(found, data):
            raise ArgumentError(
                f"{role} was given one number a row, which solutions do not hold: give the ModelFit as "
                "estimator=, or put it in a column, and name that"
            )
    rows = RowColumns(*(told.get(role) for role in ROLES))
    given = _names_in(str(told["given"]), data.features) if "given" in told else ()
    try:
        ridge = float(told["ridge"])
        FAMILIES[told["family"]]
    except (KeyError, ValueError, TypeError) as fault:
        raise DataError(f"what the solutions say of their criterion makes no sense: {dict(told)}") from fault
    return FamilyModels(told["family"], ridge, rows, given, told.get("expand"))


def fits_families(found: Any) -> bool:
    """Return whether a search fitted models of classes, counts or times."""
    return _criterion(found).get("name") == ModelFit.__name__


def row_columns(found: Any, data: Dataset) -> Names:
    """Return the columns that held weights, offset or events in a search: no features of any model."""
    told = _criterion(found)
    free = found.universe if isinstance(found, Solutions) else ()
    named = {told[role] for role in ROLES if role in told}
    return tuple(name for name in data.features if name in named and name not in free)


def _criterion(found: Any) -> Mapping[str, Any]:
    criterion = found.request.get("criterion") if isinstance(found, Solutions) else None
    return criterion if isinstance(criterion, Mapping) else {}


def _names_in(joined: str, known: Iterable[str]) -> Names:
    """Split a list of names that are known, which may hold commas themselves.

    Examples
    --------
    >>> _names_in("a, b, c", ["a", "b, c"])
    ('a', 'b, c')
    """
    columns, parts, names = set(known), joined.split(", "), []
    while parts:
        whole = [n for n in range(len(parts), 0, -1) if ", ".join(parts[:n]) in columns]
        last = whole[0] if whole else 1
        names.append(", ".join(parts[:last]))
        parts = parts[last:]
    return tuple(names)
