"""Classes of features, substitutions, and the choice among solutions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import altsel
from altsel.errors import ArgumentError, DataError, DataWarning
from tests.oracles.known_blankets import copies, table, xor


def with_a_proxy() -> altsel.independence.JointTable:
    """``y = (a, b)``; ``copy`` of a; ``proxy`` is a seen through noise; ``z`` tells nothing."""
    rows, weights = [], []
    for a in (0, 1):
        for b in (0, 1):
            for wrong in (0, 1):
                for z in (0, 1):
                    rows.append({"a": a, "copy": 1 - a, "b": b, "proxy": a ^ wrong, "z": z, "y": 2 * a + b})
                    weights.append(1.0 if wrong else 4.0)
    return table(rows, weights)


def test_the_classes_of_definitions_6_to_9() -> None:
    test = with_a_proxy()
    found = altsel.blankets.tmfbs(test)
    message = altsel.taxonomy(found, test)
    indices = {one.feature: one.feature_class.value for one in message}
    assert indices == {
        "a": "replaceable",
        "copy": "replaceable",
        "b": "indispensable",
        "proxy": "redundant",
        "z": "irrelevant",
    }
    relevance = {one.feature: one.relevance.value for one in message}
    assert relevance == {
        "a": "weakly relevant",
        "copy": "weakly relevant",
        "b": "strongly relevant",
        "proxy": "weakly relevant",
        "z": "irrelevant",
    }
    assert (message["proxy"].given, message["a"].share, message.of("replaceable")) == ((), 0.5, ("a", "copy"))
    assert message.complete
    assert "1 feature irrelevant" in str(message)
    assert "no test has shown a dependence" in str(message)
    assert "proxy" in message.to_json()
    assert message.to_frame().shape == (5, 8)


def test_what_was_not_asked_is_not_claimed() -> None:
    found = altsel.blankets.tmfbs(with_a_proxy(), limits=altsel.blankets.Limits(max_solutions=1))
    message = altsel.taxonomy(found)
    assert {one.feature_class.value for one in message} == {"not decided"}  # a limit left one set
    assert message["z"].relevance is altsel.results.Relevance.UNKNOWN
    assert not message.complete
    assert "a single set has no alternative: replaceability is not judged" in str(message)
    whole = altsel.taxonomy(altsel.blankets.tmfbs(with_a_proxy()))
    assert whole["z"].feature_class is altsel.results.FeatureClass.OUTSIDE


@pytest.mark.parametrize("search", [altsel.blankets.tmfbs, altsel.blankets.tie_star])
def test_a_search_that_was_cut_short_leaves_open_what_is_in_no_set_found(search: Any) -> None:
    test, family = copies((3, 3))
    found = search(test, limits=altsel.blankets.Limits(max_solutions=2))
    outside = set(test.features) - set().union(*found)
    for told in (altsel.taxonomy(found), altsel.taxonomy(found, test)):
        assert {told[name].feature_class.value for name in outside} == {"not decided"}
        assert "the search was cut short: what is in no set found is not decided" in str(told)
    relevant = set().union(*family)
    assert {name for name in outside if told[name].relevance.value == "relevant"} == relevant & outside
    assert {name for name in outside if told[name].relevance.value == "irrelevant"} == outside - relevant


def test_a_feature_that_tells_only_along_with_another_is_redundant_not_irrelevant() -> None:
    test, _ = xor((1, 1))
    rest = altsel.taxonomy(
        altsel.blankets.tmfbs(test, limits=altsel.blankets.Limits(include=["a0"], exclude=["b0"])), test
    )
    assert rest["b0"].feature_class is altsel.results.FeatureClass.REDUNDANT
    assert rest["b0"].given == ("a0",)


def one_cause(seed: int, noise: int = 50, rows: int = 500) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    table = pd.DataFrame(random.normal(size=(rows, noise + 1))).add_prefix("x")
    target = 2 * table[f"x{noise}"] + random.normal(size=rows)
    return altsel.Dataset(table, target.rename("y"))


@pytest.mark.slow
def test_classes_of_both_schemes_agree_and_noise_is_rarely_called_redundant() -> None:
    # uncorrected, 49 of 1,000 noise features were strongly relevant, 28 of them irrelevant as well
    wrong = 0
    for seed in range(20):
        test = altsel.independence.PartialCorrelation(one_cause(seed))
        told = altsel.taxonomy(altsel.blankets.tmfbs(test, 1e-3), test, 0.05)
        for one in told:
            pair = one.feature_class.value, one.relevance.value
            assert pair in {
                ("indispensable", "strongly relevant"),
                ("replaceable", "weakly relevant"),
                ("redundant", "weakly relevant"),
                ("irrelevant", "irrelevant"),
            }
            assert one.basis.value == ("solutions" if one.share else "tests")
        wrong += bool(told.of("redundant"))
    assert wrong <= 4  # of 20 at .05; more has probability .003


def test_corrections_are_holms_benjamini_and_hochbergs_or_none() -> None:
    test = altsel.independence.PartialCorrelation(one_cause(3))
    found = altsel.blankets.tmfbs(test, 1e-3)
    counts = [
        len(altsel.taxonomy(found, test, 0.2, correction=way).of("redundant"))
        for way in ("holm", "benjamini-hochberg", "none")
    ]
    assert counts == sorted(counts)
    assert counts[2] > counts[0]
    with pytest.raises(ArgumentError, match="correction='fisher'; use 'holm'"):
        altsel.taxonomy(found, test, correction="fisher")


def test_data_are_no_test(ionosphere: altsel.Dataset) -> None:
    found = altsel.sequential(altsel.Problem(altsel.Univariate(ionosphere), k=1), altsel.Dice(1), 0)
    with pytest.raises(altsel.ArgumentError, match="a Dataset is no independence test; give"):
        altsel.taxonomy(found, ionosphere)  # type: ignore[arg-type]


def test_a_solution_without_a_feature_that_the_test_finds_indispensable_is_said_to_contradict_it() -> None:
    test = altsel.independence.PartialCorrelation(one_cause(0, noise=3))
    told = altsel.taxonomy(found_in(test.features, [["x0"]]), test)
    assert told["x3"].feature_class is altsel.results.FeatureClass.REDUNDANT
    assert told.contradictions == ("x3",)
    assert "check these: tests call them needed, yet some set does without: 'x3'" in str(told)
    assert (told["x3"].p_given_others or 1) < 1e-10


def test_the_one_set_of_a_search_for_one_blanket_makes_nothing_indispensable_for_good() -> None:
    a, b, noise = np.random.default_rng(0).normal(size=(3, 500))
    data = altsel.Dataset({"a": a, "b": b, "copy": 2 * a, "sum": a + b}, a + 2 * b + noise)
    test = altsel.independence.PartialCorrelation(data)
    told = altsel.taxonomy(altsel.blankets.iamb(test, 0.01), test)
    assert not told.complete
    assert told.of("indispensable") == ()
    assert "a single set has no alternative" in str(told)
    every = altsel.taxonomy(altsel.blankets.tmfbs(test, 0.01), test)
    assert (every.complete, every.of("indispensable")) == (True, ())


def found_in(universe: tuple[str, ...], sets: list[list[str]]) -> altsel.Solutions:
    kept = tuple(altsel.FeatureSet(tuple(subset), 1.0, altsel.Proof.TESTED) for subset in sets)
    return altsel.Solutions(kept, altsel.Stop.EXHAUSTED, universe, "made")


def test_substitutions_name_what_enters_and_what_leaves_along() -> None:
    random = np.random.default_rng(0)
    a, b, c = random.normal(size=(3, 500))
    X = pd.DataFrame({"a": a, "b": b, "sum": a + b, "c": c})
    data = altsel.Dataset(X, 2 * a + b + c + random.normal(size=500))
    found = altsel.blankets.tie_star(altsel.independence.PartialCorrelation(data))
    ways = altsel.substitutions(found, altsel.comparison.PermutedVariance(altsel.comparison.GLMModels(data)))
    message = {(row["feature"], row["replaced by"]) for _, row in ways.iterrows()}
    assert message == {
        ("a", ("b",)), ("a", ("sum",)), ("b", ("a",)), ("b", ("sum",)), ("sum", ("a",)), ("sum", ("b",))
    }  # fmt: skip
    assert ways["along with"].tolist() == [()] * 6
    assert ways["p"].tolist() == [1.0] * 6
    by_search = altsel.substitutions(found)
    assert by_search["p"].notna().any()
    longer = altsel.substitutions(found_of([["a", "b", "x"], ["c", "d", "x"]]))
    rows = {row["feature"]: (row["along with"], row["replaced by"]) for _, row in longer.iterrows()}
    assert rows["a"] == (("b",), ("c", "d"))
    assert altsel.substitutions(found_of([["a"]])).empty


def found_of(sets: list[list[str]]) -> altsel.Solutions:
    kept = tuple(altsel.FeatureSet(tuple(subset), 1.0, altsel.Proof.TESTED) for subset in sets)
    return altsel.Solutions(kept, altsel.Stop.EXHAUSTED, tuple("abcdx"), "made")


def test_the_cheapest_and_those_without_sensitive_features() -> None:
    test, family = copies((3, 3))
    found = altsel.blankets.tmfbs(test)
    prices = {name: 1.0 + int(name[-1]) for name in test.features}
    best = found.cheapest(prices)
    assert [subset.features for subset in best] == [("g0_0", "g1_0")]
    with pytest.warns(DataWarning, match="cost of sets"):
        assert len(found.cheapest({"z0": 5.0})) == len(family)
    clean = found.without(["g0_0", "g1_1"])
    assert {frozenset(one) for one in clean} == {subset for subset in family if not subset & {"g0_0", "g1_1"}}
    for wrong in ({"nobody": 1.0}, {"g0_0": float("nan")}):
        with pytest.raises(ArgumentError, match=r"'nobody'|'g0_0'"):
            found.cheapest(wrong)
    with pytest.raises(ArgumentError, match="one name"):
        found.without("g0_0")
    with pytest.raises(ArgumentError, match="'nobody'"):
        found.without(["nobody"])


@pytest.mark.slow
def test_alternatives_by_optimisation_take_the_same_way(ionosphere: altsel.Dataset) -> None:
    dependence = altsel.dependence(ionosphere, altsel.measures.absolute_pearson)
    found = altsel.sequential(altsel.Problem(altsel.MRMR(dependence), k=4), altsel.Dice(0.25), 4)
    message = altsel.equivalence(found, ionosphere, against=None)
    assert len(message) == 10
    test = altsel.independence.auto(ionosphere)
    classes = altsel.taxonomy(found, test)
    assert (classes.solutions, classes.equivalent, classes.compared) == ((found[0].features,), 1, 5)
    assert not classes.judged
    assert not classes.of("indispensable") + classes.of("replaceable")
    assert "no alternative is equivalent to set 0: replaceability is not judged; 'altsel blankets'" in str(
        classes
    )
    assert {frozenset(path) for path in altsel.msg(found).paths()} == {frozenset(subset) for subset in found}
    with pytest.raises(ArgumentError, match="the test is of 'a01'"):
        altsel.taxonomy(found, altsel.independence.auto(ionosphere).with_target("a01"))
    with pytest.raises(ArgumentError, match="no solutions"):
        altsel.taxonomy(found.without(ionosphere.features))


def test_what_a_rule_forbids_or_requires_is_called_that_and_its_relevance_is_tested() -> None:
    a, b, c, noise = np.random.default_rng(1).normal(size=(4, 300))
    data = altsel.Dataset({"a": a, "b": b, "c": c, "d": noise}, a + b)
    rules = [altsel.domain.forbid("a"), altsel.domain.require("d")]
    found = altsel.sequential(altsel.Problem(altsel.Univariate(data), 2, rules), altsel.Dice(0.5), 0)
    told = altsel.taxonomy(found, altsel.independence.PartialCorrelation(data))
    kinds = {one.feature: (one.feature_class.value, one.relevance.value, one.basis.value) for one in told}
    assert kinds["a"] == ("forbidden", "relevant", "rules")
    assert kinds["d"] == ("required", "irrelevant", "rules")
    assert kinds["b"] == ("not decided", "relevant", "tests")  # one set has no alternative
    assert told.contradictions == ()
    assert "by rules of the search, which tell nothing of a feature" in str(told)
    assert "by rules of the search" in told._repr_html_()
    assert altsel.taxonomy(found)["a"].relevance is altsel.results.Relevance.UNKNOWN


def test_features_excluded_by_a_command_are_forbidden_but_not_if_a_set_has_them() -> None:
    found = replace(
        found_in(("x0", "x1", "x2"), [["x0"], ["x0", "x1"]]),
        request={"command": {"name": "blankets", "options": {"exclude": ["x1", "x2"], "include": ["x0"]}}},
    )
    classes = {one.feature: one.feature_class.value for one in altsel.taxonomy(found)}
    assert classes == {"x0": "required", "x1": "replaceable", "x2": "forbidden"}


def clinic(rows: int = 300, copies: bool = True) -> altsel.Dataset:
    """Three causes, each but the last with a near copy, and seven columns of noise."""
    random = np.random.default_rng(7)
    a, b, c = random.normal(size=(3, rows))
    table = {"a": a, "b": b, "c": c}
    if copies:
        table |= {f"{name}2": table[name] + 0.01 * random.normal(size=rows) for name in "ab"}
    table |= {f"noise{j}": random.normal(size=rows) for j in range(7)}
    return altsel.Dataset(table, pd.Series(2 * a + b + 0.5 * c + random.normal(size=rows), name="y"))


def best_sets(data: altsel.Dataset, k: int, alternatives: int, tau: float = 0.1) -> altsel.Solutions:
    fit = altsel.LinearFit(data)
    return altsel.sequential(altsel.Problem(fit, k), altsel.Dice(tau), alternatives)


def test_of_sets_that_are_not_equivalent_no_feature_is_called_replaceable() -> None:
    data = clinic(copies=False)
    test = altsel.independence.auto(data)
    found = altsel.sequential(altsel.Problem(altsel.Univariate(data), 3), altsel.Dice(0.6), 2)
    told = altsel.taxonomy(found, test)
    assert not told.judged
    for one in told:
        assert one.feature_class.value in {"not decided", "irrelevant"}
        assert (one.relevance.value == "relevant") == (one.feature in "abc"), one
    assert "weakly" not in str(told) + told._repr_html_() + told.to_json()
    assert not altsel.taxonomy(found).judged
    assert "without a test no set is known to be equivalent" in str(altsel.taxonomy(found))


def test_of_optimal_sets_those_that_are_equivalent_to_the_first_tell_the_classes() -> None:
    data = clinic()
    found = best_sets(data, 3, 5)
    equal = altsel.equivalence(found, data)
    passed = [0, *(pair.second for pair in equal if pair.equivalent)]
    assert 1 < len(passed) < len(found)
    for evidence in (None, equal):
        told = altsel.taxonomy(found, altsel.independence.auto(data), equivalent=evidence)
        assert told.equivalent == len(passed)
        assert {frozenset(one) for one in told.solutions} == {
            frozenset({a, b, "c"}) for a in ("a", "a2") for b in ("b", "b2")
        }
        assert (told.judged, told.complete, told.sets, told.compared) == (True, False, 6, 6)
        assert set(told.of("replaceable")) >= {"a", "a2"}
        assert "c" in told.of("indispensable")
        assert all("noise" not in name for name in told.of("replaceable"))
    assert f"classes are by 4 solutions: {len(passed)} of 6 sets equivalent to set 0" in str(told)
    other = altsel.equivalence([one.features for one in found[1:]], data)
    with pytest.raises(ArgumentError, match="equivalent is of other sets"):
        altsel.taxonomy(found, equivalent=other)


def test_all_near_optimal_sets_are_no_proof_that_all_solutions_are_known() -> None:
    data = clinic()
    found = altsel.near_optimal(altsel.Problem(altsel.LinearFit(data), 3), altsel.RelativeLoss(0.01))
    assert found.stop is altsel.Stop.EXHAUSTED
    assert not altsel.taxonomy(found, altsel.independence.auto(data)).complete


def test_a_member_that_tells_nothing_given_the_others_replaces_nothing() -> None:
    data = clinic(copies=False)
    found = altsel.sequential(altsel.Problem(altsel.Univariate(data), 4), altsel.Dice(0.25), 5)
    assert all(set("abc") < set(one) for one in found)  # and one of noise each, which is any
    told = altsel.taxonomy(found, altsel.independence.auto(data))
    assert (told.equivalent, told.judged) == (6, False)
    assert "differ by features that tell nothing given the others: replaceability is not judged" in str(told)
    for one in told:
        assert one.feature_class.value not in {"replaceable", "indispensable"}
        assert one.relevance.value == ("relevant" if one.feature in "abc" else "irrelevant"), one


def _causes(seed: int, rows: int = 120) -> altsel.Dataset:
    random = np.random.default_rng(seed)
    a, b, c = random.normal(size=(3, rows))
    table = {"a": a, "twice": 2 * a + 1, "b": b, "c": c, "n": random.integers(1, 4, rows)}
    return altsel.Dataset(table, (a + b + random.normal(size=rows) > 0).astype(int))


@pytest.fixture(scope="module")
def whole() -> altsel.Dataset:
    return _causes(0)


def _searched(data: altsel.Dataset) -> altsel.Solutions:
    problem = altsel.Problem(altsel.Univariate(altsel.dependence(data)), k=2)
    return altsel.sequential(problem, altsel.Dice(0.5), alternatives=1)


TESTS: dict[str, Any] = {
    "of the same table": altsel.independence.LikelihoodRatio,
    "of the table cut into bins": lambda data: altsel.independence.GSquare(altsel.data.binned(data, 3)),
    "of other bins": lambda data: altsel.independence.GSquare(altsel.data.binned(data, 2, keep=["n"])),
    "weighted by a column": lambda data: altsel.independence.LikelihoodRatio(data, weights="n"),
    "wrapped": lambda data: altsel.independence.BenjaminiHochberg(altsel.independence.LikelihoodRatio(data)),
    "of one's own": lambda data: altsel.independence.Custom(data, lambda x, y, z: 0.5),
}


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
@pytest.mark.parametrize("name", TESTS)
def test_a_test_of_another_table_is_refused(name: str, whole: altsel.Dataset) -> None:
    make, found = TESTS[name], _searched(whole)
    if name == "weighted by a column":
        found = replace(found, universe=tuple(one for one in found.universe if one != "n"))
    assert len(altsel.taxonomy(found, make(whole)).reports) == len(found.universe)
    other = make(_causes(1))
    with pytest.raises(DataError, match=r"of other data than the sets.*another fingerprint.*other_data=True"):
        altsel.taxonomy(found, other)
    altsel.taxonomy(found, other, other_data=True)
    with pytest.raises(ArgumentError, match="other_data"):
        altsel.taxonomy(found, other, other_data="yes")  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::altsel.DataWarning")
def test_groups_and_files_that_say_nothing_are_no_other_table(whole: altsel.Dataset) -> None:
    grouped = _searched(whole.grouped())
    assert grouped.members
    for data in (whole, whole.grouped()):
        altsel.taxonomy(grouped, altsel.independence.LikelihoodRatio(data))
    with pytest.raises(DataError, match="of other data"):
        altsel.taxonomy(grouped, altsel.independence.LikelihoodRatio(_causes(1).grouped()))
    silent = replace(_searched(whole), request={})
    altsel.taxonomy(silent, altsel.independence.LikelihoodRatio(_causes(1)))
