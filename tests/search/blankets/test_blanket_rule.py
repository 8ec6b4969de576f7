"""Sufficiency as a rule: against brute force over known families, and what it promises on data."""

from __future__ import annotations

import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import ArgumentError, Dice, Problem, Proof, Stop, Univariate, domain
from altsel.models.predicate import Condition, Cut, Learned, OfData
from altsel.results.dual import needed
from altsel.runtime.clock import OutOfTimeError
from tests.models.test_objectives import WAYS, prepared
from tests.oracles import brute_force as bf
from tests.oracles.known_blankets import copies, table, xor
from tests.oracles.sufficient_sets import drawn
from tests.search.alternatives.test_exact_searches import check_sequential, check_simultaneous

OBEYED = [
    pytest.param(kind, bool((i + j) % 2), way, marks=pytest.mark.long if (i + j) % 3 == 1 else ())
    for i, kind in enumerate(["sum", "mrmr", "cfs", "fit"])
    for j, way in enumerate(WAYS)
]
"""Every criterion in every way; each of both with either rule, but not all three together."""


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "minimal", "way"), OBEYED)
def test_every_search_obeys_it(kind: str, minimal: bool, way: str) -> None:
    for seed in range(100, 102):
        problem, keeps, rule = drawn(seed, kind, minimal)
        with pytest.MonkeyPatch.context() as patch:
            solver = prepared(way, patch)
            found = altsel.sequential(problem, Dice(0.5), 2, solver)
            check_sequential(problem, Dice(0.5), found, 3, keeps)
            together = altsel.simultaneous(problem, Dice(0.5), 1, "sum", solver)
            check_simultaneous(problem, Dice(0.5), together, 2, "sum", keeps)
            near = altsel.near_optimal(problem, altsel.AbsoluteLoss(0.3), solver=solver)
        sets = [one for one in bf.all_sets(problem.objective.features, problem.sizes) if keeps(one)]
        scores = bf.scored(problem.objective, sets)
        best = max(scores.values(), default=None)
        good = {one for one, q in scores.items() if best is not None and q >= best - 0.3 - 1e-9}
        sure = {one for one, q in scores.items() if best is not None and q >= best - 0.3 + 1e-9}
        assert sure <= {frozenset(one) for one in near} <= good
        assert near.stop is (Stop.EXHAUSTED if scores else Stop.INFEASIBLE)
        assert rule.withdrawn == 0


def thirty() -> tuple[Any, Any]:
    """Thirty features, 27 blankets of three; the best sums hold none."""
    random = np.random.default_rng(0)
    a, b, c, noise = random.normal(size=(4, 400))
    columns = {
        f"{name}{j}": (j + 1) * value for name, value in zip("abc", (a, b, c), strict=True) for j in range(3)
    }
    columns |= {f"z{j}": random.normal(size=400) for j in range(21)}
    data = altsel.Dataset(columns, 3 * a + 2 * b + c + noise)
    return data, altsel.independence.PartialCorrelation(data)


def test_it_takes_few_searches_and_none_again() -> None:
    data, test = thirty()
    rule = domain.blanket_of(test, 0.001)
    relevance = Univariate(altsel.dependence(data))
    plain = altsel.sequential(Problem(relevance, 4), Dice(0.5), 0)[0]
    assert not any(name.startswith("c") for name in plain)
    problem = Problem(relevance, 4, [rule])
    found = altsel.sequential(problem, Dice(0.5), 2)
    assert all({name[0] for name in one} >= set("abc") for one in found)
    assert all(one.proof is Proof.OPTIMAL for one in found)
    assert "holds a Markov blanket" in found.search
    assert "alpha = 0.001" in found.search
    assert {frozenset(one) for one in rule.failed} <= {frozenset(f"{f}{j}" for j in range(3)) for f in "abc"}
    assert 0 < rule.searches < 60
    before = rule.searches
    again = altsel.sequential(Problem(altsel.MRMR(altsel.dependence(data)), 4, [rule]), Dice(0.5), 0)
    assert {name[0] for name in again[0]} >= set("abc")
    assert rule.searches <= before + 10
    assert altsel.audit(found, problem, Dice(0.5)).verdict == "confirmed"


