"""The faults an independent campaign found, one test each: every one failed before it was fixed."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import (
    CFS,
    FCBF,
    MRMR,
    AbsoluteLoss,
    Average,
    BlackBox,
    Dependence,
    Dice,
    HillClimbing,
    Jaccard,
    Penalised,
    Problem,
    Proof,
    Stop,
    Univariate,
    domain,
    enumerate_valid,
    near_optimal,
    sample_valid,
    satisfying,
    sequential,
    simultaneous,
    wrapper,
)
from altsel.exact.quick_bound import quality_bound
from altsel.exact.run import Run
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.levels import best_sets
from altsel.runtime.clock import OutOfTimeError
from altsel.search.alternatives.largest_dissimilarity import furthest
from altsel.solvers import Outcome
from altsel.solvers.outcome import conclude
from altsel.solvers.standard_form import to_rows
from tests.pairs import paired

FOUND = [profile.name for profile in altsel.profiles() if profile.version]


def given(q: Any, r: Any) -> Dependence:
    names = [f"x{j}" for j in range(len(q))]
    return Dependence(pd.Series(q, index=names), pd.DataFrame(np.array(r), index=names, columns=names))


@pytest.mark.slow
@pytest.mark.parametrize("solver", [*FOUND, "auto"])
@pytest.mark.parametrize("rule", [lambda b: b.x["x0"].fix(1), lambda b: b.x["x0"].setlb(1)])
def test_features_that_a_rule_fixes_count_in_the_overlap(solver: str, rule: Any) -> None:
    problem = Problem(Univariate([9, 5, 4, 3, 2, 1]), k=2, subject_to=[rule])
    assert simultaneous(problem, Dice(1), 1, "sum", solver).stop is Stop.INFEASIBLE
    assert len(simultaneous(problem, Dice(0.5), 1, "sum", solver)) == 2


def test_features_that_a_rule_excludes_are_in_no_set() -> None:
    problem = Problem(Univariate([9, 5, 4, 3]), k=2, subject_to=[lambda b: b.x["x0"].setub(0)])
    for solver in ("auto", "highs"):
        found = simultaneous(problem, Dice(0.5), 1, "sum", solver)
        assert all("x0" not in subset for subset in found)


def test_a_feature_without_partners_may_not_be_forced_in() -> None:
    r = np.zeros((4, 4))
    r[0, :] = r[:, 0] = 0.5
    problem = Problem(FCBF(given([0.3, 0.9, 0.8, 0.7], r)), 2, [lambda b: b.x["x0"].fix(1)])
    for solver in ("auto", "highs"):
        assert sequential(problem, Dice(0.5), 0, solver).stop is Stop.INFEASIBLE


def test_valid_sets_keep_rules_on_the_quality() -> None:
    least = Problem(Univariate([5, 4, 3, 2, 1]), k=2, subject_to=[domain.minimum_quality(7)])
    assert set(enumerate_valid(least)) == {("x0", "x1"), ("x0", "x2"), ("x0", "x3"), ("x1", "x2")}
    assert set(sample_valid(least, 20).sets) <= set(enumerate_valid(least))
    assert len(sample_valid(least, 20).sets) == 20

    def poor(b: Any) -> None:
        b.poor = pyo.Constraint(expr=b.quality <= 4)

    most = Problem(Univariate([5, 4, 3, 2, 1]), k=2, subject_to=[poor])
    assert set(enumerate_valid(most)) == {("x2", "x4"), ("x3", "x4")}


@pytest.mark.slow
@pytest.mark.parametrize(("pooled", "solver"), paired([True, False], ["highs", "auto"]))
@pytest.mark.parametrize("make", [CFS, MRMR], ids=["CFS", "MRMR"])
def test_an_upper_limit_on_the_quality_is_kept(
    solver: str, pooled: bool, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    q, r = rng.random(6), rng.random((6, 6))
    objective = make(given(q, (r + r.T) / 2))
    if not pooled:
        monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    every = altsel.near_optimal(Problem(objective, (2, 3)), AbsoluteLoss(1e6), 1000)
    limit = sorted(one.score for one in every)[len(every) // 2]

    def no_better(b: Any) -> None:
        b.limit = pyo.Constraint(expr=b.quality <= limit + 1e-6)

    problem = Problem(objective, (2, 3), [no_better])
    for found in (
        sequential(problem, Dice(0.5), 0, solver),
        simultaneous(problem, Dice(0.2), 1, "sum", solver),
    ):
        assert found[0].score == pytest.approx(limit, abs=1e-6)
        assert all(subset.score <= limit + 1e-6 for subset in found)


def test_a_pair_that_is_never_together_does_not_round_the_rest_away() -> None:
    rng = np.random.default_rng(1)
    q, r = rng.random(36), rng.random((36, 36))
    r = (r + r.T) / 2
    np.fill_diagonal(r, 1.0)
    costs = rng.integers(1, 200, 36)
    names = [f"x{j}" for j in range(36)]

    def just(b: Any) -> None:
        total = pyo.quicksum(int(c) * b.x[f] for f, c in zip(names, costs, strict=True))
        b.just = pyo.Constraint(expr=total == int(costs.sum() * 6 / 36))

    never = r.copy()
    never[0, 1] = never[1, 0] = 1e9
    apart = domain.mutually_exclusive(["x0", "x1"])
    right = sequential(Problem(MRMR(given(q, r)), 6, [just, apart]), Dice(0.5), 0)
    found = sequential(Problem(MRMR(given(q, never)), 6, [just]), Dice(0.5), 0)
    assert found[0].proof is Proof.OPTIMAL
    assert found[0].score == pytest.approx(right[0].score, rel=1e-9)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("solver", ["auto", "highs"])
@pytest.mark.parametrize("make", [lambda d: MRMR(d, "k(k-1)"), CFS], ids=["mRMR", "CFS"])
def test_units_do_not_matter(scale: float, solver: str, make: Any) -> None:
    rng = np.random.default_rng(5)
    q, r = rng.random(6) * scale, rng.random((6, 6))
    r = (r + r.T) / 2 * (scale if make is not CFS else 1.0)

    def helped(b: Any) -> None:
        b.used = pyo.Var(domain=pyo.Binary)
        b.use = pyo.ConstraintList()
        for f in ("x0", "x1"):
            b.use.add(b.x[f] <= b.used)
        b.dear = pyo.Constraint(expr=b.used + pyo.quicksum(b.x.values()) <= 3)

    objective = make(given(q, r))
    every = near_optimal(Problem(objective, (2, 3)), AbsoluteLoss(1e3 * scale), 1000)
    fit = [one.score for one in every if len(one) + bool({"x0", "x1"} & set(one)) <= 3]
    found = sequential(Problem(objective, (2, 3), [helped]), Dice(0.5), 0, solver)
    assert found[0].proof is Proof.OPTIMAL
    assert found[0].score == pytest.approx(max(fit), rel=1e-9)


def test_numbers_no_solver_tells_apart_are_refused() -> None:
    def tiny(b: Any) -> None:
        b.own = pyo.Var(bounds=(0, 1))
        cost = pyo.quicksum(1e-9 * (j + 1) * x for j, x in enumerate(b.x.values()))
        b.row = pyo.Constraint(expr=cost <= b.own)
        b.limit = pyo.Constraint(expr=b.own <= 3e-9)

    with pytest.raises(altsel.SolverError, match=r"range from 1e-09 to 1"):
        sequential(Problem(Univariate([1, 2, 3]), 1, [tiny]), Dice(0.5), 0)


@pytest.mark.parametrize(("high", "refused"), [(1e-7, True), (1e-5, False), (0.0, False)])
def test_variables_of_a_rule_that_may_hardly_move_are_refused(high: float, refused: bool) -> None:
    def narrow(b: Any) -> None:
        b.own = pyo.Var(bounds=(0, high))
        b.row = pyo.Constraint(expr=b.x["x0"] + b.own <= 1)

    problem = Problem(Univariate([1, 2, 3]), 1, [narrow])
    if refused:
        with pytest.raises(altsel.SolverError, match="'own' of a rule reaches from 0 to 1e-07"):
            sequential(problem, Dice(0.5), 0, "highs")
    else:
        assert sequential(problem, Dice(0.5), 0, "highs")[0].features == ("x2",)


def test_rows_are_kept_by_their_own_terms() -> None:
    rule = domain.budget({"x0": 2.5e7, "x1": 1e-8, "x2": 1.4e-4}, 4e-7, other=0)
    problem = Problem(Univariate([1, 2, 3]), 1, [rule])
    assert list(enumerate_valid(problem)) == [("x1",)]
    assert sample_valid(problem, 2).valid == 1
    assert sequential(problem, Dice(0.5), 0)[0].features == ("x1",)


@pytest.mark.skipif("cp-sat" not in FOUND, reason="ortools is not installed")
def test_cpsat_takes_decimal_costs() -> None:
    rule = domain.budget({"x0": 0.5, "x1": 0.7, "x2": 0.1}, 1.1, other=0)
    problem = Problem(Univariate([3, 2, 1, 1.0]), k=2, subject_to=[rule])
    assert sequential(problem, Dice(0.5), 1, "cp-sat")[0].score == 4


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "tau"), paired(FOUND, [1e-9, 0.693168123456, 0.999999]))
def test_any_tau_with_free_sizes(tau: float, solver: str) -> None:
    problem = Problem(Univariate([5, 4, 3, 2, 1, 0.5]), k=(2, 4))
    for measure in (Dice(tau), Jaccard(tau)):
        found = simultaneous(problem, measure, 1, "sum", solver)
        first, second = (frozenset(subset) for subset in found)
        assert measure(first, second) >= tau
        assert found.proved


def test_near_optimal_sets_come_once_each() -> None:
    problem = Problem(Univariate([5, 4, 3, 1]), k=2)
    for solver in ("auto", "highs"):
        found = near_optimal(problem, AbsoluteLoss(2), 10, Dice(0), solver)
        assert [subset.score for subset in found] == [9, 8, 7]
        assert found.stop is Stop.EXHAUSTED


def test_a_price_makes_no_set_unacceptable() -> None:
    problem = Problem(Univariate([5, 4, 2, 1]), k=2)
    found = satisfying(problem, Penalised(Dice(1), penalty=20), 1, least=6)
    assert found.stop is Stop.COUNT
    assert [subset.score >= 6 for subset in found] == [True, True]


def test_a_wrapper_keeps_bounds_that_rules_set() -> None:
    black = BlackBox(lambda names: 3.0 * len(names) + 10 * ("x3" in names), ["x0", "x1", "x2", "x3"])
    for rule in (lambda b: b.x["x3"].setub(0), lambda b: b.x["x3"].fix(0)):
        found = wrapper(Problem(black, 2, [rule]), Dice(0.5), 0, HillClimbing(random_state=1))
        assert "x3" not in found[0]


def test_relevance_of_mere_rounding_is_that_of_the_set() -> None:
    objective = CFS(given([1e9, 1e-4, -1e-4], np.eye(3)))
    assert objective.score(np.array([False, True, False])) == pytest.approx(1e-4)
    assert not objective.is_feasible(np.array([False, False, True]))


def test_the_search_for_a_larger_difference_ends_where_answers_do_not_change() -> None:
    one = sequential(Problem(Univariate([2, 1]), k=1), Dice(0), 0)
    with pytest.raises(altsel.SolverError, match="no progress"):
        furthest(lambda diversity: one, lambda answer: 0.0, Average(Dice(0.0)), 0.0, 1e-5)


def test_the_choice_of_solvers_takes_a_time_limit_and_has_a_name() -> None:
    engine = altsel.solver("auto", time_limit=1e5)
    found = sequential(Problem(Univariate([3, 2, 1]), k=1), Dice(1), 1, engine)
    assert found.proved


def test_a_rule_with_variables_of_its_own_over_fourteen_decades_is_refused() -> None:
    costs = [0.9, 430, 64807, 2.27e-5, 3.4e-8, 1149, 1.4e7, 28892, 383]

    def measured(b: Any) -> None:
        b.amount = pyo.Var()
        b.rows = pyo.ConstraintList()
        b.rows.add(b.amount == pyo.quicksum(c * x for c, x in zip(costs, b.x.values(), strict=True)))
        b.rows.add(b.amount <= 93699.8)

    problem = Problem(Univariate(range(1, 10)), 3, [measured, lambda b: b.x["x7"].fix(1)])
    with pytest.raises(altsel.SolverError, match=r"range from 3.4e-08 to 1.4e\+07"):
        sequential(problem, Dice(0.5), 0)


def test_infeasible_is_not_believed_where_one_number_hides_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    r = np.random.default_rng(5).random((9, 9))
    r = (r + r.T) / 2
    r[4, 5] = r[5, 4] = 1e9
    objective = MRMR(given([0.5, 0.2, 0.5, 0.2, 0.2, 0.75, 0.5, 0.5, 0.75], r))
    problem = Problem(objective, 3, across=[domain.in_at_most(1, ["x2", "x5", "x6", "x1"])])
    try:
        found = simultaneous(problem, Average(Dice(0.1)), 1, "min", "highs")
    except altsel.SolverError as fault:
        assert "range too widely" in str(fault)  # noqa: PT017  (either is honest)
    else:
        assert len(found) == 2


def test_valid_sets_have_a_merit_by_the_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    q = [-119196.9, -1.511233464114326e-07, -1870435.8, 10.95, 23.3, 3e-4, -52964.8, 0.09]
    costs = dict(zip((f"x{j}" for j in range(8)), (2, 1, 6, 5, 3, 6, 8, 2), strict=True))
    budget = domain.budget(costs, 6, [(5, ["x6"]), (0, ["x4", "x6", "x7"])], other=0)
    valid = enumerate_valid(Problem(CFS(given(q, np.eye(8))), 1, [budget]), solver="highs")
    assert set(valid) == {("x3",), ("x4",), ("x5",), ("x7",)}


@pytest.mark.skipif("scip" not in FOUND, reason="PySCIPOpt is not installed")
def test_scip_writes_nothing_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    r = [
        [1.0, -2.31, 0.46, 0.25, 1.27],
        [0, 1, -0.52, -0.27, 1.28],
        [0, 0, 1, 1.86, -0.07],
        [0, 0, 0, 1, -0.68],
    ]
    upper = np.triu([*r, [0, 0, 0, 0, 1]])
    objective = MRMR(given([0.45, -0.6, -2.44, -1e9, -2.79], upper + upper.T - np.eye(5)))
    diversity = Penalised(Jaccard(0.5), penalty=1e9 / 3)
    assert len(simultaneous(Problem(objective, 3), diversity, 2, "min", "scip")) == 3
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif("cp-sat" not in FOUND, reason="ortools is not installed")
def test_cpsat_takes_limits_far_above_what_a_row_reaches() -> None:
    costs = {"x0": 6.4e7, "x1": 1.08e-8, "x2": 2.48e-5, "x3": 2.86e-7}
    rules = [lambda b: b.x["x0"].fix(0), domain.budget(costs, 64063435.8284964, other=0)]
    problem = Problem(Univariate([4, 3, 2, 1]), 3, rules)
    assert sequential(problem, Dice(0.5), 0, "cp-sat")[0].features == ("x1", "x2", "x3")


@pytest.mark.slow
def test_a_bound_of_an_engine_that_sees_one_number_only_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    r = np.triu(np.random.default_rng(1).random((7, 7)), 1)
    objective = MRMR(given([-1e9, *[0.4] * 6], r + r.T + np.eye(7)), "k(k-1)")
    pairs = near_optimal(Problem(objective, 2), AbsoluteLoss(10), 100, solver="highs")
    for diversity in (Penalised(Dice(0.5), penalty=0), Average(Dice(0.0))):
        found = simultaneous(Problem(objective, 2), diversity, 2, "min")
        best = sorted((pair.score for pair in pairs), reverse=True)[2]
        assert found[-1].score == pytest.approx(best)
        assert all(subset.bound is None or subset.bound >= subset.score for subset in found)


def test_numbers_too_far_apart_for_an_engine_leave_no_bound() -> None:
    model = pyo.ConcreteModel()
    model.x = pyo.Var(range(4), domain=pyo.Binary)
    model.rows = pyo.Constraint(expr=pyo.quicksum(model.x.values()) <= 2)
    model.best = pyo.Objective(expr=0.123 * model.x[0] + 0.4567891234 * model.x[1] - 1e9 * model.x[2])
    rows = to_rows(model)
    assert conclude(Stop.EXHAUSTED, -1e9, -1e9, rows, 0.0).proof is Proof.OPTIMAL
    message = conclude(Stop.EXHAUSTED, 0.123, -0.3, rows, 0.0)
    assert (message.stop, message.proof, message.bound) == (Stop.LIMIT, Proof.FEASIBLE, None)


@pytest.mark.parametrize("pooled", [True, False])
@pytest.mark.parametrize(
    "rules",
    [
        [lambda b: b.x["x0"].fix(0), lambda b: b.x["x0"].fix(1)],
        [lambda b: b.x["x0"].fix(0), lambda b: b.x["x0"].setlb(1)],
        [lambda b: b.x["x0"].setlb(1), lambda b: b.x["x0"].setub(0)],
    ],
)
def test_no_rule_overrides_another(rules: Any, pooled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not pooled:
        monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    problem = Problem(Univariate([1, 2, 3, 4]), 2, rules)
    assert list(enumerate_valid(problem)) == []
    for solver in ("auto", "highs"):
        assert sequential(problem, Dice(0.5), 0, solver).stop is Stop.INFEASIBLE
        assert simultaneous(problem, Dice(0.5), 1, "min", solver).stop is Stop.INFEASIBLE
    black = BlackBox(lambda names: float(len(names)), problem.objective.features)
    assert wrapper(Problem(black, 2, rules), Dice(0.5), 0, HillClimbing()).stop is Stop.INFEASIBLE


def test_a_rule_across_sets_that_fixes_a_feature_is_checked() -> None:
    def without(block: Any, sets: Any) -> None:
        for subset in sets:
            if not isinstance(subset["x0"], int):
                subset["x0"].fix(0)

    problem = Problem(Univariate([4, 3, 2, 1]), 2, across=[without])
    found = simultaneous(problem, Dice(0.5), 1, "sum", "highs")
    assert [("x0" in subset) for subset in found] == [False, False]
    altered = [replace(found[0], features=("x0", "x1"), score=7.0), found[1]]
    audit = altsel.audit(replace(found, sets=tuple(altered)), problem, Dice(0.5))
    assert audit.refuted


def test_the_loss_is_from_the_best_set_that_was_met(monkeypatch: pytest.MonkeyPatch) -> None:
    def poor(problem: Problem, *given: Any, **more: Any) -> altsel.Solutions:
        found = sequential(problem, *given, **more)
        one = replace(found[0], features=("x2", "x3"), score=7.0, proof=Proof.FEASIBLE, bound=25.0)
        return replace(found, sets=(one,))

    monkeypatch.setattr(sys.modules[altsel.most_different.__module__], "sequential", poor)
    problem = Problem(Univariate([20, 5, 4, 3]), 2)
    found = altsel.most_different(problem, Dice(0), 1, AbsoluteLoss(10), together=True)
    assert len(found) == 2
    assert min(subset.score for subset in found) >= max(subset.score for subset in found) - 10


def test_a_better_neighbour_refutes_a_solver() -> None:
    """HiGHS 1.13.1 called a set optimal here that an exchange of one feature improves by 4 %."""
    q = [8.016857759792675e-10, 4.238057893920362e-10, 4.747872311807955e-10, 3.9136979176671206e-10]
    q += [8.799102748825288e-10, 4.596189488966497e-10, 3.032994304667825e-11]
    scaled = np.array(q) * 2.0**31
    objective = MRMR(given(scaled, np.full((7, 7), 4.0000000000000007e-10 * 2.0**31)), "k(k-1)")
    for solver in ("auto", "highs"):
        found = sequential(
            Problem(objective, (2, 4)), Average(Jaccard(0.75001)), 1, solver, known=[["x2", "x4", "x6"]]
        )
        assert found[0].features == ("x0", "x4", "x5")


@pytest.mark.slow
def test_a_mean_of_distances_that_cp_sat_called_infeasible() -> None:
    """CP-SAT's probing, ortools 9.15: four of the sets that keep this have a mean of .7 or more."""
    rules = [domain.require("x1"), domain.forbid("x0")]
    problem = Problem(Univariate([0.5, 0.75, 0.5, 0.2, 0.5, 0.5]), (2, 4), rules)
    known = [["x1", "x3", "x4"], ["x2", "x3"]]
    for solver in FOUND:
        found = sequential(problem, Average(Jaccard(0.7)), 1, solver, known=known)
        assert found[0].features == ("x1", "x2", "x4", "x5")


