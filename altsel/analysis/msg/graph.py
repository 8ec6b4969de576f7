"""Multiple-solutions graphs: all solutions as paths of one compact graph (TMFBS, section 7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from altsel.analysis.msg.compression import SINK, SOURCE, Compression, Operation
from altsel.analysis.msg.dot import dot, draw
from altsel.analysis.msg.tracing import Step, traced
from altsel.errors import ArgumentError, flags, listing, printable
from altsel.results.base import Drawn, Readable
from altsel.results.sets import checked_sets
from altsel.results.solutions import Solutions
from altsel.results.text import number_of, text_table
from altsel.runtime.memory import require
from altsel.runtime.on_demand import OnDemand

if TYPE_CHECKING:
    import networkx as nx
else:
    nx: Any = OnDemand("networkx")

PER_FEATURE, PER_SOLUTION = 550, 500
"""Bytes a feature of a solution while a graph is made, and a solution expanded; found by measuring."""

COLUMNS = ["name", "applied", "nodes", "edges", "features"]


@dataclass(frozen=True)
class Node:
    """One node: a path takes one of its alternatives.

    Attributes
    ----------
    name
        Number of the node; 0 is the root, 1 the leaf.
    alternatives
        Sets of features; several make an OR node, none are root and leaf.
    """

    name: int
    alternatives: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class MSG(Readable, Drawn):
    """A graph whose paths from root to leaf, with one alternative of every node, are the solutions.

    Attributes
    ----------
    nodes
        The nodes; root and leaf first.
    edges
        Pairs of names of nodes.
    universe
        All features, in the order of the data.
    target
        Name of the target, if known.
    operations
        What each operation that compressed the graph left of its size, the first graph before all; see
        `savings`.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> found = sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=1)
    >>> graph = msg(found)
    >>> len(graph.nodes), graph.universe
    (4, ('x0', 'x1', 'x2', 'x3'))
    """

    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...]
    universe: tuple[str, ...]
    target: str | None = None
    operations: tuple[Operation, ...] = field(default=(), compare=False)
    _called = "a multiple-solutions graph"

    def paths(self) -> list[tuple[str, ...]]:
        """Expand the graph: all solutions, features in the order of the data.

        Raises
        ------
        ArgumentError
            If they would need more memory than is available.
        """
        number = self.through[SOURCE]
        require(PER_SOLUTION * number, f"{number:,} solutions", "look at the nodes and edges instead")
        index = {name: j for j, name in enumerate(self.universe)}
        return [tuple(sorted(union, key=index.__getitem__)) for union in self._unions()]

    @cached_property
    def children(self) -> dict[int, list[int]]:
        """The nodes that each node leads to."""
        found: dict[int, list[int]] = {node.name: [] for node in self.nodes}
        for start, end in self.edges:
            found[start].append(end)
        return found

    @cached_property
    def through(self) -> dict[int, int]:
        """How many solutions pass through each node."""
        graph = self.to_networkx()
        ways = {node.name: max(len(node.alternatives), 1) for node in self.nodes}
        order = list(nx.topological_sort(graph))
        above = dict.fromkeys(order, 0) | {SOURCE: 1}
        for name in order:
            for child in self.children[name]:
                above[child] += above[name] * ways[name]
        below = dict.fromkeys(order, 0) | {SINK: 1}
        for name in reversed(order):
            below[name] += sum(below[child] * ways[child] for child in self.children[name])
        return {name: above[name] * ways[name] * below[name] for name in order}

    def steps_of(self, features: Collection[str]) -> tuple[Step, ...]:
        """Return the nodes that a solution passes, and which of its alternatives it takes at each.

        Raises
        ------
        ArgumentError
            If the set is no solution of the graph.
        """
        path = traced({node.name: node for node in self.nodes}, self.children, features)
        if isinstance(features, str) or path is None:
            raise ArgumentError(f"the graph has no solution of {listing(features)}")
        return path

    def nodes_of(self, features: Collection[str]) -> tuple[int, ...]:
        """Return the names of the nodes that a solution passes, from root to leaf.

        Raises
        ------
        ArgumentError
            If the set is no solution of the graph.

        Examples
        --------
        >>> msg([["a", "b"], ["a", "c"]]).nodes_of(["c", "a"])
        (0, 2, 3, 1)
        """
        return tuple(name for name, _ in self.steps_of(features))

    def size(self) -> dict[str, int]:
        """Count nodes (without root and leaf), edges, features written in nodes, and solutions."""
        written = sum(len(alternative) for node in self.nodes for alternative in node.alternatives)
        return {
            "solutions": self.through[SOURCE],
            "nodes": len(self.nodes) - 2,
            "edges": len(self.edges),
            "features": written,
        }

    def savings(self) -> pd.DataFrame:
        """Tabulate what each operation saved, from one path for each solution to this graph.

        Returns
        -------
        pandas.DataFrame
            ``operation``; how often it was ``applied``; ``nodes``, ``edges`` and ``features`` that there were
            after it, counted as in `size`; ``nodes saved``, ``edges saved`` and ``features saved`` by it. A
            saving below 0 is a loss: what nodes share is a node more. Empty if the graph was read from a file
            that does not say it.

        References
        ----------
        Borboudakis and Tsamardinos (2021), section 7.3.

        Examples
        --------
        >>> graph = msg([["a", "b"], ["a", "c"], ["a", "d", "e"]])
        >>> graph.savings()[["operation", "applied", "nodes saved", "edges saved", "features saved"]]
                  operation  applied  nodes saved  edges saved  features saved
        0       a path each        0            0            0               0
        1   forward merging        1           -1           -1               2
        2  backward merging        0            0            0               0
        3        OR merging        1            2            4               0
        """
        table = pd.DataFrame([asdict(one) for one in self.operations], columns=COLUMNS)
        saved = -table[["nodes", "edges", "features"]].diff().fillna(0).astype(int)
        return pd.concat([table, saved.add_suffix(" saved")], axis=1).rename(columns={"name": "operation"})

    def to_networkx(self) -> nx.DiGraph[int]:
        """Return a networkx graph; ``alternatives`` is an attribute of its nodes."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        for node in self.nodes:
            graph.add_node(node.name, alternatives=node.alternatives)
        graph.add_edges_from(self.edges)
        return graph

    def to_dot(self) -> str:
        """Write the graph in the DOT language of Graphviz; names of any kind are escaped."""
        return dot(self.nodes, self.edges, self.through, self.target or "target")

    def draw(self, path: str | Path) -> Path:
        """Draw the graph by Graphviz, in a file whose ending tells the format: svg, png or pdf.

        Raises
        ------
        ConfigurationError
            If pygraphviz is not installed.
        ArgumentError
            If the ending is another one.
        """
        return draw(self.to_dot(), path)

    def __repr__(self) -> str:
        size, target = self.size(), f", target {printable(self.target)!r}" if self.target else ""
        counts = f"{number_of(size['solutions'], 'solution')}, {number_of(size['nodes'], 'node')}"
        return f"<MSG: {counts}{target}>"

    def __str__(self) -> str:
        rows = [
            [
                str(node.name),
                " OR ".join(
                    "{" + ", ".join(map(printable, alternative)) + "}" for alternative in node.alternatives
                ),
                str(self.through[node.name]),
                self._onward(node.name),
            ]
            for node in self.nodes
            if node.name not in {SOURCE, SINK}
        ]
        count = ", ".join(f"{number} {what}" for what, number in self.size().items())
        table = text_table(["node", "features", "solutions", "leads to"], rows, right={0, 2})
        return "\n".join([count, f"begin at {self._onward(SOURCE)}", *table])

    def _onward(self, name: int) -> str:
        return ", ".join("end" if child == SINK else str(child) for child in self.children[name])

    def _unions(self) -> list[frozenset[str]]:
        """Return the unions of all paths from the root to the leaf, those below each node found once."""
        known: dict[int, list[frozenset[str]]] = {SINK: [frozenset()]}
        own = {
            node.name: [frozenset(alternative) for alternative in node.alternatives] or [frozenset()]
            for node in self.nodes
        }
        for node in reversed(list(nx.topological_sort(self.to_networkx()))):
            if node != SINK:
                rest = [subset for child in self.children[node] for subset in known[child]]
                known[node] = [subset | other for subset in own[node] for other in rest]
        return known[SOURCE]


