"""Mutual information of two numbers by nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.dependence.neighbours.compiled import Kernels
from altsel.stats.dependence.neighbours.counts import within
from altsel.stats.dependence.neighbours.noise import Sorted

MANY_ROWS = 3000
"""Rows from which a tree may be the sooner way;"""
SECONDS_OF_TREE, SECONDS_OF_VISIT, SECONDS_OF_STEP = 950e-9, 2.3e-9, 12e-9
"""a tree takes so long a row, a sweep so long for each row that it meets: for each column, and for all."""
THINNED, SAMPLED = 512, 8
"""Of about so many rows, so many are looked at to tell."""
spatial: Any = OnDemand("scipy.spatial")
special: Any = OnDemand("scipy.special")


def kraskov(one: Sorted, others: Sorted, neighbors: int, kernels: Kernels | None) -> FloatArray:
    r"""Estimate the mutual information of one column and each of others, in nats.

    ``I = psi(n) + psi(k) - mean(psi(n_x + 1) + psi(n_y + 1))``, at least 0: n_x and n_y are the numbers of
    other rows that are, in one column, nearer than the k-th neighbour by the larger of the two distances.

    Parameters
    ----------
    one
        A single column.
    others
        Columns of the same rows, with noise of their own.
    neighbors
        k, below the number of rows.
    kernels
        Compiled loops, if any.

    Returns
    -------
    ndarray
        One number for each of the others.

    References
    ----------
    Kraskov, Stögbauer and Grassberger, Physical Review E 69 (2004), equation 8.
    """
    order, count = one.order[0], others.values.shape[0]
    rows = len(order)
    radius = _radii(one.ascending[0], others.values[:, order], neighbors, kernels)
    by_row = np.empty((count, rows))
    by_row[:, order] = radius
    own = np.take_along_axis(by_row, others.order, axis=1)
    in_one = within(np.broadcast_to(one.ascending, (count, rows)), radius, kernels)
    in_other = within(others.ascending, own, kernels)
    psi = digammas(rows)
    means = psi[in_one].mean(axis=1) + psi[in_other].mean(axis=1)
    return np.asarray(np.maximum(psi[rows] + psi[neighbors] - means, 0.0))


def digammas(largest: int) -> FloatArray:
    """Return psi(0), psi(1), …; psi(0), which nothing needs, as 0."""
    return np.concatenate([[0.0], special.digamma(np.arange(1, largest + 1))])


def _radii(x: FloatArray, y: FloatArray, neighbors: int, kernels: Kernels | None) -> FloatArray:
    """Return the distance to the k-th neighbour, shape (columns, rows), as y; x is ascending.

    A sweep along x serves all columns at once, but meets the more rows the more there are and the more of
    them are alike in x; a tree does not.
    """
    by_tree = np.ones(len(y), dtype=bool)
    if kernels is not None:
        most = SECONDS_OF_TREE / (SECONDS_OF_VISIT + SECONDS_OF_STEP / len(y))
        by_tree[:] = [len(x) >= MANY_ROWS and _visits(x, column, neighbors) > most for column in y]
    radius = np.empty(y.shape)
    for j in np.flatnonzero(by_tree).tolist():
        pair = np.column_stack([x, y[j]])
        nearest, _ = spatial.cKDTree(pair).query(pair, [neighbors + 1], p=np.inf)  # 1 is the row itself
        radius[j] = nearest[:, 0]
    if kernels is not None and not by_tree.all():
        found = np.empty((len(x), int((~by_tree).sum())))
        kernels.radii(x, np.ascontiguousarray(y[~by_tree].T), neighbors, found)
        radius[~by_tree] = found.T
    return radius


def _visits(x: FloatArray, y: FloatArray, neighbors: int) -> float:
    """Estimate how many rows a sweep along x meets before it has the k-th neighbour of a row.

    It is counted for some rows among a part of all, in which it grows as the root of their number.
    """
    step = max(1, len(x) // THINNED)
    thin, other = x[::step], y[::step]
    own = np.linspace(0, len(thin) - 1, SAMPLED).astype(np.int64)
    distance = np.maximum(np.abs(thin - thin[own, None]), np.abs(other - other[own, None]))
    rank = min(neighbors, len(thin) - 1)
    radius = np.partition(distance, rank, axis=1)[:, rank]
    ends = np.searchsorted(thin, thin[own] + radius), np.searchsorted(thin, thin[own] - radius)
    return float((ends[0] - ends[1]).mean() * np.sqrt(step))
