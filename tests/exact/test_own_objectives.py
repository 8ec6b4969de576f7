"""Criteria of the user's own: the formula against the model, declarations, and neighbours of an answer."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import ArgumentError, BlackBox, Dice, Problem, SolverError, Univariate
from altsel.exact.question import Answer, Question, Structure
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.verification.neighbour_check import refuse_beaten
from altsel.models import Objective, check_objective
from altsel.models.objective import Kind
from altsel.solvers import Outcome
from tests.models.test_objectives import OBJECTIVES

WEIGHTS = np.random.default_rng(3).random(12)
NAMES = tuple(f"x{j}" for j in range(12))


@pytest.mark.slow
@pytest.mark.parametrize("name", OBJECTIVES)
def test_altsels_own_pass(name: str) -> None:
    rng = np.random.default_rng(1)
    r = rng.random((5, 5)) / 3
    names = [f"x{j}" for j in range(5)]
    numbers = altsel.Dependence(pd.Series(rng.random(5), names), pd.DataFrame((r + r.T) / 2, names, names))
    check_objective(OBJECTIVES[name](numbers), k=(2, 3), solvers=["highs"])


def test_black_boxes_pass() -> None:
    check_objective(BlackBox(lambda names: float(len("".join(names))), NAMES))


class Squares(Objective):
    """Right in both faces."""

    name, features = "squares", NAMES

    def score(self, mask: Any) -> float:
        return float((WEIGHTS[mask] ** 2).sum())

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        del sizes
        square = dict(zip(NAMES, (WEIGHTS**2).tolist(), strict=True))
        block.quality = pyo.Expression(expr=sum(square[f] * x for f, x in block.x.items()))


class Forgets(Squares):
    """Its model forgets a bonus of two features together."""

    name = "squares with a bonus"

    def score(self, mask: Any) -> float:
        return super().score(mask) + 2 * float(mask[0] and mask[11])


class WrongWeights(Squares):
    kind = Kind.SUM
    weights = WEIGHTS


class WrongExchanges(Squares):
    exchangeable = True

    def exchanged(self, members: Any) -> Any:
        return np.zeros((len(members), 12))


class WrongMost(Squares):
    most = 0.1


class WrongScores(Squares):
    def scores(self, members: Any) -> Any:
        return np.zeros(len(members))


class Asymmetric(Squares):
    kind = Kind.QUADRATIC

    def quadratic(self, k: int) -> Any:
        del k
        return WEIGHTS**2, np.triu(np.ones((12, 12)), 1)


class WrongPairs(Squares):
    kind = Kind.QUADRATIC

    def quadratic(self, k: int) -> Any:
        del k
        return -(WEIGHTS**2), np.zeros((12, 12))


class ForbidsInTheModel(Squares):
    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        super().express(block, sizes)
        block.never = pyo.Constraint(expr=block.x["x0"] <= 0)


class ConditionsOfTheFormulaAlone(Squares):
    def is_feasible(self, mask: Any) -> bool:
        return not mask[0]


class Falls(Squares):
    rises = True

    def score(self, mask: Any) -> float:
        return -super().score(mask)

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        super().express(block, sizes)
        block.quality.set_value(-block.quality.expr)


class Random(Squares):
    def score(self, mask: Any) -> float:
        return float(np.random.default_rng().random())


class NoNumber(Squares):
    def score(self, mask: Any) -> float:
        return float("nan")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (Forgets, r"for \('x0', .*'x11'\) express gives .*, and score gives"),
        (WrongWeights, "weights gives .* and score gives"),
        (WrongExchanges, "exchanged gives 0"),
        (WrongMost, "most is 0.1, and"),
        (WrongScores, "scores gives 0"),
        (Asymmetric, "a table of pairs that is not symmetric"),
        (WrongPairs, "quadratic gives"),
        (ForbidsInTheModel, r"'x0'.*has no value in the model.*is_feasible says True"),
        (ConditionsOfTheFormulaAlone, "has a value in the model .*is_feasible says False"),
        (Falls, "rises is True, and a part of"),
        (Random, "score gives .*, then"),
        (NoNumber, "score gives nan .*return a finite number"),
    ],
)
def test_a_fault_is_found_and_named(make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        check_objective(make(), k=3, solvers=["highs"])


@pytest.mark.slow
def test_a_right_one_passes_every_solver() -> None:
    check_objective(Squares(), k=3)
    with pytest.raises(ArgumentError, match=r"an altsel\.models\.Objective"):
        check_objective("mrmr")  # type: ignore[arg-type]


def widely(make: Any, names: str, solver: str | None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Search where sets are not listed: the criterion is known by its model, or by what it declares."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    return altsel.sequential(Problem(make(), 3, [altsel.domain.require(names)]), Dice(0.5), 0, solver)


@pytest.mark.parametrize(
    ("make", "solver"), [(Forgets, None), (Forgets, "highs"), (Forgets, "cp-sat"), (WrongPairs, None)]
)
def test_optimal_is_not_said_of_sets_that_a_neighbour_beats(
    make: Any, solver: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model, or a declaration, that is not the formula."""
    message = r"was to be optimal, with|the formula gives|fails a check"
    with pytest.raises(SolverError, match=message):
        widely(make, "x0", solver, monkeypatch)


