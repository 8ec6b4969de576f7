"""A study as JSON, table and text."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from altsel import DataError, Solutions
from altsel.results import Study
from altsel.results.equivalence import Equivalence, Pair
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


def test_it_is_read_back() -> None:
    known = study(NAMES, 3)
    compared = Equivalence((("a",), ("b",)), (Pair(0, 1, (), (), True),), (), 0.05, True)
    for one in (known, replace(known, equivalence=compared, judged=None, tau=None)):
        again = Study.from_json(one.to_json())
        assert json.loads(again.to_json()) == json.loads(one.to_json())
        assert (again.found, again.performance, again.equivalence) == (
            one.found,
            one.performance,
            one.equivalence,
        )


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"best": 3}, "a study: best: there are 3 configurations"),
        ({"rows": "many"}, "a study: rows: must be an integer"),
        ({"found": {"sets": []}}, "a study: found"),
        ({"tried": [{"name": "a"}]}, r"a study: tried\[0\]"),
    ],
)
def test_what_is_no_study_is_refused(changed: dict[str, object], told: str) -> None:
    plain = json.loads(study(NAMES, 3).to_json())
    with pytest.raises(DataError, match=told):
        Study.from_json(json.dumps({**plain, **changed}))
    universe = {**plain, "found": {**plain["found"], "universe": ["b"]}}
    with pytest.raises(DataError, match=r"a study: found: not the JSON of Solutions: .*the universe has no"):
        Study.from_json(json.dumps(universe))
    with pytest.raises(DataError, match="not the JSON of Solutions but of a study"):
        Solutions.from_json(json.dumps(plain))


def test_optimism_is_what_the_correction_adds() -> None:
    known = replace(study(NAMES, 3), tried=(Tried("a", 0, 0.45, 1.0), Tried("b", 1, 0.4, 0.0)))
    assert known.optimism == pytest.approx(0.05)
    assert known.to_frame()["name"].tolist() == ["b", "a"]


def test_the_text_has_the_leading_configurations_and_counts_the_others() -> None:
    text = str(study(NAMES, 13))
    assert "… and 3 more configurations" in text
    assert "Study of 99 rows, 9 more kept apart; target 'a'" in text
    assert repr(study(NAMES, 1)) == "<Study: 1 configuration, target 'a', Brier score 0.5 ± 0.1>"
