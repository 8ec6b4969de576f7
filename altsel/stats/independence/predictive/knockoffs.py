"""Other values for a feature: its own in another order, or drawn given the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, listing
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.estimators import Estimators
from altsel.stats.independence.predictive.linear import LinearModels
from altsel.stats.independence.predictive.models import Learner
from altsel.stats.independence.predictive.number_draws import drawn_by_least_squares
from altsel.stats.independence.predictive.parts import Part
from altsel.stats.independence.predictive.table import Table

base: Any = OnDemand("sklearn.base")

CERTAIN = 100.0
"""Inverse penalty of the probabilities of draws: weak, so that categories the rest determines are certain."""

NOISE = 1e-9
"""Residuals of no more than this share of a feature's size are rounding: the rest determines it."""


class Knockoff(Protocol):
    """How a feature's values are replaced in the rows of a test part."""

    @property
    def name(self) -> str:
        """It in words."""

    def draws(self, table: Table, part: Part, variable: int, given: Sequence[int]) -> FloatArray:
        """Return other values of a variable, shape (shuffles, test rows)."""


@dataclass(frozen=True)
class Shuffle:
    """The feature's values in another order, whatever is given: the test as printed."""

    name = "shuffled"

    def draws(self, table: Table, part: Part, variable: int, given: Sequence[int]) -> FloatArray:
        """Shuffle the test rows."""
        return np.asarray(table.coded[part.test, variable][part.shuffles])


@dataclass(frozen=True)
class Conditional:
    """Draws of the feature given the rest, which hold what the rest tells of it and nothing else.

    A number is predicted from the given features; draws are the predictions with the prediction errors of
    other test rows. A category, or a column of two values, is drawn by its predicted probabilities. The
    models are learned on the other rows. Without anything given this is a shuffle.

    The draws are as good as these models: where X depends on the rest in a way they cannot see, independent
    features are rejected (``x = u^2 + noise`` by the default in 14 to 53 % of the samples), as where its
    spread depends on the rest. Estimators get the given columns as they are, categories unencoded.

    Parameters
    ----------
    number
        Regressor that predicts numbers; default: least squares of the number, or of its normal scores where
        that is likelier (`number_draws`), so that skewed numbers are no trouble.
    category
        Classifier that predicts categories; default: logistic or multinomial regression.

    Raises
    ------
    ArgumentError
        If they are not of these kinds.

    References
    ----------
    Watson and Wright, Machine Learning 110 (2021); Candès et al., J. R. Stat. Soc. B 80 (2018).

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestRegressor
    >>> Conditional(RandomForestRegressor(min_samples_leaf=5)).name
    'conditional by RandomForestRegressor'
    """

    number: Any = None
    category: Any = None
    _seed: int = field(default=0, repr=False)
    _known: dict[bool, Learner] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for category, estimator in ((False, self.number), (True, self.category)):
            learner = (
                LinearModels(strength=CERTAIN)
                if estimator is None
                else Estimators(estimator, seed=self._seed)
            )
            if isinstance(learner, Estimators) and not _can_draw(estimator, category):
                fit = "category= takes a classifier with predict_proba" if category else "number= a regressor"
                raise ArgumentError(f"Conditional: {fit}, not {learner.name}")
            self._known[category] = learner

    @property
    def name(self) -> str:
        """It in words."""
        own = [one.name for one in self._known.values() if isinstance(one, Estimators)]
        return "conditional" + (f" by {' and '.join(own)}" if own else "")

    def draws(self, table: Table, part: Part, variable: int, given: Sequence[int]) -> FloatArray:
        """Draw values of a variable for the test rows."""
        values = table.coded[part.test, variable]
        if not given:
            return np.asarray(values[part.shuffles])
        response = table.response(variable)
        if self.number is None and not response.classes:
            return drawn_by_least_squares(table, part, variable, given)
        try:
            model = self._known[response.classes > 0].fit(table, given, response, part.train)
            predicted = model.predict(table, part.test)[0]
        except ArgumentError as fault:
            name = table.frame.columns[variable]
            raise ArgumentError(f"the draws of {str(name)!r} by {self.name} models: {fault}") from fault
        if response.classes:
            below = np.cumsum(predicted, axis=1)[:, :-1]
            return np.asarray((part.uniform[:, :, None] > below).sum(axis=2), dtype=float)
        errors = values - predicted
        if np.abs(errors).max() <= NOISE * np.abs(values - values.mean()).max():
            return np.broadcast_to(values, part.shuffles.shape)
        return np.asarray(predicted + errors[part.shuffles])


def _can_draw(estimator: Any, category: bool) -> bool:
    """Return whether an estimator predicts what draws are made of."""
    return bool(base.is_classifier(estimator)) is category and (
        not category or hasattr(estimator, "predict_proba")
    )


def chosen_knockoff(knockoff: Knockoff | str, seed: int) -> Knockoff:
    """Return the knockoff of a name, or one that was given, with a seed for estimators that have none.

    Raises
    ------
    ArgumentError
        If it is none.
    """
    named: dict[Any, type[Knockoff]] = {"conditional": Conditional, "shuffle": Shuffle}
    if isinstance(knockoff, str) and knockoff in named:
        return named[knockoff]()
    if isinstance(knockoff, (str, type)) or not hasattr(knockoff, "draws"):
        raise ArgumentError(f"knockoff={knockoff!r}; use {listing(named)} or Conditional(...)")
    return replace(knockoff, _seed=seed) if isinstance(knockoff, Conditional) else knockoff
