"""Scores of resampled rows by a fitted model, and the intervals that follow."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.results.estimate import Estimate
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.stats.scoring import scorer

stats: Any = OnDemand("scipy.stats")  # half a second of start-up
ENOUGH = 0.9
"""Share of resamples that must have a score: of one class alone there is no area under a curve."""
CLOSE = 1e-9


def resampled_scores(
    model: Any,
    scoring: str | Callable[..., float],
    table: Any,
    target: Any,
    score: float,
    resamples: Iterable[IntArray],
) -> FloatArray | None:
    """Return the score of a fitted model in every resample of some rows, which it predicts once.

    Parameters
    ----------
    model
        The model.
    scoring
        Name of a scorer of scikit-learn, or a scorer.
    table, target
        The rows.
    score
        Its score of all rows: where predictions do not give it, as of a scorer that looks at the columns,
        there are no resampled ones.
    resamples
        Places of the rows of each resample.

    Returns
    -------
    numpy.ndarray or None
        One a resample, NaN where the score is not defined.
    """
    known = _Predicted(model, table)
    usual = QUICK.get(scoring) if isinstance(scoring, str) else None
    judge = scorer(model, scoring)

    def of(rows: IntArray) -> float:
        clock().check()
        try:
            if usual is None:
                return float(judge(known, rows[:, None], target[rows]))
            of_rows = getattr(known, usual.method)(rows[:, None])
            return usual.score(target[rows], of_rows, getattr(model, "classes_", None))
        except (ValueError, TypeError, IndexError, AttributeError):
            return np.nan

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # of classes that a resample lacks
        if not abs(of(np.arange(len(target))) - score) <= CLOSE * max(1.0, abs(score)):
            return None
        return np.array([of(rows) for rows in resamples])


def _share_right(target: Any, predicted: Any, classes: Any) -> float:
    del classes
    return float(np.mean(target == predicted))


def _explained(target: Any, predicted: Any, classes: Any) -> float:
    del classes
    rest = float(np.sum((target - target.mean()) ** 2))
    return 1 - float(np.sum((target - predicted) ** 2)) / rest if rest else np.nan


def _minus_squared_error(target: Any, predicted: Any, classes: Any) -> float:
    del classes
    return -float(np.mean((target - predicted) ** 2))


def _minus_log_loss(target: Any, shares: Any, classes: Any) -> float:
    of_class = shares[np.arange(len(target)), np.searchsorted(classes, target)]
    least = np.finfo(shares.dtype).eps
    return float(np.mean(np.log(np.clip(of_class, least, 1 - least))))


def _area(target: Any, shares: Any, classes: Any) -> float:
    """Return the area under the curve of two classes, by ranks (Mann and Whitney)."""
    first, second = classes
    inside = target == second
    many, few = int(inside.sum()), int((target == first).sum())
    above = stats.rankdata(shares[:, 1])[inside].sum() - many * (many + 1) / 2
    return float(above) / (many * few) if many and few else np.nan


@dataclass(frozen=True)
class _Quick:
    """A score that needs no scorer of scikit-learn: what the model is asked for, and the formula."""

    method: str
    score: Callable[[Any, Any, Any], float]


QUICK = {
    "accuracy": _Quick("predict", _share_right),
    "r2": _Quick("predict", _explained),
    "neg_mean_squared_error": _Quick("predict", _minus_squared_error),
    "neg_log_loss": _Quick("predict_proba", _minus_log_loss),
    "roc_auc": _Quick("predict_proba", _area),
}
"""Scores by formula: scikit-learn's scorers take most of the time for few rows."""


class _Predicted:
    """A fitted model that has predicted some rows, and is asked for them by their places."""

    def __init__(self, model: Any, table: Any) -> None:
        self._model, self._table = model, table
        self._known: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        own = getattr(self._model, name)
        if name not in {"predict", "predict_proba", "predict_log_proba", "decision_function"}:
            return own
        if name not in self._known:
            self._known[name] = np.asarray(own(self._table))

        def predicted(rows: Any) -> Any:
            return self._known[name][np.asarray(rows)[:, 0]]

        predicted.__name__ = name  # by which scorers know what they get
        return predicted


def percentiles(score: float, resampled: FloatArray | None, confidence: float) -> Estimate:
    """Return a score with the percentiles of its resamples; without an interval where they tell none.

    Examples
    --------
    >>> percentiles(50.0, np.arange(101.0), 0.5)
    Estimate(value=50.0, low=25.0, high=75.0, parts=(50.0,))
    """
    found = None if resampled is None else resampled[np.isfinite(resampled)]
    if found is None or resampled is None or len(found) < ENOUGH * len(resampled):
        return Estimate(score, parts=(score,))
    low, high = (float(np.quantile(found, q)) for q in ((1 - confidence) / 2, (1 + confidence) / 2))
    if high - low <= CLOSE * max(1.0, abs(score)):
        return Estimate(score, parts=(score,))
    return Estimate(score, low, high, (score,))


def exact_share(hits: int, rows: int, confidence: float) -> Estimate:
    """Return a share with its exact interval by the binomial distribution (Clopper and Pearson).

    Examples
    --------
    >>> found = exact_share(10, 10, 0.95)
    >>> found.value, round(found.low, 4), found.high
    (1.0, 0.6915, 1.0)
    """
    tail = (1 - confidence) / 2
    low = float(stats.beta.ppf(tail, hits, rows - hits + 1)) if hits else 0.0
    high = float(stats.beta.ppf(1 - tail, hits + 1, rows - hits)) if hits < rows else 1.0
    return Estimate(hits / rows, low, high, (hits / rows,))
