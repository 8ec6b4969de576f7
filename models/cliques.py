"""Pairs that exclude each other: fewer and stronger rows by cliques, and features no set can hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from altsel._types import BoolArray
from altsel.models.rule import Row
from altsel.pyomo_on_demand import pyo
from altsel.runtime.clock import clock


@dataclass(frozen=True, eq=False)
class OneOfEach:
    """A rule: at most one feature of each clique, ``sum_{j in C} x_j <= 1``.

    Attributes
    ----------
    features
        Names of all features.
    cliques
        Places of the features of each clique.
    """

    features: Sequence[str]
    cliques: Sequence[Sequence[int]]
    __name__ = "predominant"
    may_be_silent = True

    def __call__(self, block: Any) -> None:
        """Add a row a clique to a block."""
        block.predominance = pyo.ConstraintList()
        for clique in self.cliques:
            clock().check()
            block.predominance.add(pyo.quicksum(block.x[self.features[j]] for j in clique) <= 1)

    def given_rows(self) -> list[Row]:
        """Return the rows as numbers: a model of a thousand cliques takes seconds."""
        table = np.zeros((len(self.cliques), len(self.features)))
        for row, clique in zip(table, self.cliques, strict=True):
            row[list(clique)] = 1.0
        return [(row, -inf, 1.0) for row in table]


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
    out = -len(conflict) * len(conflict)  # what no gain makes up for
    gains = np.where(conflict, 1, out)
    degree = conflict.sum(axis=1)
    cliques: list[list[int]] = []
    while degree.any():
        best = int(degree.argmax())
        clique, gain = [best], gains[best].copy()
        while gain[best := int(gain.argmax())] >= 0:
            clique.append(best)
            gain += gains[best]
        members = np.ix_(clique, clique)
        degree[clique] -= (gains[members] > 0).sum(axis=1)
        gains[members] = np.where(conflict[members], 0, out)
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
