"""Branch and bound for quadratic forms against all sets, and on sizes that models do not reach."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import inf
from typing import Any

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification

import altsel
from altsel import CFS, FCBF, MRMR, Dice, Problem, Proof, Stop
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.every_set import pool
from altsel.exact.sources.plain_sum.compiled import LOOPS
from altsel.exact.sources.quadratic import branch_and_bound, branching, lagrangian_bound, listing
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.exact.sources.quadratic.lagrangian_bound import Form, Relaxation, root
from tests.loops import choose_loops


@pytest.fixture(autouse=True, scope="module")
def branching_throughout() -> Iterator[None]:
    """Let no node be listed because it is small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branch_and_bound, "AT_ONCE", 0.0)
        yield


@st.composite
def forms(draw: st.DrawFn) -> Form:
    """Forms with ties, negative and infinite pairs, and rows, many of them without any set.

    Rows of thirds, sevenths and tenths that a set meets just so: what is left of them is rounding.
    """
    n = draw(st.integers(3, 11))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    top = draw(st.sampled_from([2, 5, 1000]))
    pairs = rng.integers(draw(st.sampled_from([0, -top])), top, (n, n)).astype(float)
    pairs = np.triu(pairs, 1) + np.triu(pairs, 1).T
    if draw(st.booleans()):
        clash = np.triu(rng.random((n, n)) < 0.25, 1)
        pairs[clash | clash.T] = inf
    size, over = draw(st.integers(1, n)), draw(st.sampled_from([1, 3, 7, 10]))
    rows = rng.integers(-2 * over, 2 * over + 1, (draw(st.integers(0, 3)), n)).astype(float)
    limits = rng.integers(-2, 4, len(rows)).astype(float) * over
    if draw(st.booleans()):
        limits = rows[:, rng.choice(n, size, replace=False)].sum(axis=1)
    linear = rng.normal(size=n) if draw(st.booleans()) else rng.integers(-top, top, n).astype(float)
    return Form(linear, pairs, size, rows / over, limits / over)


def value(form: Form, indices: Any) -> float:
    inside = list(indices)
    if (form.rows[:, inside].sum(axis=1) > form.limits + 1e-12).any():
        return -inf
    return float(form.linear[inside].sum() - form.pairs[np.ix_(inside, inside)].sum() / 2)


@pytest.mark.slow
@given(forms())
@settings(max_examples=200)
def test_the_best_set_of_a_form_is_found(form: Form) -> None:
    best = max(value(form, combination) for combination in combinations(range(len(form.linear)), form.size))
    search = Search(lambda indices: value(form, indices))
    assert search.run(form) == (Stop.EXHAUSTED, -inf)
    assert search.value == best
    assert (search.best is None) == (best == -inf)


@given(forms(), st.sampled_from([(10.0, inf), (0.0, 0), (0.0, 3)]))
@settings(max_examples=200)
@pytest.mark.slow
def test_all_sets_of_nodes_are_listed(form: Form, way: tuple[float, float]) -> None:
    """Of the root at once, or of what is left when others would take over."""
    at_once, most_nodes = way
    best = max(value(form, combination) for combination in combinations(range(len(form.linear)), form.size))
    search = Search(lambda indices: value(form, indices), most_nodes=most_nodes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branch_and_bound, "AT_ONCE", at_once)
        patch.setattr(branch_and_bound, "AT_LAST", 10.0)
        assert search.run(form) == (Stop.EXHAUSTED, -inf)
    assert search.value == best
    assert search.nodes <= most_nodes + 1


@given(forms())
@settings(max_examples=200)
@pytest.mark.slow
def test_nodes_that_wait_without_a_table_end_as_those_with_one(form: Form) -> None:
    """Of many features they would be gigabytes."""
    with pytest.MonkeyPatch.context() as patch:
        answers = []
        for most in (1, 500):
            patch.setattr(lagrangian_bound, "COMPACT", most)
            search = Search(lambda indices: value(form, indices))
            stop = search.run(form)
            best = None if search.best is None else search.best.tolist()
            answers.append((stop, search.nodes, search.value, best))
    assert answers[0] == answers[1]


@given(forms(), st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.sampled_from([0.0, 1e-4, 10.0]))
@settings(max_examples=200)
@pytest.mark.slow
def test_all_sets_above_a_value_are_listed(form: Form, share: float, at_once: float) -> None:
    """Once the last leaf of a branch, where all that is left is needed, was forgotten."""
    values = {
        combination: value(form, combination)
        for combination in combinations(range(len(form.linear)), form.size)
    }
    finite = [v for v in values.values() if v > -inf]
    floor = min(finite) + share * (max(finite) - min(finite)) if finite and share >= 0 else -inf
    listed = listing.Listing(lambda indices: value(form, indices), value=floor)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(branch_and_bound, "AT_ONCE", at_once)
        assert listed.run(form)[0] is Stop.EXHAUSTED
    found = [tuple(one) for part in listed.members for one in part.tolist()]
    assert len(found) == len(set(found))
    assert {subset for subset in found if values[subset] >= floor and values[subset] > -inf} == {
        one for one, v in values.items() if v >= floor and v > -inf
    }


