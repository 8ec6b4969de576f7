"""Discrete Bayesian networks: a graph whose Markov blankets are known, and samples of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError, DataError, checked_integer, list_of_names, of_kind
from altsel.runtime.on_demand import OnDemand

if TYPE_CHECKING:
    import networkx as nx
else:
    nx: Any = OnDemand("networkx")


@dataclass(frozen=True, eq=False)
class BayesianNetwork:
    """A directed acyclic graph with a conditional probability table a node.

    ``P(X) = prod_i P(X_i | parents of X_i)``.

    Parameters
    ----------
    states
        Names of the states of each variable, in the order of the table's last axis.
    parents
        Parents of each variable, in the order of the table's other axes.
    tables
        Conditional probability tables, shape (states of parents…, own states); rows sum to 1.

    Raises
    ------
    DataError
        If the graph has a cycle, or a table a wrong shape or rows that do not sum to 1.

    Examples
    --------
    >>> rain = {"rain": ("no", "yes"), "wet": ("no", "yes")}
    >>> tables = {"rain": np.array([0.8, 0.2]), "wet": np.array([[0.9, 0.1], [0.05, 0.95]])}
    >>> network = BayesianNetwork(rain, {"rain": (), "wet": ("rain",)}, tables)
    >>> network.blanket("rain")
    ('wet',)
    >>> network.sample(3, random_state=0).columns.tolist()
    ['rain', 'wet']
    """

    states: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, FloatArray]

    def __post_init__(self) -> None:
        for what in ("states", "parents", "tables"):
            of_kind(what, getattr(self, what), Mapping, "a mapping by the name of each variable")
        for what in ("states", "parents"):
            for name, listed in getattr(self, what).items():
                list_of_names(f"{what} of {name!r}", listed)
        for name, table in self.tables.items():
            shape = tuple(len(self.states[node]) for node in (*self.parents[name], name))
            if table.shape != shape:
                raise DataError(f"the table of {name!r} has shape {table.shape}, not {shape}")
            if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1, atol=1e-3):
                raise DataError(f"the table of {name!r} has rows that are no probabilities")
        try:
            tuple(TopologicalSorter(self.parents).static_order())
        except CycleError as fault:
            raise DataError(f"the graph has a cycle: {fault.args[1]}") from fault

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the variables, in the order of the file."""
        return tuple(self.states)

    def graph(self) -> nx.DiGraph[str]:
        """Return the graph as a networkx ``DiGraph``."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from((cause, name) for name in self.nodes for cause in self.parents[name])
        return graph

    def parents_and_children(self, node: str) -> tuple[str, ...]:
        """Name the neighbours of a node."""
        self._known(node)
        return self._ordered({*self.parents[node], *self._children(node)})

    def spouses(self, node: str) -> tuple[str, ...]:
        """Name the other parents of a node's children that are no neighbours themselves."""
        mates = {parent for child in self._children(node) for parent in self.parents[child]}
        return self._ordered(mates - {node, *self.parents_and_children(node)})

    def blanket(self, node: str) -> tuple[str, ...]:
        """Name the Markov blanket of a node: its parents, children and spouses."""
        return self._ordered({*self.parents_and_children(node), *self.spouses(node)})

    def sample(self, rows: int, random_state: int | np.random.Generator = 0) -> pd.DataFrame:
        """Draw independent rows; the same seed gives the same rows.

        Parameters
        ----------
        rows
            Number of rows.
        random_state
            Seed or generator.

        Returns
        -------
        DataFrame of shape (rows, nodes)
            Categories, a column for each variable in the order of the file.
        """
        checked_integer("rows", rows, 1)
        random = np.random.default_rng(random_state)
        drawn: dict[str, IntArray] = {}
        for name in TopologicalSorter({name: self.parents[name] for name in self.nodes}).static_order():
            table = self.tables[name][tuple(drawn[parent] for parent in self.parents[name])]
            steps = np.cumsum(np.broadcast_to(table, (rows, table.shape[-1])), axis=1)
            drawn[name] = (random.random((rows, 1)) * steps[:, -1:] >= steps[:, :-1]).sum(axis=1)
        columns: dict[str, Any] = {
            name: pd.Categorical.from_codes(drawn[name], categories=pd.Index(self.states[name]))
            for name in self.nodes
        }
        return pd.DataFrame(columns)

    def _children(self, node: str) -> list[str]:
        return [name for name in self.nodes if node in self.parents[name]]

    def _ordered(self, names: set[str]) -> tuple[str, ...]:
        return tuple(name for name in self.nodes if name in names)

    def _known(self, node: str) -> None:
        if node not in self.states:
            raise ArgumentError(f"the network has no variable {node!r}")
