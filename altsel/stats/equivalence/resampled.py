"""The corrected resampled t test: scores of folds whose training rows overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from altsel.results.comparison import Comparison, Definition
from altsel.results.estimate import Estimate
from altsel.runtime.on_demand import OnDemand
from altsel.stats.equivalence.models.cross_validated import CrossValidatedModels
from altsel.stats.equivalence.protocol import Names, checked_models

stats: Any = OnDemand("scipy.stats")  # half a second of start-up


@dataclass(frozen=True)
class ResampledT:
    """Corrected resampled t test of the scores of two sets on the same folds (PEQ).

    With ``d_j`` the difference of the scores in fold j of J, ``t = mean(d) / sqrt((1/J + n_2/n_1) var(d))``
    with J - 1 degrees of freedom, where n_1 rows of a fold are learned from and n_2 judged. The plain
    paired t test takes folds for independent, though they share rows to learn from, and rejects too often.
    Differences that are the same in every fold, as of accuracies on few rows, tell no variance: then the
    test is not made.

    Parameters
    ----------
    models
        The models compared, and their folds.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003); for repeated cross-validation: Bouckaert and Frank,
    PAKDD (2004).

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3] * 9, "b": [1.0, 0, 0, 1] * 9}, [0.1, 1.0, 2.2, 3.1] * 9)
    >>> models = altsel.comparison.CrossValidatedModels(data, scoring="neg_mean_squared_error", cv=6)
    >>> ResampledT(models)(["a"], ["b"]).p < 0.01
    True
    """

    models: CrossValidatedModels

    definition = Definition.PERFORMANCE

    def __post_init__(self) -> None:
        checked_models(self.models, "scores", such_as="CrossValidatedModels(data)")

    @property
    def name(self) -> str:
        """The test in words."""
        return "corrected resampled t test"

    def __call__(self, first: Names, second: Names) -> Comparison:
        """Compare two sets; the statistic is t, the difference what the second scores less."""
        change = self.models.scores(first) - self.models.scores(second)
        mean, error, dof = mean_and_error(change, self.models.ratio)
        if not error:
            return Comparison(self.name, self.definition, 1.0, 0.0, mean, tested=dof >= 1 and mean == 0)
        t = mean / error
        return Comparison(self.name, self.definition, float(2 * stats.t.sf(abs(t), dof)), t, mean)


def estimated(scores: npt.ArrayLike, ratio: float, confidence: float = 0.95) -> Estimate:
    """Return the mean score of folds with its interval by the corrected resampled t.

    ``mean ± t_{J-1} sqrt((1/J + n_2/n_1) var)``; a single fold has no interval, nor have equal scores.

    Parameters
    ----------
    scores
        Score of each fold; shape (folds,).
    ratio
        ``n_2/n_1``, rows judged for each row learned from.
    confidence
        Of the interval.

    Examples
    --------
    >>> print(estimated([0.8, 0.9, 0.7, 0.8, 0.8], ratio=0.25))
    0.8 ± 0.13
    """
    values = np.asarray(scores, dtype=float)
    mean, error, dof = mean_and_error(values, ratio)
    parts = tuple(map(float, values))
    if dof < 1 or not error:
        return Estimate(mean, parts=parts)
    reach = float(stats.t.ppf((1 + confidence) / 2, dof)) * error
    return Estimate(mean, mean - reach, mean + reach, parts)


def mean_and_error(values: npt.NDArray[np.float64], ratio: float) -> tuple[float, float, int]:
    """Mean of the values of folds, its corrected standard error (0 if that is rounding only), dof."""
    mean, folds = float(values.mean()), len(values)
    if folds < 2:
        return mean, 0.0, folds - 1
    error = float(np.sqrt((1 / folds + ratio) * values.var(ddof=1)))
    return mean, error if error > 1e-12 * abs(mean) else 0.0, folds - 1