def test_a_budget_that_highs_called_infeasible() -> None:
    """HiGHS 1.13.1 to 1.16.0, in its presolve: a budget whose costs range from 7e-6 to 20,000."""
    costs = [0.12830258736988848, 1066.8077406734492, 6.914554763117018e-06, 387.01639768078894]
    costs += [20194.320500639154, 6.5564097996314335e-06]
    prices = dict(zip([f"x{j}" for j in range(6)], costs, strict=True))
    rules = [lambda b: b.x["x5"].setub(0), domain.budget(prices, 20581.465207463723, other=0)]
    quality = BlackBox(lambda names: float(len(names)), list(prices))
    found = wrapper(Problem(quality, 4, rules), Dice(0), 0, HillClimbing(max_iters=1, restarts=0))
    assert len(found) == 1
    assert "x5" not in found[0]


@pytest.mark.slow
def test_a_limit_on_the_mean_that_is_met_exactly() -> None:
    """HiGHS 1.13.1 called 1.59 optimal, as the better sets meet the limit to the last digit."""
    problem = Problem(Univariate([0.47, 0.02, 0.26, 0.4, 0.91, 0.19, 0.15]), 4)
    for solver in FOUND:
        found = simultaneous(problem, Average(Dice(0.75)), 1, "min", solver)
        assert min(subset.score for subset in found) == pytest.approx(1.65)
        assert {subset.features for subset in found} == {("x0", "x1", "x2", "x4"), ("x3", "x4", "x5", "x6")}


