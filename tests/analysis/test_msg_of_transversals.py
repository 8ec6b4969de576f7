"""The multiple-solutions graph of a diagram: its paths are the minimal transversals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altsel import MSG, msg
from altsel.analysis.msg.compression import Compression
from altsel.analysis.msg.graph import numbered
from altsel.analysis.msg.of_transversals import graph_of_transversals
from altsel.errors import ArgumentError
from altsel.exact.transversals.transversals import Transversals

REMOVALS = st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1, max_size=5).map(sorted), max_size=8)


@settings(max_examples=200)
@given(REMOVALS, st.booleans())
@pytest.mark.slow
def test_paths_are_exactly_the_sets(removals: list[list[str]], or_nodes: bool) -> None:
    found = Transversals(removals, list("abcdefgh"))
    graph = graph_of_transversals(found, or_nodes=or_nodes)
    paths = graph.paths()
    assert sorted(paths) == sorted(found)
    assert len(paths) == graph.size()["solutions"]
    assert all(node.alternatives and all(node.alternatives) for node in graph.nodes[2:])
    assert MSG.from_json(graph.to_json()) == graph
    for path in paths[:3]:
        assert {graph.nodes_of(path)[0], graph.nodes_of(path)[-1]} == {0, 1}


def test_a_million_sets_as_twenty_nodes() -> None:
    found = Transversals([[f"a{j}", f"b{j}"] for j in range(20)])
    graph = graph_of_transversals(found, "y")
    assert graph.size() == {"solutions": 2**20, "nodes": 20, "edges": 21, "features": 40}
    assert graph.target == "y"
    few = Transversals([[f"a{j}", f"b{j}"] for j in range(6)])
    assert graph_of_transversals(few).size() == msg(list(few)).size()


@pytest.mark.slow
def test_a_path_of_hundreds_of_nodes_is_found() -> None:
    found = Transversals([[f"a{j}", f"b{j}"] for j in range(1200)])
    graph = graph_of_transversals(found)
    assert len(graph.nodes_of(next(iter(found)))) == 1202


def test_what_has_other_parents_is_not_put_before() -> None:
    edges = [(0, 2), (0, 3), (2, 4), (2, 7), (3, 4), (4, 5), (5, 6), (6, 1), (7, 8), (8, 9), (9, 1)]
    graph = Compression.of_graph("pqaxcbxd", edges, "pqaxcbd")
    graph.join()
    graph.forward()
    found = numbered(graph, tuple("pqaxcbd"), None).paths()
    assert sorted("".join(path) for path in found) == ["paxc", "pxbd", "qaxc"]


def test_no_set_is_no_graph() -> None:
    with pytest.raises(ArgumentError, match="no solutions"):
        graph_of_transversals(Transversals([[]]))
