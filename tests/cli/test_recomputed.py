"""Comparison of a result with that of the command run again: what is cut short refutes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from altsel.cli.recomputed import compared

WHOLE: dict[str, Any] = {
    "sets": [{"features": ["a"]}, {"features": ["b"]}],
    "stop": "exhausted",
    "target": "y",
    "dual": {"failed": [{"removed": ["a", "b"]}], "complete": True},
}
CUT: dict[str, Any] = {**WHOLE, "sets": [{"features": ["c"]}], "dual": {"failed": [], "complete": False}}


@pytest.mark.parametrize("stop", ["interrupt", "time", "limit"])
def test_what_was_cut_short_is_open_in_words(stop: str) -> None:
    cut = {**CUT, "stop": stop}
    for then, now in ((WHOLE, cut), (cut, WHOLE)):
        checks = list(compared(then, now))
        assert {check.holds for check in checks} == {True, None}
        assert not any(sign in str(check) for check in checks for sign in "{}[]")


def test_no_result_now_is_open() -> None:
    (check,) = compared(WHOLE, {"stop": "none, the command ended with code 130"})
    assert check.holds is None
    assert "code 130" in check.found


def test_another_whole_result_is_refuted_by_its_first_difference() -> None:
    now = {**WHOLE, "sets": [{"features": ["a"]}, {"features": ["c"]}]}
    wrong = [check for check in compared(WHOLE, now) if check.holds is False]
    assert [check.found for check in wrong] == ["number 1: features: number 0: 'c' now, 'b' in the file"]
