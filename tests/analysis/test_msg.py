"""Multiple-solutions graphs: their paths are exactly the solutions; pictures; odd names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel.errors import ArgumentError, ConfigurationError, DataError

FAMILIES = st.sets(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), min_size=1, max_size=30)


@pytest.mark.slow
@settings(max_examples=200)
@given(FAMILIES, st.booleans())
def test_paths_are_exactly_the_solutions(family: set[frozenset[str]], or_nodes: bool) -> None:
    graph = altsel.msg(sorted(map(sorted, family)), or_nodes=or_nodes)
    paths = graph.paths()
    assert {frozenset(path) for path in paths} == family
    assert len(paths) == len(family) == graph.size()["solutions"]
    assert all(path == tuple(sorted(path, key=graph.universe.index)) for path in paths)
    assert all(node.alternatives and all(node.alternatives) for node in graph.nodes[2:])
    assert altsel.MSG.from_json(graph.to_json()) == graph


@pytest.mark.slow
@settings(max_examples=100)
@given(FAMILIES, st.randoms())
def test_the_graph_does_not_depend_on_the_order_of_features(
    family: set[frozenset[str]], random: object
) -> None:
    sets = sorted(map(sorted, family))
    turned = [subset[::-1] for subset in sets]
    assert altsel.msg(sets).size()["solutions"] == altsel.msg(turned).size()["solutions"]
    assert sorted(map(sorted, altsel.msg(turned).paths())) == sets


def test_a_product_becomes_a_chain() -> None:
    sets = [("core", *choice) for choice in product("ab", "cd", "efg")]
    graph = altsel.msg(sets)
    assert graph.size() == {"solutions": 12, "nodes": 4, "edges": 5, "features": 8}
    assert nx.is_directed_acyclic_graph(graph.to_networkx())
    plain = altsel.msg(sets, or_nodes=False)
    assert plain.size()["nodes"] > 4
    assert sorted(plain.paths()) == sorted(graph.paths())


def test_the_example_of_the_paper() -> None:
    """TMFBS, figure 3: four solutions on two paths."""
    sets = [
        ("F1", "F2", "F3"),
        ("F1", "F2", "F4", "F5"),
        ("F1", "F2", "F5", "F6", "F7"),
        ("F1", "F2", "F5", "F6", "F8"),
    ]
    graph = altsel.msg(sets)
    assert {frozenset(path) for path in graph.paths()} == {frozenset(subset) for subset in sets}
    assert graph.nodes[2].alternatives == (("F1", "F2"),)
    assert graph.through[2] == 4
    assert any(node.alternatives == (("F7",), ("F8",)) for node in graph.nodes)


HOSTILE = [
    "<script>alert(1)</script>",
    'say "no"',
    "a&b",
    "\\N",
    "</TABLE>",
    "new\nline",
    "",
    "ümläut",
    "x" * 80,
]


def test_hostile_names_are_shown_as_they_are(tmp_path: Path) -> None:
    graph = altsel.msg([[*HOSTILE[:2], name] for name in HOSTILE[2:]])
    source = graph.to_dot()
    assert "<script>" not in source
    pytest.importorskip("pygraphviz")
    svg = graph.draw(tmp_path / "graph.svg")
    root = ElementTree.parse(svg).getroot()
    assert not [one for one in root.iter() if one.tag.endswith("script")]
    texts = {(one.text or "").replace("\u2060", "") for one in root.iter() if one.tag.endswith("text")}
    shown = " ".join(texts)
    assert all(name in shown for name in ("<script>alert(1)</script>", "a&b", "\\N", "</TABLE>", "ümläut"))
    assert graph.draw(tmp_path / "graph.png").read_bytes().startswith(b"\x89PNG")


def test_a_tooltip_of_any_length(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    long, quotes = "x" * 100_000, '"' * 40_000
    svg = altsel.msg([[long, quotes, "a"], ["b"]]).draw(tmp_path / "graph.svg").read_text()
    assert svg.count("x" * 1000) >= 1
    titles = [one for one in ElementTree.fromstring(svg).iter() if "title" in "".join(one.attrib)]
    assert max(len(title.attrib[key]) for title in titles for key in title.attrib if "title" in key) > 140_000


def test_what_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArgumentError, match="no solutions"):
        altsel.msg([])
    graph = altsel.msg([["a"]])
    with pytest.raises(ArgumentError, match=r"end its name in .svg"):
        graph.draw(tmp_path / "graph.gif")
    with pytest.raises(DataError, match="not the JSON"):
        altsel.MSG.from_json("{}")
    monkeypatch.setattr("altsel.runtime.files.util.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match=r"altsel\[graph\]"):
        graph.draw(tmp_path / "graph.svg")
    assert not (tmp_path / "graph.svg").exists()


def test_the_empty_solution_is_a_path() -> None:
    graph = altsel.msg([[], ["a"]])
    assert sorted(graph.paths()) == [(), ("a",)]
    assert "begin at end, 2" in str(graph)


def forward_merged(sets: list[frozenset[str]], names: Sequence[str]) -> tuple[int, int, int]:
    """Count nodes, edges and features below a node after algorithm 6, from the sets of its children."""
    left, total = [one for one in sets if one], [0, int(frozenset() in sets), 0]
    while left:
        name = max(names, key=lambda name: (sum(name in one for one in left), -names.index(name)))
        group = [one for one in left if name in one]
        left = [one for one in left if name not in one]
        shared = frozenset.intersection(*group)
        total = [total[0] + 1, total[1] + 1, total[2] + len(shared)]
        below = (0, 1, 0) if len(group) == 1 else forward_merged([one - shared for one in group], names)
        total = [one + more for one, more in zip(total, below, strict=True)]
    return total[0], total[1], total[2]


@pytest.mark.slow
@settings(max_examples=100)
@given(FAMILIES)
def test_savings_are_those_of_each_operation(family: set[frozenset[str]]) -> None:
    sets = [frozenset(one) for one in sorted(map(sorted, family))]
    graph, plain = (altsel.msg(list(map(sorted, sets)), or_nodes=merged) for merged in (True, False))
    table = graph.savings().set_index("operation")
    written = [tuple(row) for row in table[["nodes", "edges", "features"]].to_numpy().tolist()]
    several = sum(map(bool, sets))
    assert written[0] == (several, several + len(sets), sum(map(len, sets)))
    assert written[1] == forward_merged(sets, graph.universe)
    for counted, size in ((written[2], plain.size()), (written[3], graph.size())):
        assert counted == (size["nodes"], size["edges"], size["features"])
    saved = table[["nodes saved", "edges saved", "features saved"]].sum()
    assert tuple(saved) == tuple(first - last for first, last in zip(written[0], written[3], strict=True))
    assert table["features saved"]["OR merging"] == 0
    assert altsel.MSG.from_json(graph.to_json()).savings().equals(graph.savings())


def test_or_merging_of_n_nodes_saves_n_less_one_nodes_and_edges_to_parents_and_children() -> None:
    last = altsel.msg([("a", name) for name in "bcd"]).savings().iloc[-1]
    assert (last["operation"], last["applied"]) == ("OR merging", 1)
    assert (last["nodes saved"], last["edges saved"], last["features saved"]) == (2, 4, 0)
