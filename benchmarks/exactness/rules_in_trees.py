"""The family of rules that many sets keep just so, asked of every tree and list, with nothing listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import comb, inf
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any

import altsel
from altsel.errors import SolverError
from benchmarks.exactness import different, fronts, near, searches
from benchmarks.exactness.checks import REFUTED, one_set
from benchmarks.exactness.correlated import of_factors
from benchmarks.exactness.criteria import (
    CLOSE,
    KINDS,
    AnyCriterion,
    bits,
    draw_criterion,
    names,
    only_fits,
)
from benchmarks.exactness.distance import draw_demand
from benchmarks.exactness.draws import threshold
from benchmarks.exactness.forced import forced
from benchmarks.exactness.instance import Instance, Ready, masks_of, some_known
from benchmarks.exactness.rules import Row, Rule

SEARCHES = {
    "near_optimal": 45,
    "sequential": 24,
    "simultaneous": 14,
    "satisfying": 7,
    "fronts": 5,
    "most_different": 5,
}
"""How often each search is asked."""
CRITERIA = {
    "univariate": 22,
    "fcbf": 8,
    "mrmr-k2": 20,
    "mrmr": 18,
    "cfs": 17,
    "cfs-linearised": 1,
    "fit": 14,
}
MOST = {1: 950, 2: 130, 3: 40}
"""Sets of an instance, by how many are wanted at once."""
WIDE, LISTED = 0.06, 100_000
"""Share of instances with more features, and sets of theirs, which altsel's list of all sets answers for."""
MOST_FITTED = 40
"""Features of a linear model that are drawn."""
COEFFICIENTS = {
    1: (-3, -2, -1, 1, 1, 2, 3),
    3: (-6, -4, -3, -2, -1, 1, 1, 2, 3, 4, 5),
    7: (-5, -3, -1, 1, 2, 3, 7),
    10: (-10, -3, -1, 1, 2, 3, 7, 10),
    60: (-60, -20, 6, 12, 15, 20, 30, 40, 60, 120),
}
"""Numerators by their denominator: whole numbers, fractions, and both in one row."""


WRITTEN = {"row": 70, "helper continuous": 6, "helper measured": 8, "helper parts": 8, "helper binary": 8}
"""How rules are written: as a row, or with variables of their own."""
UNITS = (1.0, 3.0, 0.1, 0.3, 7.0)
"""Units of such variables."""


class RescuedError(Exception):
    """A wrong answer on the way was put right by somebody else."""


def draw_rules_in_trees(rng: Random) -> Instance:
    """Draw a question for one of the searches, under one to three rules; few have no set at all."""
    if rng.random() < WIDE:
        return _wide(rng)
    base = rng.choices(list(SEARCHES), list(SEARCHES.values()))[0]
    at_once = base == "simultaneous" or (
        base in {"satisfying", "fronts", "most_different"} and rng.random() < 0.3
    )
    alternatives = rng.randint(1, 2) if at_once else rng.randint(0, 4)
    for _ in range(6):
        n, k = _shape(rng, MOST[alternatives + 1] if at_once else MOST[1])
        criterion, masks = _criterion(rng, n), masks_of(n, k)
        rules = draw_tight_rules(rng, criterion, masks)
        diversity = draw_demand(rng, ("each",), 1.0)
        means = alternatives, "auto", "auto"
        instance = Instance("rules_in_trees", criterion, k, rules, (), diversity, *means)
        if len(instance.oracle.sure) > 1:
            break
    instance.more.update(base=base, forced=rng.getrandbits(64), together=at_once)
    _details(rng, instance)
    return instance


def _shape(rng: Random, most: int) -> tuple[int, tuple[int, int]]:
    """Draw the number of features, and sizes of which there are at most so many sets."""
    while True:
        n, low = rng.randint(7, 12), rng.randint(2, 6)
        high = min(n - 1, low + rng.choice([0, 0, 0, 1, 2, 4]))
        if low <= high and 20 <= sum(comb(n, size) for size in range(low, high + 1)) <= most:
            return n, (low, high)


def _criterion(rng: Random, n: int) -> AnyCriterion:
    kind = rng.choices(list(CRITERIA), list(CRITERIA.values()))[0]
    if kind == "fit":
        with only_fits():
            return draw_criterion(rng, n)
    if kind in {"mrmr-k2", "mrmr", "cfs"} and rng.random() < 0.4:
        return replace(of_factors(rng, n), kind=kind)
    while True:
        drawn = draw_criterion(rng, n, [one for one in KINDS if one == kind])
        if getattr(drawn, "size", "ordinary") in {"ordinary", "tiny", "huge"}:
            return drawn