@pytest.mark.slow
def test_the_other_searches_obey_it() -> None:
    test, blankets = copies([2, 2], irrelevant=2)
    rule = domain.blanket_of(test)
    names = test.features
    problem = Problem(Univariate({name: float(name.startswith("z")) for name in names}), 3, [rule])

    def holds(one: Any) -> bool:
        return any(blanket <= frozenset(one) for blanket in blankets)

    valid = set(map(frozenset, altsel.enumerate_valid(problem)))
    assert valid == {one for one in bf.all_sets(names, (3, 3)) if holds(one)}
    found = [
        *altsel.sample_valid(problem, 20).sets,
        *altsel.satisfying(problem, Dice(0.5), 1, least=0),
        *altsel.most_different(problem, Dice(0), 1, altsel.RelativeLoss(1)),
        *(one for point in altsel.pareto_front(problem, Dice(0)) for one in point.found),
        *altsel.greedy.replacement(problem, Dice(0.5), 1),
    ]
    assert found
    assert all(map(holds, found))
    without = Problem(problem.objective, 3, [rule, domain.forbid("g0_0", "g0_1")])
    told = altsel.explain(without, Dice(0.5), 0)
    assert set(told.conflict) == {needed(["g0_0", "g0_1"]), "forbid 'g0_0', 'g0_1'"}


def test_many_sets_are_not_evaluated_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    data, test = thirty()
    rule, calls, holds = domain.blanket_of(test, 0.001), [0], type(domain.blanket_of(test, 0.001)).holds

    def counted(self: Any, names: tuple[str, ...]) -> bool:
        calls[0] += 1
        return holds(self, names)

    monkeypatch.setattr(type(rule), "holds", counted)
    found = altsel.sequential(Problem(altsel.MRMR(altsel.dependence(data)), 5, [rule]), Dice(0.5), 0)
    assert found[0].proof is Proof.OPTIMAL
    assert {name[0] for name in found[0]} >= set("abc")
    assert calls[0] < 500  # of 142,506


def test_a_template_finds_what_only_pairs_tell() -> None:
    test, _ = xor((1, 2))
    pairs = altsel.blankets.Template(altsel.blankets.dependent_in_pairs, name="by pairs")
    rule = domain.blanket_of(test, template=pairs, minimal=True)
    found = altsel.sequential(Problem(Univariate({"a0": 1.0, "b0": 3, "b1": 2}), (1, 3), [rule]), Dice(0), 0)
    assert set(found[0]) == {"a0", "b0"}


def test_what_it_learns_may_be_withdrawn() -> None:
    """A blanket that has nothing of a failed removal refutes it; what the cut hid is then found."""
    test, _ = copies([2, 1], irrelevant=1)
    rule = domain.blanket_of(test)
    problem = Problem(Univariate({"g0_0": 1.0, "g0_1": 3, "g1_0": 2, "z0": 9}), 2, [rule])
    rule._failed = [frozenset({"g0_0"})]  # as a test that erred may have told
    assert set(altsel.sequential(problem, Dice(0.5), 0, "highs")[0]) == {"g0_0", "g1_0"}
    rule.holds(("g0_1", "g1_0", "z0"))  # is believed
    assert rule.withdrawn == 0
    rule._failed = [frozenset({"g0_0", "z0"})]
    assert rule.holds(("g0_1", "g1_0", "z0"))
    assert rule.withdrawn == 1
    assert set(altsel.sequential(problem, Dice(0.5), 0, "highs")[0]) == {"g0_1", "g1_0"}


def test_a_search_goes_on_where_a_cut_was_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    test, _ = copies([2, 1], irrelevant=1)
    rule = domain.blanket_of(test)
    rule._failed = [frozenset({"g0_0", "z0"})]
    weights = {"g0_0": 1.0, "g0_1": 3, "g1_0": 2, "z0": 0.1}
    found = altsel.sequential(
        Problem(Univariate(weights), (2, 3), [rule, domain.at_most(1, ["g0_0", "g0_1"])]),
        Dice(0.5),
        0,
        "highs",
    )
    assert set(found[0]) == {"g0_1", "g1_0", "z0"}
    assert rule.withdrawn == 1


def test_a_clock_that_ends_a_search_leaves_what_was_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    _, test = thirty()
    rule = domain.blanket_of(test, 0.001)
    assert rule.holds(("a0", "b0", "c0"))

    def late(*_: Any) -> None:
        raise OutOfTimeError

    with monkeypatch.context() as patch:
        patch.setattr(type(rule), "_learn", late)
        rule._sufficiency.learn = rule._learn
        with pytest.raises(OutOfTimeError):
            rule.holds(("a0", "b0"))
    assert not rule.failed
    rule._sufficiency.learn = rule._learn
    assert not rule.holds(("a0", "b0"))
    assert rule.failed == (("c0", "c1", "c2"),)


