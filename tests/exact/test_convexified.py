"""Branch and bound by convex programs against all sets: forms, rows, excluded pairs, both kinds of loops."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import altsel
from altsel import CFS, MRMR, Dice, Problem, Proof, Stop
from altsel.exact.kernels import programs
from altsel.exact.kernels.programs import FAR
from altsel.exact.run import Run
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.quadratic import branch_and_bound, branching, listing, source
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.exact.sources.quadratic.convexified import compiled_tree, open_nodes, tree
from altsel.exact.sources.quadratic.convexified.compiled import LOOPS, PLAIN, WITHOUT_ROWS, Kernels
from altsel.exact.sources.quadratic.convexified.dual import Costs, Splitting
from altsel.exact.sources.quadratic.convexified.local_search import LocalSearch
from altsel.exact.sources.quadratic.convexified.open_nodes import OPEN
from altsel.exact.sources.quadratic.convexified.rewriting import certify, rewritten
from altsel.exact.sources.quadratic.lagrangian_bound import Form
from altsel.runtime.clock import Clock, in_force
from tests.exact.test_branch_and_bound import forms, value
from tests.loops import choose_loops


@pytest.fixture(autouse=True, params=[pytest.param("numba", marks=pytest.mark.long), "numpy"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kernels:
    choose_loops(LOOPS, request.param, monkeypatch)
    found: Kernels = choose_loops(WITHOUT_ROWS, request.param, monkeypatch)
    return found


def values_of(form: Form) -> dict[tuple[int, ...], float]:
    every = combinations(range(len(form.linear)), form.size)
    return {one: value(form, one) for one in every}


def without_climbs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tree.Tree, "climb", lambda *_: None)


@pytest.mark.slow
@given(forms(), st.booleans(), st.sampled_from([0, 2000, OPEN]), st.sampled_from([0, 20]))
@settings(max_examples=60)
def test_the_best_set_of_a_form_is_found(form: Form, climbs: bool, most_open: int, small: int) -> None:
    """Also where memory is full at once, and where the dual is solved further after the first nodes."""
    best = max(values_of(form).values())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree, "OPEN", most_open)
        patch.setattr(tree, "SMALL", small)
        if not climbs:
            without_climbs(patch)
        search = Search(lambda indices: value(form, indices))
        assert tree.search_form(search, form) == (Stop.EXHAUSTED, -inf)
    assert search.value == best
    assert (search.best is None) == (best == -inf)


@pytest.mark.slow
@given(forms(), st.sampled_from([-1.0, 0.0, 0.5, 1.0]))
@settings(max_examples=50)
def test_all_sets_above_a_value_are_listed(form: Form, share: float) -> None:
    values = values_of(form)
    finite = [v for v in values.values() if v > -inf]
    floor = min(finite) + share * (max(finite) - min(finite)) if finite and share >= 0 else -inf
    listed = listing.Listing(lambda indices: value(form, indices), value=floor)
    assert listed.run_convexified(form)[0] is Stop.EXHAUSTED
    found = [tuple(one) for part in listed.members for one in part.tolist()]
    assert len(found) == len(set(found))
    wanted = {one for one, v in values.items() if v >= floor and v > -inf}
    assert {one for one in found if values[one] >= floor and values[one] > -inf} == wanted


@pytest.mark.slow
@given(forms(), st.integers(0, 12), st.sampled_from([0, 2000, OPEN]))
@settings(max_examples=60)
def test_the_bound_holds_whatever_ends_the_search(form: Form, nodes: int, most_open: int) -> None:
    best = max(values_of(form).values())
    with pytest.MonkeyPatch.context() as patch:
        without_climbs(patch)
        patch.setattr(tree, "OPEN", most_open)
        patch.setattr(tree, "SMALL", nodes % 2)
        search = Search(lambda indices: value(form, indices), most_nodes=nodes)
        stop, bound = tree.search_form(search, form)
    assert stop in {Stop.LIMIT, Stop.EXHAUSTED}
    assert max(bound, search.value + search.missed) >= best


@given(forms(), st.sampled_from([1, 3, 3000]), st.sampled_from([0, 2000, OPEN]), st.sampled_from([1, 1000]))
@settings(max_examples=60)
@pytest.mark.slow
def test_nodes_are_open_until_they_are_searched(form: Form, nodes: int, most_open: int, sets: int) -> None:
    """Loops come back after so many nodes, and where there is no room for a set; memory is full at once."""
    form = replace(form, rows=form.rows[:0], limits=form.limits[:0])
    values = values_of(form)
    floor = float(np.median([v for v in values.values() if v > -inf] or [0.0]))
    with pytest.MonkeyPatch.context() as patch:
        without_climbs(patch)
        patch.setattr(tree, "AT_ONCE", nodes)
        patch.setattr(tree, "OPEN", most_open)
        patch.setattr(compiled_tree, "SETS", sets)
        patch.setattr(tree, "SMALL", nodes % 3)
        patch.setattr(open_nodes, "FIRST", 2)
        search = Search(lambda indices: value(form, indices))
        assert tree.search_form(search, form) == (Stop.EXHAUSTED, -inf)
        listed = listing.Listing(lambda indices: value(form, indices), value=floor)
        assert listed.run_convexified(form)[0] is Stop.EXHAUSTED
    assert search.value == max(values.values())
    found = [tuple(one) for part in listed.members for one in part.tolist()]
    assert len(found) == len(set(found))
    assert {one for one, v in values.items() if v >= floor and v > -inf} <= set(found)


@pytest.mark.slow
@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_form_is_rewritten_from_below_whenever_the_dual_stops(seed: int) -> None:
    """Equal where no N was clipped: never above the costs of any set, rows with prices included."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 9)), int(rng.integers(2, 4))
    double = rng.normal(size=(n, n))
    double += double.T
    np.fill_diagonal(double, 0.0)
    rows = rng.integers(0, 3, (int(rng.integers(0, 3)), n)).astype(float)
    costs = Costs(rng.normal(size=n), double, k, rows, np.full(len(rows), 3.0))
    dual = Splitting(costs).solve(inf, 0.1, int(rng.integers(1, 60)))
    assert dual is not None
    made = rewritten(costs, dual)
    assert np.linalg.eigvalsh(made.convex)[0] > 0
    assert made.pairs.min() > -1e-12
    for one in combinations(range(n), k):
        if (rows[:, one].sum(axis=1) > 3).any():
            continue
        inside = np.ix_(one, one)
        true = costs.single[list(one)].sum() + double[inside].sum()
        form = made.single[list(one)].sum() + (made.convex + made.pairs)[inside].sum() + made.constant
        assert form <= true + made.rounding
        assert dual.bound <= true + 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_of_a_node_holds_wherever_it_begins(seed: int, loops: Kernels) -> None:
    """Whatever the point, the prices and the rounds are: also where prices are far too large."""
    rng = np.random.default_rng(seed)
    n, k = 9, 4
    double = np.abs(rng.normal(size=(n, n)))
    double += double.T
    np.fill_diagonal(double, 0.0)
    rows = rng.random((2, n))
    costs = Costs(rng.normal(size=n), double, k, rows, rows.sum(axis=1) * k / n)
    dual = Splitting(costs).solve(inf, 0.1, 40)
    assert dual is not None
    made = rewritten(costs, dual)
    status = np.zeros(n, dtype=np.int8)
    status[0], status[1] = 1, -1
    x = np.where(status == 0, (k - 1) / (n - 2), 0.0)
    values = [
        costs.single[list(one)].sum() + double[np.ix_(one, one)].sum()
        for one in combinations(range(n), k)
        if 0 in one and 1 not in one and (rows[:, one].sum(axis=1) <= costs.limits).all()
    ]
    for price in (0.0, 1.0, 1e9):
        program = programs.Program(
            made.convex, made.pairs, made.single, costs.rows, costs.limits, made.constant, 1e-9
        )
        node = programs.Node(status, x.copy(), np.full(2, price), np.empty(n))
        found = loops.relaxed(program, node, programs.Wanted(k - 1, FAR, 3, 4), np.empty((n, n)))
        assert found.value <= min(values, default=inf) + made.rounding
        assert price > 1 or found.value > -inf


