"""The weakest test of each feature, where most are known by bounds: it is that of all tests in full."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel import blankets
from altsel._types import BoolArray, FloatArray
from altsel.independence import LikelihoodRatio
from altsel.runtime.clock import OutOfTimeError
from altsel.search.blankets.weakest import LastWord, Weakest
from altsel.stats.independence import likelihood_ratio
from altsel.stats.independence.protocol import TestResults
from tests.search.blankets.test_learners import EVERY

pytestmark = pytest.mark.filterwarnings("ignore::altsel.errors.FalseDiscoveryWarning")


def results(names: Sequence[str], log_p: Sequence[float]) -> TestResults:
    ones = np.ones(len(names))
    return TestResults(tuple(names), np.array(log_p), -np.array(log_p), ones, ones, ones.astype(bool))


class Table:
    """A test whose answers are in a table; it counts what was asked."""

    def __init__(self, log_p: dict[tuple[str, tuple[str, ...]], float]) -> None:
        self.log_p, self.asked, self.fault = log_p, 0, False

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        if self.fault:
            raise OutOfTimeError
        self.asked += len(candidates)
        return results(candidates, [self.log_p[name, tuple(given)] for name in candidates])


def test_bounds_in_any_order_lead_to_the_largest_of_all() -> None:
    for seed in range(60):
        random = np.random.default_rng(seed)
        sets: list[tuple[str, ...]] = [(f"g{j}",) for j in range(12)]
        log_p = {(name, given): -float(random.integers(1, 9)) for name in "ab" for given in sets}
        test = Table(log_p)
        weakest, copy = Weakest(test), None  # type: ignore[arg-type]
        for number, given in enumerate(sets):
            full = random.random(2) < 0.4
            shown = [
                log_p[name, given] if known else log_p[name, given] / 2
                for name, known in zip("ab", full, strict=True)
            ]
            weakest.add(results("ab", shown), given, full)
            assert all(
                weakest.at_most(name) >= max(log_p[name, one] for one in sets[: number + 1]) for name in "ab"
            )
            if number == 6 and seed % 2:
                assert weakest.of("a")[0] == max(log_p["a", one] for one in sets[:7])
            copy = weakest.copy() if number == 8 else copy
        assert copy is not None
        for one, last in ((weakest, 12), (copy, 9)):
            for name in "ab":
                most = max(log_p[name, given] for given in sets[:last])
                first = next(given for given in sets if log_p[name, given] == most)
                assert one.word(name) == LastWord(most, first)
                assert one.of(name) == (most, most)
        asked = test.asked
        assert weakest.word("a").log_p is not None
        assert test.asked == asked < 2 * 12 * 2  # nothing is tested twice


def test_where_time_is_up_the_weakest_that_is_known_is_named() -> None:
    test = Table({("a", ("c",)): -3.0})
    weakest = Weakest(test)  # type: ignore[arg-type]
    weakest.add(results("a", [-5.0]), (), np.array([True]))
    weakest.add(results("a", [-2.0]), ("c",), np.array([False]))
    test.fault = True
    assert weakest.word("a") == LastWord(-5.0, ())
    assert weakest.word("b") == LastWord(None, ())
    test.fault = False
    assert weakest.word("a") == LastWord(-3.0, ("c",))


class InFull(LikelihoodRatio):
    """It computes all ratios, whatever bounds would say."""

    def decided(
        self, candidates: Sequence[str], given: Sequence[str], alpha: float, weakest: FloatArray | None = None
    ) -> tuple[TestResults, BoolArray]:
        del alpha, weakest
        return self(candidates, given), np.ones(len(candidates), dtype=bool)


@cache
def rows(seed: int) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    common = random.normal(size=(400, 1))
    table = pd.DataFrame(common + random.normal(size=(400, 6))).add_prefix("f")
    score = table @ random.normal(size=6) + random.logistic(size=400)
    return altsel.Dataset(table, np.digitize(score, np.quantile(score, [0.4, 0.8])))


@cache
def in_full(seed: int) -> InFull:
    """Make one test for all searches, which ask it much the same: it remembers its ratios."""
    return InFull(rows(seed))


@pytest.mark.parametrize("name", [*EVERY, "tmfbs"])
@pytest.mark.parametrize("most", [None, 40])
def test_searches_find_what_they_find_by_full_tests(
    name: str, most: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(likelihood_ratio, "LONG", 0)
    limits = blankets.Limits(max_tests=most)

    def search(test: LikelihoodRatio) -> altsel.Solutions:
        if name == "tmfbs":
            return blankets.tmfbs(test, 0.05, template=blankets.mmpc_template(), limits=limits)
        return EVERY[name](test, 0.05, limits=limits)

    seed = int(most is None)
    found, full = search(LikelihoodRatio(rows(seed))), search(in_full(seed))
    assert found.effort.tests == full.effort.tests
    assert len(found) == len(full)
    for one, other in zip(found, full, strict=True):
        assert one.features == other.features
        assert [(v.feature, v.role, v.given) for v in one.verdicts] == [
            (v.feature, v.role, v.given) for v in other.verdicts
        ]
        assert [v.log_p for v in one.verdicts] == pytest.approx([v.log_p for v in other.verdicts], rel=1e-9)
