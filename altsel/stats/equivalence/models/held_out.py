"""Models of feature sets fitted to some rows and scored on others, with intervals of these other rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.dealing import joined
from altsel.errors import checked_integer, level
from altsel.results.estimate import Estimate
from altsel.stats.equivalence.models.cross_validated import CrossValidatedModels
from altsel.stats.equivalence.protocol import Names
from altsel.stats.resampled_scores import exact_share, percentiles, resampled_scores

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


class HeldOutModels(CrossValidatedModels):
    """Models by a scikit-learn estimator fitted to the rows of a search and judged on rows held out.

    As `CrossValidatedModels` with the one fold of these rows. Intervals are those of the rows judged, the
    models as they are: of accuracy exact by the binomial distribution (Clopper and Pearson), else percentiles
    of the score of bootstrap resamples, the same for all sets, so that differences are paired. Of few
    rows, such as 50, percentiles are somewhat too narrow.

    Parameters
    ----------
    data
        The rows to fit to.
    holdout
        The rows to judge, as from ``data.holdout(...)`` or ``data.split()``.
    estimator, scoring
        As of `CrossValidatedModels`.
    resamples
        How many bootstrap resamples.
    random_state
        Their seed.
    confidence
        Of the intervals.
    beside
        As of `CrossValidatedModels`, of the rows fitted to, then of those judged.

    Raises
    ------
    ArgumentError
        If an argument is wrong, the rows are the same, or the estimator cannot be fitted or scored.

    References
    ----------
    Clopper and Pearson, Biometrika 26 (1934); Efron and Tibshirani, An Introduction to the Bootstrap (1993),
    chapter 13.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> train, held = data.split(0.25)
    >>> round(HeldOutModels(train, held).estimate(["a"]).value, 3)
    0.996
    """

    def __init__(  # noqa: PLR0913 (options)
        self,
        data: Dataset,
        holdout: Dataset,
        estimator: BaseEstimator | None = None,
        *,
        scoring: str | Callable[..., float] | None = None,
        resamples: int = 1000,
        random_state: int = 0,
        confidence: float = 0.95,
        beside: pd.DataFrame | None = None,
    ) -> None:
        checked_dataset("HeldOutModels", data)
        checked_dataset("HeldOutModels", holdout)
        checked_integer("resamples", resamples, 2)
        level("confidence", confidence)
        fitted, judged = len(data.y), len(holdout.y)
        fold = (np.arange(fitted), np.arange(fitted, fitted + judged))
        rows = joined(data, holdout)
        super().__init__(
            rows, estimator, scoring=scoring, cv=[fold], random_state=random_state, beside=beside
        )
        self.fitted, self.rows_judged, self.confidence = fitted, judged, confidence
        self.resamples = resamples

    @property
    def name(self) -> str:
        """The models in words."""
        return f"{self.kind} of {self.fitted} rows, judged on {self.rows_judged} held out"

    @property
    def intervals(self) -> str:
        """How intervals are found, in words."""
        usual = f"{self.resamples} bootstrap resamples of the rows held out"
        return f"exact (Clopper-Pearson), of differences by {usual}" if self._is_accuracy else f"by {usual}"

    def estimate(self, features: Names) -> Estimate:
        """Return the score of a set on the rows held out, with its interval."""
        score = float(self.scores(features)[0])
        resampled = self._resampled(features)
        if self._is_accuracy and resampled is not None:
            return exact_share(round(score * self.rows_judged), self.rows_judged, self.confidence)
        return percentiles(score, resampled, self.confidence)

    def difference(self, features: Names, reference: Names) -> Estimate:
        """Return what a set scores more than another, with the interval of the same resamples of both."""
        score = float(self.scores(features)[0] - self.scores(reference)[0])
        one, other = self._resampled(features), self._resampled(reference)
        return percentiles(score, None if one is None or other is None else one - other, self.confidence)

    @property
    def _is_accuracy(self) -> bool:
        return self._classes and self.scoring in {None, "accuracy"} and not self._scores_itself

    def _resampled(self, features: Names) -> FloatArray | None:
        """Return the score of every resample; None where predictions alone do not give the score."""
        found: FloatArray | None = self._known(features)[3]
        return found

    def _judge(self, features: tuple[str, ...]) -> Any:
        order, test = self._ordered(features), self.folds[0][1]
        model, score, losses, predictions = self._judged_in(0, order)
        table = self._table(order).iloc[test]
        scoring = self.scored if self.scoring is None else self.scoring
        draws = _drawn(self.rows_judged, self.resamples, self.random_state)
        target = self._target[test]
        if self._scores_itself:
            resampled: Any = model.resampled(table, target, draws)
        else:
            resampled = resampled_scores(model, scoring, table, target, score, draws)
        return np.array([score]), losses, predictions, resampled


def _drawn(rows: int, resamples: int, seed: int) -> Iterator[IntArray]:
    """Draw the rows of each resample, with repetition."""
    for number in range(resamples):
        yield np.random.default_rng((seed, number)).integers(0, rows, rows)
