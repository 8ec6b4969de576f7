"""Sums that are rounded upwards, against fractions; and the bounds that are told with them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf, nextafter
from typing import Any

import numpy as np
import pytest

import altsel
from altsel.results.rounded_sum import sum_rounded_up
from altsel.solvers import Outcome


def test_a_sum_is_the_least_float_that_is_not_below_it() -> None:
    rng = np.random.default_rng()
    for _ in range(2_000):
        terms = (rng.normal(size=rng.integers(1, 6)) * 10.0 ** rng.integers(-12, 12)).tolist()
        terms += [-terms[0], float(rng.normal())]
        exact = sum(map(Fraction, terms))
        total = sum_rounded_up(terms)
        assert Fraction(total) >= exact > Fraction(nextafter(total, -inf))


@pytest.mark.parametrize("total", ["sum", "min"])
def test_a_bound_beside_a_huge_loss_is_not_rounded_below_the_best(total: str) -> None:
    rng = np.random.default_rng()
    for _ in range(20):
        check_beside([*rng.uniform(0.2, 0.3, size=2).tolist(), -1e9, -2e9], total)


def check_beside(weights: list[float], total: str) -> None:
    """Check the bound of a solver that stops at the two poorest features."""

    def solve(model: Any) -> Outcome:
        """Choose the poorest features, with the bound of the best."""
        for one in model.sets.values():
            for name, chosen in one.x.items():
                chosen.set_value(int(name in {"x2", "x3"}))
        best = sum(sorted(weights)[-2:])
        value = sum(sorted(weights)[:2])
        both = 2 if total == "sum" else 1
        return replace(
            Outcome.unfinished(altsel.Stop.TIME, both * value),
            proof=altsel.Proof.FEASIBLE,
            bound=both * best,
        )

    stopped: Any = solve
    stopped.name = "stopped"
    problem = altsel.Problem(altsel.Univariate(weights), k=2)
    soft = altsel.Penalised(altsel.Dice(0.5), 0.0)
    found = altsel.simultaneous(problem, soft, 1, total=total, solver=stopped)
    beside = min(Fraction(one.bound or 0.0) - Fraction(one.score) for one in found)
    worth = [Fraction(one.score) for one in found]
    reached = (sum(worth) if total == "sum" else min(worth)) + beside
    assert reached >= Fraction((2 if total == "sum" else 1) * sum(sorted(weights)[-2:]))