def met_just_so(seed: int) -> tuple[Form, dict[tuple[int, ...], float]]:
    """Make a form whose rows, of thirds, sevenths and tenths, a good set meets just so; and all its sets."""
    rng = np.random.default_rng(seed)
    n, size, over = (int(rng.integers(7, 10)), int(rng.integers(3, 6)), int(rng.choice([3, 7, 10])))
    count = int(rng.integers(1, 4))
    numerators = rng.integers(-6, 7, (count, n)).astype(float) * (rng.random((count, n)) < 0.7)
    linear, pairs = rng.random(n), rng.random((n, n)) * float(rng.choice([0, 0.1, 0.3]))
    pairs = np.triu(pairs, 1) + np.triu(pairs, 1).T
    sets = np.array(list(combinations(range(n), size)))
    free = Form(linear, pairs, size, np.empty((0, n)), np.empty(0))
    values = np.array([value(free, one) for one in sets])
    totals = numerators[:, sets].sum(axis=2)
    limits = totals[:, np.argsort(-values)[int(rng.integers(0, 20))]]
    kept = np.flatnonzero((totals <= limits[:, None]).all(axis=0))
    form = Form(linear, pairs, size, numerators / over, limits / over)
    return form, {tuple(sets[i].tolist()): values[i] for i in kept}


LOST = (96, 179, 201, 308, 359, 440, 858, 1110)


@pytest.mark.parametrize("seed", LOST)
def test_no_set_is_lost_where_the_slack_of_a_row_is_rounding(seed: int) -> None:
    """Steps along such a slack made multipliers of 1e15, and features were fixed by differences of them."""
    form, values = met_just_so(seed)
    floor = sorted(values.values(), reverse=True)[:13][-1] - 1e-9
    listed = listing.Listing(lambda indices: 0.0, value=floor)
    assert listed.run(form)[0] is Stop.EXHAUSTED
    found = {tuple(one) for part in listed.members for one in part.tolist()}
    assert {one for one, worth in values.items() if worth >= floor} <= found
    search = Search(lambda indices: values.get(tuple(indices.tolist()), -inf))
    assert search.run(form) == (Stop.EXHAUSTED, -inf)
    assert search.value == max(values.values())


@pytest.mark.slow
@given(forms(), st.integers(0, 30))
@settings(max_examples=200)
def test_the_bound_holds_at_every_step(form: Form, steps: int) -> None:
    best = max(value(form, combination) for combination in combinations(range(len(form.linear)), form.size))
    node = root(form)
    if not 2 < form.size < len(node.indices):
        return
    relaxed = Relaxation(node)
    for _ in range(steps):
        relaxed.solve()
        assert relaxed.bound + form.rounding >= best
        if relaxed.bound == -inf or not relaxed.step(best):
            break


def correlated(n: int, seed: int = 0) -> altsel.Dependence:
    X, y = make_classification(n_samples=500, n_features=n, n_informative=20, random_state=seed)
    return altsel.dependence(
        altsel.Dataset(pd.DataFrame(X).add_prefix("x"), y), altsel.measures.absolute_pearson
    )


@pytest.mark.long
@pytest.mark.parametrize("make", [partial(MRMR, denominator="k^2"), FCBF, CFS], ids=["mRMR", "FCBF", "CFS"])
def test_two_hundred_features_are_proved_as_by_models(make: Any) -> None:
    """The answers are checked by an independent proof where a solver has one in seconds."""
    dependence = correlated(45)
    problem = Problem(make(dependence), 5)
    for k in (5, (3, 5)):
        problem = Problem(make(dependence), k)
        ours = altsel.sequential(problem, Dice(0.5), 1)
        model = altsel.sequential(problem, Dice(0.5), 1, "scip")
        assert [subset.score for subset in ours] == pytest.approx([one.score for one in model], rel=1e-8)
        assert ours.proved
        assert ours.effort.solves == 0 < ours.effort.nodes
    large = altsel.sequential(Problem(make(correlated(200)), 10), Dice(0.5), 2)
    assert large.proved
    assert len(large) == 3


@pytest.mark.long
def test_rules_that_are_rows_are_kept_and_others_go_to_a_model() -> None:
    dependence = correlated(40)

    def budget(b: Any) -> None:
        b.budget = pyo.Constraint(expr=pyo.quicksum((j % 7) * x for j, x in enumerate(b.x.values())) <= 6.5)

    def helper(b: Any) -> None:
        b.other = pyo.Var(domain=pyo.Integers)
        b.use = pyo.Constraint(expr=pyo.inequality(-1, 2 * b.other - b.x["x0"], 0))

    free, limited = (
        altsel.sequential(Problem(MRMR(dependence), 6, rules), Dice(0.5), 1) for rules in ([], [budget])
    )
    assert sum(int(f[1:]) % 7 for f in limited[0]) <= 6.5 < sum(int(f[1:]) % 7 for f in free[0])
    assert limited.effort.nodes > 0 == limited.effort.solves
    by_model = altsel.sequential(Problem(MRMR(dependence), 6, [budget]), Dice(0.5), 1, "scip")
    assert [one.score for one in limited] == pytest.approx([one.score for one in by_model])
    assert altsel.sequential(Problem(MRMR(dependence), 6, [helper]), Dice(0.5), 0).effort.solves == 1