@pytest.mark.slow
def test_a_mean_that_cp_sat_called_infeasible_in_its_presolve() -> None:
    r = [[-1.0, -1.72, -1.08, 1.57, 0.09, 1.58], [-1.72, -0.4, -0.47, -1.18, 0.13, 1.21]]
    r += [[-1.08, -0.47, 0.56, 0.2, 0.63, -0.06], [1.57, -1.18, 0.2, -0.31, 0.29, -0.45]]
    r += [[0.09, 0.13, 0.63, 0.29, -0.59, 0.09], [1.58, 1.21, -0.06, -0.45, 0.09, 1.3]]
    costs = dict(zip([f"x{j}" for j in range(6)], (7, 1, 8, 1, 6, 1), strict=True))

    def shared(b: Any, sets: Any) -> None:
        b.shared = pyo.Constraint(expr=sum(costs[f] * x for subset in sets for f, x in subset.items()) <= 13)

    objective = MRMR(given([0.91, 0.49, 0.83, 0.61, 0.28, 0.47], r), "k(k-1)")
    problem = Problem(objective, (2, 3), [domain.forbid("x2")], [shared])
    for solver in FOUND:
        found = sequential(problem, Average(Jaccard(0.4)), 2, solver)
        assert len(found) == 3, solver


@pytest.mark.slow
def test_a_bound_on_a_quality_that_far_larger_numbers_hold() -> None:
    """HiGHS bounded a quality of -0.2 by -0.47, where the rows that hold it reach to 7e8."""
    q = [0.007501487230513248, 0.01233959672364445, 0.02985786197486567, 29680.433462117744]
    q += [872653.1724592124, 0.0001003959249467132]
    upper = {(0, 1): 6.191752719522705e-4, (0, 2): -0.4507558624682829, (0, 3): 227.5257697006851}
    upper |= {(0, 4): 725139871.2899746, (0, 5): 5.473000641335155e-05, (1, 2): -1.2730452330574168e-09}
    upper |= {(1, 3): 17804617.711763382, (1, 4): 1.0808179916079992e-4, (1, 5): -1.8687794439686285e-08}
    upper |= {(2, 3): 7184.5401058417265, (2, 4): -144.33859376201568, (2, 5): 358.2666635541358}
    upper |= {(3, 4): -1334189.5912583591, (3, 5): -11700483.386025803, (4, 5): -2.293439618844022e-08}
    r = np.eye(6)
    for (i, j), value in upper.items():
        r[i, j] = r[j, i] = value
    rules = [domain.forbid("x5"), domain.minimum_quality(-3653028.3612687965)]
    problem = Problem(MRMR(given(q, r)), (1, 3), rules)
    for solver in FOUND:
        try:
            found = sequential(problem, Dice(1), 1, solver, known=[["x3", "x4"]])
        except altsel.SolverError:
            continue
        best = problem.objective.score(problem.mask(["x0", "x1", "x2"]))
        assert not len(found) or found[0].bound is None or found[0].bound >= best * (1 - 1e-9), solver


