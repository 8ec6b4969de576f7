"""Rules with convex quadratic rows of their own variables: tangents cut nothing off, and the row holds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest
from scipy.optimize import minimize

import altsel
from altsel import ArgumentError, Dice, Problem, Univariate, near_optimal, sequential, simultaneous

N = 7
NAMES = [f"f{j}" for j in range(N)]
RANDOM = np.random.default_rng(1)
FACTORS = RANDOM.normal(size=(N, N))
RISK = FACTORS @ FACTORS.T / N
QUALITY = Univariate(dict(zip(NAMES, RANDOM.random(N).tolist(), strict=True)))


def portfolio(limit: float) -> Any:
    """Weights of the features chosen that sum to one and have little variance."""

    def rule(b: Any) -> Any:
        b.w = pyo.Var(NAMES, bounds=(0, 1))
        yield from (b.w[f] <= b.x[f] for f in NAMES)
        yield sum(b.w.values()) == 1
        variance = sum(RISK[i, j] * b.w[f] * b.w[g] for i, f in enumerate(NAMES) for j, g in enumerate(NAMES))
        yield variance <= limit

    return rule


def least_variance(names: tuple[str, ...]) -> float:
    indices = [NAMES.index(f) for f in names]
    risk = RISK[np.ix_(indices, indices)]
    found: Any = minimize(  # type: ignore[call-overload]
        lambda w: w @ risk @ w,
        np.full(len(names), 1 / len(names)),
        jac=lambda w: 2 * risk @ w,
        bounds=[(0, 1)] * len(names),
        constraints=[{"type": "eq", "fun": lambda w: w.sum() - 1}],
        options={"ftol": 1e-15},
    )
    return float(found.fun)


VARIANCES: dict[tuple[str, ...], float] = {names: least_variance(names) for names in combinations(NAMES, 3)}


@pytest.mark.slow
@pytest.mark.parametrize("limit", sorted(VARIANCES.values())[2::40])
@pytest.mark.parametrize("solver", [None, pytest.param("highs", marks=pytest.mark.long)])
def test_the_best_set_is_that_of_brute_force(limit: float, solver: str | None) -> None:
    limit *= 1 + 1e-4
    good = [names for names, variance in VARIANCES.items() if variance <= limit]
    scores = sorted((QUALITY.score(np.isin(NAMES, names)) for names in good), reverse=True)
    problem = Problem(QUALITY, 3, [portfolio(limit)])
    found = sequential(problem, Dice(0), 0, solver)
    assert found.proved
    assert found[0].score == pytest.approx(scores[0])
    near = near_optimal(problem, altsel.AbsoluteLoss(10), solver=solver if len(good) < 9 else None)
    assert [subset.score for subset in near] == pytest.approx(scores)


@pytest.mark.slow
def test_small_numbers_are_limits_too() -> None:
    """Variances of a millionth, as of daily returns: a row is as exact as its own numbers."""
    limit = sorted(VARIANCES.values())[3] * (1 + 1e-4)

    def rule(b: Any) -> Any:
        *rows, variance = portfolio(limit)(b)
        yield from rows
        yield 1e-6 * variance.args[0] <= 1e-6 * limit

    found = near_optimal(Problem(QUALITY, 3, [rule]), altsel.AbsoluteLoss(10))
    assert {subset.features for subset in found} == {names for names, v in VARIANCES.items() if v <= limit}


@pytest.mark.slow
def test_several_sets_together() -> None:
    limit = float(np.median(list(VARIANCES.values())))
    found = simultaneous(Problem(QUALITY, 3, [portfolio(limit)]), Dice(0.6), 1)
    assert found.proved
    assert all(VARIANCES[one.features] <= limit * (1 + 1e-6) for one in found)


def curved(row: Any, **bounds: Any) -> Any:
    """A rule with two variables of its own."""

    def rule(b: Any) -> Any:
        b.u, b.v = pyo.Var(bounds=bounds.get("u", (-5, 5))), pyo.Var(bounds=(-5, 5))
        yield b.u + b.v == 2 * b.x["f0"] + b.x["f1"]
        yield row(b)

    return rule


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        (lambda b: b.u**2 + b.v**2 <= 1.9, {"f1"}),  # a sum of 2 has squares of 2 in all at least
        (lambda b: b.u**2 + b.v**2 <= 2.0, {"f0", "f1"}),
        (lambda b: (b.u - b.v) ** 2 + b.u <= 0.9, {"f1"}),
        (lambda b: -(b.u**2) - b.v**2 >= -1.9, {"f1"}),  # a concave form from below
        (lambda b: b.u**2 + b.v**2 + b.x["f1"] * b.u <= 0.9, {"f1"}),  # and a product with a feature
        (lambda b: b.u**2 <= 0.2 * b.size, {"f0", "f1"}),
    ],
)
def test_small_rows_by_hand(row: Any, kept: set[str]) -> None:
    problem = Problem(Univariate({"f0": 2, "f1": 1}), 1, [curved(row)])
    found = near_optimal(problem, altsel.AbsoluteLoss(10))
    assert {subset.features[0] for subset in found} == kept


@pytest.mark.parametrize(
    ("row", "bounds", "why"),
    [
        (lambda b: b.u**2 - b.v**2 <= 1, {}, "not convex"),
        (lambda b: b.u * b.v <= 1, {}, "not convex"),
        (lambda b: b.u**2 >= 1, {}, "not convex"),
        (lambda b: b.u**2 == 1, {}, "from both sides"),
        (lambda b: b.u**2 <= 1, {"u": (0, None)}, "'u', which has no bounds"),
        (lambda b: b.u**3 <= 1, {}, "multiplies"),
        (lambda b: b.u**2 * b.x["f0"] <= 1, {}, "multiplies"),
    ],
)
def test_what_is_not_convex_is_refused_by_name(row: Any, bounds: Any, why: str) -> None:
    problem = Problem(Univariate({"f0": 2, "f1": 1}), 1, [curved(row, **bounds)])
    with pytest.raises(ArgumentError, match=rf"rule 'rule', row .*{why}"):
        sequential(problem, Dice(0), 0)


@pytest.mark.parametrize("solver", ["auto", "highs", "scip"])
def test_rounding_makes_no_coefficients(solver: str) -> None:
    """Ends around 0 put a tangent just beside it, and equal variances an eigenvector."""

    def steady(b: Any) -> Any:
        names = list(b.x)
        b.w = pyo.Var(names, bounds=(-0.7, 0.7))
        yield from (b.w[f] <= b.x[f] for f in names)
        yield sum(b.w.values()) == 1
        square = sum(c * b.w[f] ** 2 for c, f in zip([1.0, 1.0, 2.0, 1.0 / 3], names, strict=True))
        yield square + 0.2 * (b.w["a"] + b.w["b"] - b.w["c"]) ** 2 <= 0.6

    problem = altsel.Problem(altsel.Univariate({"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}), 3, [steady])
    found = altsel.sequential(problem, altsel.Dice(0.3), 1, solver=solver)
    assert [one.proof for one in found] == [altsel.Proof.OPTIMAL] * 2
