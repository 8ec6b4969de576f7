"""What a row loses by a prediction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.errors import ArgumentError, listing

LEAST = 1e-15
"""Probabilities and expected counts below this count as this, so that no loss is infinite."""

NUMBERS = "; if the target holds numbers or counts, Dataset(…, task='regression')"

Function = Callable[[Any, Any], Any]


class Of(StrEnum):
    """What a loss is of."""

    CLASSES = "classes"
    NUMBERS = "numbers"
    TIMES = "times to an event"
    ANY = "any target"


@dataclass(frozen=True)
class Loss:
    """A loss of single rows.

    Attributes
    ----------
    name
        In words.
    of
        The targets it is for.
    function
        ``function(truth, predictions)`` returns one loss a row. Classes: truth is the number of the class,
        in sorted order from 0, and predictions are probabilities, shape (rows, classes).
    probabilities
        Whether classes need probabilities; else a 1 at the predicted class will do.
    """

    name: str
    of: Of
    function: Function
    probabilities: bool = False

    def __call__(self, truth: Any, predictions: Any) -> FloatArray:
        """Return the loss of each row.

        Raises
        ------
        ArgumentError
            If a function of the user's returns no finite number for each.
        """
        if isinstance(truth, np.ndarray):
            truth = truth.view()
            truth.flags.writeable = False
        try:
            losses = np.asarray(self.function(truth, predictions), dtype=float)
        except Exception as fault:
            raise ArgumentError(
                f"loss {self.name!r} failed with truth of shape {np.shape(truth)} and predictions of shape "
                f"{np.shape(predictions)}: {fault}"
            ) from fault
        if losses.shape != (len(truth),) or not np.isfinite(losses).all():
            raise ArgumentError(
                f"loss {self.name!r} returned an array of shape {losses.shape} for {len(truth)} rows, or "
                "numbers that are not finite; return one finite loss for each row"
            )
        return losses


def log_loss(truth: Any, predictions: Any) -> Any:
    """``-log p(t)``."""
    return -np.log(np.maximum(predictions[np.arange(len(truth)), truth], LEAST))


def zero_one(truth: Any, predictions: Any) -> Any:
    """Return 1 where the likeliest class is not that of the row."""
    return predictions.argmax(axis=1) != truth


def squared_error(truth: Any, predictions: Any) -> Any:
    """``(t - f)^2``."""
    return (truth - predictions) ** 2


def absolute_error(truth: Any, predictions: Any) -> Any:
    """``|t - f|``."""
    return np.abs(truth - predictions)


def poisson_deviance(truth: Any, predictions: Any) -> Any:
    """``2 (t log(t / f) - t + f)`` of counts."""
    mean = np.maximum(predictions, LEAST)
    return 2 * (truth * np.log(np.maximum(truth, LEAST) / mean) - truth + mean)


def discordance(truth: Any, predictions: Any) -> Any:
    """Share of the comparable pairs of each row in which the larger risk does not have the earlier event."""
    time, event = truth["time"], truth["event"]
    earlier = event[:, None] & (time[:, None] < time)
    wrong = np.where(predictions[:, None] < predictions, 1.0, 0.5 * (predictions[:, None] == predictions))
    pairs, lost = earlier + earlier.T, earlier * wrong
    return (lost + lost.T).sum(axis=1) / np.maximum(pairs.sum(axis=1), 1)


LOSSES = {
    loss.name: loss
    for loss in (
        Loss("log-loss", Of.CLASSES, log_loss, probabilities=True),
        Loss("zero-one", Of.CLASSES, zero_one),
        Loss("squared-error", Of.NUMBERS, squared_error),
        Loss("absolute-error", Of.NUMBERS, absolute_error),
        Loss("poisson-deviance", Of.NUMBERS, poisson_deviance),
        Loss("discordance", Of.TIMES, discordance),
    )
}
USUAL = {Of.CLASSES: "log-loss", Of.NUMBERS: "squared-error", Of.TIMES: "discordance"}


def chosen_loss(loss: str | Function | None, of: Of) -> Loss:
    """Return the loss of a name, of a function of the user's, or the usual one of a kind of target.

    Raises
    ------
    ArgumentError
        If there is none of that name, or it is for another kind of target.
    """
    if callable(loss):
        return Loss(getattr(loss, "__name__", "own loss"), Of.ANY, loss)
    known = LOSSES.get(USUAL[of] if loss is None else str(loss))
    if known is None or known.of is not of:
        fitting = listing(name for name, one in LOSSES.items() if one.of is of)
        raise ArgumentError(
            f"loss={loss!r} with a target of {of.value}; use {fitting}, or a function of truth and "
            f"predictions{NUMBERS if of is Of.CLASSES else ''}"
        )
    return known
