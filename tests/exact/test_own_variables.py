"""Whether a rule's own variables can be chosen: by bounds and by solvers, against all their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

from altsel import Dice, Problem, Univariate, sequential
from altsel.exact.verification import own_variables
from altsel.exact.verification.verifier import Verifier
from altsel.solvers.standard_form import to_rows

NAMES = tuple("abcdef")
SETS = [one for size in (2, 3) for one in combinations(NAMES, size)]


@dataclass
class Counted:
    """A function that counts its calls."""

    function: Callable[[Any], Any]
    calls: int = 0

    def __call__(self, argument: Any) -> Any:
        self.calls += 1
        return self.function(argument)


def drawn(seed: int) -> tuple[Any, Any]:
    """Draw a rule with two integers of its own; return what says whether a set keeps it, too."""
    draw = np.random.default_rng(seed)
    scale = float(draw.choice([1.0, 0.01, 1e4]))
    costs = draw.integers(-4, 5, (3, 6)) * scale
    own = draw.integers(-3, 4, (3, 2)) * float(draw.choice([1.0, 1e-3]))
    sides = draw.integers(-5, 6, 3) * scale
    equal = draw.random(3) < 0.4

    def rule(b: Any) -> Any:
        b.u = pyo.Var([0, 1], domain=pyo.Integers, bounds=(-2, 3))
        for row in range(3):
            terms = sum(float(c) * b.x[f] for c, f in zip(costs[row], NAMES, strict=True))
            total = terms + sum(float(own[row, j]) * scale * b.u[j] for j in (0, 1))
            if any(own[row]) or any(costs[row]):
                yield total == float(sides[row]) if equal[row] else total <= float(sides[row])

    def keeps(one: tuple[str, ...]) -> bool:
        sums = costs[:, [NAMES.index(f) for f in one]].sum(axis=1) - sides
        every = np.array([own @ point for point in product(range(-2, 4), repeat=2)]) * scale + sums
        every = every[:, (own != 0).any(axis=1) | (costs != 0).any(axis=1)]
        used = equal[(own != 0).any(axis=1) | (costs != 0).any(axis=1)]
        return bool(np.where(used, np.abs(every) < 1e-6 * scale, every < 1e-6 * scale).all(axis=1).any())

    return rule, keeps


@pytest.mark.slow
@pytest.mark.parametrize("by_bounds", [True, False])
def test_a_set_keeps_a_rule_if_any_values_do(by_bounds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Counted(own_variables._has_solution)
    monkeypatch.setattr(own_variables, "_has_solution", asked)
    if not by_bounds:
        monkeypatch.setattr("altsel.exact.verification.propagation.ENTRIES", 0)
        monkeypatch.setattr(own_variables, "_corners", lambda bounds: [])
    met = set()
    seeds = range(40) if by_bounds else range(4)
    for seed in seeds:
        rule, keeps = drawn(seed)
        verifier = Verifier(
            Problem(Univariate(dict(zip(NAMES, range(6, 0, -1), strict=True))), (2, 3), [rule])
        )
        for one in SETS:
            (check,) = verifier.rules(one)
            assert check.holds == keeps(one), (seed, one)
            met.add(check.holds)
    assert met == {True, False}
    assert asked.calls < len(seeds) * len(SETS) / 3 if by_bounds else asked.calls > len(SETS)


@pytest.mark.slow
def test_a_rule_is_translated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    translated = Counted(to_rows)
    monkeypatch.setattr(own_variables, "to_rows", translated)

    def even(b: Any) -> Any:
        b.half = pyo.Var(domain=pyo.Integers)  # without bounds
        return b.x["a"] + b.x["b"] + b.x["c"] == 2 * b.half

    def twin(b: Any) -> Any:
        b.third = pyo.Var(domain=pyo.Integers, bounds=(0, 1))
        return b.x["d"] + b.x["e"] + b.x["f"] == 3 * b.third

    def parity(b: Any) -> Any:
        b.two = pyo.Var([0, 1], domain=pyo.Integers, bounds=(-50, 60))  # which no bounds decide
        return b.x["a"] + b.x["d"] + b.x["e"] == 2 * b.two[0] + 2 * b.two[1]

    rules = [even, twin, parity]
    problem = Problem(Univariate(dict(zip(NAMES, range(6, 0, -1), strict=True))), (2, 3), rules)
    verifier = Verifier(problem)
    for one in SETS:
        first, second, third = verifier.rules(one)
        assert first.holds == (len({*one} & {*"abc"}) % 2 == 0)
        assert second.holds == (len({*one} & {*"def"}) % 3 == 0)
        assert third.holds == (len({*one} & {*"ade"}) % 2 == 0)
    assert translated.calls == 3


@pytest.mark.slow
def test_what_only_rounding_breaks_is_kept() -> None:
    """Prices whose sum is a hair above their total, and what is left of it: at least 0."""
    draw, met = np.random.default_rng(0), 0
    while met < 30:
        first, second = (round(float(draw.random() * 10.0 ** draw.integers(3, 7)), 2) for _ in range(2))
        total = round(first + second, 2)
        if first + second <= total:
            continue
        met += 1

        def within(b: Any, prices: tuple[float, ...] = (first, second), total: float = total) -> Any:
            b.rest = pyo.Var(bounds=(0, None))
            spent = prices[0] * b.x["a"] + prices[1] * b.x["b"] + round(2 * total) * b.x["c"]
            return spent + b.rest == total

        verifier = Verifier(Problem(Univariate({"a": 3.0, "b": 2.0, "c": 1.0}), 2, [within]))
        holds = [check.holds for one in (("a", "b"), ("a", "c")) for check in verifier.rules(one)]
        assert holds == [True, False], (first, second)


@pytest.mark.parametrize("solver", [None, "highs"])
@pytest.mark.parametrize("bounds", [(None, None), (0, None), (0, 3)])
@pytest.mark.parametrize(("steps", "factor"), [(2, 1e-5), (3, 1e-3), (9, 0.1), (6, 1e-4)])
def test_shares_of_shares_are_told_from_0(
    steps: int, factor: float, bounds: tuple[float | None, float | None], solver: str | None
) -> None:
    """A limit of 5e-11 was within what solvers take for 0: sets that came to twice that kept the rule."""

    def small(b: Any) -> list[Any]:
        b.y = pyo.Var(range(steps + 1), bounds=bounds)
        b.two = pyo.Var([0, 1], domain=pyo.Integers, bounds=(-50, 60))  # which keeps y in the model
        return [
            b.y[0] == b.x["a"],
            *(b.y[i + 1] == factor * b.y[i] for i in range(steps)),
            b.y[steps] <= 0.5 * factor**steps,
            b.size == 2 * b.two[0] + 2 * b.two[1],
        ]

    problem = Problem(Univariate({"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}), 2, [small])
    assert sequential(problem, Dice(0), 0, solver)[0].features == ("b", "c")
    holds = [check.holds for one in (("a", "b"), ("c", "d")) for check in Verifier(problem).rules(one)]
    assert holds == [False, True]