@pytest.mark.slow
@pytest.mark.parametrize("solver", [*FOUND, "auto"])
def test_half_a_feature_is_none(solver: str) -> None:
    """HiGHS 1.13.1 erred where a 0/1 variable is at most a half."""

    def even(b: Any) -> None:
        b.half = pyo.Var(domain=pyo.NonNegativeIntegers, bounds=(0, 3))
        b.even = pyo.Constraint(expr=b.x["x0"] + b.x["x2"] == 2 * b.half)

    rules = [lambda b: b.x["x3"].setub(0.5), even]
    problem = Problem(Univariate([0.9, 0.7, 0.6, 0.8]), (1, 3), rules)
    found = sequential(problem, Dice(0.9), 1, solver, known=[["x0", "x3"]])
    assert found[0].features == ("x1",)


@pytest.mark.parametrize("solver", ["cp-sat", "highs", "auto"])
def test_a_mean_distance_from_known_sets_of_other_sizes(solver: str) -> None:
    problem = Problem(Univariate([0.1, 0.6, 0.9, 0.5]), (1, 2))
    found = sequential(problem, Average(Jaccard(0.75)), 1, solver, known=[["x1", "x3"], ["x0"]])
    assert found[0].features == ("x1", "x2")


def test_known_sets_that_break_a_rule_across_sets() -> None:
    problem = Problem(Univariate([0.5, 0.4, 0.3, 0.2, 0.1]), 2, across=[domain.in_at_most(1, ["x0"])])
    found = sequential(problem, Dice(0.5), 1, known=[["x0", "x1"], ["x0", "x2"]])
    assert (len(found), found.stop) == (0, Stop.INFEASIBLE)