def test_it_travels_with_what_it_has_learned() -> None:
    _, test = thirty()
    rule = domain.blanket_of(test, 0.001)
    assert not rule.holds(("a0", "b0"))
    again = pickle.loads(pickle.dumps(rule))
    assert again.failed == rule.failed
    assert isinstance(again, Condition)
    assert isinstance(again, Learned)
    assert isinstance(again, OfData)
    assert [cut.removes(["a0", "b1"]) for cut in again.cuts()] == [True]
    assert list(again.cuts()) == [Cut(frozenset(), frozenset({"c0", "c1", "c2"}))]


def test_it_must_be_of_the_table_of_the_criterion() -> None:
    data, test = thirty()
    rule = domain.blanket_of(test, 0.001)
    rows = altsel.Dataset(data.X.iloc[:300], data.y.iloc[:300])
    with pytest.raises(ArgumentError, match=r"is of other data than the criterion \(another fingerprint\)"):
        Problem(Univariate(altsel.dependence(rows)), 2, [rule])
    named = altsel.Dataset(data.X, data.y.rename("other"))
    with pytest.raises(ArgumentError, match=r"is about .* and the criterion about 'other'"):
        Problem(Univariate(altsel.dependence(named)), 2, [rule])
    with pytest.raises(ArgumentError, match="knows no feature 'q', which the criterion has"):
        Problem(Univariate({"a0": 1.0, "q": 2.0}), 1, [rule])
    few = Problem(Univariate({"a0": 1.0, "b0": 2.0, "c2": 0.0}), 3, [rule])
    assert altsel.sequential(few, Dice(0.5), 0).stop is Stop.COUNT
    lacking = Problem(Univariate({"a0": 1.0, "b0": 2.0, "z2": 0.0}), (1, 3), [rule])
    for solver in (None, "highs"):
        assert altsel.sequential(lacking, Dice(0.5), 0, solver).stop is Stop.INFEASIBLE
    with pytest.warns(altsel.errors.DataWarning, match="copies"):
        binned = altsel.independence.GSquare(altsel.data.binned(data, 3))
    Problem(Univariate(altsel.dependence(data)), 2, [domain.blanket_of(binned, 0.001)])
    for wrong in ({"alpha": 2}, {"minimal": "yes"}, {"template": 3}):
        with pytest.raises(ArgumentError, match=next(iter(wrong))):
            domain.blanket_of(test, **wrong)
    with pytest.raises(ArgumentError):
        domain.blanket_of("partial correlation")  # type: ignore[arg-type]


def test_a_reference_that_tests_refute_is_told() -> None:
    """Three bits whose parity is the target: no pair tells anything, and the search finds nothing."""
    rows = [{**dict(zip("abc", bits, strict=True)), "y": sum(bits) % 2} for bits in product((0, 1), repeat=3)]
    rule = domain.blanket_of(table(rows))
    with pytest.warns(altsel.errors.DataWarning, match="ends with nothing, and tests do not confirm"):
        found = altsel.sequential(Problem(Univariate({"a": 3.0, "b": 2, "c": 1}), 2, [rule]), Dice(0), 0)
    assert "(tests do not confirm that the reference is a blanket)" in found.search
    assert found[0].proof is Proof.HEURISTIC


def test_a_removal_that_tests_do_not_confirm_proves_nothing() -> None:
    """Without x3 there are blankets that no search by pairs finds: that there is no set is not proved."""
    problem, keeps, rule = drawn(910, "cfs", True)
    found = altsel.sequential(problem, Dice(0.5), 0)
    assert any(map(keeps, bf.all_sets(problem.objective.features, problem.sizes)))
    assert found or found.stop is Stop.HEURISTIC
    assert rule.doubts() or keeps(frozenset(found[0]))


def test_groups_of_copies_are_one_feature() -> None:
    data, _ = thirty()
    grouped = data.grouped()
    rule = domain.blanket_of(altsel.independence.PartialCorrelation(grouped), 0.001)
    problem = Problem(Univariate(altsel.dependence(grouped)), 3, [rule])
    assert {name[0] for name in altsel.sequential(problem, Dice(0.5), 0)[0]} == set("abc")
