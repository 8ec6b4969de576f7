"""Tests that know the truth: d-separation in a graph, and independence in a joint distribution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel.errors import ArgumentError, DataError, of_kind
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.base import BoundTest, Variables
from altsel.stats.independence.protocol import TestResults, certain

if TYPE_CHECKING:
    import networkx as nx
else:
    nx: Any = OnDemand("networkx")


class DSeparation(BoundTest):
    """Answer by d-separation in a directed acyclic graph: what an infinite sample would tell.

    Parameters
    ----------
    graph
        A networkx ``DiGraph`` without cycles; its nodes are the variables.
    target
        The target's node.

    Raises
    ------
    ArgumentError
        If the graph has a cycle, or the target is no node.

    Examples
    --------
    >>> graph = nx.DiGraph([("sprinkler", "wet"), ("rain", "wet")])
    >>> test = DSeparation(graph, "rain")
    >>> test(["sprinkler"]).p.tolist(), test(["sprinkler"], ["wet"]).p.tolist()
    ([1.0], [0.0])
    """

    name = "d-separation"
    knows = True

    def __init__(self, graph: nx.DiGraph[Any], target: str) -> None:
        of_kind("graph", graph, nx.DiGraph, "a networkx.DiGraph")
        of_kind("target", target, str, "the name of the target's node")
        if not nx.is_directed_acyclic_graph(graph):
            raise ArgumentError("d-separation needs a directed acyclic graph")
        self._variables = Variables(tuple(map(str, graph)), target)
        self._parents = {str(node): tuple(map(str, graph.predecessors(node))) for node in graph}
        self._children = {str(node): tuple(map(str, graph.successors(node))) for node in graph}
        self._reached = lru_cache(20_000)(self._connected)

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Return which candidates are d-separated from the target by the given nodes."""
        self._variables.indices(candidates, given)
        connected = self._reached(self.target, frozenset(given))
        separated = np.array([name not in connected for name in candidates], dtype=bool)
        return certain(candidates, separated, np.where(separated, 0.0, 1.0))

    def _connected(self, source: str, given: frozenset[str]) -> set[str]:
        """Walk all active paths from a node; a visit is (node, whether it came from a child)."""
        opened = set(given)  # colliders are open at given nodes and at their ancestors
        todo = list(given)
        while todo:
            for cause in self._parents[todo.pop()]:
                if cause not in opened:
                    opened.add(cause)
                    todo.append(cause)
        seen: set[tuple[str, bool]] = set()
        visits = [(source, True)]
        while visits:
            visit = visits.pop()
            if visit in seen:
                continue
            seen.add(visit)
            node, from_child = visit
            if node not in given:
                visits += [(effect, False) for effect in self._children[node]]
            if (from_child and node not in given) or (not from_child and node in opened):
                visits += [(cause, True) for cause in self._parents[node]]
        return {node for node, _ in seen} - given


class JointTable(BoundTest):
    """Answer by a joint distribution: independent where the conditional mutual information is 0.

    ``I(X; T | S) = sum p(x, t, s) log (p(x, t, s) p(s) / (p(x, s) p(t, s)))``, in nats, which
    is also the statistic and the effect.

    Parameters
    ----------
    table
        Probabilities; the index holds one level (a `MultiIndex` of names) a variable.
        Combinations that are not there have probability 0.
    target
        Name of the target's level.

    Raises
    ------
    DataError
        If the levels have no names, or the values are no probabilities.

    Examples
    --------
    >>> index = pd.MultiIndex.from_tuples([(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)], names=["a", "b", "y"])
    >>> xor = JointTable(pd.Series(0.25, index), "y")
    >>> xor(["a", "b"]).p.tolist(), xor(["a"], ["b"]).p.tolist()
    ([1.0, 1.0], [0.0])
    """

    name = "joint distribution"
    knows = True

    def __init__(self, table: pd.Series[float], target: str) -> None:
        of_kind("table", table, pd.Series, "a pandas.Series of probabilities")
        of_kind("target", target, str, "the name of the target's level")
        if None in table.index.names:
            raise DataError("the levels of the table's index need the variables' names")
        weights = table.to_numpy(dtype=float)
        if (weights < 0).any() or not np.isclose(weights.sum(), 1, atol=1e-6):
            raise DataError("the table's values are no probabilities: they must be at least 0 and sum to 1")
        self._variables = Variables(tuple(map(str, table.index.names)), target)
        frame = table.index.to_frame()
        self._codes = np.array([pd.factorize(frame[name])[0] for name in frame]).astype(np.int64)
        self._weights = weights

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        """Compute the conditional mutual information of each candidate and the target."""
        indices, known = self._variables.indices(candidates, given)
        goal = self._variables.index[self.target]
        base = self._entropy(known)
        with_target = self._entropy([*known, goal])
        shared = np.array(
            [
                self._entropy([*known, j]) + with_target - base - self._entropy([*known, j, goal])
                for j in indices.tolist()
            ]
        )
        independent = shared < 1e-9
        return certain(candidates, independent, np.where(independent, 0.0, shared))

    def _entropy(self, indices: list[int]) -> float:
        if not indices:
            return 0.0
        cells = np.unique(self._codes[indices], axis=1, return_inverse=True)[1].ravel()
        mass = np.bincount(cells, weights=self._weights)
        mass = mass[mass > 0]
        return float(-(mass * np.log(mass)).sum())
