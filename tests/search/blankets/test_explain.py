"""Conflicts of rules and failed removals: real, irreducible and smallest, by trying all sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

import altsel
from altsel import blankets, domain
from altsel.errors import ArgumentError
from altsel.results import Explanation
from altsel.results.dual import needed
from altsel.results.stop import Stop
from altsel.search.blankets.all.collection import INADMISSIBLE
from tests.oracles.coins import Coins, Names, copies_of, random_coins, random_rule

SEARCHES = (blankets.tmfbs, blankets.tie_star, blankets.best)
Holds = Callable[[Names], Any]


def all_sets(names: Sequence[str]) -> list[Names]:
    sizes = range(len(names) + 1)
    return [frozenset(one) for one in chain.from_iterable(combinations(names, size) for size in sizes)]


def check(found: altsel.Solutions, why: Explanation, test: Coins, rules: dict[str, Holds]) -> None:
    """Compare a conflict with all sets: which conditions each of them keeps."""
    truth, dual = test.blankets(), found.dual
    assert dual is not None
    removals = {needed(one.removed): frozenset(one.removed) for one in dual.failed}
    assert all(removal & one for removal in removals.values() for one in truth)
    holds: dict[str, Holds] = dict(rules)
    holds |= {words: removal.intersection for words, removal in removals.items()}
    known = [frozenset(one.features) for one in found.discarded if one.reason == INADMISSIBLE]
    assert truth.issuperset(known)
    if known:
        minimal = next((name for name in why.conflict if name.startswith("is minimal")), "is minimal")
        holds[minimal] = lambda one: not any(blanket < one for blanket in known)
    universe = all_sets(test.features)

    def possible(names: Sequence[str]) -> bool:
        return any(all(holds[name](one) for name in names) for one in universe)

    assert not possible(why.conflict)
    assert why.irreducible
    assert all(possible([other for other in why.conflict if other != name]) for name in why.conflict)
    assert why.smallest
    assert all(possible(some) for some in combinations(holds, len(why.conflict) - 1))


def ruled_out(seeds: range) -> Iterator[tuple[Coins, dict[str, tuple[Any, Holds]]]]:
    """Draw families and rules that leave none of their blankets."""
    for seed in seeds:
        test, random = random_coins(seed, 7), np.random.default_rng(seed)
        drawn = [random_rule(random, test.features) for _ in range(int(random.integers(1, 5)))]
        named = {rule.__name__: (rule, keeps) for rule, keeps in drawn}
        if not any(all(keeps(one) for _, keeps in named.values()) for one in test.blankets()):
            yield test, named


@pytest.mark.slow
def test_conflicts_are_real_and_smallest() -> None:
    explained = 0
    for test, named in ruled_out(range(10)):
        rules = [rule for rule, _ in named.values()]
        for search in SEARCHES:
            found = search(test, limits=blankets.Limits(subject_to=rules))
            if found.stop in {Stop.EXHAUSTED, Stop.INFEASIBLE}:
                why = blankets.explain(found, rules)
                check(found, why, test, {name: keeps for name, (_, keeps) in named.items()})
                explained += 1
    assert explained > 5


def test_features_forced_in_and_left_out_are_conditions() -> None:
    test, rule = copies_of([2, 1], 2), domain.at_most(1, ["g0_0", "z0"])
    limits = blankets.Limits(include=["z0"], exclude=["g0_1"], subject_to=[rule])
    why = blankets.explain(blankets.tmfbs(test, limits=limits), [rule])
    assert set(why.conflict) == {
        "at most 1 of 'g0_0', 'z0'",
        "includes 'z0'",
        "excludes 'g0_1'",
        "has 'g0_0', without which no blanket is left",
    }
    assert why.irreducible
    assert str(why).endswith("Each of them is needed for the conflict.")


def test_a_rule_that_is_a_function_is_named_and_not_proved_to_be_needed() -> None:
    rule = domain.predicate(lambda names: len(names) == 1, name="only one")
    found = blankets.tmfbs(copies_of([2, 2]), limits=blankets.Limits(subject_to=[rule]))
    why = blankets.explain(found, [rule])
    assert "only one" in why.conflict
    assert "is minimal: contains none of the 4 blankets that break a rule" in why.conflict


def test_what_was_cut_short_or_not_in_conflict_is_not_explained() -> None:
    test, rule = copies_of([2, 2]), domain.forbid("g0_0", "g0_1")
    short = blankets.tmfbs(test, limits=blankets.Limits(subject_to=[rule], max_states=1))
    assert (short.stop, blankets.explain(short, [rule]).conflict) == (Stop.LIMIT, ())
    other = domain.forbid("g0_0")
    found = blankets.tmfbs(test, limits=blankets.Limits(subject_to=[other]))
    assert str(blankets.explain(found, [other])).startswith("Nothing is in conflict")
    with pytest.raises(ArgumentError, match="another search"):
        blankets.explain(found, [rule])


def test_a_problem_names_the_failed_removals_of_its_rule_on_blankets() -> None:
    test = copies_of([2, 1, 1], 1)
    numbers = altsel.Dependence(dict(zip(test.features, (5.0, 4.0, 1.0, 1.0, 3.0), strict=True)))
    rule, only = domain.blanket_of(test), domain.at_most(1, ["g0_0", "g0_1", "g1_0", "z0"])
    problem = altsel.Problem(altsel.Univariate(numbers), (1, 3), [rule, only])
    why = altsel.explain(problem, altsel.Dice(0.5), 0)
    single = {needed([name]) for name in ("g1_0", "g2_0")}
    pair = needed(["g0_0", "g0_1"])
    assert only.__name__ in why.conflict
    assert pair in why.conflict
    assert single & {*why.conflict}
    assert len(why.conflict) == 3
    assert (why.irreducible, why.smallest) == (True, True)


def test_a_problem_whose_sets_are_to_be_blankets_says_that_one_contains_no_other() -> None:
    test = copies_of([1, 1], 1)
    rule, noise = domain.blanket_of(test, minimal=True), domain.require("z0")
    numbers = altsel.Dependence(dict.fromkeys(test.features, 1.0))
    problem = altsel.Problem(altsel.Univariate(numbers), (1, 3), [rule, noise])
    why = altsel.explain(problem, altsel.Dice(0.5), 0)
    assert "is minimal: has nothing beside one of 1 blanket known" in why.conflict
    assert "require 'z0'" in why.conflict
    assert why.irreducible
