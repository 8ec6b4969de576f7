"""What solutions claim, as claims that certificates prove one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from math import isfinite
from typing import Any

from altsel.auditing.certificates.claim import CLOSE, LISTED, Claim, Known, Names, Together, Transversals
from altsel.auditing.reproof import floor_of
from altsel.models.soft_diversity import penalty_paid, unpaid
from altsel.results.feature_set import Proof
from altsel.results.solutions import PART, Solutions
from altsel.results.stop import Stop
from altsel.search.alternatives.largest_dissimilarity import at, measure_of, overall, step
from altsel.search.alternatives.near_optimal import least_listed


def claims_of(solutions: Solutions, request: dict[str, Any], diversity: Any) -> Iterator[Known | str]:
    """Take the claims of an answer apart; a text stands for one that certificates do not know."""
    if solutions.dual is not None:
        yield from _blankets(solutions)
        return
    search = str(request.get("search", "sequential"))
    if request.get(PART):
        yield f"a part of the sets that {search} found"
    elif request.get("across") and search not in {"sequential", "satisfying"}:
        yield f"what {search} claims of sets under rules across them"
    elif search in SEARCHES:
        yield from SEARCHES[search](solutions, request, diversity)
    elif any(one.proof is Proof.OPTIMAL for one in solutions) or solutions.stop in ENDS:
        yield f"what the search {search} claims of its sets together"


def _one_after_another(
    solutions: Solutions, request: dict[str, Any], diversity: Any
) -> Iterator[Known | str]:
    known = tuple(tuple(subset) for subset in request.get("known", ()))
    yield from _each(solutions, known)
    every = (*known, *(subset.features for subset in solutions.sets))
    if solutions.stop is Stop.INFEASIBLE:
        yield Claim("there is no further set", (), None, known=every)


def _each(solutions: Solutions, known: tuple[Names, ...]) -> Iterator[Claim]:
    """Claim of each set what is known of it, after those before it."""
    for number, one in enumerate(solutions.sets):
        before = (*known, *(subset.features for subset in solutions.sets[:number]))
        optimal = one.proof is Proof.OPTIMAL
        limit = one.score if optimal else one.bound
        if limit is not None and isfinite(limit):
            words = "is optimal" if optimal else "has its bound"
            yield Claim(f"set {number} {words}", (one,), limit, slack=CLOSE, known=before)
        else:
            yield Claim(f"set {number} keeps all rows", (one,), None, "none", known=before)


def _good_enough(solutions: Solutions, request: dict[str, Any], diversity: Any) -> Iterator[Known | str]:
    """Claim that no further set of a least score differs enough from those found."""
    apart, least = unpaid(diversity), float(request["least"])
    yield from (replace(claim, apart=apart) for claim in _each(solutions, ()))
    every = tuple(one.features for one in solutions.sets)
    if solutions.stop is Stop.INFEASIBLE:
        title = "no further set is good enough"
        yield Claim(title, (), least, slack=LISTED, known=every, apart=apart)


def _list(solutions: Solutions, request: dict[str, Any], diversity: Any) -> Iterator[Known | str]:
    """Claim that a list is complete; where sets must differ, that each is the best after those before it."""
    asked = request.get("diversity") or {}
    differ = asked.get("kind") == "Each" and bool(asked.get("tau", 0))
    if not solutions.sets or differ:
        yield from _one_after_another(solutions, request, diversity)
    if not solutions.sets or solutions.stop not in {Stop.EXHAUSTED, Stop.COUNT}:
        return
    best, last = solutions.sets[0].score, solutions.sets[-1].score
    least = least_listed(floor_of(request["within"], best), best)
    every = tuple(one.features for one in solutions.sets)
    if differ and solutions.stop is Stop.EXHAUSTED:
        yield Claim("no further set is good enough", (), least, slack=LISTED, known=every)
    elif not differ:
        exhausted = solutions.stop is Stop.EXHAUSTED
        title = "the list is complete" if exhausted else "the sets listed are the best"
        limit, slack = (least, LISTED) if exhausted else (last, CLOSE)
        yield Claim(title, solutions.sets, limit, "others", slack)


def _different(solutions: Solutions, request: dict[str, Any], diversity: Any) -> Iterator[Known | str]:
    """Claim of each further set that it is the best of those as different, and no good one more so."""
    yield from _each(replace(solutions, sets=solutions.sets[:1]), ())
    if not solutions.sets:
        yield from _one_after_another(solutions, {}, diversity)
        return
    floor = floor_of(request["within"], solutions.sets[0].score)
    for number in range(1, len(solutions.sets)):
        one, before = solutions.sets[number], tuple(other.features for other in solutions.sets[:number])
        apart = overall(diversity, [(other, one.features) for other in before])
        part = f"set {number}"
        if one.proof is not Proof.OPTIMAL:
            as_different = at(diversity, apart)
            yield Claim(f"{part} keeps all rows", (one,), None, "none", 0.0, before, as_different, part)
            continue
        title = f"{part} is the best of those that are as different"
        yield Claim(title, (one,), one.score, "all", CLOSE, before, at(diversity, apart), part)
        yield from _no_further(
            f"no set more different than {part}", diversity, apart, before, floor, solutions
        )
    if solutions.stop is Stop.INFEASIBLE:
        every = tuple(other.features for other in solutions.sets)
        yield from _no_further(
            "no further set", diversity, measure_of(diversity).tau, every, floor, solutions
        )


def _no_further(
    what: str, diversity: Any, apart: float, known: tuple[Names, ...], floor: float, solutions: Solutions
) -> Iterator[Claim]:
    """Claim that no set more different from known ones reaches a floor, unless none can be more different."""
    sizes = [*map(len, known), *(len(one) for one in solutions.sets)]
    further = apart + step(diversity, sizes)
    if further <= 1.0:
        title, part = f"{what} is good enough", f"more than {what}"
        yield Claim(title, (), floor, "all", LISTED, known, at(diversity, further), part)


def _together(solutions: Solutions, request: dict[str, Any], diversity: Any) -> Iterator[Known | str]:
    total, count, sets = str(request.get("total")), int(request["alternatives"]) + 1, solutions.sets
    if sets and solutions.proved:
        scores = [one.score for one in sets]
        paid = penalty_paid(diversity, combinations([one.features for one in sets], 2))
        limit = (sum(scores) if total == "sum" else min(scores)) - paid
        yield Together("the sets together are optimal", count, sets, total, limit)
    elif solutions.stop in ENDS:
        yield Together("there are no such sets together", count, (), total, None)


def _good_together(solutions: Solutions, request: dict[str, Any], diversity: Any) -> Iterator[Known | str]:
    """Claim of sets of a least score that they have it, or that there are none that differ enough."""
    for number, one in enumerate(solutions.sets):
        yield Claim(f"set {number} keeps all rows", (one,), None, "none")
    if solutions.stop is Stop.INFEASIBLE:
        title, count = "no sets together are good enough", int(request["alternatives"]) + 1
        yield Together(title, count, (), "min", float(request["least"]), LISTED, unpaid(diversity))


def _different_together(
    solutions: Solutions, request: dict[str, Any], diversity: Any
) -> Iterator[Known | str]:
    """Claim that no good sets together are more different, and that of those as different none are better."""
    count, sets = int(request["alternatives"]) + 1, solutions.sets
    floor = floor_of(request["within"], float(request["best"])) if "best" in request else None
    if floor is None or not (solutions.stop is Stop.INFEASIBLE or (sets and solutions.proved)):
        return
    sizes = [len(one) for one in sets] or [int(request["k"][1])]
    apart = overall(diversity, [*combinations([one.features for one in sets], 2)]) if sets else None
    if apart is not None:
        title, limit = "the sets are the best of those that are as different", min(one.score for one in sets)
        as_different = at(diversity, apart)
        yield Together(title, count, sets, "min", limit, CLOSE, as_different, "as different")
    beyond = step(diversity, sizes)  # no set is given twice
    further = max(measure_of(diversity).tau, beyond) if apart is None else apart + beyond
    if further <= 1.0:
        title, part = "no sets together that are more different are good enough", "more different"
        yield Together(title, count, (), "min", floor, LISTED, at(diversity, further), part)


def _blankets(solutions: Solutions) -> Iterator[Known | str]:
    dual = solutions.dual
    if dual is None or not dual.complete or dual.doubts():
        why = "; ".join(dual.doubts()) if dual is not None and dual.complete else "it was not complete"
        yield f"that all blankets were found: {why}"
    elif dual.rules or dual.forced or dual.left_out:
        yield "that all blankets that keep rules were found"
    else:
        others = tuple(one.removed for one in dual.failed)
        title = f"the family of {len(solutions)} blankets is complete, as far as the tests of removals hold"
        yield Transversals(title, tuple(one.features for one in solutions.sets), others)


SEARCHES: dict[str, Callable[[Solutions, dict[str, Any], Any], Iterator[Known | str]]] = {
    "sequential": _one_after_another,
    "near_optimal": _list,
    "satisfying": _good_enough,
    "most_different": _different,
    "simultaneous": _together,
    "satisfying_together": _good_together,
    "most_different_together": _different_together,
}


ENDS = {Stop.INFEASIBLE, Stop.EXHAUSTED}
