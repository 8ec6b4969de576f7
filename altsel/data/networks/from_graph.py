"""Distributions of the nodes of a networkx graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altsel.data.networks.conditional_gaussian import ConditionalGaussian
from altsel.errors import ArgumentError, list_of_names, listing

Names = tuple[str, ...]


def distributions_of(
    graph: Any, tables: Mapping[str, Any], states: Mapping[str, Names]
) -> tuple[dict[str, Names], dict[str, Names], dict[str, Any]]:
    """Return states, parents and tables of the nodes of a graph, in its order.

    See `altsel.data.BayesianNetwork.from_graph`.
    """
    if not (hasattr(graph, "predecessors") and hasattr(graph, "edges")) or graph.is_multigraph():
        raise ArgumentError("graph must be a directed graph of networkx, such as nx.DiGraph")
    if no_text := [node for node in graph if not isinstance(node, str)]:
        raise ArgumentError(
            f"the graph has nodes that are no texts: {listing(no_text)}; use nx.relabel_nodes"
        )
    for what, given in (("tables", tables), ("states", states)):
        if unknown := [name for name in given if name not in graph]:
            raise ArgumentError(f"{what} has {unknown[0]!r}, which is no node of the graph")
    made = {name: _distribution(graph, name, tables) for name in graph}
    named = {
        name: () if isinstance(table, ConditionalGaussian) else _states(name, table, states)
        for name, table in made.items()
    }
    return named, {name: tuple(graph.predecessors(name)) for name in graph}, made


def _distribution(graph: Any, name: str, tables: Mapping[str, Any]) -> Any:
    table = tables.get(name)
    if isinstance(table, ConditionalGaussian):
        return table
    if table is not None:
        try:
            return np.asarray(table, dtype=float)
        except (TypeError, ValueError):
            raise ArgumentError(f"the table of {name!r} is no array of numbers") from None
    weights = []
    for parent in graph.predecessors(name):
        if "weight" not in graph.edges[parent, name]:
            raise ArgumentError(
                f"{name!r} has no table, and the edge from {parent!r} no weight; give one of them"
            )
        weights.append(graph.edges[parent, name]["weight"])
    own = graph.nodes[name]
    return ConditionalGaussian(own.get("intercept", 0.0), weights, own.get("deviation", 1.0))


def _states(name: str, table: Any, states: Mapping[str, Names]) -> Names:
    count = table.shape[-1] if table.ndim else 0
    return (
        list_of_names(f"states of {name!r}", states[name])
        if name in states
        else tuple(map(str, range(count)))
    )
