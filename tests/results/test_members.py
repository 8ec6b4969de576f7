"""Names of the same feature in solutions: text, JSON, costs, substitutions."""

from __future__ import annotations

import json
from typing import Any

import pytest

import altsel
from altsel import ArgumentError, DataError, FeatureSet, Proof, Solutions, Stop

MEMBERS = {"a": ("a", "a1", "a2", "a3", "a4", "a5"), "b": ("b", "b1")}


def solutions(**more: Any) -> Solutions:
    sets = (FeatureSet(("a", "c"), 2.0, Proof.HEURISTIC), FeatureSet(("b", "c"), 1.0, Proof.HEURISTIC))
    return Solutions(sets, Stop.COUNT, ("a", "b", "c", "d"), "sum", **{"members": MEMBERS, **more})


def test_text_shows_three_others_and_how_many_more() -> None:
    text = str(solutions())
    assert "a (or a1, a2, a3 and 2 more), c" in text
    assert "b (or b1), c" in text


def test_json_there_and_back() -> None:
    found = solutions()
    plain = json.loads(found.to_json())
    assert "members" not in plain["sets"][0]
    again = Solutions.from_json(found.to_json())
    assert again == found
    assert again[1].members == {"b": ("b", "b1")}
    del plain["members"]  # as of a version that did not group
    assert Solutions.from_json(json.dumps(plain)).members == {}


@pytest.mark.parametrize(
    ("members", "word"),
    [
        ({"e": ["e", "f"]}, "no 'e'"),
        ({"a": ["b1", "a"]}, "itself and others"),
        ({"a": ["a"]}, "itself and others"),
        ({"a": ["a", "c"]}, "'c' would be several"),
        ({"a": ["a", "x"], "b": ["b", "x"]}, "'x' would be several"),
        ({"a": 3}, "members"),
    ],
)
def test_members_that_make_no_sense(members: Any, word: str) -> None:
    plain = {**json.loads(solutions().to_json()), "members": members}
    with pytest.raises(DataError, match=word):
        Solutions.from_json(json.dumps(plain))


def test_names_and_costs_are_of_the_cheapest() -> None:
    found = solutions()
    costs = {"a": 5.0, "a1": 4.0, "a2": 2.0, "a3": 2.0, "a4": 4.0, "a5": 4.0, "b": 2.0, "b1": 1.0, "c": 0.0}
    assert found[0].names() == found[0].names("first") == ("a", "c")
    assert found[0].names("cheapest", costs) == ("a2", "c")
    assert [one.cost(costs) for one in found] == [2.0, 1.0]
    assert [one.features for one in found.cheapest(costs)] == [("b", "c")]
    assert [one.features for one in found.without(["a4"])] == [("b", "c")]
    wrong: list[tuple[Any, Any, str]] = [
        ("last", None, "'first' or 'cheapest'"),
        ("cheapest", None, "give costs"),
        ("first", costs, "choose='cheapest'"),
        ("cheapest", {"a": "x"}, "cost of 'a'"),
    ]
    for choose, given, word in wrong:
        with pytest.raises(ArgumentError, match=word):
            found[0].names(choose, given)
    with pytest.raises(ArgumentError, match="'a6'"):
        found.cheapest({"a6": 1.0})


def test_substitutions_list_other_names_first() -> None:
    ways = altsel.substitutions(solutions())
    others = ways[["feature", "replaced by", "sets"]].values.tolist()
    assert others[:5] == [["a", (name,), 1] for name in MEMBERS["a"][1:]]
    assert others[5:] == [["b", ("b1",), 1], ["a", ("b",), 1], ["b", ("a",), 1]]
    assert ways["loss"].isna().all()
