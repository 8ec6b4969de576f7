"""Sides of the members of a blanket: against graphs, by an oracle; by tests on samples; by what is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest

import altsel
from altsel.blankets import Around, Background, iamb, orientation
from altsel.independence import DSeparation
from altsel.results import Orientation, Side
from altsel.stats.independence.protocol import TestResults
from tests.conftest import ROOT

EXACT = Around(most=99, max_conditioning=None)


@dataclass(frozen=True)
class Observed:
    """An oracle that knows of some variables only: what tests tell where others are hidden."""

    inner: Any
    kept: frozenset[str]
    name: str = "m-separation"

    @property
    def target(self) -> str:
        return str(self.inner.target)

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(name for name in self.inner.features if name in self.kept)

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        answers: TestResults = self.inner(candidates, given)
        return answers

    def with_target(self, target: str) -> Observed:
        return Observed(self.inner.with_target(target), self.kept)


def random_graph(rng: np.random.Generator, n: int, share: float) -> nx.DiGraph[str]:
    order = [f"v{i}" for i in rng.permutation(n)]
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(order))
    graph.add_edges_from((a, b) for a, b in combinations(order, 2) if rng.random() < share)
    return graph


def sides_of(graph: nx.DiGraph[str], target: str, **options: Any) -> Orientation:
    test = DSeparation(graph, target)
    return orientation(iamb(test), test, around=EXACT, **options)


def compelled(graph: nx.DiGraph[str], target: str) -> dict[str, str]:
    """Tell by brute force which neighbours have the same side in every graph of the same separations.

    All directions of the edges of the skeleton are tried: acyclic ones with the same colliders of variables
    that are no neighbours (Verma and Pearl, 1990).
    """
    skeleton = [tuple(sorted(edge)) for edge in graph.edges]
    wanted, seen = colliders(graph), dict[str, set[str]]()
    for bits in range(2 ** len(skeleton)):
        other: nx.DiGraph[str] = nx.DiGraph()
        other.add_nodes_from(graph)
        other.add_edges_from((a, b) if bits >> i & 1 else (b, a) for i, (a, b) in enumerate(skeleton))
        if nx.is_directed_acyclic_graph(other) and colliders(other) == wanted:
            for name in other.predecessors(target):
                seen.setdefault(name, set()).add("parent")
            for name in other.successors(target):
                seen.setdefault(name, set()).add("child")
    return {
        name: sides.pop() if len(sides) == 1 else "adjacent, side not told" for name, sides in seen.items()
    }


def colliders(graph: nx.DiGraph[str]) -> set[tuple[str, str, str]]:
    return {
        (a, b, c)
        for b in graph
        for a, c in combinations(sorted(graph.predecessors(b)), 2)
        if not graph.has_edge(a, c) and not graph.has_edge(c, a)
    }


@pytest.mark.parametrize("seed", range(12))
def test_all_that_can_be_told_is_told_and_nothing_else(seed: int) -> None:
    """With an oracle the sides are those that all graphs with the same separations share."""
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, int(rng.integers(4, 7)), rng.uniform(0.25, 0.6))
    target = f"v{rng.integers(len(graph))}"
    if graph.number_of_edges() > 11:
        pytest.skip("too many graphs to try")
    told, truth = sides_of(graph, target), compelled(graph, target)
    network = set(truth) | {mate for child in graph.successors(target) for mate in graph.predecessors(child)}
    assert {one.feature for one in told.members} == network - {target}
    for one in told.members:
        assert one.side.value == truth.get(one.feature, "spouse"), (one, truth)


@pytest.mark.slow
def test_no_side_is_wrong_in_larger_graphs() -> None:
    counts: Counter[bool] = Counter()
    for seed in range(12):
        rng = np.random.default_rng(100 + seed)
        graph = random_graph(rng, 11, 0.3)
        target = f"v{rng.integers(11)}"
        truth = dict.fromkeys(graph.predecessors(target), "parent")
        truth |= dict.fromkeys(graph.successors(target), "child")
        for one in sides_of(graph, target).members:
            wanted = truth.get(one.feature, "spouse")
            told = one.side is not Side.ADJACENT
            assert one.side.value == wanted or (not told and wanted != "spouse")
            counts[told] += 1
    assert counts[True] > 2 * counts[False]


@pytest.mark.parametrize("seed", range(10))
def test_no_side_is_wrong_where_variables_are_hidden(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    graph = random_graph(rng, 9, 0.35)
    kept = frozenset(rng.permutation(sorted(graph))[:6].tolist())
    target = min(kept)
    test = Observed(DSeparation(graph, target), kept)
    for one in orientation(iamb(test), test, hidden=True, around=EXACT).members:
        rest = sorted(kept - {target, one.feature})
        sets = (given for size in range(len(rest) + 1) for given in combinations(rest, size))
        if any(test([one.feature], given).p[0] > 0.5 for given in sets):
            wanted = {Side.SPOUSE}
        elif nx.has_path(graph, one.feature, target):
            wanted = {Side.PARENT, Side.ADJACENT}
        else:
            down = nx.has_path(graph, target, one.feature)
            wanted = {Side.CHILD if down else Side.LATENT, Side.ADJACENT}
        assert one.side in wanted


def test_a_hidden_cause_of_both_is_told_where_colliders_contradict_each_other() -> None:
    graph = nx.DiGraph([("a", "x"), ("h", "x"), ("h", "y"), ("b", "y")])
    test = Observed(DSeparation(graph, "y"), frozenset("abxy"))
    for hidden in (False, True):
        found = orientation(iamb(test), test, hidden=hidden, around=EXACT)
        assert found["x"].side is Side.LATENT
        assert "a and y are independent" in found["x"].why
        assert any(edge.kind == "<->" for edge in found.edges)
    assert found["b"].side is Side.ADJACENT  # it may have a hidden cause in common with y
    assert orientation(iamb(test), test, around=EXACT)["b"].side is Side.PARENT


def test_a_chain_is_told_by_what_is_known_and_not_without() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "c")])
    assert sides_of(graph, "b").named("adjacent, side not told") == ("a", "c")
    for known in (
        Background(tiers=[["a"], ["b", "c"]]),
        Background(forbidden=[("b", "a")]),
        Background(required=[("a", "b")]),
    ):
        told = sides_of(graph, "b", background=known)
        assert (told.named("parent"), told.named("child")) == (("a",), ("c",))
        assert told["a"].why == "known before: b is no cause of a"
        assert "with b, which is no cause of a" in told["c"].why


@pytest.mark.slow
def test_alarm_is_told_from_a_sample_with_the_tests_that_say_so() -> None:
    alarm = altsel.read_network(ROOT / "examples" / "data" / "alarm.bif")
    rows = alarm.sample(5_000, 0)
    test = altsel.independence.GSquare(altsel.Dataset(rows.drop(columns="HR"), rows["HR"]))
    found = orientation(altsel.blankets.hiton_mb(test, 0.01), test, 0.01, around=Around(most=6))
    truth = dict.fromkeys(alarm.parents("HR"), Side.PARENT) | dict.fromkeys(alarm.children("HR"), Side.CHILD)
    told = [one for one in found.members if one.side in {Side.PARENT, Side.CHILD}]
    assert len(told) >= 3
    assert all(truth[one.feature] is one.side for one in told)
    assert all(one.p is None or one.p > 0.01 for one in found.members)
    assert found.tests > 100
    assert Orientation.from_json(found.to_json()) == found
    assert "blanket of HR: " in str(found)
    assert f"<bdi>{found.members[0].feature}</bdi>" in found._repr_html_()
    assert found.to_frame().index.tolist() == [one.feature for one in found.members]
    assert found.to_dot().startswith('digraph {\n  "HR" [style=bold];')


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda test: Background(tiers=[["a"], ["a"]]), "'a' is in two tiers"),
        (lambda test: Background(required=[("a", "b")], forbidden=[("a", "b")]), "required to cause"),
        (lambda test: Background(forbidden=[("a", "a")]), "edge 0 of forbidden must be two"),
        (lambda test: orientation(iamb(test), test, background=Background([["z"]])), "no variable 'z'"),
        (
            lambda test: orientation(iamb(test), test.with_target("a")),
            "blanket is of 'b', and the test of 'a'",
        ),
        (lambda test: orientation(iamb(test), test, 2.0), "alpha"),
        (lambda test: Around(most=0), "most=0; use an integer"),
        (lambda test: orientation(iamb(test), test)["z"], "'z' is no member"),
    ],
)
def test_faults_are_named(make: Any, message: str) -> None:
    with pytest.raises(altsel.ArgumentError, match=message):
        make(DSeparation(nx.DiGraph([("a", "b"), ("b", "c")]), "b"))
