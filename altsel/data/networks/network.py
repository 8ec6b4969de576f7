"""Bayesian networks: a graph whose Markov blankets are known, its distributions, and samples of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from altsel.data.networks import graph_text
from altsel.data.networks.bif_writing import bif_text
from altsel.data.networks.conditional_gaussian import ConditionalGaussian
from altsel.data.networks.from_graph import distributions_of
from altsel.data.networks.sampling import Spoiling, drawn_rows
from altsel.errors import ArgumentError, DataError, checked_integer, list_of_names, of_kind
from altsel.runtime.on_demand import OnDemand

if TYPE_CHECKING:
    import networkx as nx
else:
    nx: Any = OnDemand("networkx")


class ParentsByNode(dict[str, tuple[str, ...]]):
    """Parents by the name of each variable, which can also be asked as a method: ``parents("wet")``."""

    def __call__(self, node: str) -> tuple[str, ...]:
        """Name the parents of a node, in the order of its table's axes."""
        if node not in self:
            raise ArgumentError(f"the network has no variable {node!r}")
        return self[node]


@dataclass(frozen=True, eq=False)
class BayesianNetwork:
    """A directed acyclic graph with a distribution of each node given its parents.

    ``P(X) = prod_i P(X_i | parents of X_i)``. Variables have states, with a conditional probability table, or
    are numbers, with a `ConditionalGaussian`.

    Parameters
    ----------
    states
        Names of the states of each variable, in the order of the table's last axis; none of a number.
    parents
        Parents of each variable, in the order of the table's other axes.
    tables
        Conditional probability tables, shape (states of parents…, own states), rows summing to 1; of numbers
        a `ConditionalGaussian`.

    Raises
    ------
    DataError
        If the graph has a cycle, a table a wrong shape or rows that do not sum to 1, or a variable with
        states a parent that is a number.

    See Also
    --------
    BayesianNetwork.from_graph : The same from a networkx graph.
    altsel.read_network : The same from a BIF file.

    Examples
    --------
    >>> rain = {"rain": ("no", "yes"), "wet": ("no", "yes")}
    >>> tables = {"rain": np.array([0.8, 0.2]), "wet": np.array([[0.9, 0.1], [0.05, 0.95]])}
    >>> network = BayesianNetwork(rain, {"rain": (), "wet": ("rain",)}, tables)
    >>> network.blanket("rain"), network.children("rain"), network.parents("wet"), network.edges
    (('wet',), ('wet',), ('rain',), (('rain', 'wet'),))
    >>> network.sample(3, random_state=0).columns.tolist()
    ['rain', 'wet']
    """

    states: Mapping[str, tuple[str, ...]]
    parents: Any
    tables: Mapping[str, Any]

    def __post_init__(self) -> None:
        for what in ("states", "parents", "tables"):
            of_kind(what, getattr(self, what), Mapping, "a mapping by the name of each variable")
        for what in ("states", "parents"):
            for name, listed in getattr(self, what).items():
                list_of_names(f"{what} of {name!r}", listed)
        object.__setattr__(self, "parents", ParentsByNode(self.parents))
        for name, table in self.tables.items():
            self._check(name, table)
        try:
            tuple(TopologicalSorter(self.parents).static_order())
        except CycleError as fault:
            raise DataError(f"the graph has a cycle: {fault.args[1]}") from fault

    def _check(self, name: str, table: Any) -> None:
        numbers = [parent for parent in self.parents[name] if self._is_number(parent)]
        states = [len(self.states[parent]) for parent in self.parents[name] if parent not in numbers]
        if isinstance(table, ConditionalGaussian):
            table.check(name, states, len(numbers))
            return
        if numbers:
            raise DataError(
                f"{name!r} has states, and a parent {numbers[0]!r} that is a number; it can have none"
            )
        shape = (*states, len(self.states[name]))
        if table.shape != shape:
            raise DataError(f"the table of {name!r} has shape {table.shape}, not {shape}")
        if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1, atol=1e-3):
            raise DataError(f"the table of {name!r} has rows that are no probabilities")

    @classmethod
    def from_graph(
        cls,
        graph: nx.DiGraph[Any],
        tables: Mapping[str, Any] | None = None,
        states: Mapping[str, tuple[str, ...]] | None = None,
    ) -> BayesianNetwork:
        """Make a network of a networkx graph.

        Parameters
        ----------
        graph
            A directed acyclic graph. The parents of a node are in the order of ``graph.predecessors``, that
            in which its edges were added.
        tables
            As those of the network. A node without one is a number, linear in its parents, which must be
            numbers, by the ``weight`` of each edge; its ``intercept`` and ``deviation`` are attributes of the
            node, 0 and 1 if there are none.
        states
            Names of states; default: ``"0"``, ``"1"``, …

        Raises
        ------
        ArgumentError
            If it is no directed graph, or an edge has no weight where one is needed.
        DataError
            As of the network.

        Examples
        --------
        >>> import networkx as nx
        >>> graph = nx.DiGraph()
        >>> graph.add_edge("dose", "effect", weight=2.0)
        >>> BayesianNetwork.from_graph(graph).sample(20_000, 0).cov().loc["dose", "effect"].round(1)
        np.float64(2.0)
        """
        for what, given in (("tables", tables), ("states", states)):
            if given is not None:
                of_kind(what, given, Mapping, "a mapping by the name of each variable")
        return cls(*distributions_of(graph, tables or {}, states or {}))

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the variables, in the order of the file."""
        return tuple(self.states)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The arrows as pairs (parent, child), by children in the order of the nodes."""
        return tuple((cause, name) for name in self.nodes for cause in self.parents[name])

    def graph(self) -> nx.DiGraph[str]:
        """Return the graph as a networkx ``DiGraph``."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.edges)
        return graph

    def children(self, node: str) -> tuple[str, ...]:
        """Name the children of a node, in the order of the nodes."""
        self._known(node)
        return tuple(name for name in self.nodes if node in self.parents[name])

    def parents_and_children(self, node: str) -> tuple[str, ...]:
        """Name the neighbours of a node."""
        return self._ordered({*self.children(node), *self.parents[node]})

    def spouses(self, node: str) -> tuple[str, ...]:
        """Name the other parents of a node's children that are no neighbours themselves."""
        mates = {parent for child in self.children(node) for parent in self.parents[child]}
        return self._ordered(mates - {node, *self.parents_and_children(node)})

    def blanket(self, node: str) -> tuple[str, ...]:
        """Name the Markov blanket of a node: its parents, children and spouses."""
        return self._ordered({*self.parents_and_children(node), *self.spouses(node)})

    def sample(
        self,
        rows: int,
        random_state: int | np.random.Generator = 0,
        *,
        do: Mapping[str, Any] | None = None,
        missing: float | Mapping[str, float] = 0.0,
        noise: float | Mapping[str, float] = 0.0,
    ) -> pd.DataFrame:
        """Draw independent rows; the same seed gives the same rows.

        Neither interventions nor noise nor missing values change what else is drawn from a seed.

        Parameters
        ----------
        rows
            Number of rows.
        random_state
            Seed or generator.
        do
            Interventions: the value, or one a row, that a variable is set to, whatever its parents are
            (Pearl's do-operator). A state by its name.
        missing
            Probability with which a value is missing, completely at random; of all variables, or by name.
        noise
            Noise of the measurement: a number gets a normal error of so many of the column's standard
            deviations; a state is with this probability another one, each of these as likely.

        Returns
        -------
        DataFrame of shape (rows, nodes)
            A column for each variable in the order of the file: categories, or numbers.

        Raises
        ------
        ArgumentError
            If a variable or state is unknown, or a probability or deviation is none.

        Examples
        --------
        >>> import altsel
        >>> asia = altsel.read_network("examples/data/asia.bif")
        >>> asia.sample(5_000, do={"smoke": "yes"})["bronc"].eq("yes").mean().round(1)
        np.float64(0.6)
        """
        if not isinstance(random_state, np.random.Generator):
            checked_integer("random_state", random_state, 0)
        if do is not None:
            of_kind("do", do, Mapping, "a mapping of variables to what they are set to")
        spoiling = Spoiling(missing, noise)
        return drawn_rows(self, rows, np.random.default_rng(random_state), do or {}, spoiling)

    def to_bif(self, path: str | Path | None = None) -> str:
        """Write the network in the Bayesian Interchange Format, which `altsel.read_network` reads again.

        Parameters
        ----------
        path
            File to write, compressed if its name ends in ``.gz``; None: none.

        Returns
        -------
        str
            The text.

        Raises
        ------
        DataError
            If a variable is a number, of which the format knows nothing.
        """
        return bif_text(self, path)

    def to_dot(self) -> str:
        """Write the graph in the DOT language, which Graphviz draws."""
        return graph_text.dot(self)

    def to_model_string(self, form: str = "bnlearn") -> str:
        """Write the graph as a model string.

        Parameters
        ----------
        form
            ``"bnlearn"``: ``[rain][wet|rain]``, as R's ``model2network`` reads; ``"dagitty"``:
            ``dag { "rain" -> "wet" }``, and ``"lavaan"``: ``wet ~ rain``, as pgmpy's ``DAG.from_dagitty`` and
            ``DAG.from_lavaan`` read.

        Raises
        ------
        ArgumentError
            If the form is unknown, or a name cannot be written in it.

        Examples
        --------
        >>> import networkx as nx
        >>> graph = nx.DiGraph()
        >>> graph.add_weighted_edges_from([("a", "c", 1), ("b", "c", 1)])
        >>> BayesianNetwork.from_graph(graph).to_model_string()
        '[a][c|a:b][b]'
        """
        return graph_text.model_string(self, form)

    def _is_number(self, node: str) -> bool:
        return isinstance(self.tables.get(node), ConditionalGaussian)

    def _ordered(self, names: set[str]) -> tuple[str, ...]:
        return tuple(name for name in self.nodes if name in names)

    def _known(self, node: str) -> None:
        if node not in self.states:
            raise ArgumentError(f"the network has no variable {node!r}")
