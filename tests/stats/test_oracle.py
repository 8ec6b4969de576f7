"""Oracles: d-separation against networkx, joint tables against the definition."""

from __future__ import annotations

from itertools import product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel


def random_dag(seed: int, nodes: int, density: float = 0.3) -> nx.DiGraph:
    random = np.random.default_rng(seed)
    graph = nx.DiGraph()
    names = [f"v{j}" for j in random.permutation(nodes)]
    graph.add_nodes_from(sorted(names))
    graph.add_edges_from(
        (names[i], names[j]) for j in range(nodes) for i in range(j) if random.random() < density
    )
    return graph


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 100_000), st.integers(3, 8), st.data())
def test_d_separation_equals_networkx(seed: int, nodes: int, data: st.DataObject) -> None:
    graph = random_dag(seed, nodes)
    target = data.draw(st.sampled_from(sorted(graph)))
    others = sorted(set(graph) - {target})
    given_nodes = data.draw(st.lists(st.sampled_from(others), unique=True, max_size=nodes - 2))
    candidates = [name for name in others if name not in given_nodes]
    answers = altsel.independence.DSeparation(graph, target)(candidates, given_nodes)
    expected = [nx.is_d_separator(graph, {name}, {target}, set(given_nodes)) for name in candidates]
    assert answers.independent(0.05).tolist() == expected
    assert answers.dependent(0.05).tolist() == [not one for one in expected]


def joint_of(network: altsel.data.BayesianNetwork) -> pd.Series:
    combinations = list(product(*(range(len(states)) for states in network.states.values())))
    weights = []
    for values in combinations:
        at = dict(zip(network.nodes, values, strict=True))
        weights.append(
            np.prod(
                [network.tables[n][tuple(at[p] for p in network.parents[n])][at[n]] for n in network.nodes]
            )
        )
    index = pd.MultiIndex.from_tuples(combinations, names=network.nodes)
    return pd.Series(weights, index)


def test_joint_table_agrees_with_d_separation_where_the_distribution_is_faithful() -> None:
    network = altsel.read_network("examples/data/asia.bif")
    joint = joint_of(network)
    for target in ("lung", "smoke", "bronc"):
        tables, graph = (
            altsel.independence.JointTable(joint, target),
            altsel.independence.DSeparation(network.graph(), target),
        )
        for given_nodes in ([], ["dysp"], ["xray", "bronc"] if target != "bronc" else ["xray"]):
            candidates = [name for name in tables.features if name not in given_nodes]
            mine, theirs = tables(candidates, given_nodes), graph(candidates, given_nodes)
            assert mine.independent(0.05).tolist() == theirs.independent(0.05).tolist()


def test_joint_table_gives_the_conditional_mutual_information() -> None:
    index = pd.MultiIndex.from_product([[0, 1], [0, 1]], names=["x", "y"])
    answers = altsel.independence.JointTable(pd.Series([0.4, 0.1, 0.1, 0.4], index), "y")(["x"])
    expected = 0.8 * np.log(0.4 / 0.25) + 0.2 * np.log(0.1 / 0.25)
    assert answers.statistic[0] == pytest.approx(expected, rel=1e-12)
    assert answers.effect[0] == answers.statistic[0]


def test_oracles_refuse_what_is_no_graph_or_distribution() -> None:
    with pytest.raises(altsel.ArgumentError, match="acyclic"):
        altsel.independence.DSeparation(nx.DiGraph([("a", "b"), ("b", "a")]), "a")
    with pytest.raises(altsel.ArgumentError, match="'c'"):
        altsel.independence.DSeparation(nx.DiGraph([("a", "b")]), "c")
    index = pd.MultiIndex.from_product([[0, 1], [0, 1]], names=["x", "y"])
    with pytest.raises(altsel.DataError, match="sum to 1"):
        altsel.independence.JointTable(pd.Series([0.4, 0.1, 0.1, 0.1], index), "y")
    with pytest.raises(altsel.DataError, match="sum to 1"):
        altsel.independence.JointTable(pd.Series([0.399, 0.4, 0.1, 0.1], index), "y")
    with pytest.raises(altsel.DataError, match="names"):
        altsel.independence.JointTable(pd.Series([0.25] * 4, index.set_names([None, "y"])), "y")