def test_the_message_names_both_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    message = r"\('x0', .*\) was to be optimal, with .*, and one step from it the formula gives .*for \('x0'"
    with pytest.raises(SolverError, match=message):
        widely(Forgets, "x0", None, monkeypatch)


def test_the_message_names_features_in_their_order() -> None:
    """A model's sets are none: their order changed from one process to the next."""
    problem = Problem(Forgets(), 3)
    sets = [["x10", "x2", "x0"]]
    found = Answer(sets, Outcome.optimal(problem.objective.score(problem.mask(sets[0]))))
    with pytest.raises(SolverError, match=r"\('x0', 'x2', 'x10'\) was .* for \('x0', 'x\d+', 'x11'\)"):
        refuse_beaten(Question(Structure(problem), Dice(0.5)), found)


def test_families_are_looked_at_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    problem = Problem(Forgets(), 4, [altsel.domain.require("x0")])
    with pytest.raises(SolverError, match="was to be optimal"):
        altsel.simultaneous(problem, Dice(0.25), 1, "sum", "highs")


def test_right_criteria_of_ones_own_are_proved() -> None:
    for solver in (None, "highs", "cp-sat"):
        found = altsel.sequential(Problem(Squares(), 3), Dice(0.5), 2, solver)
        assert found.proved
    best = altsel.sequential(Problem(Univariate(WEIGHTS**2), 3), Dice(0.5), 2)
    assert [one.features for one in found] == [one.features for one in best]


class Pairs(Squares):
    """Bonuses of pairs, written as products, in logic, or with names that altsel uses for its own rows."""

    name = "bonuses of pairs"

    def __init__(self, way: str) -> None:
        self.way = way

    def score(self, mask: Any) -> float:
        return float((WEIGHTS[mask] ** 2).sum() + mask[0] * mask[1] - 2 * mask[2] * mask[3])

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        x = [block.x[f] for f in NAMES]
        first, second = x[0] * x[1], x[2] * x[3]
        if self.way == "rows":
            block.products = pyo.Var([0, 1], bounds=(0, 1))
            block.rows = pyo.Constraint([0, 1], rule=lambda b, i: b.products[i] == (first, second)[i])
            first, second = block.products[0], block.products[1]
        if self.way == "names":
            block.excluded, block.rules, block.cardinality = pyo.Var(bounds=(0, 1)), pyo.Var(bounds=(0, 1)), 1
            block.differs = pyo.ConstraintList()
            for t, (one, other) in zip((block.excluded, block.rules), (x[:2], x[2:4]), strict=True):
                block.differs.add(t <= one)
                block.differs.add(t <= other)
                block.differs.add(t >= one + other - 1)
            first, second = block.excluded, block.rules
        squares = sum(float(w**2) * v for w, v in zip(WEIGHTS, x, strict=True))
        block.quality = pyo.Expression(expr=squares + first - 2 * second)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["products", "rows", "names"])
