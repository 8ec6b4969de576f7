"""What one solver claims and a check refutes, or what it fails at, is asked of the other."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyomo.environ as pyo
import pytest

import altsel
from altsel import AbsoluteLoss, BlackBox, Dice, Problem, Solutions, Stop, Univariate, domain
from altsel.exact import auto
from altsel.exact.auto_solver import Auto
from altsel.exact.sources.every_set.engine import AllSets
from altsel.exact.sources.model.engine import Model
from altsel.runtime.clock import clock
from altsel.search.alternatives import near_optimal
from altsel.solvers import Ability, Outcome, SolveLimits
from altsel.solvers.engine import Answer
from altsel.solvers.highs import Highs
from altsel.solvers.row_solver import RowSolver
from altsel.solvers.rows import Rows

QUALITIES = [0.9, 0.8, 0.75, 0.6, 0.5, 0.4, 0.3, 0.2]
Lie = Callable[[Rows, Answer], Answer]


def poorer(rows: Rows, honest: Answer) -> Answer:
    """Call optimal what is not: the best point without some features of the true one."""
    assert honest.point is not None
    used = np.flatnonzero(rows.integer & (honest.point > 0.5) & (rows.upper == 1) & (rows.cost < 0))
    for j in range(len(used)):
        upper = rows.upper.copy()
        upper[used[: j + 1]] = 0.0
        other = Highs().solve(replace(rows, upper=upper), SolveLimits())
        if other.point is None or rows.cost @ other.point > rows.cost @ honest.point + 1:
            return honest if other.point is None else other
    return honest


def infeasible(rows: Rows, honest: Answer) -> Answer:
    """Say that there is no solution."""
    return Answer(Stop.INFEASIBLE, None, np.inf)


def broken(rows: Rows, honest: Answer) -> Answer:
    """Give a point that breaks rows once it is rounded."""
    return replace(honest, point=np.where(rows.integer, 1.0, rows.upper), bound=honest.bound)


def too_low(rows: Rows, honest: Answer) -> Answer:
    """Claim a bound that its own point contradicts."""
    return replace(honest, bound=honest.bound + 1e6)


def raising(rows: Rows, honest: Answer) -> Answer:
    """Fail as a package does that altsel knows nothing of."""
    raise ZeroDivisionError("in the simplex")


def no_number(rows: Rows, honest: Answer) -> Answer:
    """Give a point that is no point."""
    assert honest.point is not None
    return replace(honest, point=np.full_like(honest.point, np.nan))


LIES = [poorer, infeasible, broken, too_low, raising, no_number]


class LyingEngine:
    """An engine that solves as HiGHS does, and says something else; it counts how often it was asked."""

    package = "double"
    abilities = frozenset(Ability)

    def __init__(self, lie: Lie) -> None:
        self.lie, self.asked = lie, 0

    def version(self) -> str:
        return "1.0"

    def solve(self, rows: Rows, limits: SolveLimits) -> Answer:
        self.asked += 1
        return self.lie(rows, Highs().solve(rows, limits))


class Misreported:
    """A solver whose value is not that of its point: model and formula then differ."""

    name = "liar"
    asked = 0

    def __call__(self, model: Any) -> Outcome:
        self.asked += 1
        found = altsel.solver("highs")(model)
        return found if found.value is None else Outcome.optimal(found.value + 0.01, 0.0, found.largest_term)


def honest() -> RowSolver:
    return RowSolver("honest", Highs(), SolveLimits())


@pytest.fixture
def only_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine of altsel's answers: what is under test is what becomes of a solver's word."""
    monkeypatch.setattr(auto, "ENGINES", (Model(),))
    monkeypatch.setattr(AllSets, "why_not", lambda self, question: "switched off")
    monkeypatch.setattr(near_optimal, "_lister", lambda question: None)


def chosen(monkeypatch: pytest.MonkeyPatch, engine: Any, packing: Any) -> None:
    monkeypatch.setattr("altsel.exact.run.automatic", lambda: Auto(engine, packing))


def even(b: Any) -> None:
    """Keep a rule with a variable of its own: no set is valid but by a solver's word."""
    b.half = pyo.Var(domain=pyo.Integers, bounds=(0, 2))
    b.pairs = pyo.Constraint(expr=b.x["x0"] + b.x["x3"] + b.x["x5"] == 2 * b.half)


PROBLEM = Problem(Univariate(QUALITIES), 3, [domain.at_most(1, ["x0", "x1"])])
SEARCHES: dict[str, Callable[[Any], Solutions]] = {
    "sequential": lambda solver: altsel.sequential(PROBLEM, Dice(0.5), 2, solver),
    "sum": lambda solver: altsel.simultaneous(PROBLEM, Dice(0.5), 1, "sum", solver),
    "min": lambda solver: altsel.simultaneous(PROBLEM, Dice(0.5), 1, "min", solver),
    "near_optimal": lambda solver: altsel.near_optimal(PROBLEM, AbsoluteLoss(0.2), 50, solver=solver),
    "satisfying": lambda solver: altsel.satisfying(PROBLEM, Dice(0.5), 2, 2.0, solver),
}


