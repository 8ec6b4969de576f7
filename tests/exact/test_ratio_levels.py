"""A ratio in one tree, whose level rises: against all sets, from poor beginnings, with rules, cut short."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import altsel
from altsel import CFS, Dependence, Dice, Problem, Proof, Stop
from altsel.exact.question import Question
from altsel.exact.run import Run
from altsel.exact.sources.levels import best_sets
from altsel.exact.sources.quadratic import branching, ratio_levels, source
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.exact.sources.quadratic.convexified import tree
from altsel.exact.sources.quadratic.convexified.compiled import LOOPS, WITHOUT_ROWS, Kernels
from altsel.exact.sources.quadratic.lagrangian_bound import Form
from altsel.exact.sources.quadratic.ratio_levels import best_ratio, improve_ratio, in_one_tree
from altsel.runtime.clock import limited
from altsel.solvers import Outcome
from tests.exact.test_convexified import by_convex_programs, factors
from tests.loops import choose_loops


@pytest.fixture(autouse=True, params=[pytest.param("numba", marks=pytest.mark.long), "numpy"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kernels:
    choose_loops(LOOPS, request.param, monkeypatch)
    found: Kernels = choose_loops(WITHOUT_ROWS, request.param, monkeypatch)
    return found


def drawn(seed: int) -> tuple[Question, Run, list[list[str]]]:
    """Draw a question, and all its sets of a ratio above 0, the poorest first."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 13)), int(rng.integers(3, 6))
    q = rng.random(n) if seed % 3 else rng.normal(size=n)
    r = rng.random((n, n)) * rng.choice([0.3, 1.0, 50.0])
    objective = CFS(Dependence(q, (r + r.T) / 2))
    cost = dict(zip(objective.features, rng.random(n).tolist(), strict=True))
    rules = [altsel.domain.budget(cost, 0.6 * k, other=0)] if seed % 2 else []
    run = Run(Problem(objective, k, rules), None, "test")
    known = [objective.features[:k]] if seed % 5 == 0 else []
    question = run.question(Dice(0.5)).after(known)
    sets = [list(one) for one in combinations(objective.features, k) if question.keeps_all([list(one)])]
    sets = [one for one in sets if all(1 - len({*one} & {*other}) / k >= 0.5 for other in known)]
    sets = [one for one in sets if question.quality([one]) > 0]
    return question, run, sorted(sets, key=lambda one: question.quality([one]))


def answered(question: Question, run: Run, start: list[list[str]]) -> tuple[list[list[str]], Outcome]:
    """Answer as the engine does: by levels where relevances cancel, so that rounding hides too much."""
    answer = best_ratio(question, run, start)
    if answer is not None:
        return answer
    return best_sets(question, run, branching.by_branching(question, run, tree.search_form), start)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=20)
@pytest.mark.slow
def test_the_best_ratio_is_found_from_a_poor_set(seed: int, climbs: bool) -> None:
    question, run, sets = drawn(seed)
    if not sets:
        return
    assert in_one_tree(question, sets[:1])
    with pytest.MonkeyPatch.context() as patch:
        if not climbs:
            patch.setattr(tree.Tree, "climb", lambda *_: None)
        found, outcome = answered(question, run, sets[:1])
    assert outcome.proof is Proof.OPTIMAL
    assert question.quality(found) == pytest.approx(question.quality(sets[-1:]), rel=1e-9)


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(0, 12))
@settings(max_examples=15)
def test_the_bound_on_a_ratio_holds_where_its_tree_is_cut_short(seed: int, nodes: int) -> None:
    question, run, sets = drawn(seed)
    if not sets:
        return

    def examine(self: Any, *given: Any) -> None:
        if self.search.nodes >= nodes:
            raise KeyboardInterrupt
        examined(self, *given)

    examined = tree.Tree._examine
    with pytest.MonkeyPatch.context() as patch, limited(100):
        patch.setattr(tree.Tree, "climb", lambda *_: None)
        patch.setattr(tree.Tree, "_examine", examine)
        answer = best_ratio(question, run, sets[:1])
    assume(answer is not None)  # else levels are searched, whose bounds are of other tests
    assert answer is not None
    found, outcome = answer
    best = question.quality(sets[-1:])
    assert outcome.value == question.quality(found) <= best * (1 + 1e-12)
    if outcome.proof is Proof.OPTIMAL:
        assert outcome.value == pytest.approx(best, rel=1e-9)
    else:
        assert outcome.stop is Stop.INTERRUPT
        assert outcome.bound is None or outcome.bound >= best * (1 - 1e-12)


def test_a_level_is_raised_by_exchanges_first() -> None:
    question, _, sets = drawn(1)
    assert question.quality(improve_ratio(question, sets[:1])) > question.quality(sets[:1])


def test_cfs_of_one_size_is_one_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level was searched, and again without a tolerance, as its form's value is near 0."""
    by_convex_programs(monkeypatch)
    forms: list[Form] = []

    def noted(search: Search, form: Form) -> tuple[Stop, float]:
        forms.append(form)
        return tree.search_form(search, form)

    monkeypatch.setattr(source, "search_form", None)
    monkeypatch.setattr(ratio_levels, "search_form", noted)
    found = altsel.sequential(Problem(CFS(factors(20)), 5), Dice(0.5), 0)
    assert found.proved
    assert len(forms) == 1


def test_what_rounding_hides_is_searched_by_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    by_convex_programs(monkeypatch)
    monkeypatch.setattr(ratio_levels, "CLOSED", -1.0)
    found = altsel.sequential(Problem(CFS(factors(14)), 4), Dice(0.5), 0)
    assert found.proved
