"""Pairs that exclude each other: fewer and stronger rows by cliques, and features no set can hold."""

from __future__ import annotations

import numpy as np

from altsel._types import BoolArray


def clique_cover(conflict: BoolArray) -> list[list[int]]:
    """Cover all edges of a conflict graph by cliques: ``sum_{j in C} x_j <= 1`` replaces many rows.

    Greedy: from the feature with most uncovered conflicts, add the common neighbour that
    covers most new ones, until there is none.

    Parameters
    ----------
    conflict
        Symmetric, without diagonal, shape (features, features).

    Returns
    -------
    list of list of int
        Places of the features of each clique.

    Examples
    --------
    >>> triangle = ~np.eye(3, dtype=bool)
    >>> clique_cover(triangle)
    [[0, 1, 2]]
    """
    uncovered = conflict.copy()
    degree = uncovered.sum(axis=1)
    cliques: list[list[int]] = []
    while degree.any():
        first = int(degree.argmax())
        clique = [first]
        common = conflict[first].copy()
        gain = uncovered[first].astype(np.int64)
        while common.any():
            best = int(np.where(common, gain, -1).argmax())
            clique.append(best)
            common &= conflict[best]
            gain += uncovered[best]
        members = np.array(clique)
        block = uncovered[np.ix_(members, members)]
        degree[members] -= block.sum(axis=1)
        uncovered[np.ix_(members, members)] = False
        cliques.append(sorted(clique))
    return cliques


def core(conflict: BoolArray, k: int) -> BoolArray:
    """Return which features may be in a set of k compatible ones: the (k-1)-core of compatibility.

    A feature with fewer than ``k - 1`` compatible partners is in no such set; without it
    others may lose partners, and so on. If fewer than k are left, there is no such set.

    Examples
    --------
    >>> conflict = np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], dtype=bool)
    >>> core(conflict, 2).tolist()
    [False, True, True]
    """
    kept = np.ones(len(conflict), dtype=bool)
    while True:
        partners = (~conflict[np.ix_(kept, kept)]).sum(axis=1) - 1
        if (partners >= k - 1).all():
            return kept if kept.sum() >= k else np.zeros_like(kept)
        kept[np.flatnonzero(kept)[partners < k - 1]] = False
