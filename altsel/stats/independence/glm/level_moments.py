"""Mean and variance of the ratio of a category's levels, each found from the few rows that it has."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, xlogy

from altsel._types import FloatArray, IntArray
from altsel.stats.discrete.counts import ranges
from altsel.stats.independence.glm.cumulative import CumulativeFit
from altsel.stats.independence.glm.families import Categorical, Poisson
from altsel.stats.independence.glm.grouped import Grouped, Model
from altsel.stats.independence.glm.levels import Levels
from altsel.stats.independence.glm.newton import Fitted

LEAST = 1e-12
"""Probabilities nearer to 0 or 1 are taken for these."""


def corrected(ratio: float, model: Model, levels: Levels, added: int) -> float:
    """Scale the ratio of many levels to the mean of chi-square, and to its variance where it is known.

    ``dof + (LR - E) sqrt(2 dof / V)``. Each level has a coefficient of its own, so E and V are sums over the
    levels: of binomial or Poisson distributions with the level's rows and the mean probability or the
    expected count that the model without the category gives it. Of more than two classes only E is such a
    sum (over classes too); the ratio is then multiplied by ``dof / E``. Of 1,100 independent levels of six
    rows chi-square rejects a half at .05, Lawley's expansion leaves a quarter, this correction .05.

    Parameters
    ----------
    ratio
        Twice what the category adds to the log-likelihood.
    model
        The model without the category.
    levels
        The category.
    added
        Columns that it adds; fewer than its levels less one, where the model determines some.
    """
    sums = None if isinstance(model, CumulativeFit) else _moments(model, levels)
    outputs = len(model.response)
    dof = added * outputs
    if sums is None or not dof:
        return ratio
    known = levels.number - added  # coefficients that the model has already
    mean = sums[0] - known * outputs
    if sums[1] is None:
        return ratio * dof / max(mean, dof)
    variance = max(sums[1] - 2 * known * outputs, 0.1 * dof)
    return max(dof + (ratio - mean) * float(np.sqrt(2 * dof / variance)), 0.0)


def _moments(model: Fitted | Grouped, levels: Levels) -> tuple[float, float | None] | None:
    """Sum means and variances of the levels' ratios; None for families of which they are not known."""
    counts = np.ones(len(levels.codes)) if model.counts is None else model.counts
    expected, rows = model.family.mean(model.eta) * counts, levels.sums(counts)
    if isinstance(model.family, Poisson):
        return _of_counts(levels.sums(expected)[0])
    if not isinstance(model.family, Categorical):
        return None
    shares = np.clip(levels.sums(expected) / rows, LEAST, 1 - LEAST)
    rows = np.maximum(np.rint(rows), 1)
    if len(shares) == 1:
        return _of_two_classes(rows, shares[0])
    shares = np.vstack([shares, np.clip(1 - shares.sum(axis=0), LEAST, 1)])
    return float(sum(_mean_of_class(rows, share) for share in shares)), None


def _of_two_classes(rows: FloatArray, share: FloatArray) -> tuple[float, float]:
    level, hits, probability = _binomial(rows, share)
    m, p = rows[level], share[level]
    ratio = 2 * (xlogy(hits, hits / (m * p)) + xlogy(m - hits, (m - hits) / (m * (1 - p))))
    return _summed(level, np.asarray(ratio), probability)


def _mean_of_class(rows: FloatArray, share: FloatArray) -> float:
    level, hits, probability = _binomial(rows, share)
    return float((probability * 2 * xlogy(hits, hits / (rows[level] * share[level]))).sum())


def _of_counts(expected: FloatArray) -> tuple[float, float]:
    level, hits = _each(np.ceil(expected + 10 * np.sqrt(expected) + 20))
    mean = np.maximum(expected[level], LEAST)
    probability = np.exp(xlogy(hits, mean) - mean - gammaln(hits + 1))
    ratio = 2 * (xlogy(hits, hits / mean) - hits + mean)
    return _summed(level, np.asarray(ratio), probability)


def _binomial(rows: FloatArray, share: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return level, number of hits and its probability, for all numbers that each level may have."""
    level, hits = _each(rows)
    m, p = rows[level], share[level]
    ways = gammaln(m + 1) - gammaln(hits + 1) - gammaln(m - hits + 1)
    return level, hits, np.exp(ways + xlogy(hits, p) + xlogy(m - hits, 1 - p))


def _each(most: FloatArray) -> tuple[IntArray, IntArray]:
    """Count from 0 to the most of each level: the level, and the number."""
    sizes = most.astype(np.int64) + 1
    return np.repeat(np.arange(len(sizes)), sizes), ranges(np.zeros_like(sizes), sizes)


def _summed(level: IntArray, ratio: FloatArray, probability: FloatArray) -> tuple[float, float]:
    means = np.bincount(level, probability * ratio)
    return float(means.sum()), float((probability * ratio**2).sum() - (means**2).sum())
