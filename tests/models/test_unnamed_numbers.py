"""Rules that take a number of each feature: what features have that are not named."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

import altsel
from altsel import Dataset, DataWarning, Dice, Problem, Univariate, domain, sequential

VALUES = {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0}
RULES: dict[str, Callable[..., Any]] = {
    "budget": lambda **other: domain.budget({"a": 2.0, "b": 1.0}, 2.5, **other),
    "proxy_limit": lambda **other: domain.proxy_limit({"a": 2.0, "b": 1.0}, 2.5, **other),
}


def best(rule: Any) -> tuple[str, ...]:
    return sequential(Problem(Univariate(VALUES), 2, [rule]), Dice(0.5), 0)[0].features


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_features_without_a_number_are_said(rule: Callable[..., Any]) -> None:
    with pytest.warns(DataWarning, match=r"'c', 'd' have no .*counts as 0.*other=0 if that is meant"):
        assert best(rule()) == ("a", "c")


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@pytest.mark.parametrize("other", [0.0, 0.4, 1.0, 1.5, 3.0])
def test_others_have_the_number_that_is_given(rule: Callable[..., Any], other: float) -> None:
    own = {"a": 2.0, "b": 1.0, "c": other, "d": other}
    pairs = [pair for pair in combinations(VALUES, 2) if sum(own[name] for name in pair) <= 2.5]
    if pairs:
        assert best(rule(other=other)) == max(pairs, key=lambda pair: sum(VALUES[name] for name in pair))
    else:
        assert not sequential(Problem(Univariate(VALUES), 2, [rule(other=other)]), Dice(0.5), 0)


def test_what_is_paid_as_a_group_has_a_cost() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert best(domain.budget({"a": 2.0}, 2.5, [(1.0, ["b", "c", "d"])])) == ("b", "c")
    with pytest.warns(DataWarning, match="'a' has no cost"):
        assert best(domain.budget({}, 2.5, [(1.0, ["b", "c", "d"])])) == ("a", "b")


def test_the_other_names_of_a_feature_are_said_too() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        data = Dataset({"a": [1.0, 2, 3, 4], "a2": [2.0, 4, 6, 8], "b": [1, 0, 0, 1.5]}, [0, 1, 0, 1])
    quality = Univariate(data.grouped())
    with pytest.warns(DataWarning, match="'a2' has no cost"):
        sequential(Problem(quality, 1, [domain.budget({"a": 3, "b": 1}, 2)]), Dice(0.5), 0)
    dear = domain.budget({"a": 3, "b": 1}, 2, other=3)
    assert sequential(Problem(quality, 1, [dear]), Dice(0.5), 0)[0].features == ("b",)
    free = domain.budget({"a": 3, "b": 1}, 2, other=0)
    assert sequential(Problem(quality, 1, [free]), Dice(0.5), 0)[0].features == ("a",)


def test_costs_that_choose_among_copies_are_asked_for() -> None:
    columns = {"a": [1.0, 2, 3, 4], "a2": [2.0, 4, 6, 8], "b": [1, 0, 0, 1.5]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        data = Dataset(columns, [0, 1, 0, 1])
    with pytest.warns(DataWarning, match="grouped: 'a2' has no cost"):
        assert data.grouped(costs={"a": 1.0}).members == {"a2": ("a2", "a")}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert data.grouped(costs={"a": 1.0, "a2": 2.0}).members == {"a": ("a", "a2")}
    found = sequential(Problem(Univariate(data.grouped()), 1), Dice(0.5), 1)
    with pytest.warns(DataWarning, match="'a2' has no cost"):
        assert found[0].cost({"a": 3.0}) == 0.0
    with pytest.warns(DataWarning, match="'b' has no cost"):
        assert len(found.cheapest({"a": 3.0, "a2": 1.0})) == 1


def test_a_rule_with_another_cost_is_checked_and_travels() -> None:
    rule = domain.budget({"a": 2.0, "b": 1.0}, 2.5, other=1.5)
    problem = Problem(Univariate(VALUES), 2, [rule])
    found = sequential(problem, Dice(0.5), 1)
    assert altsel.audit(found, problem, Dice(0.5)).verdict == "confirmed"
    assert rule != domain.budget({"a": 2.0, "b": 1.0}, 2.5, other=0)
    with pytest.raises(altsel.ArgumentError, match="no number"):
        domain.budget({"a": 2.0}, 2.5, other="dear")  # type: ignore[arg-type]