def test_an_audit_does_not_refute_what_was_not_claimed() -> None:
    problem = Problem(Univariate([0.5, 0.4, 0.3, 0.2]), 1, across=[domain.in_at_most(1, ["x0"])])
    found = simultaneous(problem, Jaccard(0.5), 1, time_limit=1e-9)
    assert found.stop is Stop.TIME
    assert not altsel.audit(found, problem, Jaccard(0.5), prove="highs").refuted


@pytest.mark.parametrize("values", [[1e308] * 4, [1 + 2j, 1]])
def test_relevances_that_cannot_be_added_up(values: Any) -> None:
    with pytest.raises(altsel.DataError, match="relevances"):
        Univariate(values)


@pytest.mark.parametrize("solver", ["highs", "cp-sat"])
def test_redundancies_alone_decide_where_no_relevance_does(solver: str) -> None:
    r = [[1, 0.5, 0.2, 0.9], [0.5, 1, 0.7, 0.1], [0.2, 0.7, 1, 0.4], [0.9, 0.1, 0.4, 1]]
    found = sequential(Problem(MRMR(given([0.0] * 4, r), "k^2"), (2, 3)), Dice(0), 0, solver=solver)
    assert (found[0].features, found.proved) == (("x1", "x3"), True)
    assert found[0].score == pytest.approx(-2.2 / 4)


