"""A search for blankets that is cut short rejects nothing, and no role contradicts the p beside it."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import blankets, catalogue
from altsel.results import FeatureClass, Role
from altsel.runtime.clock import OutOfTimeError
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
SEARCHES = {**EVERY, "ppfs": blankets.ppfs, "ses": blankets.ses, **FAMILIES}
ALPHA = 0.05


def test_every_learner_of_the_command_line_is_here() -> None:
    functions = {getattr(search, "func", search) for search in SEARCHES.values()}
    for name in catalogue.LEARNERS.own:
        learner = catalogue.learner(name)
        assert getattr(learner, "func", learner) in functions, name


def small(rows: int = 60) -> altsel.Dataset:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(rows, 5)), columns=list("abcde"))
    table["copy"] = 2 * table["a"] + 0.01 * random.normal(size=rows)
    table["y"] = table["a"] + 0.6 * table["b"] + random.normal(size=rows)
    table["effect"] = table["y"] + table["e"]
    return altsel.Dataset(table, "y")


TEST = altsel.independence.PartialCorrelation(small())


def honest(found: altsel.Solutions, excluded: frozenset[str] = frozenset(), test: Any = TEST) -> None:
    """Every role has the p that gave it, of a test with what is said to be given, or is not decided."""
    for number, one in enumerate(found):
        for verdict in one.verdicts:
            if verdict.log_p is not None and test is not None:
                others = [
                    name for name in one if name != verdict.feature
                ]  # sets after the first leave these out
                ways = [verdict.given, *([others] if number and not verdict.given else [])]
                again = [float(test([verdict.feature], given).log_p[0]) for given in ways]
                assert any(np.isclose(verdict.log_p, log_p, rtol=1e-6) for log_p in again), (number, verdict)
            if verdict.role is not Role.UNDECIDED:
                assert verdict.p is not None, (number, verdict)
                assert (verdict.p > ALPHA) == (verdict.role is Role.REJECTED), (number, verdict)
        if not found.stop.finished:
            assert not one.rejected
            undecided = set(found.universe) - set(one) - excluded
            assert number > 0 or undecided <= set(one.undecided), (undecided, one.undecided)


@pytest.mark.parametrize("name", SEARCHES)
def test_at_every_limit_on_tests(name: str) -> None:
    whole = SEARCHES[name](TEST, ALPHA).effort.tests
    assert whole > 8
    for most in [*range(1, min(whole, 14)), *range(14, min(whole, 50), 4), *range(50, whole + 2, 37)]:
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


WAYS_IN = ("__call__", "decided", "best_first", "leave_one_out", "least_dependent", "backward")
"""What searches call of a test."""


def stopping(test: Any, calls: int, fault: BaseException) -> Any:
    """Return a test that raises at its n-th call, whichever way in it is, with any target."""
    left, kind = [calls], type(test)

    def way(name: str) -> Callable[..., Any]:
        def call(self: Any, *given: Any, **more: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise fault
            return getattr(kind, name)(self, *given, **more)

        return call

    def bound(one: Any) -> Any:
        other = copy(one)
        other.__class__ = stopped
        return other

    ways = {name: way(name) for name in WAYS_IN if hasattr(kind, name)}
    stopped = type(
        "Stopped", (kind,), {**ways, "with_target": lambda self, y: bound(kind.with_target(self, y))}
    )
    return bound(test)


def by_ratios() -> altsel.independence.LikelihoodRatio:
    """Tests that decide, and rank, by bounds and estimates of p."""
    random = np.random.default_rng(3)
    table = pd.DataFrame(random.normal(size=(100, 4)), columns=list("abce"))
    table["kind"] = random.choice(["u", "v", "w"], 100)
    score = table["a"] + 0.8 * table["b"] + (table["kind"] == "u")
    table["y"] = np.where(score + random.logistic(size=100) > 0, "yes", "no")
    table["effect"] = (table["y"] == "yes") + table["e"] + 0.5 * random.normal(size=100)
    return altsel.independence.LikelihoodRatio(altsel.Dataset(table, "y"))


RATIOS = by_ratios()
MOMENTS = (0, 1, 3, 8, 20)


@pytest.mark.parametrize("name", SEARCHES)
def test_at_every_call_by_an_interrupt_or_the_clock(name: str) -> None:
    for test, fault, stop in ((TEST, OutOfTimeError(), "time"), (RATIOS, KeyboardInterrupt(), "interrupt")):
        for calls in MOMENTS:
            found = SEARCHES[name](stopping(test, calls, fault), ALPHA)
            assert found.stop.value == stop or found.stop.finished or found.stop is altsel.Stop.HEURISTIC
            honest(found, test=test)


@pytest.mark.parametrize("name", SEARCHES)
def test_limits_on_tests_that_decide_by_bounds(name: str) -> None:
    for most in (1, 7, 9, 16, 37):
        honest(SEARCHES[name](RATIOS, ALPHA, limits=blankets.Limits(max_tests=most)), test=RATIOS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_at_every_moment(name: str) -> None:
    for most in range(1, SEARCHES[name](RATIOS, ALPHA).effort.tests + 1):
        honest(SEARCHES[name](RATIOS, ALPHA, limits=blankets.Limits(max_tests=most)), test=RATIOS)
    for calls in range(40):
        honest(SEARCHES[name](stopping(RATIOS, calls, KeyboardInterrupt()), ALPHA), test=RATIOS)


def test_parts_that_were_not_learned_leave_the_one_that_was_undecided() -> None:
    for most in (5, 30, 60, 90):
        limits = blankets.Limits(max_tests=most)
        make = altsel.independence.PartialCorrelation
        found = blankets.aggregated(small(200), make, ALPHA, learner=blankets.iamb, limits=limits)
        honest(found, test=None)  # p are those of all parts together
