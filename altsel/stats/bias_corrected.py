"""The loss of the best of many configurations, corrected for the choice: bootstrap bias-corrected CV."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError, checked_integer, level
from altsel.results.estimate import Estimate


@dataclass(frozen=True, eq=False)
class BiasCorrected:
    """Choices among configurations in bootstrap resamples, and what the rows outside of these say of them.

    Attributes
    ----------
    chosen
        The configuration with the least loss in each resample; shape (resamples,).
    outside
        Which rows are in no resample's sample; shape (resamples, rows).
    values
        Loss of the chosen configuration outside; shape (resamples,).

    Examples
    --------
    >>> luck = np.random.default_rng(0).normal(1, 1, size=(50, 200))  # configurations that are all alike
    >>> corrected = bias_corrected(luck)
    >>> round(float(luck.mean(axis=0).min()), 2), round(corrected.estimate().value, 2)
    (0.69, 1.09)
    """

    chosen: IntArray
    outside: FloatArray
    values: FloatArray

    def of(self, losses: FloatArray) -> FloatArray:
        """Return another loss of what was chosen, of the same rows; shapes as of `bias_corrected`."""
        return _outside(self.outside, losses)[np.arange(len(self.chosen)), self.chosen]

    def of_one(self, losses: FloatArray) -> FloatArray:
        """Return the mean of some numbers, one a row, over the rows outside; shape (resamples,)."""
        return _outside(self.outside, losses[:, None])[:, 0]

    def estimate(self, confidence: float = 0.95) -> Estimate:
        """Return the corrected loss, with percentiles as its interval."""
        return percentile_estimate(self.values, confidence)

    def share_chosen(self, configurations: int) -> FloatArray:
        """Return how often each configuration was chosen; shape (configurations,)."""
        return np.bincount(self.chosen, minlength=configurations) / len(self.chosen)


def bias_corrected(losses: FloatArray, resamples: int = 1000, random_state: int = 0) -> BiasCorrected:
    r"""Correct the loss of the configuration that has the least loss of all.

    Rows are drawn with repetition; :math:`c_b = \arg\min_c` of the mean loss of those drawn is chosen, and
    judged by the mean loss of those not drawn. The mean of these over all resamples b is the corrected loss.
    As models are not fitted again it costs a product of two matrices. It is conservative: the choice is made
    by fewer different rows than there are.

    Parameters
    ----------
    losses
        Loss of each row by each configuration's model that has not seen the row: out of fold, with
        everything that depends on the target done anew in every fold. Shape (rows, configurations).
    resamples
        How many.
    random_state
        Seed.

    Raises
    ------
    ArgumentError
        If there are fewer than two rows, no configuration, or numbers that are not finite.

    References
    ----------
    Tsamardinos, Greasidou and Borboudakis, Bootstrapping the out-of-sample predictions for efficient and
    accurate cross-validation, Machine Learning 107 (2018), algorithm 3 (BBC-CV).

    Examples
    --------
    >>> bias_corrected(np.array([[1.0, 2.0]] * 9)).estimate().value
    1.0
    """
    table = np.asarray(losses, dtype=float)
    if table.ndim != 2 or len(table) < 2 or not table.shape[1] or not np.isfinite(table).all():
        raise ArgumentError(
            f"losses has shape {table.shape}; give finite numbers, two rows or more, a column a configuration"
        )
    checked_integer("resamples", resamples, 1)
    random, rows = np.random.default_rng(checked_integer("random_state", random_state, 0)), len(table)
    drawn = np.empty((resamples, rows))
    for number in range(resamples):
        while True:
            drawn[number] = np.bincount(random.integers(0, rows, rows), minlength=rows)
            if not drawn[number].all():  # of two or three rows all may be drawn
                break
    chosen = np.argmin(_rounded(drawn @ table / rows), axis=1)
    outside = (drawn == 0).astype(float)
    values = _outside(outside, table)[np.arange(resamples), chosen]
    return BiasCorrected(chosen, outside, values)


def percentile_estimate(values: FloatArray, confidence: float = 0.95) -> Estimate:
    """Return the mean of resampled values, with percentiles as its interval."""
    level("confidence", confidence)
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Estimate(float(np.mean(values)), float(low), float(high))


def _rounded(means: FloatArray) -> FloatArray:
    """Round off what sums leave of equal means, so that the first of equal configurations is chosen."""
    return np.round(means, 12)


def _outside(outside: FloatArray, losses: FloatArray) -> FloatArray:
    return np.asarray(outside @ losses / outside.sum(axis=1, keepdims=True))