def test_a_bound_of_our_own_closes_no_gap_that_numbers_of_another_size_hide() -> None:
    weights = [-1732187.9927036369, 0.01254255906858612, -2.1558382909746577e-09, -894677376.3, 0.5038335]
    problem = Problem(Univariate(weights), (1, 4))
    best = weights[1] + weights[4]
    assert quality_bound(problem) == pytest.approx(best, rel=1e-15)
    found = sequential(problem, Dice(0.5), 0, solver="highs")
    assert found[0].score >= best * (1 - 1e-9) or not found.proved


def test_the_bound_of_many_features_is_above_every_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above some number of features pairs are bounded all by the best one: weaker, and still a bound."""
    rng = np.random.default_rng(3)
    names = [f"x{j}" for j in range(7)]
    pairs = rng.normal(size=(7, 7))
    table = pd.DataFrame((pairs + pairs.T) / 2, index=names, columns=names)
    problem = Problem(MRMR(Dependence(pd.Series(rng.random(7), index=names), table)), (2, 4))
    sets = chain.from_iterable(combinations(names, size) for size in (2, 3, 4))
    best = max(problem.objective.score(problem.mask(subset)) for subset in sets)
    close = quality_bound(problem)
    monkeypatch.setattr("altsel.exact.quick_bound.MOST_FEATURES", 5)
    assert quality_bound(problem) >= close - 1e-9 >= best - 2e-9


@pytest.mark.parametrize("raises", [True, False])
def test_levels_before_the_last_bound_a_ratio_that_is_cut_short(raises: bool) -> None:
    """The last level's search may have shown nothing yet: CFS of 1,000 features had a gap of 60 % then."""
    rng = np.random.default_rng(5)
    r = rng.random((9, 9)) / 2
    problem = Problem(CFS(given(rng.random(9), (r + r.T) / 2)), 4)
    sets = sorted(map(list, combinations(problem.objective.features, 4)), key=lambda one: score(problem, one))
    levels: list[Problem] = []

    def solve(stated: Problem, start: list[list[str]]) -> tuple[list[list[str]], Outcome]:
        levels.append(stated)
        if len(levels) == 1:
            best = max(sets, key=lambda one: score(stated, one))
            return [best], Outcome.optimal(score(stated, best))
        if raises:
            raise OutOfTimeError
        return start, Outcome.unfinished(Stop.TIME)

    run = Run(problem, None, "test")
    found, outcome = best_sets(run.question(Dice(0.5)), run, solve, [sets[0]])
    assert len(levels) == 2
    best = score(problem, sets[-1])
    assert outcome.value == score(problem, found[0])
    assert best <= (outcome.bound or np.inf) < 1.5 * best


