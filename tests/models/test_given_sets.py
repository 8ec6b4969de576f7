"""Sets that a user gives, of names or of members of units."""

from __future__ import annotations

from typing import Any

import pytest

from altsel import ArgumentError, Problem, Univariate
from altsel.models.given_sets import given_sets

PROBLEM = Problem(Univariate([3.0, 2, 1]), 2)


def test_known_sets_without_an_order_get_that_of_the_features() -> None:
    given = [{"x2", "x0", "x1"}, ["x2", "x1"]]
    assert given_sets("known", given, PROBLEM) == [("x0", "x1", "x2"), ("x2", "x1")]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("x0", "start='x0'; give a list of lists"),
        (["x0"], "start: 'x0' is no set"),
        ([[]], r"start: \[\] is no set"),
        ([["x7"]], "start: there is no feature 'x7'"),
        (5, "start=5"),
    ],
)
def test_what_is_no_list_of_sets_is_refused(given: Any, fault: str) -> None:
    with pytest.raises(ArgumentError, match=fault):
        given_sets("start", given, PROBLEM)
