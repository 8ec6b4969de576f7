"""Columns of numbers that nearly are copies of each other: their correlations, and groups by these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.columns import moderate
from altsel.data.intake.blocks import matrix
from altsel.data.schema import Kind
from altsel.runtime.on_demand import OnDemand

csgraph: Any = OnDemand("scipy.sparse.csgraph")
distances: Any = OnDemand("scipy.spatial.distance")
hierarchy: Any = OnDemand("scipy.cluster.hierarchy")
sparse: Any = OnDemand("scipy.sparse")

MEASURED = {Kind.CONTINUOUS, Kind.INTEGER, Kind.COUNT, Kind.BINARY}
"""Kinds whose correlation says how near columns are to copies."""
NEAR = 0.999
"""Correlation from which columns are called near copies in notes."""
PRODUCTS = 4e9
"""Products up to which all pairs are looked at for a note."""
BLOCK = 1024
"""Columns whose correlations with all others are held at a time."""


def near_copies(table: pd.DataFrame, kinds: Mapping[str, Kind], bound: float) -> list[list[str]]:
    """Group columns of numbers so that all pairs of a group are correlated: ``|r| >= bound``.

    Complete linkage of the distances ``1 - |r|``, cut at ``1 - bound``: the nearest two groups are joined
    as long as their least similar columns are still that similar. It is done within each connected component
    of the graph of pairs with ``|r| >= bound``, which no group can leave; ties go by the order of the table.

    Sources: Sørensen, Biologiske Skrifter 5 (1948); Müllner, arXiv:1109.2378 (2011), as in
    ``scipy.cluster.hierarchy``.

    Examples
    --------
    >>> rows = np.arange(50.0)
    >>> table = pd.DataFrame({"a": rows, "b": np.sin(rows), "c": rows + np.sin(rows) / 10})
    >>> near_copies(table, dict.fromkeys(table, Kind.CONTINUOUS), 0.999)
    [['a', 'c']]
    """
    names = [str(name) for name in table if kinds[str(name)] in MEASURED]
    scaled = standardised(table[names])
    return [[names[j] for j in group] for group in _linked(scaled, bound)]


def likenesses(table: pd.DataFrame, kinds: Mapping[str, Kind], bound: float) -> list[tuple[str, str, float]]:
    """Return columns that nearly are copies, the first column each resembles, and ``|r|``.

    All pairs are looked at where that takes `PRODUCTS` at most, else neighbouring columns.
    """
    names = [str(name) for name in table if kinds[str(name)] in MEASURED]
    scaled = standardised(table[names])
    first: dict[int, tuple[int, float]] = {}
    if len(table) * len(names) ** 2 <= PRODUCTS:
        for block in pairs_above(scaled, bound):
            for i, j, r in zip(*map(np.ndarray.tolist, block), strict=True):
                first.setdefault(j, (i, r))
    else:
        near = np.abs((scaled[:, 1:] * scaled[:, :-1]).sum(axis=0))
        first = {int(j) + 1: (int(j), float(near[j])) for j in np.flatnonzero(near >= bound)}
    return [(names[j], names[i], min(r, 1.0)) for j, (i, r) in sorted(first.items())]


def pairs_above(scaled: FloatArray, bound: float) -> Iterator[tuple[Any, Any, FloatArray]]:
    """Yield indices i < j and correlations of columns with ``|r| >= bound``, a block of i at a time."""
    for first in range(0, scaled.shape[1], BLOCK):
        r = np.abs(scaled[:, first : first + BLOCK].T @ scaled[:, first:])
        i, j = np.nonzero(r >= bound)
        later = j > i
        yield i[later] + first, j[later] + first, r[i[later], j[later]]


def standardised(table: pd.DataFrame) -> FloatArray:
    """Return columns with mean 0 and sum of squares 1, whose products are correlations; constants as 0."""
    values = moderate(matrix(table))
    values -= values.mean(axis=0)
    scale = np.sqrt((values**2).sum(axis=0))
    values /= np.where(scale > 0, scale, 1)
    return values


def _linked(scaled: FloatArray, bound: float) -> Iterator[list[int]]:
    number = scaled.shape[1]
    found = [np.stack([i, j]) for i, j, _ in pairs_above(scaled, bound)]
    i, j = np.concatenate([np.zeros((2, 0), dtype=np.int64), *found], axis=1)
    graph = sparse.coo_array((np.ones(len(i), dtype=bool), (i, j)), shape=(number, number))
    component = csgraph.connected_components(graph, directed=False)[1]
    for one in np.flatnonzero(np.bincount(component) > 1):
        members = np.flatnonzero(component == one)
        distance = 1 - np.minimum(np.abs(scaled[:, members].T @ scaled[:, members]), 1)
        np.fill_diagonal(distance, 0)
        tree = hierarchy.linkage(distances.squareform((distance + distance.T) / 2, checks=False), "complete")
        label = hierarchy.fcluster(tree, 1 - bound, "distance")
        for group in np.unique(label):
            if (label == group).sum() > 1:
                yield members[label == group].tolist()
