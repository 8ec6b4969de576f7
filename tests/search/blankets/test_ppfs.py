"""PPFS: its two phases in order, what it finds and what it cannot find, limits."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel.blankets import Limits, ppfs
from altsel.independence import Counted, DSeparation, PartialCorrelation, PredictivePermutation, TestResults
from tests.oracles.synthetic_tables import numbers, with_copies
from tests.stats.test_oracle import random_dag


class Scripted:
    """A test whose p are written down; what is not is 1. It notes what it was asked."""

    name, target = "script", "y"

    def __init__(self, p: dict[tuple[str, frozenset[str]], float], features: tuple[str, ...]) -> None:
        self.p, self.features = p, features
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        self.asked += [(name, *sorted(given)) for name in candidates]
        log_p = np.array([log(self.p.get((name, frozenset(given)), 1.0)) for name in candidates])
        ones = np.ones(len(log_p))
        return TestResults(tuple(candidates), log_p, -log_p, ones, ones, ones.astype(bool))

    def with_target(self, target: str) -> Scripted:
        raise NotImplementedError


def test_the_least_important_feature_is_tested_first_and_leaves_at_once() -> None:
    alone = {"a": 0.001, "b": 0.04, "c": 0.01, "d": 0.2, "e": 0.05}
    p = {(name, frozenset[str]()): value for name, value in alone.items()}
    p[("b", frozenset("ac"))] = 0.01  # given e it is 1
    p[("c", frozenset("ab"))] = 0.05
    p[("a", frozenset("bc"))] = 0.06
    test = Scripted(p, tuple("abcde"))
    found = ppfs(test, alpha=0.05)
    assert test.asked[5:] == [("e", "a", "b", "c"), ("b", "a", "c"), ("c", "a", "b"), ("a", "b", "c")]
    assert found[0].features == ("b", "c")
    importance = {v.feature: v.p for v in found[0].verdicts}
    assert importance == pytest.approx({"a": 0.06, "b": 0.01, "c": 0.05, "d": 0.2, "e": 1.0})
    assert found[0].rejected["d"].given == ()
    assert set(found[0].rejected["a"].given) == {"b", "c"}


@settings(max_examples=40)
@given(seed=st.integers(0, 1_000_000), nodes=st.integers(2, 8))
def test_by_an_oracle_it_is_what_is_dependent_alone_and_given_the_rest(seed: int, nodes: int) -> None:
    graph = random_dag(seed, nodes)
    target = sorted(graph)[seed % nodes]
    connected = [
        n for n in sorted(set(graph) - {target}) if not nx.is_d_separator(graph, {n}, {target}, set())
    ]
    left = list(reversed(connected))
    for name in list(left):
        if nx.is_d_separator(graph, {name}, {target}, set(left) - {name}):
            left.remove(name)
    assert set(ppfs(DSeparation(graph, target))[0]) == set(left)


def test_spouses_are_not_found_and_searches_that_condition_find_them() -> None:
    random = np.random.default_rng(0)
    y, other, noise = random.normal(size=(3, 500))
    data = altsel.Dataset({"child": y + other + 0.5 * noise, "other": other}, y)
    test = PredictivePermutation(data, "linear")
    assert ppfs(test)[0].features == ("child",)
    assert altsel.blankets.iamb(test)[0].features == ("child", "other")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::altsel.errors.FalseDiscoveryWarning")
def test_an_elimination_of_its_own_finds_what_single_tests_find() -> None:
    class Plain:
        """The same test without an elimination of its own."""

        def __init__(self, test: PredictivePermutation) -> None:
            self.test, self.name, self.target, self.features = test, test.name, test.target, test.features

        def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
            return self.test(candidates, given)

        def with_target(self, target: str) -> Plain:
            return Plain(self.test.with_target(target))

    for data in (numbers(), with_copies()):
        own, plain = (
            ppfs(test, 0.2)[0]
            for test in (PredictivePermutation(data, "linear"), Plain(PredictivePermutation(data, "linear")))
        )
        assert own.features == plain.features
        assert {v.feature: v.log_p for v in own.verdicts} == {v.feature: v.log_p for v in plain.verdicts}


@pytest.mark.slow
def test_trees_that_do_not_use_a_feature_are_kept_when_it_leaves() -> None:
    data = with_copies()
    test = PredictivePermutation(data)
    answers = list(test.backward(["copy", "sum", "c", "b", "a"], [], 0.05))
    fresh = PredictivePermutation(data)(["copy"], ["sum", "c", "b", "a"])
    assert answers[0].log_p[0] == fresh.log_p[0]  # the first is as any other test
    again = list(PredictivePermutation(data).backward(["copy", "sum", "c", "b", "a"], [], 0.05))
    assert [a.log_p[0] for a in answers] == [a.log_p[0] for a in again]


def test_features_forced_in_and_left_out() -> None:
    test = PredictivePermutation(numbers(), "linear")
    found = ppfs(test, limits=Limits(include=["b"], exclude=["a"]))
    assert set(found[0]) == {"b", "c", "d"}
    assert "a" not in {verdict.feature for verdict in found[0].verdicts}


def test_limits_and_counts() -> None:
    counted = Counted(PredictivePermutation(numbers(), "linear"))
    found = ppfs(counted)
    assert (found.effort.tests, found.stop) == (counted.account.requested, altsel.Stop.COUNT)
    for most in range(1, found.effort.tests):
        cut = ppfs(PartialCorrelation(numbers()), limits=Limits(max_tests=most))
        assert cut.effort.tests <= most
    assert ppfs(PartialCorrelation(numbers()), limits=Limits(max_tests=3)).stop is altsel.Stop.LIMIT
