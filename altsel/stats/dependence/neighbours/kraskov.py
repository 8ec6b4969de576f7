"""Mutual information of two numbers by nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.dependence.neighbours.compiled import Kernels
from altsel.stats.dependence.neighbours.counts import within
from altsel.stats.dependence.neighbours.noise import Sorted

MANY_ROWS = 1500
"""Rows from which strips are sooner done than a sweep, whatever the columns are."""
WIDTH = 0.7
"""Rows of a strip, in roots of the rows times neighbours."""
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

    A sweep along x serves all columns at once, but meets the more rows the more there are; strips do not.
    """
    if kernels is None:
        return np.array([_by_tree(x, column, neighbors) for column in y])
    if len(x) >= MANY_ROWS:
        return np.array([_in_strips(x, column, neighbors, kernels) for column in y])
    found = np.empty((len(x), len(y)))
    kernels.radii(x, np.ascontiguousarray(y.T), neighbors, found)
    return found.T


def _by_tree(x: FloatArray, y: FloatArray, neighbors: int) -> FloatArray:
    pair = np.column_stack([x, y])
    nearest, _ = spatial.cKDTree(pair).query(pair, [neighbors + 1], p=np.inf)  # 1 is the row itself
    return np.asarray(nearest[:, 0])


def _in_strips(x: FloatArray, y: FloatArray, neighbors: int, kernels: Kernels) -> FloatArray:
    """Divide rows into strips along x, about as wide as neighbours of independent columns are far."""
    rows = len(x)
    size = max(int(WIDTH * np.sqrt(rows * neighbors)), 1)
    shape = (-(-rows // size), size)
    both = np.full((2, shape[0] * size), np.inf)
    both[:, :rows] = x, y
    last = np.minimum(np.arange(1, shape[0] + 1) * size, rows) - 1
    ends = np.column_stack([x[::size], x[last]])
    by_x, by_y = both.reshape(2, *shape)
    order = np.argsort(by_y, axis=1)
    arranged = [np.take_along_axis(each, order, axis=1) for each in (by_x, by_y)]
    found, radius = np.empty(shape), np.empty(shape)
    kernels.in_strips(*arranged, ends, neighbors, found)
    np.put_along_axis(radius, order, found, axis=1)
    return radius.ravel()[:rows]
