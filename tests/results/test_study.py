"""A study as JSON, table and text."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from altsel.results.study import Tried
from tests.display.shown_objects import study

NAMES = ["a", "b", "c", "d", "e"]


def test_everything_is_in_the_json() -> None:
    known = study(NAMES, 3)
    plain = json.loads(known.to_json())
    assert plain.keys() == vars(known).keys()
    assert plain["corrected"] == {"value": 0.5, "low": 0.4, "high": 0.6, "parts": []}
    assert plain["discoveries"]["level"] == 0.1
    assert plain["equivalence"] is None


def test_optimism_is_what_the_correction_adds() -> None:
    known = replace(study(NAMES, 3), tried=(Tried("a", 0, 0.45, 1.0), Tried("b", 1, 0.4, 0.0)))
    assert known.optimism == pytest.approx(0.05)
    assert known.to_frame()["name"].tolist() == ["b", "a"]


def test_the_text_has_the_leading_configurations_and_counts_the_others() -> None:
    text = str(study(NAMES, 13))
    assert "… and 3 more configurations" in text
    assert "Study of 99 rows, 9 more kept apart; target 'a'" in text
    assert repr(study(NAMES, 1)) == "<Study: 1 configuration, target 'a', Brier score 0.5 ± 0.1>"
