"""Equivalence to a reference as a rule: against the criterion itself on all sets, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import altsel
from altsel import ArgumentError, Dice, Problem, Univariate, domain
from altsel.comparison import Criterion, recommended_criterion
from tests.models.test_objectives import WAYS, prepared
from tests.oracles import brute_force as bf
from tests.search.alternatives.test_exact_searches import check_sequential


def data(rows: int = 200) -> altsel.Dataset:
    random = np.random.default_rng(1)
    a, b, noise = random.normal(size=(3, rows))
    columns = {"a": a, "b": b, "c": a + 0.05 * random.normal(size=rows), "d": b + 0.5 * noise}
    columns |= {"e": random.normal(size=rows), "f": a + b}
    return altsel.Dataset(columns, a + b + noise)


@pytest.mark.parametrize("way", WAYS)
def test_it_admits_what_the_criterion_does(way: str) -> None:
    table = data()
    judge = recommended_criterion(altsel.independence.PartialCorrelation(table))
    rule = domain.predicts_as_well(["a", "b"], judge)
    quality = Univariate({"a": 1.0, "b": 2, "c": 3, "d": 4, "e": 9, "f": 5})
    problem = Problem(quality, (1, 3), [rule])
    admitted = {
        one
        for one in bf.all_sets(quality.features, (1, 3))
        if judge(["a", "b"], [f for f in quality.features if f in one]).equivalent
    }
    assert 0 < len(admitted) < 41
    with pytest.MonkeyPatch.context() as patch:
        found = altsel.sequential(problem, Dice(0.5), 2, prepared(way, patch))
        check_sequential(problem, Dice(0.5), found, 3, admitted.__contains__, weak=way == "highs")
    assert rule.__name__.startswith("predicts as well as 'a', 'b': equivalent by")
    assert "predicts as well as" in str(found.request["rules"])


def test_each_set_is_compared_once_and_the_reference_never() -> None:
    met: list[frozenset[str]] = []

    def same_size(first: Any, second: Any) -> bool:
        met.append(frozenset(second))
        return len(first) <= len(second)

    rule = domain.predicts_as_well(["a", "b"], same_size, monotone="up")
    assert rule.holds(("a", "b"))
    assert rule.holds(("b", "c"))
    assert rule.holds(("b", "c"))
    assert met == [frozenset({"b", "c"})]
    quality = Univariate(dict.fromkeys("abcdefgh", 1.0) | {"a": 5.0})
    assert len(altsel.sequential(Problem(quality, (1, 3), [rule]), Dice(1), 0, "highs")[0]) == 3


def test_members_of_a_group_stand_for_it() -> None:
    table = data().grouped([["a", "c"]])
    judge = recommended_criterion(altsel.independence.PartialCorrelation(table))
    assert domain.predicts_as_well(["c", "b"], judge).reference == ("a", "b")


def test_bad_input_is_told() -> None:
    table = data()
    test = altsel.independence.PartialCorrelation(table)
    judge = recommended_criterion(test)
    with pytest.raises(ArgumentError, match="reference='a' is one name"):
        domain.predicts_as_well("a", judge)
    with pytest.raises(ArgumentError, match="name at least one feature"):
        domain.predicts_as_well([], judge)
    with pytest.raises(ArgumentError, match="the data of the criterion lack 'q'"):
        domain.predicts_as_well(["q"], judge)
    with pytest.raises(ArgumentError, match="the data of the criterion lack 'q'"):
        domain.predicts_as_well(["q"], Criterion([altsel.comparison.ByIndependence(test)]))
    with pytest.raises(ArgumentError, match=r"criterion=3; give altsel\.comparison\.recommended"):
        domain.predicts_as_well(["a"], 3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="monotone='sideways'"):
        domain.predicts_as_well(["a"], judge, monotone="sideways")
    rule = domain.predicts_as_well(["a"], judge)
    with pytest.raises(ArgumentError, match="another fingerprint"):
        Problem(Univariate(altsel.dependence(data(100))), 2, [rule])
