"""All valid sets and random ones, against brute force; uniform ones by a chi-square test."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import altsel
from altsel import Dependence, Dice, Jaccard, Problem, Univariate, domain, enumerate_valid, sample_valid
from tests.models.test_domain import COST, RULES
from tests.models.test_objectives import OBJECTIVES, dependences
from tests.oracles import brute_force as bf
from tests.pairs import paired
from tests.search.alternatives.test_exact_searches import MEASURES


@pytest.mark.parametrize(("make", "counted"), paired(OBJECTIVES, [True, False]))
@given(
    data=st.data(),
    names=st.lists(st.sampled_from(sorted(RULES)), max_size=3, unique=True),
    measure=st.sampled_from([Dice(0.5), Jaccard(0.6), Dice(0)]),
    high=st.sampled_from([2, 3]),
)
@settings(max_examples=4)
def test_every_valid_set_once(
    counted: bool, make: Any, data: Any, names: list[str], measure: Any, high: int
) -> None:
    problem = Problem(make(data.draw(dependences(5))), (2, high), [RULES[name][0] for name in names])
    known = [["x0", "x1"], ["x1", "x2", "x3"]]
    with pytest.MonkeyPatch.context() as patch:
        if not counted:
            patch.setattr(import_module("altsel.exact.rules.valid_counts"), "MOST_COUNTS", 0)
        listed = list(enumerate_valid(problem, measure, known))
    distance = MEASURES[type(measure)]
    sets = bf.scored(problem.objective, list(bf.all_sets(problem.objective.features, (2, high))))
    valid = {
        s
        for s in sets
        if all(RULES[name][1](s) for name in names)
        and all(distance(s, frozenset(subset)) >= measure.tau - 1e-9 for subset in known)
    }
    assert len(listed) == len(valid)
    assert set(map(frozenset, listed)) == valid
    drawn = sample_valid(problem, 5, measure, known, random_state=1)
    assert set(map(frozenset, drawn.sets)) <= valid
    assert len(drawn.sets) == (5 if valid else 0)
    assert drawn == sample_valid(problem, 5, measure, known, random_state=1)


@pytest.mark.parametrize("rule", [domain.at_most(1, ["x0", "x1", "x3"]), domain.budget(COST, 4, other=0)])
def test_all_valid_sets_are_equally_likely(rule: Any) -> None:
    problem = Problem(Univariate([1.0] * 8), (2, 3), [rule])
    valid = list(enumerate_valid(problem, Dice(0.6), [["x0", "x5", "x6"]]))
    drawn = sample_valid(problem, 6000, Dice(0.6), [["x0", "x5", "x6"]])
    assert (drawn.uniform, drawn.valid) == (True, len(valid))
    counts = Counter(drawn.sets)
    assert chisquare([counts[one] for one in valid]).pvalue > 1e-3


def test_what_the_criterion_admits_is_drawn_uniformly_too() -> None:
    names = ["a", "b", "c", "d"]
    table = pd.DataFrame(0.0, index=names, columns=names)
    table.loc["a", "b"] = table.loc["b", "a"] = 1.0
    problem = Problem(altsel.FCBF(Dependence(pd.Series(0.5, index=names), table)), 2)
    drawn = sample_valid(problem, 3000)
    assert drawn.uniform
    assert len(set(drawn.sets)) == 5
    assert chisquare(list(Counter(drawn.sets).values())).pvalue > 1e-3


def test_thousands_of_features_are_counted() -> None:
    names = [f"x{j}" for j in range(3000)]
    problem = Problem(
        Univariate([1.0] * 3000), 10, [domain.at_most(3, names[:500]), domain.forbid(*names[9:12])]
    )
    drawn = sample_valid(problem, 4, Dice(0.5), [names[:10], names[5:15]])
    assert drawn.uniform
    assert drawn.valid is not None
    assert drawn.valid > 10**27
    assert all(len(set(subset) & set(names[:500])) <= 3 for subset in drawn.sets)


@pytest.mark.slow
def test_what_cannot_be_counted_is_not_called_uniform() -> None:
    cost = {f"x{j}": 1 + j / 97 for j in range(60)}
    problem = Problem(Univariate([1.0] * 60), 6, [domain.budget(cost, 8, other=0)])
    drawn = sample_valid(problem, 3)
    assert (drawn.uniform, drawn.valid, len(drawn.sets)) == (False, None, 3)
    assert all(sum(cost[f] for f in subset) <= 8 + 1e-9 for subset in drawn.sets)
    with pytest.raises(altsel.ArgumentError, match="number=0"):
        sample_valid(problem, 0)


def test_a_single_set_can_be_drawn() -> None:
    assert len(sample_valid(Problem(Univariate([3, 2, 1]), k=2), 1).sets) == 1


@pytest.mark.parametrize("ask", [lambda p: list(enumerate_valid(p)), lambda p: sample_valid(p, 20)])
def test_sets_are_checked_by_the_rules_as_stated(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was counted lacked a price of 5e-9, and sets above the budget were listed."""
    problem = Problem(Univariate({"a": 1.0, "b": 1.0, "c": 1.0}), 1, [domain.forbid("a")])
    assert list(enumerate_valid(problem)) == [("b",), ("c",)]
    valid_sets = import_module("altsel.search.alternatives.valid_sets")
    monkeypatch.setattr(valid_sets, "_by_rows", lambda asked: Problem(asked.objective, asked.sizes))
    with pytest.raises(altsel.SolverError, match=r"'a' was listed as valid and fails a check: rule .*forbid"):
        ask(problem)


def test_distances_from_known_sets_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(Univariate([1.0] * 5), 2)
    valid_sets = import_module("altsel.search.alternatives.valid_sets")
    whole = valid_sets.shares
    monkeypatch.setattr(valid_sets, "shares", lambda asked, *_: whole(asked, Dice(0), []))
    with pytest.raises(
        altsel.SolverError, match=r"'x0', 'x1' was listed as valid and fails a check: Dice .*0.5"
    ):
        list(enumerate_valid(problem, Dice(0.5), [["x0", "x1"]]))