def msg(found: Solutions | Iterable[Sequence[str]], *, or_nodes: bool = True) -> MSG:
    """Build the multiple-solutions graph of some solutions.

    A path for each solution is compressed forward (what solutions share is put before them,
    most frequent feature first), backward (what paths share at their ends), and nodes with the same
    parents and children become one with alternatives.

    Parameters
    ----------
    found
        The solutions of any search, or sets of names; a set that occurs twice counts once.
    or_nodes
        Whether nodes are merged into ones with alternatives.

    Returns
    -------
    MSG
        Its paths are exactly the solutions.

    Raises
    ------
    ArgumentError
        If there is no solution, or memory does not suffice.

    References
    ----------
    Borboudakis and Tsamardinos (2021), algorithms 5 to 7, operations 1 to 3.

    Examples
    --------
    >>> graph = msg([["a", "b"], ["a", "c"], ["a", "d", "e"]])
    >>> print(graph)
    3 solutions, 2 nodes, 3 edges, 5 features
    begin at 2
    node  features              solutions  leads to
       2  {a}                           3  3
       3  {b} OR {c} OR {d, e}          3  end
    >>> sorted(graph.paths())
    [('a', 'b'), ('a', 'c'), ('a', 'd', 'e')]
    """
    flags(or_nodes=or_nodes)
    sets = checked_sets(found)
    if not sets:
        raise ArgumentError("there are no solutions to draw")
    needed = PER_FEATURE * sum(map(len, sets))
    require(needed, f"paths of {len(sets):,} solutions", "draw fewer of them, such as the best")
    universe, target = tuple(dict.fromkeys(name for subset in sets for name in subset)), None
    if isinstance(found, Solutions):
        universe, target = found.universe, found.target
    graph = Compression(dict.fromkeys(map(frozenset, sets)), universe)
    graph.forward()
    graph.backward()
    if or_nodes:
        graph.merge_alternatives()
    return numbered(graph, universe, target)


def numbered(graph: Compression, universe: tuple[str, ...], target: str | None) -> MSG:
    """Return the graph with final numbers of its nodes, from root to leaf."""
    index = {name: j for j, name in enumerate(universe)}
    inner = [name for name in graph.order() if name not in {SOURCE, SINK}]
    number = {SOURCE: SOURCE, SINK: SINK} | {name: j for j, name in enumerate(inner, 2)}

    def written(name: int) -> tuple[tuple[str, ...], ...]:
        sets = [tuple(sorted(subset, key=index.__getitem__)) for subset in graph.features[name]]
        return tuple(sorted(sets, key=lambda subset: (len(subset), [index[f] for f in subset])))

    nodes = (Node(SOURCE), Node(SINK), *(Node(number[name], written(name)) for name in inner))
    edges = sorted((number[start], number[end]) for start in graph.children for end in graph.children[start])
    return MSG(nodes, tuple(edges), universe, target, tuple(graph.operations))
