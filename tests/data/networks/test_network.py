"""Networks of states, of numbers and of both: graphs, distributions, samples, interventions."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import altsel
from altsel.data import BayesianNetwork, ConditionalGaussian
from tests.conftest import ROOT

ASIA = altsel.read_network(ROOT / "examples" / "data" / "asia.bif")


def mixed() -> BayesianNetwork:
    """Return sex -> height <- age, height -> weight: one variable with states, three numbers."""
    graph = nx.DiGraph([("sex", "height"), ("age", "height")])
    graph.add_edge("height", "weight", weight=0.9)
    graph.nodes["weight"].update(intercept=-80.0, deviation=8.0)
    graph.nodes["age"].update(intercept=40.0, deviation=10.0)
    height = ConditionalGaussian([165.0, 178.0], [[-0.1], [0.2]], [6.0, 7.0])
    return BayesianNetwork.from_graph(graph, {"sex": [0.4, 0.6], "height": height}, {"sex": ("f", "m")})


def test_parents_children_and_edges_of_the_graph() -> None:
    graph = ASIA.graph()
    assert ASIA.edges == tuple((a, b) for b in ASIA.nodes for a in ASIA.parents[b])
    assert set(ASIA.edges) == set(graph.edges)
    for node in ASIA.nodes:
        assert set(ASIA.parents(node)) == set(graph.predecessors(node)) == set(ASIA.parents[node])
        assert set(ASIA.children(node)) == set(graph.successors(node))
    for question in (ASIA.parents, ASIA.children):
        with pytest.raises(altsel.ArgumentError, match="no variable 'lungs'"):
            question("lungs")


def test_numbers_have_the_moments_of_their_distributions() -> None:
    rows = mixed().sample(200_000, 5)
    assert rows["sex"].cat.categories.tolist() == ["f", "m"]
    for sex, intercept, slope, deviation in (("f", 165, -0.1, 6), ("m", 178, 0.2, 7)):
        own = rows[rows["sex"] == sex]
        design = np.column_stack([np.ones(len(own)), own["age"]])
        b, left, *_ = np.linalg.lstsq(design, own["height"], rcond=None)
        assert b == pytest.approx([intercept, slope], rel=0.02, abs=0.01)
        assert np.sqrt(left[0] / len(own)) == pytest.approx(deviation, rel=0.01)
    residual = rows["weight"] - 0.9 * rows["height"] + 80
    assert residual.mean() == pytest.approx(0, abs=0.1)
    assert residual.std() == pytest.approx(8, rel=0.01)
    assert mixed().blanket("age") == ("sex", "height")


def test_an_intervention_cuts_the_arrows_into_a_variable_and_leaves_all_else() -> None:
    plain, done = ASIA.sample(50_000, 1), ASIA.sample(50_000, 1, do={"lung": "yes"})
    assert (done["lung"] == "yes").all()
    causes = ["asia", "tub", "smoke", "bronc"]  # no descendants of lung: the same rows, not only the same law
    assert done[causes].equals(plain[causes])
    given = plain[plain["lung"] == "yes"]["smoke"].eq("yes").mean()
    assert given > 0.85
    assert done["smoke"].eq("yes").mean() == pytest.approx(0.5, abs=0.01)
    assert done["xray"].eq("yes").mean() == pytest.approx(0.98, abs=0.005)
    each = np.linspace(150, 190, 50_000)
    rows = mixed().sample(50_000, 1, do={"height": each})
    assert np.polyfit(rows["height"], rows["weight"], 1)[0] == pytest.approx(0.9, abs=0.02)
    assert np.corrcoef(rows["age"], rows["height"])[0, 1] == pytest.approx(0, abs=0.02)


def test_noise_and_missing_values_have_their_shares_and_change_nothing_else() -> None:
    network = mixed()
    plain = network.sample(20_000, 2)
    noisy = network.sample(20_000, 2, noise={"sex": 0.1, "weight": 0.5})
    assert noisy[["age", "height"]].equals(plain[["age", "height"]])
    assert (noisy["sex"] != plain["sex"]).mean() == pytest.approx(0.1, abs=0.01)
    error = noisy["weight"] - plain["weight"]
    assert error.std() == pytest.approx(0.5 * plain["weight"].std(), rel=0.03)
    lost = network.sample(20_000, 2, missing=0.2)
    assert lost.isna().mean().to_numpy() == pytest.approx(0.2, abs=0.015)
    assert lost["weight"].dropna().equals(plain["weight"][lost["weight"].notna()])
    assert lost["sex"].dropna().astype(str).equals(plain["sex"][lost["sex"].notna()].astype(str))


def test_tables_have_axes_in_the_order_of_predecessors() -> None:
    graph = nx.DiGraph([("b", "c"), ("a", "c")])
    table = np.zeros((2, 3, 2))
    table[..., 0] = 1.0
    table[1, 2] = 0.0, 1.0
    network = BayesianNetwork.from_graph(graph, {"a": [0.2, 0.3, 0.5], "b": [0.5, 0.5], "c": table})
    assert network.parents("c") == ("b", "a")
    rows = network.sample(2_000, 0)
    assert (rows["c"].eq("1") == (rows["b"].eq("1") & rows["a"].eq("2"))).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BayesianNetwork.from_graph(nx.Graph([("a", "b")])), "must be a directed graph"),
        (lambda: BayesianNetwork.from_graph(nx.DiGraph([("a", "b")])), "edge from 'a' no weight"),
        (lambda: BayesianNetwork.from_graph(nx.DiGraph([(1, 2)])), "no texts: '1', '2'"),
        (lambda: BayesianNetwork.from_graph(nx.DiGraph(), {"x": [1.0]}), "tables has 'x'"),
        (lambda: ConditionalGaussian(deviation=-1.0), "a deviation is negative"),
        (lambda: ConditionalGaussian("tall"), "intercept is no array"),
        (lambda: mixed().sample(5, do={"sex": "x"}), "its states are 'f', 'm'"),
        (lambda: mixed().sample(5, do={"age": "old"}), "no finite number"),
        (lambda: mixed().sample(5, do={"ages": 3}), "do has 'ages'"),
        (lambda: mixed().sample(5, do={"age": [1, 2]}), "to 2 values; give one, or 5"),
        (lambda: mixed().sample(5, missing=1.5), "missing of 'sex' must be a probability"),
        (lambda: mixed().sample(5, noise={"age": -1}), "noise of 'age' must be a number of at least 0"),
        (lambda: mixed().to_bif(), "'height' is a number, and BIF knows"),
        (lambda: ASIA.to_model_string("gml"), "form must be one of 'bnlearn'"),
    ],
)
def test_faults_are_named(make: Any, message: str) -> None:
    with pytest.raises(altsel.AltselError, match=message):
        make()


def test_shapes_are_those_of_the_parents() -> None:
    graph = nx.DiGraph([("a", "b")])
    tables: dict[str, Any] = {"a": [0.5, 0.5], "b": ConditionalGaussian([1.0, 2.0, 3.0])}
    with pytest.raises(altsel.DataError, match=r"intercept of 'b' has shape \(3,\), not \(2,\)"):
        BayesianNetwork.from_graph(graph, tables)
    with pytest.raises(altsel.DataError, match="'b' has states, and a parent 'a' that is a number"):
        BayesianNetwork.from_graph(graph, {"a": ConditionalGaussian(), "b": [0.5, 0.5]})