def test_out_of_time_it_has_a_set_a_bound_and_a_gap(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "solvers.toml"
    file.write_text('default = "quick"\n[profiles.quick]\nengine = "highs"\ntime_limit = 1e-6\n')
    monkeypatch.setenv("ALTSEL_SOLVERS", str(file))
    for make in (MRMR, CFS):
        found = altsel.sequential(Problem(make(correlated(50)), 8), Dice(0.5), 0)
        assert found[0].proof is Proof.FEASIBLE


def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "examine", interrupted)
    found = altsel.sequential(Problem(MRMR(correlated(50)), 8), Dice(0.5), 5)
    assert found.stop is Stop.INTERRUPT
    assert len(found) == 1
    together = altsel.simultaneous(Problem(MRMR(correlated(50)), 8), Dice(0.5), 2)
    assert together.stop is Stop.INTERRUPT
    assert len(together) == 3  # made without proof, and bounded
    assert all(one.proof is Proof.FEASIBLE and one.bound is not None for one in together)


def test_an_interrupt_in_a_pool_gives_the_sequential_family(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    problem = Problem(MRMR(correlated(30)), 3)
    one_by_one = altsel.sequential(problem, Dice(0.5), 2)
    for target, name in ((pool.Pool, "together"), (listing.Listing, "finish")):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, interrupted)
            patch.setattr(all_sets, "MOST_SETS", 10**6 if target is pool.Pool else 0)
            found = altsel.simultaneous(problem, Dice(0.5), 2, "min")
        assert found.stop is Stop.INTERRUPT
        assert {subset.features for subset in found} == {one.features for one in one_by_one}
        assert all(subset.proof is Proof.FEASIBLE for subset in found)


@pytest.mark.long  # 15 s, compiled or not; that answers are right is tested with every engine
@pytest.mark.filterwarnings("ignore:constant columns")
def test_rules_give_the_branch_and_bound_longer_before_convex_programs_take_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose_loops(LOOPS, "plain", monkeypatch)  # compiling takes longer than the rest
    data = altsel.Dataset(altsel.example(), "target")
    objective = altsel.CFS(altsel.dependence(data, altsel.measures.absolute_pearson))
    prices = np.random.default_rng(3).integers(1, 10, len(objective.features)).tolist()
    cost = dict(zip(objective.features, map(float, prices), strict=True))
    problem = altsel.Problem(objective, 8, [altsel.domain.budget(cost, 30, other=0)])
    found = altsel.sequential(problem, altsel.Dice(0.5), 5)
    monkeypatch.setattr(branching, "PATIENCE_UNDER_RULES", 1)
    sooner = altsel.sequential(problem, altsel.Dice(0.5), 5)
    assert [one.score for one in found] == pytest.approx([one.score for one in sooner])
    assert found.effort.nodes < sooner.effort.nodes / 2


@pytest.mark.parametrize("size", [2, 3])
def test_pairs_that_no_good_set_has_are_excluded(size: int) -> None:
    """A redundancy of 1e9, which only says "never", would round all sums."""
    pairs = np.zeros((5, 5))
    pairs[0, 1] = pairs[1, 0] = 1e16
    form = Form(np.array([5.0, 4.0, 3.0, 2.0, -1e16]), pairs, size, np.empty((0, 5)), np.empty(0))
    kept = form.without_hopeless(float(form.linear[[0, 2, 3][:size]].sum()))
    assert kept.pairs[0, 1] == inf
    assert kept.linear.tolist() == [5.0, 4.0, 3.0, 2.0, -inf]


def test_a_list_that_is_interrupted_leaves_its_node_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not listed is in the bound, as of any other node."""

    def interrupted(*_: Any) -> Iterator[Any]:
        yield np.zeros(0), np.zeros((0, 5), dtype=np.int64)
        raise KeyboardInterrupt

    monkeypatch.setattr(branch_and_bound, "AT_LAST", 10.0)
    monkeypatch.setattr(branch_and_bound, "completions", interrupted)
    form = Form(np.arange(12.0), np.ones((12, 12)), 5, np.zeros((0, 12)), np.zeros(0))
    search = Search(lambda indices: value(form, indices), most_nodes=0)
    stop, bound = search.run(form)
    assert stop is Stop.INTERRUPT
    assert bound >= 35.0  # the five largest of 0 to 11, less 10 pairs
