"""Losses of rows by fitted models: one number a row, so that a mean over rows is a loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.stats.equivalence.models.sklearn import LEAST

LOSSES: dict[str, str] = {
    "brier": "Brier score",
    "log": "log-loss",
    "error": "share of rows misclassified",
    "squared": "mean squared error",
    "absolute": "mean absolute error",
}
"""Losses by name, their means in words."""
OF_CLASSES = ("brier", "error", "log")
OF_NUMBERS = ("squared", "absolute")
"""Those that a target of classes, or of numbers, has; the first is the usual one."""


def predicted(model: Any, table: Any, target: np.ndarray) -> FloatArray:
    """Return what a fitted model says of rows: numbers, or a column of probabilities for each class.

    Parameters
    ----------
    model
        A fitted model of scikit-learn, with ``predict_proba`` for classes.
    table, target
        The rows; classes as integers, among them such as the model has not met.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> predicted(DummyClassifier().fit([[0]] * 4, [0, 0, 0, 1]), [[0]], np.array([2])).tolist()
    [[0.75, 0.25, 0.0]]
    """
    if not hasattr(model, "predict_proba"):
        return np.asarray(model.predict(table), dtype=float)
    own, known = np.asarray(model.predict_proba(table), dtype=float), np.asarray(model.classes_, dtype=int)
    shares = np.zeros((len(own), 1 + max(int(known.max()), int(np.max(target, initial=0)))))
    shares[:, known] = own
    return shares


def row_losses(name: str, said: FloatArray, target: np.ndarray) -> FloatArray:
    r"""Return the loss of each row; shape (rows,).

    Of probabilities :math:`p_c` and the class t: ``brier`` :math:`\frac12 \sum_c (p_c - 1\{c = t\})^2`, which
    is :math:`(p_t - 1)^2` for two classes, ``log`` :math:`-\log p_t`, ``error`` 1 where the likeliest
    class is another. Of numbers ``squared`` and ``absolute`` errors.

    Parameters
    ----------
    name
        One of `LOSSES`.
    said
        What `predicted` returned.
    target
        What is so; classes as integers.

    References
    ----------
    Brier, Monthly Weather Review 78 (1950), of which this is half, so that it is at most 1.

    Examples
    --------
    >>> said = np.array([[0.75, 0.25], [0.75, 0.25]])
    >>> row_losses("brier", said, np.array([0, 1])).tolist()
    [0.0625, 0.5625]
    """
    return _FORMULAS[name](said, target)


def _brier(shares: FloatArray, target: IntArray) -> FloatArray:
    seen = np.zeros_like(shares)
    seen[np.arange(len(target)), target] = 1
    return np.asarray(((shares - seen) ** 2).sum(axis=1) / 2)


def _log(shares: FloatArray, target: IntArray) -> FloatArray:
    return np.asarray(-np.log(np.maximum(shares[np.arange(len(target)), target], LEAST)))


def _error(shares: FloatArray, target: IntArray) -> FloatArray:
    return np.asarray(shares.argmax(axis=1) != target, dtype=float)


_FORMULAS: dict[str, Callable[[FloatArray, Any], FloatArray]] = {
    "brier": _brier,
    "log": _log,
    "error": _error,
    "squared": lambda said, target: np.asarray((said - target) ** 2),
    "absolute": lambda said, target: np.asarray(np.abs(said - target)),
}
