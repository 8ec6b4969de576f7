"""Mutual information of two numbers by nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.dependence.neighbours.compiled import Kernels
from altsel.stats.dependence.neighbours.counts import within
from altsel.stats.dependence.neighbours.noise import Sorted

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
    """Return the distance to the k-th neighbour, shape (columns, rows), as y; x is ascending."""
    if kernels is not None:
        found = np.empty(y.T.shape)
        kernels.radii(x, np.ascontiguousarray(y.T), neighbors, found)
        return np.ascontiguousarray(found.T)
    pairs = (np.column_stack([x, column]) for column in y)
    trees = (
        spatial.cKDTree(pair).query(pair, [neighbors + 1], p=np.inf) for pair in pairs
    )  # 1 is the row itself
    return np.array([distance[:, 0] for distance, _ in trees])