def test_each_case_runs_the_loops_it_names(loops: Kernels, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree kept those that were there when its class was made, and no case ran numpy's."""
    called: list[bool] = []

    def relaxed(*given: Any) -> Any:
        called.append(hasattr(loops.relaxed, "py_func"))
        return loops.relaxed(*given)

    monkeypatch.setattr(WITHOUT_ROWS, "after", lambda _: replace(loops, relaxed=relaxed))
    linear, pairs = MRMR(factors(14)).quadratic(4)
    form = Form(linear, pairs, 4, np.empty((0, 14)), np.empty(0))
    tree.search_form(Search(lambda indices: value(form, indices)), form)
    assert called
    assert set(called) == {loops is not PLAIN}


def test_no_compiled_loop_returns_a_named_tuple(loops: Kernels) -> None:
    """An interrupt during such a loop ended the process, by a segmentation fault in numba."""
    if loops is PLAIN:
        pytest.skip("nothing is compiled")
    linear, pairs = MRMR(factors(14)).quadratic(4)
    for rows in (np.empty((0, 14)), np.ones((1, 14))):
        form = Form(linear, pairs, 4, rows, np.full(len(rows), 4.0))
        tree.search_form(Search(partial(value, form)), form)
    for kernels in (LOOPS.compiled, WITHOUT_ROWS.compiled):
        for loop in vars(kernels).values():
            compiled = loop if hasattr(loop, "nopython_signatures") else loop.__wrapped__
            for signature in compiled.nopython_signatures:
                assert not hasattr(signature.return_type, "instance_class")


def test_changed_sets_meet_a_better_one_than_many_beginnings() -> None:
    """Each set offered is one of its size, and the costs are the form's."""
    relevance = np.random.default_rng(0).random(300)
    costs = Costs(-relevance, _correlated(300), 10, np.zeros((0, 300)), np.zeros(0))
    offered: list[list[int]] = []
    search = LocalSearch(costs, None, PLAIN.climbed, lambda members: offered.append(members.tolist()))
    search.begin(np.ones(300), 0)
    before = float(search.values.min())
    search.go_on(np.ones(300), 0)
    assert search.values.min() < before
    assert all(len(set(one)) == 10 for one in offered)
    last = offered[-1]
    value = costs.single[last].sum() + costs.double[np.ix_(last, last)].sum()
    assert value == pytest.approx(search.values.min())


def _correlated(n: int) -> np.ndarray:
    double = np.abs(np.corrcoef(np.random.default_rng(1).normal(size=(n, 8))))
    np.fill_diagonal(double, 0.0)
    return double


def test_a_dual_that_goes_on_is_as_good_as_one_solved_at_once() -> None:
    """What `Splitting` keeps between calls; the bound holds, and does not fall."""
    n = 60
    made = MRMR(factors(n)).quadratic(6)
    pairs = made[1] / 2
    np.fill_diagonal(pairs, 0.0)
    costs = Costs(-made[0], pairs, 6, np.zeros((0, n)), np.zeros(0))
    in_steps, at_once = Splitting(costs), Splitting(costs)
    bounds = [one.bound for slow in (0.3, 0.1, 0.03) if (one := in_steps.solve(0.0, slow)) is not None]
    whole = at_once.solve(0.0, 0.0, in_steps.iterations)
    assert whole is not None
    assert bounds[0] < bounds[-1] == pytest.approx(whole.bound, rel=1e-9)
    assert bounds == sorted(bounds)


def test_the_certificate_raises_what_is_not_positive_semidefinite() -> None:
    matrix = np.diag([1.0, -1e-9, 2.0])
    raised, shift = certify(matrix)
    assert np.linalg.eigvalsh(raised)[0] > 0
    assert shift >= 1e-9
    raised, shift = certify(np.ones((3, 3)))
    assert 0 < shift < 1e-13


def factors(n: int, count: int = 5, seed: int = 0) -> altsel.Dependence:
    """Absolute correlations of features that share factors."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, count)) @ rng.normal(size=(count, n)) + 1.2 * rng.normal(size=(200, n))
    y = X[:, : n // 3].sum(axis=1) + 4 * rng.normal(size=200)
    names = [f"x{j}" for j in range(n)]
    table = np.abs(np.corrcoef(np.column_stack([X, y]).T))
    r = pd.DataFrame(table[:n, :n], index=names, columns=names)
    return altsel.Dependence(pd.Series(table[n, :n], index=names), r)


def by_convex_programs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(all_sets, "MOST_SETS", 0)
    patch.setattr(branching, "MOST_PLAIN", -1)
    patch.setattr(branching, "MOST_IF_FAR", -1)
    patch.setattr(branch_and_bound, "AT_ONCE", 0.0)
    patch.setattr(branch_and_bound, "MOST_AT_LAST", 0.0)


def searches(objective: Any) -> list[Any]:
    """Several kinds of questions on one criterion."""
    names = objective.features
    cost = dict(zip(names, np.linspace(1, 3, len(names)).tolist(), strict=True))
    budget = altsel.domain.budget(cost, 7.0, other=0)
    rules = [altsel.domain.forbid(names[0]), altsel.domain.require(names[2]), budget]
    return [
        altsel.sequential(Problem(objective, 4), Dice(0.5), 2),
        altsel.sequential(Problem(objective, (2, 5)), altsel.Jaccard(0.6), 1),
        altsel.sequential(Problem(objective, 4, rules), Dice(0.5), 0),
        altsel.simultaneous(Problem(objective, 4), Dice(0.5), 1, "min"),
        altsel.near_optimal(Problem(objective, 4), altsel.RelativeLoss(0.05), 300),
    ]


def told(found: altsel.Solutions) -> list[float]:
    """Return the scores that an answer proves: of the best poorest set, what the others score is open."""
    scores = [one.score for one in found]
    return [min(scores)] if found.search.startswith("simultaneous") else scores


@pytest.mark.slow
@pytest.mark.parametrize("make", [MRMR, CFS])
def test_all_kinds_of_questions_are_answered_as_by_lists(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    objective = make(factors(14))
    listed = searches(objective)
    by_convex_programs(monkeypatch)
    for before, found in zip(listed, searches(objective), strict=True):
        assert told(found) == pytest.approx(told(before), rel=1e-9)
        assert all(one.proof is Proof.OPTIMAL for one in found)


def test_time_that_is_up_leaves_a_bound_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    by_convex_programs(monkeypatch)
    objective = MRMR(factors(14))
    linear, pairs = objective.quadratic(4)
    form = Form(linear, pairs, 4, np.empty((0, 14)), np.empty(0))
    best = max(values_of(form).values())
    ended = Clock(until=0.0)
    with in_force(ended):
        search = Search(lambda indices: value(form, indices), clock=ended)
        stop, bound = tree.search_form(search, form)
    assert (stop, bound >= best) == (Stop.TIME, True)
    with monkeypatch.context() as patch:
        patch.setattr(tree, "rewritten", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        search = Search(lambda indices: value(form, indices))
        stop, bound = tree.search_form(search, form)
    assert (stop, bound >= best) == (Stop.INTERRUPT, True)
    assert search.best is not None


def test_an_interrupt_loses_no_set_that_a_loop_has_found(
    loops: Kernels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What compiled loops closed counts as open until the sets they found are evaluated."""
    if loops.searched is None:
        pytest.skip("numpy examines node by node")
    linear, pairs = MRMR(factors(14)).quadratic(4)
    form = Form(linear, pairs, 4, np.empty((0, 14)), np.empty(0))
    best = max(values_of(form).values())
    without_climbs(monkeypatch)
    whole = compiled_tree.CompiledTree.search
    for nodes in (1, 3, 500):
        monkeypatch.setattr(tree, "AT_ONCE", nodes)
        for number in range(1, 4):
            calls: list[int] = []

            def interrupted(*given: Any, calls: list[int] = calls, number: int = number) -> Any:
                found = whole(*given)
                calls.append(1)
                if len(calls) == number:
                    raise KeyboardInterrupt
                return found

            monkeypatch.setattr(compiled_tree.CompiledTree, "search", interrupted)
            search = Search(lambda indices: value(form, indices))
            bound = tree.search_form(search, form)[1]
            assert max(bound, search.value + search.missed) >= best


def test_the_source_says_why_a_form_is_not_rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Run(Problem(MRMR(factors(14)), 4), None, "test").question(Dice(0.5))
    assert source.why_not_rewritten(question) is None
    monkeypatch.setattr(source, "MOST_REWRITTEN", 13)
    assert source.why_not_rewritten(question) == "14 features are more than 13"
    question = Run(Problem(altsel.FCBF(factors(14)), 4), None, "test").question(Dice(0.5))
    assert source.why_not_rewritten(question) == "its pairs only exclude each other"


@pytest.mark.slow
def test_cfs_of_large_redundancies_ends() -> None:
    """A set raised its own level for ever where its form, 0 but for rounding, was above the slack."""
    rng = np.random.default_rng(1)
    table = rng.normal(size=(600, 5)) @ rng.normal(size=(5, 60)) + rng.normal(size=(600, 60))
    y = table[:, :3].sum(axis=1) + rng.normal(size=600)
    pairs = np.abs(np.corrcoef(np.column_stack([table, y]).T))
    made = altsel.Dependence(pairs[:-1, -1], pairs[:-1, :-1] * 1e6)
    found = altsel.sequential(Problem(altsel.CFS(made), 5), Dice(0.2), 0, time_limit=1e5)
    assert found.proved


def test_a_level_of_cfs_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level was searched again without a tolerance, as its form's value is near 0: twice the time."""
    by_convex_programs(monkeypatch)
    monkeypatch.setattr(source, "in_one_tree", lambda *_: False)
    forms_searched: list[Form] = []

    def noted(search: Search, form: Form) -> tuple[Stop, float]:
        forms_searched.append(form)
        return tree.search_form(search, form)

    monkeypatch.setattr(source, "search_form", noted)
    found = altsel.sequential(Problem(CFS(factors(20)), 5), Dice(0.5), 0)
    assert found.proved
    assert len({form.linear.tobytes() for form in forms_searched}) == len(forms_searched) > 0


@pytest.mark.slow
def test_cfs_takes_as_many_nodes_in_any_unit_of_relevance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relevances of 1e-9 made squares that counted as flat: a hundred times the nodes, and no proof."""
    by_convex_programs(monkeypatch)
    made = factors(60)
    in_units = [CFS(altsel.Dependence(made.relevance * unit, made.redundancy)) for unit in (1.0, 1e-9, 1e9)]
    found = [altsel.sequential(Problem(one, 8), Dice(0.5), 0) for one in in_units]
    assert all(one.proved for one in found)
    nodes = [one.effort.nodes for one in found]
    assert max(nodes) <= 1.5 * min(nodes)
    with pytest.raises(altsel.DataError, match="below 1e-100 cannot be squared"):
        CFS(altsel.Dependence(made.relevance * 1e-120, made.redundancy))
