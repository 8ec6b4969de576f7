"""Searches on grouped data against brute force: over units, and over columns with one of each group."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import ArgumentError, Dataset, DataWarning, Dice, Problem, audit, sequential
from altsel.blankets import Limits, tie_star, tmfbs
from altsel.domain import (
    all_or_none,
    at_least,
    at_most,
    budget,
    exactly,
    forbid,
    implies,
    in_at_most,
    minimum_quality,
    mutually_exclusive,
    proxy_limit,
    require,
)
from altsel.measures import absolute_pearson
from altsel.models.rule import Rule
from altsel.search.blankets.all.tie_star import Removal
from tests.oracles import brute_force as bf

CRITERIA = {"sum": altsel.Univariate, "mrmr": altsel.MRMR, "cfs": altsel.CFS, "fcbf": altsel.FCBF}
TWICE = {"a": "a2", "b": "b2", "c": "c2"}
OTHERS = ("a2", "a3", "b2")
COSTS = {"a": 3.0, "a2": 1.0, "a3": 2.0, "b": 1.5, "b2": 2.5, "c": 2.0, "d": 0.5}


def copied(seed: int, rows: int = 60) -> Dataset:
    """Six features, of which `a` goes by three names and `b` by two."""
    random = np.random.default_rng(seed)
    a, b, c, d, e, f, noise = random.normal(size=(7, rows))
    columns = {
        "d": d,
        "a": a,
        "b": b + a / 2,
        "a2": 2 * a - 1,
        "c": c + b / 2,
        "a3": -a,
        "e": e,
        "f": f + d / 3,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Dataset({**columns, "b2": 5 + columns["b"]}, a + b - c + d / 2 + noise)


@pytest.mark.parametrize("name", CRITERIA)
@given(st.integers(0, 10**6), st.integers(2, 4))
@settings(max_examples=6)
def test_the_best_of_units_is_the_best_of_all_columns_with_one_of_each_group(
    name: str, seed: int, k: int
) -> None:
    data = copied(seed)
    grouped = data.grouped()
    assert grouped.members == {"a": ("a", "a2", "a3"), "b": ("b", "b2")}
    make: Any = CRITERIA[name]
    units = make(altsel.dependence(grouped, absolute_pearson))
    columns = make(altsel.dependence(data, absolute_pearson))
    once = [mutually_exclusive(names) for names in grouped.members.values()]
    found = sequential(Problem(units, k), Dice(0.5), 2)
    best = sequential(Problem(columns, k, once), Dice(0.5), 0)
    assert [one.score for one in found[:1]] == pytest.approx([one.score for one in best])
    known: list[bf.Set] = []
    scores = bf.scored(units, list(bf.all_sets(grouped.features, (k, k))))
    for one in found:
        assert one.score == pytest.approx(bf.best_after(scores, known, bf.dice, 0.5))
        known.append(frozenset(one))
    every = bf.scored(columns, list(bf.all_sets(data.features, (k, k))))
    allowed = [q for s, q in every.items() if len(s & {"a", "a2", "a3"}) <= 1 and len(s & {"b", "b2"}) <= 1]
    assert [one.score for one in found[:1]] == pytest.approx([max(allowed)] if allowed else [])


def least_cost(one: bf.Set) -> float:
    least = {"a": 1.0, "b": 1.5, "c": 2.0, "d": 0.5}
    return sum(least.get(f, 0) for f in one)


RULES: dict[str, tuple[Any, Callable[[bf.Set], bool]]] = {
    "require": (require("a2", "c"), lambda s: {"a", "c"} <= s),
    "forbid": (forbid("a3", "a", "a2", "c"), lambda s: not s & {"a", "c"}),
    "at most": (at_most(1, ["a2", "a3", "b", "c"]), lambda s: len(s & {"a", "b", "c"}) <= 1),
    "at least": (at_least(2, ["a2", "a3", "b2", "c"]), lambda s: len(s & {"a", "b", "c"}) >= 2),
    "exactly": (exactly(1, ["a2", "b2", "b"]), lambda s: len(s & {"a", "b"}) == 1),
    "implies": (implies("b2", "a3", "b"), lambda s: "b" not in s or "a" in s),
    "all or none": (all_or_none(["a2", "a3", "e"]), lambda s: len(s & {"a", "e"}) != 1),
    "exclusive": (mutually_exclusive(["a2", "a3", "b2"]), lambda s: len(s & {"a", "b"}) <= 1),
    "budget": (budget(COSTS, 3, other=0), lambda s: least_cost(s) <= 3),
    "panels": (
        budget(COSTS, 4, fixed=[(1.5, ["b2", "c", "b"])], other=0),
        lambda s: least_cost(s) + 1.5 * bool(s & {"b", "c"}) <= 4,
    ),
    "proxy": (
        proxy_limit({"a2": 0.5, "a3": 0.6, "b2": 0.4, "d": 0.4}, 0.9, other=0),
        lambda s: 0.6 * ("a" in s) + 0.4 * ("b" in s) + 0.4 * ("d" in s) <= 0.9,
    ),
    "quality": (minimum_quality(0.1), lambda s: True),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_names_members_and_means_units(name: str) -> None:
    rule, keeps = RULES[name]
    data = copied(1).grouped()
    problem = Problem(altsel.Univariate(altsel.dependence(data, absolute_pearson)), 3, [rule])
    scores = bf.scored(problem.objective, [s for s in bf.all_sets(data.features, (3, 3)) if keeps(s)])
    found = sequential(problem, Dice(0.3), 3)
    known: list[bf.Set] = []
    for one in found:
        assert keeps(frozenset(one))
        assert one.score == pytest.approx(bf.best_after(scores, known, bf.dice, 0.3))
        known.append(frozenset(one))
    assert len(found) == 4 or bf.best_after(scores, known, bf.dice, 0.3) is None
    assert found.request["rules"] == [rule.data]  # as the user said it
    assert audit(found, problem, prove="highs").verdict == "confirmed"


def test_known_sets_and_rules_across_sets_name_members() -> None:
    data = copied(1).grouped()
    problem = Problem(altsel.Univariate(data), 2, across=[in_at_most(1, ["a3"])])
    found = sequential(problem, Dice(0.5), 3)
    assert sum("a" in one for one in found) == 1
    plain = Problem(altsel.Univariate(data), 2)
    another = sequential(plain, Dice(1), 1, known=[["a2", "a3", "b2"]])
    assert another.request["known"] == [["a", "b"]]
    assert not {"a", "b"} & set(another[0])


@pytest.mark.parametrize(
    ("rule", "word"),
    [
        (forbid("a2"), r"'a2' is one feature with 'a', 'a3'.*--drop a2"),
        (forbid("d", "b"), r"'b' is one feature with 'b2'"),
        (budget(COSTS, 4, fixed=[(1, ["a", "c"])], other=0), r"'a2', 'a3' would be free of a fixed cost"),
        (require("a4"), r"no feature 'a4'"),
        (lambda: None, r"'<lambda>' cannot be called with the block of a set"),
        (
            lambda b: b.add_component("own", pyo.Constraint(expr=b.x["a2"] == 1)),
            r"names the column of each group",
        ),
    ],
)
def test_what_a_rule_cannot_say_of_a_part_of_a_unit(rule: Rule, word: str) -> None:
    with pytest.raises(ArgumentError, match=word):
        sequential(Problem(altsel.Univariate(copied(1).grouped()), 2, [rule]), Dice(0.5), 0)


def test_rules_that_forbid_a_unit_together_are_one() -> None:
    parted = [forbid("a"), forbid("a3", "d"), forbid("a2")]
    found = sequential(Problem(altsel.Univariate(copied(1).grouped()), 2, parted), Dice(0.5), 0)
    assert not {"a", "d"} & set(found[0])


def test_an_audit_looks_at_members() -> None:
    data = copied(1)
    problem = Problem(altsel.Univariate(data.grouped()), 2)
    found = sequential(problem, Dice(0.5), 1)
    assert audit(found, problem).verdict == "confirmed"
    fewer = replace(found, members={"a": ("a", "a2"), "b": ("b", "b2")})
    assert [check.claim for check in audit(fewer, problem).refuted] == ["the members are the problem's"]


def test_a_black_box_has_units() -> None:
    from sklearn.linear_model import LinearRegression  # noqa: PLC0415  (used once)

    data = copied(1).grouped()
    problem = Problem(
        altsel.BlackBox(altsel.CrossValidated(data, LinearRegression(), cv=2)), 2, [require("a3")]
    )
    assert sequential(problem, Dice(0.5), 0)[0].names("cheapest", COSTS)[0] in {"a2", "d"}


@pytest.mark.parametrize("way", ["tmfbs", *Removal])
def test_limits_of_blankets_name_members(way: str) -> None:
    test = altsel.independence.PartialCorrelation(copied(1, 400).grouped())

    def search(limits: Limits) -> altsel.Solutions:
        return tmfbs(test, limits=limits) if way == "tmfbs" else tie_star(test, limits=limits, removal=way)

    assert [set(one) for one in search(Limits())] == [{"a", "b", "c", "d"}]
    for one in search(Limits(include=["a2"], exclude=["b", "b2"], subject_to=[require("a3")])):
        assert "a" in one
        assert "b" not in one
    assert not search(Limits(exclude=["b2", "b"], subject_to=[require("b2")])).sets
    with pytest.raises(ArgumentError, match="'b2' is one feature with 'b'"):
        search(Limits(exclude=["b2"]))
    with pytest.raises(ArgumentError, match="no feature 'a4'"):
        search(Limits(include=["a4"]))
