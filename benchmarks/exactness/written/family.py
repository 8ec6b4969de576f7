"""The family of what users write: rules, distances and criteria of their own, in every search, every way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb
from random import Random
from typing import Any

import altsel
from altsel.errors import AltselError, SolverError
from benchmarks.exactness import near, rules_in_trees, sets
from benchmarks.exactness.criteria import KINDS, AnyCriterion, draw_criterion, only_fits
from benchmarks.exactness.distance import draw_demand
from benchmarks.exactness.draws import threshold
from benchmarks.exactness.forced import forced, watched
from benchmarks.exactness.instance import Instance, Ready, masks_of, some_known
from benchmarks.exactness.oracle import Oracle
from benchmarks.exactness.rules_built import build_across, build_rule
from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.rules_drawn import draw_across as draw_ready_across
from benchmarks.exactness.rules_drawn import draw_rules as draw_ready_rules
from benchmarks.exactness.written.across import draw_across
from benchmarks.exactness.written.conditions import draw_predicate, draw_second, draw_untaken
from benchmarks.exactness.written.distances import Distance, draw_distance
from benchmarks.exactness.written.oracle import WrittenOracle
from benchmarks.exactness.written.own_criteria import draw_own
from benchmarks.exactness.written.refusals import RESTS_ON_THE_MODEL, is_founded
from benchmarks.exactness.written.rules import draw_written

SEARCHES = {
    "sequential": 30,
    "simultaneous": 20,
    "near_optimal": 15,
    "satisfying": 8,
    "fronts": 8,
    "most_different": 9,
    "valid": 10,
}
"""How often each search is asked."""
SOLVERS = {"auto": 45, "highs": 18, "cp-sat": 14, "scip": 13, "cbc": 10}
"""How often each way is taken."""
MOST = {1: 340, 2: 110, 3: 56}
"""Sets of an instance, by how many are wanted at once."""
SECONDS = 8.0
"""Limit for a named solver: CP-SAT takes minutes where a criterion has continuous variables."""
READY = (*KINDS[:-1], "fit", "black box")
"""Altsel's own criteria."""
STYLES = ("plain", "factors", "copies", "integers", "two classes")
"""Data of linear models whose fits are not a matter of rounding."""


class UnfoundedRefusalError(Exception):
    """Something was refused that altsel says it takes, or not by name."""


@dataclass(frozen=True)
class WrittenInstance(Instance):
    """A question with rules, distances or a criterion of the user's own."""

    @cached_property
    def oracle(self) -> Oracle:
        """The brute force for this question."""
        return WrittenOracle(self.criterion, masks_of(self.criterion.n, self.k), self.rules)

    @property
    def problem(self) -> altsel.Problem:
        """The problem as altsel takes it."""
        rules = [_built(rule, build_rule, index) for index, rule in enumerate(self.rules)]
        across = [_built(rule, build_across, index) for index, rule in enumerate(self.across)]
        k = self.k[0] if self.k[0] == self.k[1] else self.k
        return altsel.Problem(self.criterion.build(), k, rules, across)


def _built(rule: Any, build: Callable[[Any, int], Any], index: int) -> Any:
    return rule.build() if hasattr(rule, "build") else build(rule, index)


def draw_user_written(rng: Random) -> WrittenInstance:
    """Draw a question for one of the searches."""
    base = rng.choices(list(SEARCHES), list(SEARCHES.values()))[0]
    at_once = base == "simultaneous" or (
        base in {"satisfying", "fronts", "most_different"} and rng.random() < 0.35
    )
    alternatives = rng.randint(1, 2) if at_once else rng.randint(0, 3)
    n, k = _shape(rng, MOST[alternatives + 1] if at_once else MOST[1])
    criterion: Any = draw_own(rng, n, 0.15) if rng.random() < 0.45 else draw_ready(rng, n)
    rules = _rules(rng, Ground(criterion, masks_of(n, k)))
    across: tuple[Any, ...] = ()
    if (
        base in {"sequential", "simultaneous", "satisfying", "fronts", "most_different"}
        and rng.random() < 0.3
    ):
        across = _across(rng, n, alternatives + 1)
    diversity: Any = draw_distance(rng, n, 0.04)
    if rng.random() < 0.45:
        kinds = (
            ["each", "each", "average", "penalised"] if base in {"sequential", "simultaneous"} else ["each"]
        )
        diversity = draw_demand(rng, kinds, 2.0)
    solver = rng.choices(list(SOLVERS), list(SOLVERS.values()))[0]
    if criterion.kind == "black box":
        solver = "auto"
    instance = WrittenInstance(
        "user_written", criterion, k, rules, across, diversity, alternatives, solver, "auto"
    )
    takes_ways = solver == "auto" and criterion.kind != "black box" and rng.random() < 0.7
    instance.more.update(base=base, together=at_once, forced=rng.getrandbits(64) if takes_ways else 0)
    _details(rng, instance)
    return instance


def _shape(rng: Random, most: int) -> tuple[int, tuple[int, int]]:
    while True:
        n, low = rng.randint(7, 11), rng.randint(1, 5)
        high = low + rng.choice([0, 0, 0, 1, 2])
        if high < n and 12 <= sum(comb(n, size) for size in range(low, high + 1)) <= most:
            return n, (low, high)


