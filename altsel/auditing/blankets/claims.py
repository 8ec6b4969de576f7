"""What a file of blankets shows by itself: sets of known features, rules, and how sets and removals meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from altsel.auditing.blankets.case import LEAST_COST, Case, removal_text, write_set
from altsel.auditing.recomputation import short
from altsel.exact.verification.verifier import Check, Verifier
from altsel.models.rule import title_of
from altsel.results.dual import minimal
from altsel.results.feature_set import Proof, Role
from altsel.results.stop import Stop
from altsel.results.text import number_of
from altsel.search.blankets.all.collection import INADMISSIBLE, NOT_COMPARABLE, NOT_EQUIVALENT
from altsel.stats.independence.base import members_of


def question(case: Case) -> Iterator[Check]:
    """Check that the answer is one to this question."""
    found, test = case.found, case.problem.test
    criterion = f"{test.name}, alpha = {case.search.alpha:g}; {case.criterion.name}"
    own, none = getattr(test, "seed", None), [None] * len(found)
    claims: list[tuple[str, Any, Any]] = [
        ("the features are those of the test", list(found.universe), list(test.features)),
        ("the members are the test's", dict(found.members), dict(members_of(test))),
        ("the target is the test's", found.target, test.target),
        (
            "tests, level and equivalence are those wanted",
            found.criterion.removeprefix(LEAST_COST),
            criterion,
        ),
        ("the seed is that of the tests", found.seed, case.criterion.seed if own is None else own),
    ]
    if found.dual is not None:
        names, inside, free = test.features, set(case.search.forced), set(case.free)
        claims += [
            ("features forced in", found.dual.forced, tuple(name for name in names if name in inside)),
            ("features left out", found.dual.left_out, tuple(n for n in names if n not in inside | free)),
            ("the rules are those wanted", found.dual.rules, tuple(map(title_of, case.rules))),
            ("whether the best are wanted, by costs", case.number is not None, case.is_best),
        ]
    if case.problem.costs is not None:
        claims.append(("the criterion is the least cost", case.is_best, True))
    claims += [
        ("hold-out scores, which no search for blankets writes", [one.holdout for one in found], none),
        ("p of the null level, which no search for blankets writes", [one.p_null for one in found], none),
        ("permutations of the null level, which no search for blankets makes", found.permutations, 0),
    ]
    for claim, stated, wanted in claims:
        yield Check(claim, stated == wanted, "" if stated == wanted else f"{short(stated)} there")


def sets(case: Case) -> Iterator[Check]:
    """Check every set by itself: its features, and the rules."""
    place = {name: j for j, name in enumerate(case.search.test.features)}
    verifier = Verifier.of_rules(case.search.test.features, case.rules)
    for one in case.known:
        places = [place.get(name, -1) for name in one.features]
        good = min(places, default=0) >= 0 and all(a < b for a, b in pairwise(places))
        yield Check(f"{one.title}: known features, in the order of the data", good)
        wrong = one.names.intersection(case.limits.exclude) | frozenset(case.limits.include).difference(
            one.names
        )
        yield Check(
            f"{one.title}: features forced in and left out", not wrong, write_set(wrong) if wrong else ""
        )
        if not good:
            continue
        rules = list(verifier.rules(one.features))
        if one.listed is not None:
            yield from (Check(f"{one.title}: {check.claim}", check.holds, check.found) for check in rules)
        else:
            broken = any(check.holds is False for check in rules)
            yield Check(f"{one.title}: it breaks the rules", broken, "" if broken else "it keeps them")


def roles(case: Case) -> Iterator[Check]:
    """Check that every feature of a set is told of once, and in a role that goes with it."""
    inside = {Role.MEMBER} if case.by_template else {Role.MEMBER, Role.NEIGHBOUR, Role.SPOUSE}
    cut = set() if case.found.stop.finished else {Role.UNDECIDED}
    for number, one in enumerate(case.found):
        told = [verdict.feature for verdict in one.verdicts]
        wrong = [
            verdict.feature
            for verdict in one.verdicts
            if verdict.role not in (inside if verdict.feature in one else {Role.REJECTED}) | cut
        ]
        wrong += [name for name in one if name not in told]
        wrong += [name for name, times in Counter(told).items() if times > 1]
        claim = f"set {number}: the roles of its features"
        yield Check(claim, not wrong, f"not of {write_set(dict.fromkeys(wrong))}" if wrong else "")


def discarded(case: Case) -> Iterator[Check]:
    """Check sets that were found and not returned by themselves: their features, and why."""
    place = {name: j for j, name in enumerate(case.search.test.features)}
    listed = {frozenset(one.features) for one in case.found}
    for one in case.found.discarded:
        title = f"discarded {write_set(one.features)}"
        places = [place.get(name, -1) for name in one.features]
        good = min(places, default=0) >= 0 and all(a < b for a, b in pairwise(places))
        yield Check(f"{title}: known features, in the order of the data", good)
        yield Check(f"{title}: it is none of the sets", frozenset(one.features) not in listed)
        why = one.reason in {INADMISSIBLE, NOT_EQUIVALENT, NOT_COMPARABLE}
        yield Check(f"{title}: a reason that there is", why, "" if why else short(one.reason))
    twice = [one for one, number in Counter(d.features for d in case.found.discarded).items() if number > 1]
    yield Check("no set is discarded twice", not twice, write_set(twice[0]) if twice else "")


def removals(case: Case) -> Iterator[Check]:
    """Check every failed removal by itself: features that can be removed, and what is left."""
    free, features = frozenset(case.free), frozenset(case.search.test.features)
    for stated, removal in zip(case.dual.failed, case.removals, strict=True):
        once = len(removal) == len(stated.removed) and len(set(stated.left)) == len(stated.left)
        good = once and bool(removal) and removal <= free and set(stated.left) <= features - removal
        yield Check(f"{removal_text(stated)}: features that can be removed, and what is left", good)


def meetings(case: Case) -> Iterator[Check]:
    """Check that no set and no removal contains another, and that each set has a feature of each removal.

    Sets may, if the file says so: then tests contradict each other.
    """
    yield _apart("failed removal", case.removals)
    several = [one.names for one in case.known]
    larger = len(several) - len(minimal(several))
    if larger and (larger == case.dual.nested or (case.is_best and larger < case.dual.nested)):
        yield Check(f"{number_of(larger, 'set')} contain another, as the file says", True)
    elif case.dual.nested and not case.is_best:
        yield Check(f"{number_of(case.dual.nested, 'set')} contain another", False, f"{larger} do")
    else:
        yield _apart("set", several)
    for one in case.known:
        unmet = next((removal for removal in case.removals if not removal & one.names), None)
        found = "" if unmet is None else f"it has none of {write_set(sorted(unmet))}"
        yield Check(f"{one.title}: it has a feature of each failed removal", unmet is None, found)
    for stated in case.dual.failed:
        if stated.feature is not None:
            inside = stated.feature in stated.removed
            found = "" if inside else f"{stated.feature!r} is none of them"
            yield Check(f"{removal_text(stated)}: the feature that is needed is removed", inside, found)


def ends(case: Case) -> Iterator[Check]:
    """Check that how the search ended goes with what it shows, and which set comes first."""
    found, dual, stop = case.found, case.dual, case.found.stop
    if stop is Stop.EXHAUSTED or (stop is Stop.INFEASIBLE and dual.complete):
        doubts = dual.doubts() + ([] if dual.complete else ["the proof is not complete"])
        yield Check(f"nothing casts doubt on '{stop.value}'", not doubts, "; ".join(doubts))
    if stop is Stop.INFEASIBLE:
        yield Check("no set, as none is said to keep the rules", not found.sets)
    counts = (dual.missed, dual.withdrawn, dual.nested, dual.attempts, dual.draws, dual.runs)
    effort = 0 <= dual.tests <= found.effort.tests and 0 <= dual.solves <= found.effort.solves
    yield Check("counts of what the proof took", effort and min(counts) >= 0)
    if case.is_best:
        return
    yield Check(
        "a search for all ends otherwise", stop is not Stop.COUNT, "" if stop is not Stop.COUNT else stop
    )
    figures = all((one.proof, one.bound, one.gap) == (Proof.TESTED, None, None) for one in found)
    yield Check("proofs by tests, without bounds", figures)
    first = case.known[0].title if case.known else ""
    places = [one.title for one in case.alone]
    if len(places) == 1 and found.sets and case.alone[0].listed is not None:
        yield Check("the reference comes first", places[0] == first, "" if places[0] == first else places[0])


def not_claimed(case: Case) -> list[str]:
    """Name what the file itself does not claim to know, which a reader of the verdict might take it to."""
    found, heuristic = case.found, "the search is heuristic and does not claim it"
    told = []
    if found.stop is Stop.HEURISTIC:
        what = "no other blanket costs less" if case.is_best else "these are all blankets"
        told.append(f"that {what}: {heuristic}")
    if found.dual is not None and not found.dual.reference_confirmed:
        told.append("that the reference is a blanket: tests do not confirm the reference")
    return told


HISTORY = (
    "what the search did: its words, effort, versions, attempts, draws, what it missed or withdrew, why it "
    "was cut short, the order of its sets, and what it met and does not name"
)
"""What nothing in a file, and no test, tells again."""


def unchecked(case: Case) -> list[str]:
    """Name what a file says that nothing checks."""
    found = case.found
    named_so = {
        "which features are parents, children or spouses": not case.by_template,
        "bounds on errors": any(one.error for one in found),
        "paths of greedy searches": any(one.path for one in found),
        "the level of noise": found.noise is not None,
    }
    return [*(words for words, there in named_so.items() if there), HISTORY]


def _apart(what: str, several: list[frozenset[str]]) -> Check:
    """Check that none of several sets contains another, or is there twice."""
    pair = _contained(several)
    found = ""
    if pair is not None:
        smaller, larger = (write_set(sorted(one)) for one in pair)
        found = f"{smaller} is there twice" if smaller == larger else f"{smaller} is a part of {larger}"
    return Check(f"no {what} contains another", pair is None, found)


def _contained(several: list[frozenset[str]]) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return a set and one that contains it, or the same twice; None if there are none.

    Sets as bits, the smallest first: those with all features of a set are its row times the others.
    """
    ordered = sorted(several, key=len)
    names = {name: j for j, name in enumerate(sorted(frozenset().union(*several)))}
    rows = np.zeros((len(ordered), len(names)), dtype=np.float32)
    for row, one in zip(rows, ordered, strict=True):
        row[[names[name] for name in one]] = 1
    for number, one in enumerate(ordered[:-1]):
        inside = np.flatnonzero(rows[number + 1 :] @ rows[number] == len(one))
        if len(inside):
            return one, ordered[number + 1 + int(inside[0])]
    return None
