"""Networks written as BIF, DOT and model strings."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import altsel
from altsel.data import BayesianNetwork
from altsel.data.networks.bif import parse_network
from tests.conftest import ROOT


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    network = altsel.read_network(ROOT / "examples" / "data" / f"{name}.bif")
    text = network.to_bif(tmp_path / "written.bif.gz")
    for again in (parse_network(text), altsel.read_network(tmp_path / "written.bif.gz")):
        assert again.states == network.states
        assert again.parents == network.parents
        assert all((again.tables[node] == network.tables[node]).all() for node in network.nodes)
        assert again.sample(50, 3).equals(network.sample(50, 3))


def test_odd_names_are_quoted_or_refused() -> None:
    names = ["a b", "ü;|", "2{x}", "x//y"]
    graph = nx.DiGraph(list(pairwise(names)))
    tables = {name: np.full((2, 2), 0.5) if i else np.array([0.1, 0.9]) for i, name in enumerate(names)}
    states = dict.fromkeys(names, ("no, never", "yes"))
    network = BayesianNetwork.from_graph(graph, tables, states)
    again = parse_network(network.to_bif())
    assert (again.states, again.parents) == (network.states, network.parents)
    quote = BayesianNetwork.from_graph(nx.DiGraph([('say "x"', "y")]), {'say "x"': [1.0], "y": [[0.5, 0.5]]})
    with pytest.raises(altsel.DataError, match="which BIF cannot hold"):
        quote.to_bif()


def test_model_strings() -> None:
    graph = nx.DiGraph()
    graph.add_nodes_from(["alone", "b"])
    graph.add_weighted_edges_from([("a", "c", 1.0), ("b", "c", 2.0)])
    network = BayesianNetwork.from_graph(graph)
    assert network.to_model_string() == "[alone][b][a][c|a:b]"
    assert network.to_model_string("dagitty") == 'dag { "alone" "a" -> "c" "b" -> "c" }'
    with pytest.raises(altsel.ArgumentError, match="'alone' has no parents and no children"):
        network.to_model_string("lavaan")
    graph.remove_node("alone")
    assert BayesianNetwork.from_graph(graph).to_model_string("lavaan") == "c ~ a + b"
    odd = BayesianNetwork.from_graph(nx.relabel_nodes(graph, {"a": "a:1"}))
    for form in ("bnlearn", "lavaan"):
        with pytest.raises(altsel.ArgumentError, match="cannot read the name 'a:1'"):
            odd.to_model_string(form)


def test_dot_is_read_by_networkx_as_the_same_graph() -> None:
    asia = altsel.read_network(ROOT / "examples" / "data" / "asia.bif")
    lines = [line.strip(" ;") for line in asia.to_dot().splitlines()[1:-1]]
    arrows = {tuple(word.strip('"') for word in line.split(" -> ")) for line in lines if "->" in line}
    assert arrows == set(asia.edges)
    assert [line.strip('"') for line in lines if "->" not in line] == list(asia.nodes)