@pytest.mark.parametrize("solver", ["auto", "highs"])
def test_a_model_may_multiply_and_name_as_it_likes(
    way: str, solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    problem = Problem(Pairs(way), (2, 3), [altsel.domain.forbid("x5")])
    found = altsel.sequential(problem, Dice(0.5), 1, solver=solver)
    assert [one.proof for one in found] == [altsel.Proof.OPTIMAL] * 2
    sets = [np.isin(NAMES, one) for size in (2, 3) for one in combinations(NAMES, size) if "x5" not in one]
    assert found[0].score == pytest.approx(max(map(Pairs(way).score, sets)))
    check_objective(Pairs(way), k=3, solvers=["highs"])


class Curved(Squares):
    name = "curved"

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        block.quality = pyo.Expression(expr=pyo.sqrt(block.size))


class Broken(Squares):
    name = "broken"

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        block.quality = pyo.Expression(expr=block.x["no such feature"] + 0)


@pytest.mark.parametrize("make", [Curved, Broken])
def test_what_no_model_takes_is_refused_by_name(make: Any) -> None:
    with pytest.raises(ArgumentError, match=f"{make.name}: express"):
        altsel.sequential(Problem(make(), 2), Dice(0.5), 0, solver="highs")


def test_features_that_cannot_be_chosen_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A feature that a rule forbids is in the block; so is one that only a second criterion knows."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    low = altsel.domain.criterion(Pairs("products"), at_most=1.5)
    problem = Problem(Univariate(dict(zip(NAMES[:8], WEIGHTS[:8].tolist(), strict=True))), 3, [low])
    assert altsel.sequential(problem, Dice(0.5), 0)[0].proof is altsel.Proof.OPTIMAL
    heavy = altsel.domain.predicate(lambda names: "x3" in names, name="with x3", monotone="up")
    chosen = altsel.sequential(Problem(Pairs("products"), 3, [heavy]), Dice(0.5), 1, solver="cp-sat")
    assert all("x3" in one for one in chosen)


@pytest.mark.slow
def test_valid_sets_do_not_ask_for_cuts() -> None:
    """The model of valid sets is not that of the criterion, so `add_cut` has nothing to look at."""

    class Bounded(Squares):
        def express(self, block: Any, sizes: tuple[int, int]) -> None:
            super().express(block, sizes)
            block.own = pyo.ConstraintList()

        def add_cut(self, block: Any) -> bool:
            return bool(len(block.own) > 5)

    def even(b: Any) -> Any:
        b.half = pyo.Var(domain=pyo.Integers, bounds=(0, 1))
        return b.x["x0"] + b.x["x1"] == 2 * b.half

    problem = Problem(Bounded(), 2, [even])
    assert len(list(altsel.enumerate_valid(problem, Dice(0.4), [("x2", "x3")]))) == 45


@pytest.mark.parametrize("solver", ["auto", "highs"])
def test_cuts_that_change_nothing_come_to_an_end(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tolerance below the solver's asks for the same row for ever; a row that is missing is an error."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)

    class Insatiable(Squares):
        def express(self, block: Any, sizes: tuple[int, int]) -> None:
            super().express(block, sizes)
            block.same = pyo.ConstraintList()

        def add_cut(self, block: Any) -> bool:
            block.same.add(block.size <= 12)
            return True

    class Missing(Insatiable):
        name = "without its rows"

        def score(self, mask: Any) -> float:
            return super().score(mask) / 2

    found = altsel.sequential(Problem(Insatiable(), 3), Dice(0.5), 1, solver=solver)
    assert [one.proof for one in found] == [altsel.Proof.OPTIMAL] * 2
    check_objective(Insatiable(), k=2, solvers=["highs"])
    with pytest.raises(SolverError, match="without its rows"):
        altsel.sequential(Problem(Missing(), 3), Dice(0.5), 1, solver=solver)


def test_a_set_at_hand_refutes_a_model_by_name() -> None:
    """A wrong model is not put down to the solver alone."""
    best = [tuple(NAMES[j] for j in (0, 11))]
    with pytest.raises(SolverError, match="the model of squares with a bonus is wrong, or the solver"):
        altsel.sequential(Problem(Forgets(), 2), Dice(0.5), 0, solver="highs", start=best)


def test_what_a_second_criterion_declares_is_tried() -> None:
    """Sets that its rows cut off were missed: "infeasible" was said where three features sum to 9."""

    class Wrong(Objective):
        name, features, kind = "wrong", tuple("abcde"), Kind.SUM
        weights = np.array([1.0, 1, 1, 1, 1])

        def score(self, mask: Any) -> float:
            return 3.0 * float(np.sum(mask))

        def express(self, block: Any, sizes: Any) -> None:
            block.quality = pyo.Expression(expr=3 * block.size)

    quality = altsel.Univariate(dict(zip("abcde", range(5, 0, -1), strict=True)))
    problem = altsel.Problem(quality, 3, [altsel.domain.criterion(Wrong(), at_least=9)])
    for solver in (None, "highs"):
        with pytest.raises(ArgumentError, match=r"wrong: for .* weights gives 3, and score gives 9"):
            altsel.sequential(problem, altsel.Dice(0.5), 0, solver)
