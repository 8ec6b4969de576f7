"""Rules one by one, and names in them that are no features."""

from __future__ import annotations

from typing import Any

import pytest

from altsel.catalogue.rules import EXAMPLES
from altsel.errors import ArgumentError
from altsel.exploring.rule_parts import refuse_unknown_names, rule_parts

EVERY: dict[str, Any] = {
    "require": ["a", "b"],
    "forbid": ["c"],
    "at_most": [{"number": 1, "of": ["d", "e"]}],
    "at_least": [{"number": 1, "of": ["d"]}],
    "exactly": [{"number": 1, "of": ["e"]}],
    "implies": [{"if": "a", "then": ["d"]}],
    "all_or_none": [["a", "d"]],
    "mutually_exclusive": [["c", "e"]],
    "budget": [{"limit": 5, "cost": {"a": 1}, "fixed": [{"cost": 2, "of": ["b"]}], "other": 1}],
    "proxy_limit": [{"limit": 1, "dependence": {"a": 0.5}}],
    "minimum_quality": 0.1,
    "in_at_most": [{"number": 2, "of": ["a"]}],
}


def test_each_feature_and_each_entry_is_a_part() -> None:
    assert set(EVERY) == set(EXAMPLES)
    parts = rule_parts(EVERY)
    assert [(part.key, part.place) for part in parts][:3] == [("require", 0), ("require", 1), ("forbid", 0)]
    assert {part.key for part in parts} == set(EVERY)
    assert [part.key for part in parts if part.across is not None] == ["in_at_most"]


@pytest.mark.parametrize("key", EVERY)
def test_names_that_are_no_features_are_refused(key: str) -> None:
    stated = {key: EVERY[key]}
    refuse_unknown_names(stated, "abcde", {})
    if key == "minimum_quality":
        return
    with pytest.raises(ArgumentError, match="which is no feature"):
        refuse_unknown_names(stated, "xyz", {})