def draw_ready(rng: Random, n: int) -> AnyCriterion:
    """Draw one of altsel's criteria, with ordinary numbers."""
    kind = rng.choice(READY)
    while True:
        if kind == "fit":
            with only_fits():
                drawn = draw_criterion(rng, n)
        else:
            drawn = draw_criterion(rng, n, [kind])
        if getattr(drawn, "style", "plain") in STYLES and getattr(drawn, "size", "ordinary") == "ordinary":
            return drawn


def _rules(rng: Random, ground: Ground) -> tuple[Any, ...]:
    """Draw rules, each by the sets that keep those before it, and rarely one that is refused."""
    rules: list[Any] = []
    for number in range(rng.choices([0, 1, 2, 3], [12, 46, 28, 14])[0]):
        rule = _rule(rng, ground, number)
        if rule is None or (ground.criterion.kind == "black box" and rule.on_quality):
            continue
        values = ((mask, ground.criterion.value(mask)) for mask in ground.masks)
        left = tuple(mask for mask, value in values if rule.verdict(mask, value) is not False)
        if left or rng.random() < 0.2:
            rules.append(rule)
            ground = Ground(ground.criterion, left or ground.masks)
            if rng.random() < 0.1:
                rules.append(rule)
    if rng.random() < 0.04:
        rules.insert(rng.randint(0, len(rules)), draw_untaken(rng))
    return tuple(rules)


def _rule(rng: Random, ground: Ground, number: int) -> Any:
    kind = rng.choices(["written", "predicate", "second", "ready"], [64, 13, 15, 8])[0]
    if kind == "predicate":
        return draw_predicate(rng, ground)
    if kind == "second":
        return draw_second(rng, ground, draw_ready)
    if kind == "ready":
        return next(iter(draw_ready_rules(rng, ground, quality=ground.criterion.kind != "black box")), None)
    return draw_written(rng, ground, number)


def _across(rng: Random, n: int, count: int) -> tuple[Any, ...]:
    if rng.random() < 0.1:
        return draw_ready_across(rng, n, count)
    rule = draw_across(rng, n, count)
    return (rule, rule) if rng.random() < 0.1 else (rule,)


def _details(rng: Random, instance: WrittenInstance) -> None:
    """Draw what one search alone asks for."""
    base, more, at_once = instance.more["base"], instance.more, instance.more["together"]
    if base == "near_optimal":  # each set is given once
        if isinstance(instance.diversity, Distance):
            object.__setattr__(instance, "diversity", replace(instance.diversity, once=True))
        more.update(within=near.draw_loss(rng, instance), apart=rng.random() < 0.4)
        more["limit"] = rng.choice([1, 5, 15, 30])
    elif base == "sequential" and instance.alternatives and rng.random() < 0.25:
        more["known"] = some_known(rng, instance)
    elif base == "satisfying":
        scores = [one.score for one in instance.oracle.maybe.values()] or [1.0]
        more["least"] = threshold(rng, scores, 0.2)
    elif base == "most_different":
        more["within"] = near.draw_loss(rng, instance)
    elif base == "fronts" and not at_once and rng.random() < 0.6:
        more["known"] = some_known(rng, instance)
    elif base == "valid":
        more.update(sample=rng.choice([0, 0, 0, 5]), apart=rng.random() < 0.6, state=rng.randrange(1000))
        more["known"] = some_known(rng, instance, 3) if more["apart"] else []
    if rng.random() < 0.25:
        more["start"] = some_known(rng, instance, 4)
        more["start"] += rng.sample(instance.oracle.falling, min(2, len(instance.oracle.falling)))
    if at_once:
        more["total"] = rng.choice(["sum", "min"])


ASKED: dict[str, tuple[Callable[[Ready], Any], Callable[[Any, Any], list[str]]]] = {
    **rules_in_trees.ASKED,
    "near_optimal": (near.ask_near_optimal, near.check_near_optimal),
    "valid": (sets.ask_valid, sets.check_valid),
}


def ask_user_written(ready: Ready) -> Any:
    """Put it to altsel, with ways drawn at random where it chooses itself.

    Raises
    ------
    UnfoundedRefusalError
        If something is refused that should not be.
    """
    wanted: Any = ready.instance
    more = wanted.more
    if wanted.solver != "auto":
        ready = replace(ready, seconds=SECONDS)
    ways = forced(Random(more["forced"])) if more["forced"] else watched()
    try:
        with ways as noted:
            found = ASKED[more["base"]][0](ready)
    except AltselError as fault:
        if not is_founded(wanted, str(fault)):
            raise UnfoundedRefusalError(f"{type(fault).__name__}: {fault}") from fault
        raise
    if noted.own and not getattr(wanted.criterion, "fault", ""):
        raise SolverError(f"rescued: {noted.own[0]}")
    return found


def check_user_written(instance: Any, found: Any) -> list[str]:
    """Check it by the search it was put to."""
    if any(rule.kind == "not taken" for rule in instance.rules):
        return ["a rule that says nothing that can be taken was not refused"]
    wrong = ASKED[instance.more["base"]][1](instance, found)
    if getattr(instance.criterion, "fault", ""):
        return [text for text in wrong if not any(one in text for one in RESTS_ON_THE_MODEL)]
    return wrong
