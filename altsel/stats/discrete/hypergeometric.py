"""What chance adds to a cell of a table whose margins are fixed: means of hypergeometric counts."""

from __future__ import annotations

import numpy as np

from altsel._types import FloatArray

EXACT = 12.0
"""Expected counts below which the mean is summed over the distribution; above, by its moments."""
STEP = 1 << 10
"""Cells whose sums are held at once."""


def excess(first: FloatArray, second: FloatArray, rows: FloatArray) -> FloatArray:
    """Mean of ``X log(X / m)`` of a hypergeometric count X with mean m, in nats.

    X is how many of `second` rows, drawn without replacement, are among `first` of all. Of cells with
    ``m < 12`` the mean is the sum over all counts; of others it is the expansion at m by central moments,
    whose error is below 2e-4 (and falls as ``m^-3``).

    Parameters
    ----------
    first, second
        Sizes of two levels, from 1 to `rows`.
    rows
        Number of rows; all three are arrays that broadcast.

    Examples
    --------
    >>> found = excess(np.array([2.0]), np.array([2.0]), np.array([4.0]))
    >>> found.round(6).item(), (np.log(2) / 3).round(6).item()  # X is 1 four times of six, 0 once, 2 once
    (0.231049, 0.231049)
    """
    found = _expanded(first, second, rows)
    few = first * second < EXACT * rows
    if few.any():
        found[few] = _summed(*(np.broadcast_to(one, few.shape)[few] for one in (first, second, rows)))
    return found


def _summed(a: FloatArray, b: FloatArray, n: FloatArray) -> FloatArray:
    """Sum over counts, for cells of like means at a time."""
    mean, found = a * b / n, np.empty(len(a))
    order = np.argsort(mean)
    for start in range(0, len(order), STEP):
        some = order[start : start + STEP]
        terms = int(mean[some[-1]] + 6 * np.sqrt(mean[some[-1]])) + 9  # all but 1e-10 of the probability
        found[some] = _sums(a[some, None], b[some, None], n[some, None], terms)
    return found


def _sums(a: FloatArray, b: FloatArray, n: FloatArray, terms: int) -> FloatArray:
    """Sum so many terms, by ratios of probabilities that follow each other; arrays of shape (cells, 1)."""
    least, count = np.maximum(a + b - n, 0.0), np.arange(float(terms))[None]
    if least.any():
        count = least + count
    weight, before = np.ones((len(a), terms)), count[:, :-1]
    ratios = (a - before) * (b - before) / ((before + 1) * (n - a - b + before + 1))
    np.cumprod(ratios, axis=1, out=weight[:, 1:])
    logs = count * np.log(np.maximum(count, 1.0))
    sums = [(weight * part).sum(axis=1) for part in (logs, count)]
    return np.asarray((sums[0] - np.log(a * b / n)[:, 0] * sums[1]) / weight.sum(axis=1))


def _expanded(a: FloatArray, b: FloatArray, n: FloatArray) -> FloatArray:
    """Expand at the mean m: ``v_2/2m - v_3/6m^2 + v_4/12m^3 - v_2 v_3/2m^4 + v_2^3/2m^5``.

    The last two are the leading terms of the fifth and sixth central moments.
    """
    more, most = np.maximum(n - 2, 1), np.maximum(n - 3, 1)
    second = (1 - a / n) * ((n - b) / np.maximum(n - 1, 1))  # v_2 / m
    third = second * ((1 - 2 * a / n) * ((n - 2 * b) / more))  # v_3 / m
    inverse = (1 / a) * (n / b)
    left, right = (n * (n + 1) - 6 * a * (n - a)) / (more * most), 6 * b * (n - b) / (more * most)
    fourth = left - right + (6 * (5 * n - 6) / (more * most)) * (second / inverse)  # v_4 / v_2 - 3 v_2
    square = second * second
    found = second * (fourth / 12 + (square - third) / 2) * inverse
    found += square / 4 - third / 6
    return np.asarray(found * inverse + second / 2)
