"""Mutual information of a number and classes by nearest neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray, IntArray
from altsel.stats.dependence.neighbours.compiled import Kernels
from altsel.stats.dependence.neighbours.counts import BEYOND, within
from altsel.stats.dependence.neighbours.kraskov import digammas

FEW_CLASSES = 64
"""Up to so many classes a sweep finds the ends of ranges sooner than halving does."""


def ross(values: FloatArray, classes: IntArray, neighbors: int, kernels: Kernels | None) -> FloatArray:
    """Estimate the mutual information of numbers and classes, line by line, in nats.

    ``I = psi(n) + mean(psi(k_i) - psi(n_i) - psi(m_i))``, at least 0: n_i rows are of row i's class, k_i is
    the smaller of k and n_i - 1, and m_i rows, itself among them, are nearer than the k_i-th
    neighbour of its class. Classes of one row are left out; if there are no others, it is 0.

    Parameters
    ----------
    values
        Ascending in each line, shape (lines, rows).
    classes
        The code of each of these rows.
    neighbors
        k.
    kernels
        Compiled loops, if any.

    Returns
    -------
    ndarray
        One number a line.

    References
    ----------
    Ross, PLoS ONE 9 (2014), e87357, equation 2.

    Examples
    --------
    >>> ross(np.array([[1.0, 2.0, 5.0, 6.0]]), np.array([[0, 0, 1, 1]]), 3, None).round(4).tolist()
    [0.8333]
    """
    near, sizes = _counts(values, classes, neighbors, kernels)
    counted, psi = sizes > 1, digammas(values.shape[1])
    terms = psi[np.minimum(neighbors, sizes - 1)] - psi[sizes] - psi[near]
    rows = counted.sum(axis=1)
    means = terms.sum(axis=1, where=counted) / np.maximum(rows, 1)
    return np.asarray(np.maximum(psi[rows] + means, 0.0))


def _counts(
    values: FloatArray, classes: IntArray, neighbors: int, kernels: Kernels | None
) -> tuple[IntArray, IntArray]:
    """Return m_i and n_i, the rows of classes of one row last, with m_i = 0."""
    if kernels is not None and int(classes.max()) < FEW_CLASSES:
        near, sizes = np.empty((2, *values.shape), dtype=np.int64)
        lines, codes = np.ascontiguousarray(values), np.ascontiguousarray(classes)
        kernels.in_classes(lines, codes, int(classes.max()) + 1, neighbors, near, sizes)
        return near, sizes
    grouped = np.argsort(classes, axis=1, kind="stable")
    first, last = _limits(np.take_along_axis(classes, grouped, axis=1))
    inside, sizes = np.empty(values.shape), np.empty(values.shape, dtype=np.int64)
    radius = _radii(np.take_along_axis(values, grouped, axis=1), first, last, neighbors)
    np.put_along_axis(inside, grouped, radius, axis=1)
    np.put_along_axis(sizes, grouped, last - first + 1, axis=1)
    if sizes.min() == 1:  # rows left out come last, beyond all others
        order = np.argsort(sizes == 1, axis=1, kind="stable")
        inside, sizes = np.take_along_axis(inside, order, axis=1), np.take_along_axis(sizes, order, axis=1)
        values = np.where(sizes == 1, BEYOND, np.take_along_axis(values, order, axis=1))
    return np.where(sizes > 1, within(values, inside, kernels), 0), sizes


def _limits(classes: npt.NDArray[np.int64]) -> tuple[IntArray, IntArray]:
    """Return where the class of each row begins and ends, in lines sorted by class."""
    lines, rows = classes.shape
    index, edge = np.arange(rows), np.ones((lines, 1), dtype=bool)
    new = classes[:, 1:] != classes[:, :-1]
    begins, ends = np.hstack([edge, new]), np.hstack([new, edge])
    first = np.maximum.accumulate(np.where(begins, index, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, index, rows)[:, ::-1], axis=1)[:, ::-1]
    return first, last


def _radii(values: FloatArray, first: IntArray, last: IntArray, neighbors: int) -> FloatArray:
    """Return the distance to the k-th neighbour in the class: the shortest reach of k + 1 rows in a run."""
    k, index = np.minimum(neighbors, last - first), np.arange(values.shape[1])
    radius = np.full(values.shape, np.inf)
    for below in range(int(k.max()) + 1):
        low, high = index - below, index - below + k
        inside = (below <= k) & (low >= first) & (high <= last)
        left = values - np.take_along_axis(values, np.where(inside, low, 0), axis=1)
        right = np.take_along_axis(values, np.where(inside, high, 0), axis=1) - values
        radius = np.where(inside, np.minimum(radius, np.maximum(left, right)), radius)
    return radius
