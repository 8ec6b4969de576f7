"""What a file of blankets shows by itself: sets of known features, rules, and how sets and removals meet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from altsel.auditing.blankets.case import Case, named, removal_text
from altsel.auditing.recomputation import short
from altsel.exact.verification.verifier import CLOSE, Check, Verifier
from altsel.results.dual import minimal
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.results.text import number_of
from altsel.stats.independence.base import members_of


def question(case: Case) -> Iterator[Check]:
    """Check that the answer is one to this question."""
    found, test = case.found, case.problem.test
    criterion = f"{test.name}, alpha = {case.search.alpha:g}; {case.criterion.name}"
    claims = [
        ("the features are those of the test", list(found.universe), list(test.features)),
        ("the members are the test's", dict(found.members), dict(members_of(test))),
        ("the target is the test's", found.target, test.target),
        (
            "tests, level and equivalence are those wanted",
            found.criterion.removeprefix("least cost; "),
            criterion,
        ),
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
        yield Check(f"{one.title}: features forced in and left out", not wrong, named(wrong) if wrong else "")
        if not good:
            continue
        rules = list(verifier.rules(one.features))
        if one.listed is not None:
            yield from (Check(f"{one.title}: {check.claim}", check.holds, check.found) for check in rules)
        else:
            broken = any(check.holds is False for check in rules)
            yield Check(f"{one.title}: it breaks the rules", broken, "" if broken else "it keeps them")


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
        found = "" if unmet is None else f"it has none of {named(sorted(unmet))}"
        yield Check(f"{one.title}: it has a feature of each failed removal", unmet is None, found)


def ends(case: Case) -> Iterator[Check]:
    """Check that how the search ended goes with what it shows."""
    found, dual = case.found, case.dual
    if found.stop is Stop.EXHAUSTED:
        doubts = dual.doubts() + ([] if dual.complete or case.is_best else ["the proof is not complete"])
        yield Check("nothing casts doubt on 'exhausted'", not doubts, "; ".join(doubts))
    if found.stop is Stop.INFEASIBLE:
        yield Check("no set, as none is said to keep the rules", not found.sets)
    if not case.is_best:
        yield Check("proofs by tests", all(one.proof is not Proof.OPTIMAL for one in found))


def costs(case: Case) -> Iterator[Check]:
    """Check the costs of the best blankets, and their order."""
    own = [tuple(sum(cost[name] for name in one.features) for cost in case.costs) for one in case.found]
    for number, (one, cost) in enumerate(zip(case.found, own, strict=True)):
        good = abs(one.score + cost[0]) <= CLOSE * max(1.0, abs(cost[0]))
        yield Check(f"set {number}: cost {-one.score:.9g}", good, "" if good else f"it is {cost[0]!r}")
    falls = all(not _dearer(a, b) for a, b in pairwise(own))
    yield Check("the cheapest first", falls)


def _dearer(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    for one, other in zip(first, second, strict=True):
        if abs(one - other) > CLOSE * max(1.0, abs(one), abs(other)):
            return one > other
    return False


def _apart(what: str, several: list[frozenset[str]]) -> Check:
    """Check that none of several sets contains another, or is there twice."""
    pair = _contained(several)
    found = "" if pair is None else f"{named(sorted(pair[0]))} is a part of {named(sorted(pair[1]))}"
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
