"""What is set, as plain data: right values as they are, wrong ones with their keys."""

from __future__ import annotations

from typing import Any

import pytest

from altsel.errors import ArgumentError, ConfigurationError
from altsel.exploring.settings import Settings, checked_settings


def test_what_is_not_set_is_as_usual() -> None:
    assert checked_settings({}) == Settings()
    assert checked_settings({"smallest": 2, "largest": 2}).k == 2
    assert checked_settings({"rules": {"forbid": [], "require": ["a"], "minimum_quality": None}}).stated == {
        "require": ["a"]
    }


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"tau": -0.1}, "tau: must be at least"),
        ({"alternatives": 51}, "alternatives: must be at most 50"),
        ({"time_limit": 0}, "time_limit: must be"),
        ({"loss": float("nan")}, "loss: "),
        ({"taw": 0.5}, "taw"),
        ({"objective": 3}, "objective: "),
        ({"dissimilarity": "cosine"}, "dissimilarity: "),
        ([], "settings are no table"),
        (None, "settings are no table"),
    ],
)
def test_what_is_wrong_is_named(plain: Any, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        checked_settings(plain)


def test_rules_are_those_of_a_file_of_rules() -> None:
    with pytest.raises(ConfigurationError, match="forbidden"):
        Settings(rules={"forbidden": ["a"]}).read_rules()
