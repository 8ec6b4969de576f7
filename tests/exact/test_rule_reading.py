"""Rules with variables of their own, as the check of answers reads them: exact where these are a few 0/1."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

from altsel import BlackBox, Dice, Problem, Univariate, satisfying
from altsel.exact.verification import rule_reading
from altsel.exact.verification.verifier import Verifier

NAMES = ("x0", "x1", "x2", "x3")
COSTS = {"x0": 2e-9, "x1": 6e-9, "x2": 4e-9, "x3": 7e-9}


def panel(block: Any) -> Any:
    """A fixed cost of 1 of two features beside costs so small that a solver's tolerance hides them."""
    block.used = pyo.Var(domain=pyo.Binary)
    block.paid = pyo.Constraint(
        expr=sum(COSTS[f] * block.x[f] for f in NAMES) + block.used <= 1 + Fraction(13, 10**9).__float__()
    )
    block.either = pyo.ConstraintList()
    for f in ("x0", "x3"):
        block.either.add(block.used >= block.x[f])


def test_what_two_tolerances_hide_is_seen() -> None:
    verifier = Verifier(Problem(Univariate([4.0, 3, 2, 1]), 3, [panel]))
    holds = {one: [check.holds for check in verifier.rules(one)] for one in combinations(NAMES, 3)}
    assert holds == {
        ("x0", "x1", "x2"): [True],  # 1 + 12e-9
        ("x0", "x1", "x3"): [False],  # 1 + 15e-9
        ("x0", "x2", "x3"): [True],  # 1 + 13e-9
        ("x1", "x2", "x3"): [False],  # 1 + 17e-9
    }


def test_no_search_returns_such_a_set() -> None:
    worth = dict(zip(NAMES, (4.0, 3.0, 0.0, 2.0), strict=True))
    box = BlackBox(lambda names: sum(worth[f] for f in names), NAMES)
    found = satisfying(Problem(box, 3, [panel]), Dice(0.3), 3, least=0.0)
    assert {one.features for one in found} == {("x0", "x1", "x2"), ("x0", "x2", "x3")}


@pytest.mark.parametrize("most", [0, 10])
def test_choices_agree_with_a_solver_and_with_fractions(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_reading, "MOST_OWN", most)  # 0: a solver chooses
    rng = np.random.default_rng(11)
    for _ in range(12):
        costs, shared = rng.integers(-3, 6, 4), rng.integers(1, 5, 2)
        limit = int(rng.integers(-2, 9))
        groups = [tuple(rng.permutation(4)[:2].tolist()) for _ in range(2)]

        def rule(
            block: Any, costs: Any = costs, shared: Any = shared, limit: int = limit, of: Any = groups
        ) -> Any:
            block.used = pyo.Var(range(2), domain=pyo.Binary)
            block.rows = pyo.ConstraintList()
            spent = sum(int(c) * block.x[f] for c, f in zip(costs, NAMES, strict=True))
            block.rows.add(spent + sum(int(shared[g]) * block.used[g] for g in range(2)) <= limit)
            for g in range(2):
                for j in of[g]:
                    block.rows.add(block.used[g] >= block.x[NAMES[j]])

        verifier = Verifier(Problem(Univariate([4.0, 3, 2, 1]), (1, 4), [rule]))
        for size in range(1, 5):
            for one in combinations(range(4), size):
                paid = sum(int(costs[j]) for j in one)
                paid += sum(int(shared[g]) for g in range(2) if set(one).intersection(groups[g]))
                check = next(verifier.rules([NAMES[j] for j in one]))
                assert check.holds == (paid <= limit), (one, paid, limit)
