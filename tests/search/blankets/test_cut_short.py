"""A search for blankets that is cut short rejects nothing, and no role contradicts the p beside it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import blankets
from altsel.results import FeatureClass, Role
from altsel.stats.independence.protocol import TestResults
from tests.search.blankets.test_learners import EVERY

pytestmark = pytest.mark.filterwarnings("ignore::altsel.errors.FalseDiscoveryWarning")
Search = Callable[..., altsel.Solutions]
FAMILIES: dict[str, Search] = {
    "tmfbs": blankets.tmfbs,
    "tmfbs mmpc": partial(blankets.tmfbs, template=blankets.mmpc_template()),
    "tmfbs hiton-pc": partial(blankets.tmfbs, template=blankets.hiton_pc_template()),
    "tie_star": blankets.tie_star,
    "tie_star iamb": partial(blankets.tie_star, learner=blankets.iamb),
}
SEARCHES = {**EVERY, "ppfs": blankets.ppfs, **FAMILIES}
ALPHA = 0.05


def small(rows: int = 60) -> altsel.Dataset:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(rows, 5)), columns=list("abcde"))
    table["copy"] = 2 * table["a"] + 0.01 * random.normal(size=rows)
    table["y"] = table["a"] + 0.6 * table["b"] + random.normal(size=rows)
    table["effect"] = table["y"] + table["e"]
    return altsel.Dataset(table, "y")


TEST = altsel.independence.PartialCorrelation(small())


def honest(found: altsel.Solutions, excluded: frozenset[str] = frozenset()) -> None:
    for number, one in enumerate(found):
        for verdict in one.verdicts:
            if verdict.p is not None and verdict.role is not Role.UNDECIDED:
                assert (verdict.p > ALPHA) == (verdict.role is Role.REJECTED), (number, verdict)
        if not found.stop.finished:
            assert not one.rejected
            undecided = set(found.universe) - set(one) - excluded
            assert number > 0 or undecided <= set(one.undecided), (undecided, one.undecided)


@pytest.mark.parametrize("name", SEARCHES)
def test_at_every_limit_on_tests(name: str) -> None:
    whole = SEARCHES[name](TEST, ALPHA).effort.tests
    assert whole > 8
    for most in [*range(1, min(whole, 50)), *range(50, whole + 2, 37)]:
        found = SEARCHES[name](TEST, ALPHA, limits=blankets.Limits(max_tests=most))
        honest(found)
        if found.sets and not found.stop.finished:
            again = altsel.Solutions.from_json(found.to_json())
            assert [one.undecided for one in again] == [one.undecided for one in found]


@pytest.mark.parametrize("name", SEARCHES)
def test_classes_of_what_was_not_decided(name: str) -> None:
    refused = {FeatureClass.REDUNDANT, FeatureClass.IRRELEVANT, FeatureClass.OUTSIDE}
    for most in (6, 20, 60):
        found = SEARCHES[name](TEST, ALPHA, limits=blankets.Limits(max_tests=most))
        if found.sets and not found.stop.finished:
            for told in (altsel.taxonomy(found), altsel.taxonomy(found, TEST)):
                assert not refused & {one.feature_class for one in told}
                if len(found) == 1:
                    assert {one.feature_class for one in told} == {FeatureClass.UNDECIDED}


@pytest.mark.parametrize("name", SEARCHES)
def test_before_the_first_test_and_with_features_left_out(name: str) -> None:
    limits = blankets.Limits(max_seconds=0, exclude=["c"])
    found = SEARCHES[name](TEST, ALPHA, limits=limits)
    assert found.stop is altsel.Stop.TIME
    honest(found, frozenset("c"))
    for one in found:
        assert {verdict.p for verdict in one.verdicts} == {None}
        assert "c" not in one.undecided


class Interrupted:
    """A test that is interrupted at its n-th call."""

    name, target, features = "interrupted", "y", TEST.features

    def __init__(self, calls: int, test: Any = TEST) -> None:
        self.left, self.test, self.target = [calls], test, test.target

    def with_target(self, target: str) -> Interrupted:
        other = Interrupted(0, self.test.with_target(target))
        other.left = self.left
        other.features = other.test.features
        return other

    def __call__(self, candidates: Any, given: Any = ()) -> TestResults:
        self.left[0] -= 1
        if self.left[0] < 0:
            raise KeyboardInterrupt
        answers: TestResults = self.test(candidates, given)
        return answers


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("calls", [0, 1, 3, 8, 20])
def test_after_an_interrupt(name: str, calls: int) -> None:
    honest(SEARCHES[name](Interrupted(calls), ALPHA))


def test_parts_that_were_not_learned_leave_the_one_that_was_undecided() -> None:
    for most in (5, 30, 60, 90):
        limits = blankets.Limits(max_tests=most)
        found = blankets.aggregated(
            small(200), altsel.independence.PartialCorrelation, ALPHA, learner=blankets.iamb, limits=limits
        )
        honest(found)
