"""What solutions claim, as claims that certificates prove one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from altsel.auditing.reproof import floor_of
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop

CLOSE = 1e-10
"""Share of a score by which a set that is not looked for may be better; of what is called optimal 1e-9."""
LISTED = 1e-12
"""The same above the floor of a list."""

Names = Sequence[str]


@dataclass(frozen=True)
class Claim:
    """Sets, and that no set at all, or no other one, scores more than a limit.

    Attributes
    ----------
    title
        In words.
    sets
        Sets that are shown to keep all rows and to reach their score.
    limit
        None: there is no set.
    others
        Whether only sets besides those listed are bounded.
    known
        Sets to differ from.
    """

    title: str
    sets: tuple[FeatureSet, ...]
    limit: float | None
    others: bool = False
    known: tuple[Names, ...] = ()


def claims_of(solutions: Solutions, request: dict[str, Any]) -> Iterator[Claim | str]:
    """Take the claims of an answer apart; a text stands for one that certificates do not know."""
    search = str(request.get("search", "sequential"))
    if search in {"sequential", "near_optimal"} and request.get("across"):
        yield "rules across sets"
    elif search == "sequential":
        yield from _one_after_another(solutions, request)
    elif search == "near_optimal":
        yield from _list(solutions, request)
    elif solutions.sets or solutions.stop in {Stop.INFEASIBLE, Stop.EXHAUSTED}:
        yield f"what {search} claims"


def _one_after_another(solutions: Solutions, request: dict[str, Any]) -> Iterator[Claim | str]:
    known = tuple(tuple(subset) for subset in request.get("known", ()))
    for number, one in enumerate(solutions.sets):
        before = (*known, *(subset.features for subset in solutions.sets[:number]))
        limit = _limit(one)
        if limit is not None:
            words = "is optimal" if one.proof is Proof.OPTIMAL else "has its bound"
            yield Claim(f"set {number} {words}", (one,), limit, known=before)
    if solutions.stop is Stop.INFEASIBLE:
        every = (*known, *(subset.features for subset in solutions.sets))
        yield Claim("there is no further set", (), None, known=every)


def _limit(one: FeatureSet) -> float | None:
    if one.proof is Proof.OPTIMAL:
        return one.score + CLOSE * max(abs(one.score), CLOSE)
    return one.bound


def _list(solutions: Solutions, request: dict[str, Any]) -> Iterator[Claim | str]:
    diversity = request.get("diversity") or {}
    if not solutions.sets:
        if solutions.stop is Stop.INFEASIBLE:
            yield Claim("there is no set", (), None)
        return
    best = max(solutions.sets, key=lambda one: one.score)
    if best.proof is Proof.OPTIMAL:
        yield Claim("the first set is optimal", (best,), _limit(best))
    if solutions.stop is Stop.EXHAUSTED and diversity.get("tau", 0):
        yield "that no further set differs enough and is good enough"
    elif solutions.stop is Stop.EXHAUSTED:
        floor = floor_of(request["within"], best.score)
        least = floor - 1e-9 * max(abs(floor), abs(best.score))
        yield Claim("the list is complete", solutions.sets, least + LISTED * abs(least), others=True)
    elif solutions.stop is Stop.COUNT:
        last = min(one.score for one in solutions.sets)
        yield Claim(
            "the sets listed are the best", solutions.sets, last + CLOSE * max(abs(last), CLOSE), others=True
        )