def plain(found: Solutions) -> tuple[Any, ...]:
    return found.stop, [(round(subset.score, 9), subset.proof) for subset in found]


@pytest.mark.parametrize("lie", [*LIES, Misreported])
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.usefixtures("only_models")
def test_the_other_solver_is_asked(search: str, lie: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = plain(SEARCHES[search](honest()))
    engine = Misreported() if lie is Misreported else LyingEngine(lie)
    liar = engine if isinstance(engine, Misreported) else RowSolver("liar", engine, SolveLimits())
    first, second = (honest(), liar) if search == "min" else (liar, honest())
    chosen(monkeypatch, first, second)
    found = SEARCHES[search](None)
    assert engine.asked
    assert plain(found) == expected
    assert "honest" in found.search or search == "satisfying"  # which names no solver


@pytest.mark.parametrize("lie", [infeasible, broken, too_low, raising, no_number])
@pytest.mark.usefixtures("only_models")
def test_two_liars_are_both_named(lie: Lie, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (RowSolver(name, LyingEngine(lie), SolveLimits()) for name in ("liar", "accomplice"))
    chosen(monkeypatch, one, other)
    with pytest.raises(altsel.SolverError, match=r"'liar'.*; solver 'accomplice'") as caught:
        altsel.sequential(PROBLEM, Dice(0.5), 0)
    assert str(caught.value).count("'accomplice'") == 1


@pytest.mark.parametrize("lie", [infeasible, broken, too_low, raising, no_number])
@pytest.mark.usefixtures("only_models")
def test_a_solver_that_was_named_is_not_replaced(lie: Lie) -> None:
    with pytest.raises(altsel.SolverError, match=r"^solver 'liar'"):
        altsel.sequential(PROBLEM, Dice(0.5), 0, RowSolver("liar", LyingEngine(lie), SolveLimits()))


@pytest.mark.usefixtures("only_models")
def test_what_was_refuted_is_told(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    chosen(monkeypatch, RowSolver("liar", LyingEngine(infeasible), SolveLimits()), honest())
    with caplog.at_level(logging.WARNING, logger="altsel"):
        found = altsel.sequential(PROBLEM, Dice(0.5), 1)
    assert "solver 'liar' calls the problem infeasible, yet" in caplog.text
    assert "trying again with honest" in caplog.text
    assert "after an answer of liar was refuted" in found.search


@pytest.mark.parametrize("lie", [broken, raising, no_number])
@pytest.mark.slow
def test_a_climb_over_a_black_box_asks_the_other_one(lie: Lie, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = LyingEngine(lie)
    chosen(monkeypatch, RowSolver("liar", engine, SolveLimits()), honest())
    features = PROBLEM.objective.features
    quality = BlackBox(lambda names: sum(QUALITIES[features.index(name)] for name in names), features)
    found = altsel.wrapper(Problem(quality, 3, [even]), Dice(0.5), 1)
    assert (len(found), engine.asked > 0) == (2, True)


def test_a_check_of_a_rule_believes_a_solution_before_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS is asked whether a rule's own variables can be chosen; if it errs, an answer must not be lost."""
    pytest.importorskip("ortools")

    def beyond(b: Any) -> None:
        b.half = pyo.Var(range(2), domain=pyo.Integers, bounds=(0, 2))
        b.pairs = pyo.Constraint(expr=b.x["x0"] + b.x["x3"] + b.x["x5"] == 2 * b.half[0] - b.half[1])

    problem = Problem(Univariate(QUALITIES), 3, [beyond])
    expected = altsel.sequential(problem, Dice(0.5), 1, honest())
    monkeypatch.setattr(Highs, "solve", lambda self, rows, limits: Answer(Stop.INFEASIBLE, None, np.inf))
    found = altsel.sequential(problem, Dice(0.5), 1, "cp-sat")
    assert plain(found) == plain(expected)


def test_a_plain_installation_has_two_solvers() -> None:
    pytest.importorskip("ortools")
    made: Any = altsel.solver("auto")
    assert (made.engine.name, made.packing.name) == ("highs", "cp-sat")


class Endless:
    """A solver that goes on until the time is up."""

    name = "endless"

    def __call__(self, model: Any) -> Outcome:
        while not clock().over:
            pass
        return Outcome.unfinished(Stop.TIME)


@pytest.mark.usefixtures("only_models")
@pytest.mark.slow
def test_the_other_solver_does_not_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong model of the user's own kept it busy, where the first solver's answer was refuted at once."""
    monkeypatch.setattr("altsel.exact.run.PATIENCE", 0.05)
    first = RowSolver("liar", LyingEngine(infeasible), SolveLimits())
    chosen(monkeypatch, first, Endless())
    with pytest.raises(altsel.SolverError, match="'liar' calls the problem infeasible"):
        SEARCHES["sum"](None)
