"""The campaign over user-written things: its brute force by hand, and that it notices what is dropped."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest
from pyomo.gdp import Disjunction
from scipy.optimize import LinearConstraint

import altsel
from altsel import exact
from benchmarks.exactness.calls import attempt
from benchmarks.exactness.families import FAMILIES, judge
from benchmarks.exactness.instance import Ready, masks_of
from benchmarks.exactness.written.curved import least_value
from benchmarks.exactness.written.deciding import decide
from benchmarks.exactness.written.reading import Reading

NAMES = ["x0", "x1", "x2"]


def row(b: Any) -> Any:
    return b.x["x0"] + 2 * b.x["x1"] <= 2


def moved(b: Any) -> Any:
    b.x["x2"].fix(1)
    return b.size <= 2


def parity(b: Any) -> Any:
    b.half = pyo.Var(domain=pyo.Integers, bounds=(0, 2))
    yield b.x["x0"] + b.x["x1"] + b.x["x2"] == 2 * b.half


def either(b: Any) -> Any:
    b.which = Disjunction(expr=[[b.x["x0"] == 1, b.x["x1"] == 0], [b.size == 3]])


def curve(b: Any) -> Any:
    b.w = pyo.Var(NAMES, bounds=(0, 1))
    yield from (b.w[f] <= b.x[f] for f in NAMES)
    yield sum(b.w.values()) == 1
    yield sum(b.w[f] ** 2 for f in NAMES) <= 0.4


def ordered(b: Any) -> Any:
    return pyo.SOSConstraint(var=b.x, index=NAMES, sos=2)


def good(b: Any) -> Any:
    return b.quality >= 1


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        (row, {"0", "1", "2", "02", "12"}),
        (moved, {"2", "02", "12"}),
        (parity, {"01", "02", "12"}),
        (either, {"0", "02", "012"}),
        (curve, {"012"}),
        (ordered, {"0", "1", "2", "01", "12"}),
        (good, {"2", "02", "12", "012"}),
    ],
)
def test_rules_are_decided_as_by_hand(rule: Callable[[Any], Any], kept: set[str]) -> None:
    reading = Reading(rule, NAMES)
    found = set()
    for mask in masks_of(3, (1, 3)):
        one = frozenset(f for i, f in enumerate(NAMES) if mask >> i & 1)
        if decide(reading, [one], quality=float("x2" in one) * 2):
            found.add("".join(sorted(f[1:] for f in one)))
    assert found == kept


def test_the_least_value_of_a_convex_row() -> None:
    rows = LinearConstraint(np.ones((1, 2)), np.array([1.0]), np.array([1.0]))
    ends = np.array([[0.0, 1.0]] * 2)
    assert least_value(np.eye(2), np.zeros(2), rows, ends) == pytest.approx(0.5)
    far = LinearConstraint(np.ones((1, 2)), np.array([3.0]), np.array([3.0]))
    assert least_value(np.eye(2), np.zeros(2), far, ends) == float("inf")


@pytest.mark.parametrize("number", range(4))
@pytest.mark.slow
def test_instances_are_the_same_again(number: int) -> None:
    first, second = (FAMILIES["user_written"].draw(Random(f"1:user_written:{number}")) for _ in range(2))
    assert (first.more, first.solver, first.k) == (second.more, second.solver, second.k)
    assert list(first.oracle.sure) == list(second.oracle.sure)


@pytest.mark.slow
def test_a_dropped_rule_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem without its rules is put to altsel; the brute force knows them."""
    family = FAMILIES["user_written"]
    for number in range(30, 200):  # of those before none fits
        instance = family.draw(Random(f"2:user_written:{number}"))
        more = instance.more
        if (
            more["base"] == "sequential"
            and instance.solver == "auto"
            and instance.rules
            and not more["forced"]
        ):
            best = max(
                instance.criterion.value(mask).score for mask in masks_of(instance.criterion.n, instance.k)
            )
            sure = [one.score for one in instance.oracle.sure.values()]
            if (
                sure
                and max(sure) < best - 1e-3
                and not any(rule.kind == "not taken" for rule in instance.rules)
            ):
                break
    monkeypatch.setattr(type(instance), "problem", altsel.Problem(instance.criterion.build(), instance.k))
    called = attempt(lambda: family.call(Ready(instance, "auto")))
    assert called.ended != "fine" or family.check(instance, called.result)


def test_a_foreign_exception_is_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise KeyError("foreign")

    monkeypatch.setattr(exact.run.Run, "question", broken)
    ends = {judge(3, "user_written", number).ended for number in range(3)}
    assert ends <= {"crash", "refused"}
    assert "crash" in ends
