"""Audits of blankets confirm what is true, and refute what was falsified, all else made to fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import ArgumentError, Solutions, Stop, audit, domain
from altsel.auditing import BlanketProblem
from altsel.blankets import Limits
from altsel.results.comparison import Discarded
from altsel.results.dual import Evidence, FailedRemoval
from altsel.results.feature_set import Proof, Role
from tests.oracles import known_blankets

TEST = known_blankets.copies([2, 3], irrelevant=1)[0]
PROBLEM = BlanketProblem(TEST)
FOUND = altsel.blankets.tmfbs(TEST)
RULED = BlanketProblem(TEST, limits=Limits(subject_to=[domain.forbid("g1_2")]))
CHEAP = {"g0_0": 3.0, "g0_1": 1.0, "g1_0": 5.0, "g1_1": 2.0, "g1_2": 4.0, "z0": 0.0}
PRICED = BlanketProblem(TEST, costs=CHEAP)
BEST = altsel.blankets.best(TEST, CHEAP, number=2)


def removal(*names: str, evidence: Evidence = Evidence.NEEDED) -> FailedRemoval:
    return FailedRemoval(names, (), evidence, names[0], -50.0)


def with_dual(found: Solutions, **values: Any) -> Solutions:
    assert found.dual is not None
    return replace(found, dual=replace(found.dual, **values))


def failed(found: Solutions) -> tuple[FailedRemoval, ...]:
    assert found.dual is not None
    return found.dual.failed


def without(number: int, found: Solutions = FOUND) -> Solutions:
    return replace(found, sets=(*found.sets[:number], *found.sets[number + 1 :]))


def changed(number: int, found: Solutions = FOUND, **values: Any) -> Solutions:
    sets = list(found.sets)
    sets[number] = replace(sets[number], **values)
    return replace(found, sets=tuple(sets))


def of_fewer() -> Solutions:
    """Leave out all blankets with the last feature, and make the removals those of the rest."""
    rest = [one for one in FOUND if "g1_2" not in one]
    kept = [one for one in failed(FOUND) if "g1_2" not in one.removed]
    return with_dual(replace(FOUND, sets=tuple(rest)), failed=(*kept, removal("g1_0", "g1_1")))


@pytest.mark.parametrize("prove", [None, "highs", "scip", "cp-sat"])
@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (FOUND, PROBLEM),
        (altsel.blankets.tie_star(TEST), replace(PROBLEM, learner=altsel.blankets.forward_backward)),
        (
            altsel.blankets.tie_star(TEST, removal="hitting_set", learner=altsel.blankets.iamb),
            replace(PROBLEM, learner=altsel.blankets.iamb),
        ),
        (altsel.blankets.tmfbs(TEST, limits=RULED.limits), RULED),
        (BEST, PRICED),
        (
            altsel.blankets.best(TEST, [CHEAP, dict.fromkeys(CHEAP, -1)], number=99),
            replace(PRICED, costs=[CHEAP, dict.fromkeys(CHEAP, -1)]),
        ),
        (altsel.blankets.best(TEST, limits=RULED.limits), RULED),
        (
            altsel.blankets.tmfbs(TEST, limits=Limits(include=["z0"])),
            replace(PROBLEM, limits=Limits(include=["z0"])),
        ),
        (altsel.blankets.tmfbs(TEST, limits=Limits(max_states=4)), PROBLEM),
        (
            altsel.blankets.tmfbs(
                TEST, limits=Limits(subject_to=[domain.require("z0"), domain.forbid("z0")])
            ),
            replace(PROBLEM, limits=Limits(subject_to=[domain.require("z0"), domain.forbid("z0")])),
        ),
    ],
    ids=[
        "tmfbs",
        "tie",
        "hitting set",
        "rules",
        "best",
        "all in order",
        "best, rules",
        "forced",
        "cut",
        "none",
    ],
)
def test_what_is_true_is_confirmed(found: Solutions, problem: BlanketProblem, prove: str | None) -> None:
    checked = audit(found, problem, prove=prove)
    assert checked.verdict == "confirmed", checked.summary()


FALSE: dict[str, tuple[Solutions, str]] = {
    "a blanket left out": (without(1), "is a blanket too"),
    "left out as if it broke rules": (
        replace(without(1), discarded=(Discarded(FOUND[1].features, "breaks the rules"),)),
        "it keeps them",
    ),
    "left out, with removals that fit": (of_fewer(), "without {'g1_0', 'g1_1'} there is no blanket"),
    "a removal invented": (with_dual(FOUND, failed=(*failed(FOUND), removal("z0"))), "has none of {'z0'}"),
    "a removal left out": (with_dual(FOUND, failed=failed(FOUND)[1:]), "there is no other blanket"),
    "a removal made larger": (
        with_dual(FOUND, failed=(*failed(FOUND)[1:], removal(*failed(FOUND)[0].removed, "z0"))),
        "do not prove it",
    ),
    "a removal made smaller": (
        with_dual(FOUND, failed=(*failed(FOUND)[1:], removal(*failed(FOUND)[0].removed[1:]))),
        "has a feature of each failed removal",
    ),
    "two removals, one a part": (
        with_dual(FOUND, failed=(*failed(FOUND), removal(*failed(FOUND)[0].removed, "z0"))),
        "no failed removal contains another",
    ),
    "another p": (
        with_dual(FOUND, failed=(replace(failed(FOUND)[0], log_p=-1.0), *failed(FOUND)[1:])),
        "another p than the file",
    ),
    "other evidence": (
        with_dual(
            FOUND, failed=(replace(failed(FOUND)[0], evidence=Evidence.UNCONFIRMED), *failed(FOUND)[1:])
        ),
        "by the tests needed",
    ),
    "no removal": (
        with_dual(FOUND, failed=(*failed(FOUND), FailedRemoval(()))),
        "features that can be removed",
    ),
    "a removal twice": (
        with_dual(FOUND, failed=(*failed(FOUND), FailedRemoval(("z0", "z0")))),
        "features that can be removed",
    ),
    "left what was removed": (
        with_dual(
            FOUND, failed=(replace(failed(FOUND)[0], left=failed(FOUND)[0].removed), *failed(FOUND)[1:])
        ),
        "and what is left",
    ),
    "a set that is none": (changed(1, features=("g0_0", "z0")), "equivalent to the reference"),
    "a set with more": (
        changed(1, features=(*FOUND[1].features, "z0")),
        "none of its features is superfluous",
    ),
    "no feature": (changed(1, features=("g0_0", "no")), "known features"),
    "another score": (changed(1, score=7.5), "set 1: score 7.5: the largest p of a member gives"),
    "another level": (replace(FOUND, criterion=FOUND.criterion.replace("0.05", "0.01")), "level"),
    "the feature of a removal": (
        with_dual(FOUND, failed=(replace(failed(FOUND)[0], feature="z0"), *failed(FOUND)[1:])),
        "the feature that is needed is removed: 'z0' is none of them",
    ),
    "a set twice": (replace(FOUND, sets=(*FOUND, FOUND[1])), "is there twice"),
    "the reference second": (
        replace(FOUND, sets=(FOUND[1], FOUND[0], *FOUND[2:])),
        "the reference comes first: set 1",
    ),
    "a bound": (changed(1, bound=9.0), "proofs by tests, without bounds"),
    "as many as wanted": (replace(FOUND, stop=Stop.COUNT), "a search for all ends otherwise: count"),
    "another role": (
        changed(1, verdicts=(replace(FOUND[1].verdicts[0], role=Role.SPOUSE), *FOUND[1].verdicts[1:])),
        "set 1: the roles of its features: not of {'g0_",
    ),
    "rejected with another p": (
        changed(0, verdicts=tuple(replace(one, log_p=one.log_p or -2.0) for one in FOUND[0].verdicts)),
        "set 0: p of its features: other for",
    ),
    "a hold-out score": (changed(1, holdout=0.5), "hold-out scores, which no search for blankets writes"),
    "p of the null level": (changed(1, p_null=0.5), "p of the null level, which no search"),
    "another seed": (replace(FOUND, seed=99), "the seed is that of the tests"),
    "forced": (with_dual(FOUND, forced=("z0",)), "features forced in"),
    "left out": (with_dual(FOUND, left_out=("z0",)), "features left out"),
    "rules": (with_dual(FOUND, rules=("forbid 'z0'",)), "the rules are those wanted"),
    "tests of the proof": (with_dual(FOUND, tests=10**6), "counts of what the proof took"),
    "discarded though it is one": (
        replace(FOUND, discarded=(Discarded(("g0_0", "z0"), "not equivalent to the reference"),)),
        "discarded {'g0_0', 'z0'}: not equivalent to the reference",
    ),
    "discarded, a set": (
        replace(FOUND, discarded=(Discarded(FOUND[1].features, "not equivalent to the reference"),)),
        "it is none of the sets",
    ),
    "discarded for no reason": (
        replace(FOUND, discarded=(Discarded(("z0",), "I do not like it"),)),
        "a reason that there is",
    ),
    "no proof": (with_dual(FOUND, complete=False), "the proof is not complete"),
    "no reference": (with_dual(FOUND, reference_confirmed=False), "the reference"),
    "infeasible": (replace(FOUND, sets=(), stop=Stop.INFEASIBLE), "is a blanket too"),
    "no set at all": (
        with_dual(replace(FOUND, sets=(), stop=Stop.INFEASIBLE), complete=False),
        "no set keeps the rules",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_was_falsified_is_refuted(name: str) -> None:
    found, said = FALSE[name]
    checked = audit(found, PROBLEM)
    assert checked.verdict == "refuted"
    assert said in checked.summary(), checked.summary()


@pytest.mark.parametrize("prove", ["highs", "scip"])
def test_a_solver_refutes_too_and_says_by_what(prove: str) -> None:
    assert "is a blanket too" in audit(without(1), PROBLEM, prove=prove).summary()
    gap = with_dual(FOUND, failed=failed(FOUND)[1:])
    assert "they do not prove it" in audit(gap, PROBLEM, prove=prove).summary()
    found = altsel.blankets.tmfbs(TEST, limits=RULED.limits)
    assert audit(without(1, found), RULED).verdict == "refuted"
    broken = audit(found, replace(RULED, limits=Limits(subject_to=[domain.forbid("g0_0")])))
    assert "set 0: rule" in broken.summary()


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (without(0, BEST), "no other blanket costs less than 5"),
        (changed(0, BEST, score=-2.0, bound=-2.0), "set 0: cost 2"),
        (replace(BEST, sets=(BEST[1], BEST[0])), "the cheapest first"),
        (replace(BEST, stop=Stop.EXHAUSTED), "there is no other blanket"),
        (with_dual(BEST, failed=failed(BEST)[1:]), "they do not prove it"),
        (with_dual(BEST, withdrawn=1), "tests confirm what the optimum rests on"),
        (changed(1, BEST, bound=-100.0), "set 1: bound -100: not the score"),
        (changed(1, BEST, gap=0.5), "set 1: its gap: it is 0.0"),
        (changed(1, BEST, bound=None), "set 1: no bound, and no gap: a bound is missing"),
        (changed(1, BEST, proof=Proof.FEASIBLE, bound=-100.0), "it is below the score, -5.0"),
        (changed(1, BEST, proof=Proof.HEURISTIC), "by what guarantees nothing there is none"),
        (changed(0, BEST, proof=Proof.FEASIBLE), "what is proved comes first"),
        (changed(1, BEST, score=-5.0 - 1e-9, bound=-5.0 - 1e-9), "set 1: cost 5.000000001: it is 5.0"),
        (replace(BEST, search=BEST.search.replace("number=2", "number=3")), "3 blankets wanted: 2 there"),
        (replace(BEST, criterion=BEST.criterion.removeprefix("least cost; ")), "the criterion is the least"),
    ],
    ids=[
        "cheapest left out",
        "cost",
        "order",
        "all",
        "a removal left out",
        "doubt",
        "bound of an optimum",
        "gap",
        "no bound",
        "bound below the score",
        "bound without proof",
        "order of proofs",
        "cost, a little",
        "number",
        "criterion",
    ],
)
@pytest.mark.parametrize("prove", ["highs", "cp-sat"])
def test_claims_on_the_best_are_refuted(found: Solutions, said: str, prove: str) -> None:
    assert [one.proof.value for one in BEST] == ["optimal"] * 2
    checked = audit(found, PRICED, prove=prove)
    assert checked.verdict == "refuted"
    assert said in checked.summary(), checked.summary()


@pytest.mark.slow
def test_a_bound_that_is_not_so_is_refuted_and_one_that_is_confirmed() -> None:
    cut = altsel.blankets.best(TEST, CHEAP, number=3, limits=Limits(max_states=7))
    assert [(one.proof, one.bound) for one in cut] == [(Proof.FEASIBLE, -3.0)] * 3
    assert audit(cut, PRICED).verdict == "confirmed", audit(cut, PRICED).summary()
    costs = {name: 10.0**9 + cost for name, cost in CHEAP.items()}
    huge = replace(PRICED, costs=costs)
    dear = altsel.blankets.best(TEST, costs, number=2)
    for prove in ("scip", "cp-sat", "highs"):
        assert audit(dear, huge, prove=prove).verdict == "confirmed"
        out = replace(dear, sets=(dear[1],), search=dear.search.replace("number=2", "number=1"))
        assert "no other blanket costs less than 2000000005" in audit(out, huge, prove=prove).summary()
        wrong = replace(dear, sets=(replace(dear[1], proof=Proof.FEASIBLE),), stop=Stop.LIMIT)
        said = audit(wrong, huge, prove=prove).summary()
        assert "no other blanket costs less than the bound, 2000000005" in said, said


def test_what_a_search_is_said_to_end_with_is_looked_at() -> None:
    first, *others = failed(FOUND)
    wrong = audit(with_dual(FOUND, failed=(replace(first, left=("z0",)), *others)), PROBLEM)
    assert wrong.verdict == "not settled"
    assert "what is left is {'z0'}: neither the learner nor tests tell why" in wrong.summary()
    copy = audit(with_dual(FOUND, failed=(replace(first, left=("g1_1",)), *others)), PROBLEM)
    assert copy.verdict == "confirmed"  # as a search in another order ends


@pytest.mark.parametrize("kind", ["categorical", "numbers"])
def test_what_is_true_of_rows_is_confirmed(kind: str) -> None:
    random = np.random.default_rng(8)
    z, noise = random.normal(size=(2, 600)), random.normal(size=(3, 600))
    columns: dict[str, Any] = {"a": z[0], "a2": 2 * z[0], "near": z[0] + noise[0] / 10, "b": z[1]}
    columns |= {"sum": z.sum(axis=0), "n": noise[1]}
    y = z.sum(axis=0) + noise[2]
    if kind == "numbers":
        test: Any = altsel.independence.PartialCorrelation(altsel.Dataset(columns, y))
    else:
        ends = {name: [-0.5, 0.5][: 1 + (name != "b")] for name in columns}
        cut = {name: np.digitize(one, ends[name]).astype(str) for name, one in columns.items()}
        test = altsel.independence.GSquare(altsel.Dataset(cut, (y > 0).astype(str)))
    for found, problem in (
        (altsel.blankets.tmfbs(test), BlanketProblem(test)),
        (altsel.blankets.best(test, number=2), BlanketProblem(test)),
    ):
        checked = audit(Solutions.from_json(found.to_json()), problem)
        assert checked.verdict == "confirmed", checked.summary()


def test_gains_leave_blankets_that_the_file_need_not_name() -> None:
    gains = {name: -cost for name, cost in CHEAP.items()}
    found = altsel.blankets.best(TEST, gains)
    assert audit(found, BlanketProblem(TEST, costs=gains), prove="scip").verdict == "confirmed"


def test_the_best_of_blankets_that_are_all_known_are_not_called_all() -> None:
    random = np.random.default_rng(0)
    a, b, noise = random.normal(size=(3, 500))
    data = altsel.Dataset({"a": a, "b": b, "sum": a + b}, a + 2 * b + noise)
    test, costs = altsel.independence.PartialCorrelation(data), {"a": 5.0, "b": 1.0, "sum": 2.0}
    for number, complete in ((2, False), (3, True), (4, True)):
        found = altsel.blankets.best(test, costs, 0.01, number=number)
        assert found.dual is not None
        assert found.dual.complete is complete
        checked = audit(found, BlanketProblem(test, 0.01, costs=costs))
        assert checked.verdict == "confirmed", checked.summary()


@pytest.mark.parametrize("corrected", [False, True])
def test_p_of_members_given_some_others_or_corrected_for_their_number(corrected: bool) -> None:
    random = np.random.default_rng(0)
    z = random.normal(size=(3, 400))
    columns = {f"g{g}_{i}": (i + 1) * z[g] for g in range(3) for i in range(2)}
    data = altsel.Dataset(columns, z.sum(axis=0) + random.normal(size=400))
    plain = altsel.independence.PartialCorrelation(data)
    test = altsel.independence.BenjaminiHochberg(plain) if corrected else plain
    found = altsel.blankets.tie_star(test, 0.01, learner=altsel.blankets.mmmb)
    problem = BlanketProblem(test, 0.01, learner=altsel.blankets.mmmb)
    checked = audit(found, problem)
    assert checked.verdict == "confirmed", checked.summary()
    assert any("corrected for the number" in one for one in checked.unproved) is corrected
    verdicts = [replace(one, log_p=-1.0) for one in found[0].verdicts]
    score = 0.0 - max(one.log_p or 0.0 for one in verdicts if one.feature in found[0]) / np.log(10)
    false = audit(changed(0, found, verdicts=tuple(verdicts), score=score), problem)
    assert false.verdict == ("confirmed" if corrected else "refuted")


def test_sets_may_contain_one_another_only_if_the_file_says_so() -> None:
    def any_is(reference: Sequence[str], one: Sequence[str]) -> bool:
        return True

    found = altsel.blankets.tmfbs(TEST, equivalent=any_is)
    assert found.dual is not None
    assert found.dual.nested > 0
    problem = replace(PROBLEM, equivalent=any_is)
    told = audit(found, problem)
    assert told.verdict == "not settled", told.summary()  # the search inside a set finds a part of it
    assert f"ok    {found.dual.nested} set" in str(told)
    assert "no set contains another" in audit(with_dual(found, nested=0), problem).summary()
    assert audit(with_dual(FOUND, nested=1), PROBLEM).verdict == "refuted"


def test_a_sample_is_tested_and_the_rest_is_named() -> None:
    whole, part = audit(FOUND, PROBLEM), audit(FOUND, PROBLEM, retest=1)
    assert part.verdict == "confirmed"
    assert part.unproved[:2] == ("tests of 5 of 6 blankets", "tests of 1 of 2 failed removals")
    assert part.unproved[2].startswith("what the search did")
    assert len(part.checks) < len(whole.checks)


def test_a_file_of_an_older_version_and_an_incomplete_one_say_what_is_not_checked() -> None:
    for bare in (replace(without(5), dual=None), replace(BEST, dual=None)):  # what was left out goes unseen
        older = audit(bare, PRICED if bare.search == BEST.search else PROBLEM)
        assert older.verdict == "not settled", older.summary()
        assert "nothing in the file proves it: it has no failed removals" in older.summary()
    few = audit(replace(FOUND, dual=None, stop=Stop.LIMIT), PROBLEM)
    assert few.verdict == "confirmed"  # it claims nothing
    cut = audit(altsel.blankets.tmfbs(TEST, limits=Limits(max_solutions=2)), PROBLEM)
    assert "whether there are more blankets, which the file does not claim" in cut.summary()


def test_forgotten_costs_are_asked_for() -> None:
    assert "were costs forgotten? BlanketProblem(test, costs=" in audit(BEST, PROBLEM).summary()


def test_what_a_heuristic_search_does_not_claim_comes_first() -> None:
    doubtful = with_dual(replace(FOUND, stop=Stop.HEURISTIC), complete=False)
    told = audit(doubtful, PROBLEM)
    assert told.verdict == "confirmed", told.summary()
    assert told.unproved[0].startswith("that these are all blankets: the search is heuristic")
    assert told.unproved[-1].startswith("what the search did")


def test_time_that_is_up_leaves_claims_open() -> None:
    assert audit(FOUND, PROBLEM, time_limit=1e-9).verdict == "not settled"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"retest": 0}, "retest"),
        ({"diversity": altsel.Dice(0.5)}, "blankets need not differ"),
        ({"prove": "auto"}, "name a solver"),
    ],
)
def test_wrong_arguments(given: dict[str, Any], said: str) -> None:
    with pytest.raises((ArgumentError, altsel.ConfigurationError), match=said):
        audit(FOUND, PROBLEM, **given)


def test_no_sets_of_a_problem_are_tested() -> None:
    problem = altsel.Problem(altsel.Univariate([3, 2, 1]), k=2)
    with pytest.raises(ArgumentError, match="retest: only blankets rest on tests"):
        audit(altsel.sequential(problem, altsel.Dice(0.5), 0), problem, retest=1)