def score(problem: Problem, subset: list[str]) -> float:
    return float(problem.objective.score(problem.mask(subset)))


def priced(costs: Any, limit: float) -> Any:
    def rule(b: Any) -> None:
        spent = sum(cost * x for cost, x in zip(costs, b.x.values(), strict=True))
        b.spent = pyo.Constraint(expr=spent <= limit)

    return rule


@pytest.mark.parametrize("seed", [63, 76, 287, 304])
def test_lists_under_rules_that_are_met_just_so_lose_no_set(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best set was lost too: a slack that is rounding made multipliers of 1e15."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(7, 10)), int(rng.integers(3, 6))
    q, r = rng.random(n), rng.uniform(0, 0.6, (n, n))
    costs = np.zeros(n)
    costs[rng.choice(n, 5, replace=False)] = rng.choice([-3, -2, -1, 1, 2], 5)
    least = int(rng.integers(-2, 2))
    dependence = given(q, (r + r.T) / 2)
    objective = MRMR(dependence, "k^2") if seed % 4 else Univariate(dependence.relevance)
    every = np.array(list(combinations(range(n), k)))
    scores = np.sort(objective.scores(every[costs[every].sum(axis=1) >= least]))[::-1]
    loss = float(scores[0] - scores[12]) + 1e-9
    found = near_optimal(Problem(objective, k, [priced(-costs, -least)]), AbsoluteLoss(loss), 2000)
    assert found.stop is Stop.EXHAUSTED
    assert [one.score for one in found] == pytest.approx(scores[scores >= scores[0] - loss])


@pytest.mark.parametrize(
    ("make", "share"), [(MRMR, 5e-10), (MRMR, 5e-9), (lambda given: Univariate(given.relevance), 5e-9)]
)
def test_lists_keep_rules_to_what_is_allowed_for_rounding(
    make: Any, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trees leave a margin: a set that breaks a rule by more is not listed, one that breaks it by less is."""
    monkeypatch.setattr(all_sets, "MOST_SETS", 0)
    costs = [1.0 + share, *[1.0] * 7]
    objective = make(given(np.linspace(0.9, 0.2, 8), np.full((8, 8), 0.1)))
    problem = Problem(objective, 4, [priced(costs, 4.0)])
    found = near_optimal(problem, AbsoluteLoss(10), 100)
    assert (len(found), found.stop) == (35 if share > 1e-9 else 70, Stop.EXHAUSTED)
    assert sample_valid(problem, 1).valid == len(found)


@pytest.mark.parametrize("seed", [3, 5, 6, 7])
def test_a_set_that_misses_a_limit_by_just_what_is_allowed_is_no_error(seed: int) -> None:
    """A list took it, and the check, which adds up in another order, refused the answer."""
    costs = np.append(np.random.default_rng(seed).uniform(0.2, 3, 4), [0.1, 0.1])
    limit = (costs[0] + costs[1]) / (1 + 1e-9)
    problem = Problem(Univariate(np.arange(6.0, 0, -1)), 2, [priced(costs, limit)])
    assert near_optimal(problem, AbsoluteLoss(100)).stop is Stop.EXHAUSTED
    assert sequential(problem, Dice(0.5), 1).proved


def test_terms_that_cancel_are_no_broken_row() -> None:
    """-.3 + .1 + .2 is 5.6e-17: with all features known a row was compared with its sum, not its terms."""

    def rule(b: Any) -> None:
        b.amount = pyo.Var()
        b.most = pyo.Constraint(expr=b.amount <= 1)
        b.least = pyo.Constraint(expr=b.amount >= b.x["x3"])
        b.even = pyo.Constraint(expr=-0.3 * b.x["x0"] + 0.1 * b.x["x1"] + 0.2 * b.x["x2"] <= 0)

    found = sequential(Problem(Univariate([4.0, 3, 2, 1]), 3, [rule]), Dice(0), 0)
    assert (found[0].features, found[0].proof) == (("x0", "x1", "x2"), Proof.OPTIMAL)


@pytest.mark.parametrize("unit", [1e-12, 1e-9, 1.0, 1e12])
def test_the_poorest_of_sets_under_rules_across_them_in_any_unit(unit: float) -> None:
    """The least quality was a variable of unit 1 beside coefficients of 1e-10: half of what is possible."""
    rng = np.random.default_rng(5)
    q, r = rng.random(7) * unit, rng.random((7, 7)) * unit
    objective = MRMR(given(q, (r + r.T) / 2))
    names = objective.features
    rule = domain.in_at_most(1, names[:4])
    found = simultaneous(Problem(objective, 3, across=[rule]), Dice(1 / 3), 1, "min")
    sets = [frozenset(one) for one in combinations(names, 3)]
    worth = {one: objective.score(Problem(objective, 3).mask(one)) for one in sets}
    best = max(
        min(worth[a], worth[b])
        for a, b in combinations(sets, 2)
        if len(a & b) <= 2 and not a & b & set(names[:4])
    )
    assert found.proved
    assert min(one.score for one in found) == pytest.approx(best, rel=1e-9)
