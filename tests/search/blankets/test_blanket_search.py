"""What goes into a search for a Markov blanket and what comes out: scope, limits, results, errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import networkx as nx
import numpy as np
import pytest

import altsel
from altsel import blankets as blanket
from altsel import domain
from altsel.results.feature_set import Role
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.stats.independence.protocol import TestResults
from tests.conftest import ROOT
from tests.search.blankets.test_learners import EVERY, Learner


@pytest.fixture(params=EVERY, ids=list(EVERY))
def learner(request: pytest.FixtureRequest) -> Learner:
    return EVERY[request.param]


def test_the_result_tells_what_was_tested() -> None:
    graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    counted = altsel.independence.Counted(altsel.independence.DSeparation(graph, "y"), remembered=0)
    found = blanket.mmmb(counted, 0.05)
    one = found[0]
    assert found.effort.tests == counted.account.tests > 0
    assert (one.parents_and_children, one.spouses) == (("cause", "effect"), ("other",))
    assert one.rejected["far"].given == ("cause",)
    assert one.score > 300
    assert (found.target, found.universe) == ("y", ("cause", "effect", "other", "far"))
    assert "MMMB" in found.search
    assert altsel.Solutions.from_json(found.to_json()) == found
    assert "tested" in str(found)


@pytest.mark.parametrize("name", EVERY)
def test_included_features_stay_and_excluded_ones_are_never_asked_about(name: str) -> None:
    graph = nx.DiGraph(
        [("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause"), ("lone", "far")]
    )
    limits = altsel.blankets.Limits(include=["lone"], exclude=["cause"])
    wanted: set[str] = set()

    class Watched(altsel.independence.DSeparation):
        def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
            wanted.update(candidates, given)
            return super().__call__(candidates, given)

    found = EVERY[name](Watched(graph, "y"), limits=limits)[0]
    assert "lone" in found
    assert "cause" not in found
    assert "cause" not in wanted
    assert "effect" in found


def test_limits_end_a_search_with_what_it_has(learner: Learner) -> None:
    graph = altsel.read_network(ROOT / "examples" / "data" / "alarm.bif").graph()
    test = altsel.independence.DSeparation(graph, "HR")
    short = learner(test, limits=altsel.blankets.Limits(max_tests=45))
    assert (short.stop, len(short)) == (altsel.Stop.LIMIT, 1)
    assert short.effort.tests <= 45
    assert learner(test, limits=altsel.blankets.Limits(max_seconds=0)).stop is altsel.Stop.TIME


class Scripted:
    """Answers by a function of the name and the set given."""

    name = "script"
    target = "y"
    features = ("a", "b", "c")

    def __init__(self, dependent: Callable[[str, set[str]], bool]) -> None:
        self.dependent = dependent

    def with_target(self, target: str) -> Scripted:
        return self

    def __call__(self, candidates: Sequence[str], given: Sequence[str] = ()) -> TestResults:
        found = np.array([self.dependent(name, set(given)) for name in candidates], dtype=bool)
        ones = np.ones(len(found))
        return TestResults(tuple(candidates), np.where(found, -9.0, 0.0), ones, ones, ones, ones.astype(bool))


@pytest.mark.parametrize("search", [blanket.inter_iamb, blanket.fast_iamb])
def test_contradicting_tests_do_not_loop(search: Learner) -> None:
    # a is dependent given nothing, but independent once something else is there, and so on in a circle
    def circle(name: str, given: set[str]) -> bool:
        return {"a": not given, "b": given == {"a"}, "c": given == {"b"}}[name] or (name, given) == (
            "a",
            {"c"},
        )

    found = search(Scripted(circle))
    assert found.stop in {altsel.Stop.LIMIT, altsel.Stop.COUNT}


def test_inter_iamb_says_that_tests_contradicted_each_other() -> None:
    counter = iter(range(1000))

    def never_settled(name: str, given: set[str]) -> bool:
        return name == "a" and not given and next(counter) % 2 == 0

    assert blanket.inter_iamb(Scripted(never_settled)).stop is altsel.Stop.LIMIT


def test_an_interrupt_keeps_the_members() -> None:
    def interrupted(name: str, given: set[str]) -> bool:
        if "a" in given:
            raise KeyboardInterrupt
        return name == "a"

    found = blanket.iamb(Scripted(interrupted))
    assert (found.stop, found[0].features) == (altsel.Stop.INTERRUPT, ("a",))


def test_the_template_takes_its_two_functions() -> None:
    def alphabetical(search: BlanketSearch) -> list[str]:
        return sorted(blanket.dependent_by_p(search), reverse=True)

    trail: list[list[str]] = []

    def keep_all(search: BlanketSearch) -> None:
        trail.append(list(search.members))

    test = Scripted(lambda name, given: True)
    found = blanket.forward_backward(test, order_variables=alphabetical, backward_phase=keep_all)
    assert trail == [["c", "b", "a"]]
    assert found[0].features == ("a", "b", "c")


def test_max_conditioning_bounds_the_sets_given() -> None:
    sizes: set[int] = set()

    def dependent(name: str, given: set[str]) -> bool:
        sizes.add(len(given))
        return True

    for search in (blanket.mmpc, blanket.hiton_pc):
        search(Scripted(dependent), max_conditioning=1)
    assert sizes == {0, 1}


def test_benjamini_hochberg_lets_fewer_false_ones_in() -> None:
    random = np.random.default_rng(3)
    data = altsel.Dataset(random.normal(size=(300, 200)), random.normal(size=300))
    test = altsel.independence.PartialCorrelation(data)
    with pytest.warns(altsel.FalseDiscoveryWarning, match="about 10"):
        assert len(blanket.mmpc(test, 0.05)[0]) > 3
    assert len(blanket.mmpc(altsel.independence.BenjaminiHochberg(test), 0.05)[0]) <= 1


def test_a_search_around_neighbours_needs_a_test_that_can_turn() -> None:
    class Fixed(Scripted):
        def with_target(self, target: str) -> Scripted:
            raise altsel.ArgumentError("only y")

    assert blanket.iamb(Fixed(lambda name, given: False))[0].features == ()
    with pytest.raises(altsel.ArgumentError, match="only y"):
        blanket.mmmb(Fixed(lambda name, given: True))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": 0}, "alpha=0"),
        ({"alpha": 1.5}, "alpha=1.5"),
        ({"limits": {"include": ["none"]}}, "no feature 'none'"),
        ({"limits": {"include": "a"}}, "one name"),
        ({"limits": {"include": ["a"], "exclude": ["a"]}}, "both included and excluded"),
        ({"limits": {"max_tests": 0}}, "max_tests"),
        ({"limits": {"include": 5}}, "include=5; give a list of names"),
        ({"limits": {"exclude": None}}, "exclude=None; give a list of names"),
        ({"limits": {"subject_to": 3}}, "subject_to takes functions"),
        ({"limits": {"max_solutions": 5}}, "'max_solutions': only searches for all blankets"),
        (
            {"limits": {"max_states": 5, "subject_to": [domain.forbid("a")]}},
            "'max_states', 'subject_to': only",
        ),
        ({"max_conditioning": -1}, "max_conditioning"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    def call() -> None:
        limits = altsel.blankets.Limits(**arguments.pop("limits", {}))
        blanket.mmpc(Scripted(lambda name, given: False), **arguments, limits=limits)

    with pytest.raises(altsel.ArgumentError, match=message):
        call()
    with pytest.raises(altsel.ArgumentError, match="GSquare"):
        blanket.iamb("not a test")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("search", "arguments"),
    [
        *(
            (one, {"order_variables": 5})
            for one in (blanket.iamb, blanket.fast_iamb, blanket.forward_backward)
        ),
        (blanket.inter_iamb, {"backward_phase": "x"}),
        (blanket.tie_star, {"learner": 5}),
        (blanket.tie_star, {"reuse": 5}),
        (blanket.tmfbs, {"template": 5}),
        (blanket.tmfbs, {"prune": 5}),
        (lambda _, order_variables: blanket.Template(order_variables), {"order_variables": 5}),
    ],
)
def test_parts_of_a_search_of_another_kind_are_refused(search: Any, arguments: dict[str, Any]) -> None:
    name, value = next(iter(arguments.items()))
    with pytest.raises(altsel.ArgumentError, match=f"{name}={value!r}; give a"):
        search(Scripted(lambda name, given: False), **arguments)


def test_the_seed_of_permutations_is_in_the_result_and_repeats_it() -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 40)
    data = altsel.Dataset({"a": y ^ (random.random(40) < 0.2), "b": random.integers(0, 3, 40)}, y)
    test = altsel.independence.GSquare(
        data, permutations=altsel.independence.Permutations(99, random_state=5)
    )
    found = blanket.iamb(altsel.independence.BenjaminiHochberg(test))
    assert found.seed == 5
    assert found[0].verdicts == blanket.iamb(altsel.independence.BenjaminiHochberg(test))[0].verdicts
    assert blanket.iamb(altsel.independence.GSquare(data, samples_per_cell=0)).seed is None


def test_roles_are_said_in_words() -> None:
    assert [role.value for role in Role] == [
        "parent or child",
        "spouse",
        "member",
        "rejected",
        "not decided",
    ]


@pytest.mark.parametrize("ranking", [True, False])
def test_each_test_is_counted_once(ranking: bool) -> None:
    random = np.random.default_rng(0)
    table = random.normal(size=(200, 3))
    test = altsel.independence.LikelihoodRatio(altsel.Dataset(table, (table[:, 0] > 0).astype(int)))
    found = blanket.forward_backward(test if ranking else altsel.independence.Counted(test), 0.01)
    assert found[0].features == ("x0",)
    assert (
        found.effort.tests == 3 + 2 + 2 * ranking + 1
    )  # "none is left" is said by full tests, not by scores


def test_a_feature_included_twice_counts_once() -> None:
    assert altsel.blankets.Limits(include=["a", "b", "a"]).include == ("a", "b")


@pytest.mark.parametrize("search", [altsel.blankets.iamb, altsel.blankets.tmfbs, altsel.blankets.tie_star])
def test_limits_that_are_none_are_refused(search: Any) -> None:
    with pytest.raises(altsel.ArgumentError, match=r"give altsel.blankets.Limits"):
        search(Scripted(lambda name, given: False), limits={"include": ["a"]})
