"""What a test was given, and the trial that this makes of each target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataError, DataWarning, listing
from altsel.runtime.caller import warn_caller
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.estimators import Estimators
from altsel.stats.independence.predictive.knockoffs import Knockoff
from altsel.stats.independence.predictive.linear import LinearModels
from altsel.stats.independence.predictive.losses import LOSSES, NUMBERS, Function, Loss, Of, chosen_loss
from altsel.stats.independence.predictive.models import Learner
from altsel.stats.independence.predictive.parts import Division
from altsel.stats.independence.predictive.table import Response, Table
from altsel.stats.independence.predictive.trees import UnprunedTree
from altsel.stats.independence.predictive.trial import Trial

base: Any = OnDemand("sklearn.base")

EXTREME = 1e150
"""Squares of numbers beyond this, or of its inverse, are no floats."""
AROUND_ONE = "use a search around one target: ppfs, forward_backward, grow_shrink, iamb"


@dataclass(frozen=True, eq=False)
class Setting:
    """A data set, and the estimator, loss and events for its target.

    Parameters
    ----------
    data, table
        The data set, also in the forms that models take.
    estimator
        A name, an estimator, or a pair of them for classes and numbers.
    loss
        A name, a function, or None for the usual one.
    event
        Whether the event was seen, one value a row, or None.
    """

    data: Dataset
    table: Table
    estimator: Any
    loss: str | Function | None
    event: Any

    def refuse_target(self, target: str) -> None:
        """Raise an ArgumentError if only the time to an event can be the target."""
        if self.event is not None and target != self.data.target:
            raise ArgumentError(f"the target is a time to an event, not {target!r}; {AROUND_ONE}")

    def trial(self, variable: int, division: Division, knockoff: Knockoff) -> Trial | None:
        """Return the trial of a target; None if one that is not the data's has too rare classes.

        Raises
        ------
        ArgumentError
            If the estimator or the loss is not for such a target, or there are too few rows.
        DataError
            If a class of the data's target has fewer than two rows in a test part.
        """
        own = variable == len(self.data.features)
        response = self._times() if own and self.event is not None else self.table.response(variable)
        of = _of(response)
        loss = self._loss(of, own)
        learner = self._learner(of, loss, division.seed)
        if loss is LOSSES["poisson-deviance"] and response.values.min() < 0:
            raise DataError(f"the target {self.data.target!r} holds negative numbers, which are no counts")
        if of is Of.NUMBERS and not 1 / EXTREME < float(np.abs(response.values).max()) < EXTREME:
            raise DataError(
                f"{self.table.frame.columns[variable]!r} holds numbers whose squares are too large or too "
                "small for floats; multiply it by a constant"
            )
        strata = _strata(response)
        rare = division.too_rare(strata)
        if rare is not None:
            if not own:
                return None
            raise DataError(self._rarity(response, *rare, division))
        if not division.stratify and own and len(response.labels):
            self._warn_of_rare(response, division)
        parts = tuple(division.parts(len(self.data.y), strata))
        return Trial(self.table, response, parts, learner, knockoff, loss)

    def _times(self) -> Response:
        times = self.data.y
        if not pd.api.types.is_numeric_dtype(times) or times.min() < 0:
            raise DataError(
                f"the target {self.data.target!r} is no time to an event: use numbers of at least 0"
            )
        values = np.zeros(len(times), dtype=[("event", bool), ("time", float)])
        values["event"], values["time"] = self.event, times.to_numpy(dtype=float)
        return Response(values, np.empty(0))

    def _loss(self, of: Of, own: bool) -> Loss:
        """Return the loss; other targets than the data's take the usual one if it is not for them."""
        named = isinstance(self.loss, str) and self.loss in LOSSES and LOSSES[self.loss].of is not of
        foreign = callable(self.loss) and (of is Of.CLASSES) is not self.data.discrete_target
        return chosen_loss(None if not own and (named or foreign) else self.loss, of)

    def _learner(self, of: Of, loss: Loss, seed: int) -> Learner:
        chosen = self.estimator
        if isinstance(chosen, tuple):
            if len(chosen) != 2:
                raise ArgumentError("estimator takes one estimator, or a pair: a classifier and a regressor")
            chosen = chosen[of is not Of.CLASSES]
        if isinstance(chosen, str) or chosen is None:
            return _named(chosen, of, loss, seed)
        learner = Estimators(chosen, loss.probabilities or loss.of is Of.ANY, seed)
        if of is not Of.TIMES and base.is_classifier(chosen) is not (of is Of.CLASSES):
            raise ArgumentError(
                f"{learner.name} is no {'classifier' if of is Of.CLASSES else 'regressor'}, but the target "
                f"holds {of.value}; for searches that make features the target give "
                f"estimator=(classifier, regressor), or {AROUND_ONE}"
            )
        if of is Of.CLASSES:
            learner.refuse_without_probabilities()
        return learner

    def _rarity(self, response: Response, rare: int, count: int, division: Division) -> str:
        label = f"class {str(response.labels[rare])!r}" if response.classes else f"event={bool(rare)}"
        return (
            f"{label} of the target {self.data.target!r} in {count} rows: fewer than "
            f"two in each of {division.name}; use fewer splits, merge or leave out the class, or "
            f"stratify=False{NUMBERS if pd.api.types.is_numeric_dtype(self.data.y) else ''}"
        )

    def _warn_of_rare(self, response: Response, division: Division) -> None:
        counts = np.bincount(response.values)
        rare = [
            str(label)
            for label, count in zip(response.labels, counts, strict=True)
            if count < division.number
        ]
        if rare:
            warn_caller(
                f"classes {listing(rare)} of {self.data.target!r} are missing from some parts, where models "
                "give them no probability",
                DataWarning,
            )


def _named(name: str | None, of: Of, loss: Loss, seed: int) -> Learner:
    if of is Of.TIMES:
        raise ArgumentError("times to an event need an estimator that is fitted to fields event and time")
    if name in {None, "tree"}:
        return UnprunedTree(seed)
    if name == "linear":
        return LinearModels(loss is LOSSES["poisson-deviance"])
    raise ArgumentError(f"estimator={name!r}; use 'tree', 'linear' or a scikit-learn estimator")


def _of(response: Response) -> Of:
    if response.classes:
        return Of.CLASSES
    return Of.TIMES if response.values.dtype.names else Of.NUMBERS


def _strata(response: Response) -> IntArray | None:
    if response.values.dtype.names:
        return np.asarray(response.values["event"], dtype=np.int64)
    return np.asarray(response.values) if response.classes else None
