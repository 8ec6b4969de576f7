"""Other values for a feature, drawn given the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.estimators import Estimators
from altsel.stats.independence.predictive.linear import Block, LinearModels
from altsel.stats.independence.predictive.models import Learner
from altsel.stats.independence.predictive.parts import Part
from altsel.stats.independence.predictive.printed import Shuffle
from altsel.stats.independence.predictive.table import Table

base: Any = OnDemand("sklearn.base")
special: Any = OnDemand("scipy.special")

CERTAIN = 100.0
"""Inverse penalty of the probabilities of draws: weak, so that categories the rest determines are certain."""

EXACT = 1e-12
"""A share of the variance left by least squares that is rounding."""

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
        that is likelier, so that skewed numbers are no trouble.
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
            return _drawn_by_least_squares(table, part, variable, given)
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


def _drawn_by_least_squares(table: Table, part: Part, variable: int, given: Sequence[int]) -> FloatArray:
    r"""Draw a number for the test rows: what the given variables predict, and the error of another test row.

    The number x is regressed on the given ones, categories by indicators, and numbers by themselves and by
    their normal scores ``s = Phi^-1((rank - 1/2) / n)``. Instead of x its own scores are regressed, and
    draws brought back by the quantiles of x, if that is likelier: if
    ``log(1 - R_s^2) / 2 < log(1 - R_x^2) / 2 + J(x)`` with the negentropy J, how far x is from normal. So
    skewed features are drawn where they can be, and sums of given ones are recognised as such.

    Returns
    -------
    array
        Shape (shuffles, test rows); the values themselves if the given variables determine them.
    """
    blocks = [Block.of(table, j, part.train).columns(table.coded[:, j]) for j in given]
    scores = [table.scores[:, [j]] for j in given if table.levels[j] is None]
    design = np.hstack([*blocks, *scores])
    design = design - design[part.train].mean(axis=0)
    x, own = table.coded[:, variable], table.scores[:, variable]
    targets = np.column_stack([(x - x[part.train].mean()) / table.spread[variable], own])
    targets = targets - targets[part.train].mean(axis=0)
    weights = np.linalg.lstsq(design[part.train], targets[part.train], rcond=None)[0]
    errors = targets - design @ weights
    variance = (targets[part.train] ** 2).mean(axis=0)
    left = np.where(variance > 0, (errors[part.train] ** 2).mean(axis=0), 1.0)
    left /= np.where(variance > 0, variance, 1.0)
    values = x[part.test]
    if left[0] <= EXACT or np.log(left[1]) / 2 >= np.log(left[0]) / 2 + table.negentropy[variable]:
        error = errors[part.test, 0] * table.spread[variable]
        if np.abs(error).max() <= EXACT**0.5 * np.abs(values - values.mean()).max():
            return np.asarray(np.broadcast_to(values, part.shuffles.shape))
        return np.asarray(values - error + error[part.shuffles])
    error = errors[part.test, 1]
    share = special.ndtr(own[part.test] - error + error[part.shuffles])
    rows = len(x)
    return np.asarray(np.sort(x)[np.minimum((share * rows).astype(np.int64), rows - 1)])


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
        raise ArgumentError(f"knockoff={knockoff!r}; use 'conditional' or Conditional(...)")
    return replace(knockoff, _seed=seed) if isinstance(knockoff, Conditional) else knockoff