def draw_tight_rules(rng: Random, criterion: AnyCriterion, masks: tuple[int, ...]) -> tuple[Rule, ...]:
    """Draw one to three linear rules whose limits are met by good sets, or by many."""
    rules, left = list[Rule](), masks
    for _ in range(rng.choices([1, 2, 3], [40, 35, 25])[0]):
        rule = _tight(rng, criterion, left)
        kept = tuple(mask for mask in left if rule.verdict(mask, criterion.value(mask)) is not False)
        if kept:
            rules.append(rule)
            left = kept
    return tuple(rules)


def _tight(rng: Random, criterion: AnyCriterion, masks: tuple[int, ...]) -> Rule:
    """Draw a rule by the sets that keep those before it."""
    n, over = criterion.n, rng.choice(list(COEFFICIENTS))
    named = rng.sample(range(n), rng.randint(2, n))
    one_sign = rng.random() < 0.3
    numbers = [rng.choice(COEFFICIENTS[over]) for _ in named]
    costs = tuple((i, float(abs(c) if one_sign else c)) for i, c in zip(sorted(named), numbers, strict=True))
    kind = rng.choices(list(WRITTEN), list(WRITTEN.values()))[0]
    panels: tuple[tuple[float, int], ...] = ()
    if kind == "helper binary":
        group = sum(1 << i for i in rng.sample(range(n), rng.randint(2, max(2, n // 2))))
        panels = ((float(rng.choice(COEFFICIENTS[over][-3:])), group),)
    row = Row(costs, panels=panels, over=over)
    totals = [sum(row.total(mask, criterion.value(mask))[0]) for mask in masks]
    limit, way = _limit(rng, criterion, masks, totals), rng.choice(["<=", "<=", ">=", ">=", "=="])
    if kind in {"helper parts", "helper binary"}:
        way = "<="
    low, high = (None if way == "<=" else limit), (None if way == ">=" else limit)
    return Rule(kind, tuple(rng.sample(UNITS, 2)), (replace(row, low=low, high=high),))


def _limit(rng: Random, criterion: AnyCriterion, masks: tuple[int, ...], totals: list[float]) -> float:
    """Choose what a good set comes to, or what most sets do, or any."""
    draw = rng.random()
    if draw < 0.6:
        ranked = sorted(range(len(masks)), key=lambda i: -criterion.value(masks[i]).score)
        return totals[ranked[min(int(rng.expovariate(0.15)), len(ranked) - 1)]]
    return Counter(totals).most_common(1)[0][0] if draw < 0.85 else rng.choice(totals)


def _details(rng: Random, instance: Instance) -> None:
    """Draw what one search alone asks for."""
    base, more, at_once = instance.more["base"], instance.more, instance.more["together"]
    if base == "near_optimal":
        more.update(within=_loss(rng, instance), apart=rng.random() < 0.15)
        singly = more["apart"] or instance.criterion.kind == "cfs-linearised"
        more["limit"] = rng.choice([1, 5, 15] if singly else [1, 5, 30, 1000, 1000])
    elif base == "sequential":
        if instance.alternatives and rng.random() < 0.25:
            more["known"] = some_known(rng, instance)
    elif base == "satisfying":
        scores = [one.score for one in instance.oracle.maybe.values()] or [1.0]
        more["least"] = threshold(rng, scores, 0.2)
    elif base == "most_different":
        more["within"] = near.draw_loss(rng, instance)
    elif base == "fronts" and not at_once and rng.random() < 0.6:
        more["known"] = some_known(rng, instance)
    if at_once:
        more["total"] = rng.choice(["sum", "min"])


def _loss(rng: Random, instance: Instance) -> tuple[str, float]:
    """Draw a loss, mostly one that few sets are within: some rules take a solver's check of each set."""
    helped = any(rule.kind != "row" for rule in instance.rules)
    if not helped and rng.random() < 0.4:
        return near.draw_loss(rng, instance)
    ranked = [instance.oracle.sure[mask].score for mask in instance.oracle.falling] or [0.0]
    last = ranked[min(rng.randint(0, 25 if helped else 120), len(ranked) - 1)]
    return "absolute", max(0.0, ranked[0] - last) + rng.choice([0.0, 1e-9 * abs(last)])


def _wide(rng: Random) -> Instance:
    """Draw more features, whose near-optimal sets are compared with altsel's own list of all sets."""
    while True:
        n, k = rng.randint(25, 60), rng.randint(2, 5)
        if 300 < comb(n, k) <= LISTED:
            break
    criterion = _criterion(rng, n) if n <= MOST_FITTED else of_factors(rng, n)
    if criterion.kind == "cfs-linearised":
        criterion = of_factors(rng, n)  # models are no trees
    some = tuple(sum(1 << i for i in rng.sample(range(n), k)) for _ in range(300))
    rules = draw_tight_rules(rng, criterion, some)
    diversity = draw_demand(rng, ("each",), 1.0)
    instance = Instance("rules_in_trees", criterion, (k, k), rules, (), diversity, 0, "auto", "auto")
    instance.more.update(base="near_optimal", forced=rng.getrandbits(64), against="list", apart=False)
    most = 400 if all(rule.kind == "row" for rule in rules) else 40
    instance.more.update(within=("relative", rng.choice([0.0, 0.01, 0.03, 0.1])), limit=most)
    return instance


def check_list(instance: Instance, found: Any) -> list[str]:
    """Check that a list holds all sets within the loss or the best of them, each once, in falling order."""
    if instance.more["apart"]:
        return near.check_near_optimal(instance, found)
    oracle, masks = instance.oracle, [bits(subset.features) for subset in found]
    wrong = [fault for subset in found for fault in one_set(instance, subset)]
    wrong += [f"{len(masks) - len(set(masks))} sets come twice"] * (len(set(masks)) < len(masks))
    if found.stop not in {*REFUTED, altsel.Stop.COUNT}:
        return wrong
    best = oracle.sure[oracle.falling[0]] if oracle.falling else None
    least, hair = near.floor(instance, best.score if best else 0.0)
    last = found[-1].score if found.stop is altsel.Stop.COUNT else -inf
    wanted = {
        mask: one
        for mask, one in oracle.sure.items()
        if one.score > max(least, last) + max(hair, one.slack, CLOSE * abs(last) if found else 0.0)
    }
    missing = wanted.keys() - set(masks)
    wrong += [f"{len(missing)} of {len(wanted)} sets are missing, such as {names(mask)}" for mask in missing][
        :1
    ]
    scores = [subset.score for subset in found]
    wrong += ["sets are not in falling order"] * (sorted(scores, reverse=True) != scores)
    return wrong


ASKED: dict[str, tuple[Callable[[Ready], Any], Callable[[Instance, Any], list[str]]]] = {
    "near_optimal": (near.ask_near_optimal, check_list),
    "sequential": (searches.ask_sequential, searches.check_sequential),
    "simultaneous": (searches.ask_simultaneous, searches.check_simultaneous),
    "satisfying": (searches.ask_satisfying, searches.check_satisfying),
    "fronts": (fronts.ask_front, fronts.check_front),
    "most_different": (different.ask_different, different.check_different),
}


def ask_rules_in_trees(ready: Ready) -> Any:
    """Put it to altsel on ways drawn at random.

    Raises
    ------
    RescuedError
        If the answer is owed to a check of it, or was refused by one.
    SolverError
        If that was the fault of a solver, or its numbers were too much for one.
    """
    more = ready.instance.more
    ask = ASKED[more["base"]][0]
    with forced(Random(more["forced"])) as noted:
        try:
            found = ask(ready)
        except SolverError as fault:
            if noted.of_solvers or _of_a_solver(fault):
                raise
            raise RescuedError(str(fault)) from fault
    if noted.own:
        raise RescuedError("; ".join(noted.own))
    if noted.of_solvers:
        wrong = check_rules_in_trees(ready.instance, found) if "against" not in more else []
        raise RescuedError("; ".join(wrong)) if wrong else SolverError(f"a solver: {noted.of_solvers[0]}")
    return (found, ask(ready)) if "against" in more else found


def _of_a_solver(fault: SolverError) -> bool:
    """Return whether a solver failed, or its numbers were too much for it."""
    raised_in = extract_tb(fault.__traceback__)[-1].filename
    return "solvers" in Path(raised_in).parts or "range too widely" in str(fault)


def check_rules_in_trees(instance: Instance, found: Any) -> list[str]:
    """Check it by the search it was put to, or against the list of all sets."""
    if "against" not in instance.more:
        return ASKED[instance.more["base"]][1](instance, found)
    mine, listed = found
    if mine.stop not in {*REFUTED, altsel.Stop.COUNT}:
        return []
    if (mine.stop, len(mine)) != (listed.stop, len(listed)):
        return [f"{len(mine)} sets, {mine.stop}; all sets listed: {len(listed)}, {listed.stop}"]
    ours, theirs = ({bits(one.features): one.score for one in each} for each in (mine, listed))
    if mine.stop is altsel.Stop.EXHAUSTED and ours.keys() != theirs.keys():
        return [f"sets differ: {len(ours.keys() ^ theirs.keys())} are in one list only"]
    wrong = [abs(a.score - b.score) > 1e-9 * abs(b.score) for a, b in zip(mine, listed, strict=True)]
    return [f"scores differ from the {wrong.index(True)}-th on"] if any(wrong) else []
