"""The family of problems too large for brute force, where all solvers must agree."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import fsum
from random import Random
from typing import Any

import altsel
from altsel import Proof, Stop
from benchmarks.exactness.calls import Attempt, attempt, installed, mode
from benchmarks.exactness.checks import distances, one_set
from benchmarks.exactness.criteria import CLOSE, KINDS, ROUNDING, SUMS, bits, draw_criterion
from benchmarks.exactness.distance import Diversity, all_pairs, pairs_with
from benchmarks.exactness.instance import Instance, Ready, named, some_known
from benchmarks.exactness.limits import solver
from benchmarks.exactness.rules_drawn import Ground, draw_rules

SECONDS = 20.0
SOLVERS = ("auto", "highs", "cp-sat", "scip")


def draw_medium(rng: Random) -> Instance:
    """Draw a question that all solvers can end: one set, one after known ones, or two at once."""
    kind = rng.choice([*SUMS, *KINDS[:-1]])
    at_once = rng.random() < 0.3
    large = 100 if kind in SUMS else 36 if at_once else 50
    n, k = rng.randint(30, large), rng.randint(2, 3 if kind not in SUMS or at_once else 5)
    criterion = draw_criterion(rng, n, [kind])
    low = max(1, k - rng.choice([0, 0, 1]))
    some = tuple(sum(1 << i for i in rng.sample(range(n), rng.randint(low, k))) for _ in range(200))
    rules = draw_rules(rng, Ground(criterion, some), quality=rng.random() < 0.3)
    diversity = Diversity(rng.choice(["dice", "jaccard"]), rng.choice([0.25, 0.4, 0.5, 0.75, 1.0]))
    instance = Instance("medium", criterion, (low, k), rules[:2], (), diversity, 1, "all", "auto")
    if at_once:
        instance.more["total"] = rng.choice(["sum", "min"])
    else:
        instance.more["known"] = some_known(rng, instance) if rng.random() < 0.6 else []
    return replace(instance, mode=rng.choice(["auto", "nopool", "convex"]))


def ask_medium(ready: Ready) -> dict[str, Attempt]:
    """Put it to every solver; each call is watched for itself."""
    wanted = ready.instance
    search = altsel.simultaneous if "total" in wanted.more else altsel.sequential
    whole = "time_limit" in inspect.signature(search).parameters
    found = {}
    for name in SOLVERS:
        if name in installed():
            one = Ready(wanted, name, SECONDS) if whole else Ready(wanted, solver(name, SECONDS))
            with mode(wanted.mode if name == "auto" else "auto"):
                found[name] = attempt(partial(_asked, one))
    return found


def _asked(ready: Ready) -> Any:
    wanted, more = ready.instance, ready.instance.more
    given = (wanted.problem, wanted.diversity.build())
    if "total" in more:
        return ready.call(altsel.simultaneous, *given, 1, more["total"])
    known = named(more["known"])
    return ready.call(altsel.sequential, *given, 1 if known else 0, known=known)


def check_medium(instance: Instance, found: dict[str, Attempt]) -> list[str]:
    """Check all answers by themselves, and those that are proved against each other."""
    wrong = [f"{name}: {one.text}" for name, one in found.items() if one.ended == "crash"]
    values: dict[str, tuple[float | None, float]] = {}
    for name, one in found.items():
        if one.ended != "fine":
            continue
        wrong += [f"{name}: {fault}" for fault in _valid(instance, one.result)]
        if one.result.stop is Stop.INFEASIBLE:
            values[name] = (None, 0.0)
        elif len(one.result) and all(each.proof is Proof.OPTIMAL for each in one.result):
            values[name] = _value(instance, one.result)
    return wrong + _differing(values)


def ended(found: dict[str, Attempt], wrong: Sequence[str]) -> str:
    """Return what an instance counts as."""
    if wrong:
        return "wrong"
    calls = list(found.values())
    if any(call.ended == "slow" for call in calls):
        return "slow"
    if any(call.ended == "refused" for call in calls):
        return "refused"
    proved = [call.result.stop is Stop.INFEASIBLE or call.result.proved for call in calls]
    return "fine" if all(proved) else "skipped"


def _valid(instance: Instance, found: Any) -> list[str]:
    masks = [bits(subset.features) for subset in found]
    wrong = [fault for subset in found for fault in one_set(instance, subset)]
    known = instance.more.get("known", [])
    pairs = all_pairs(masks) if "total" in instance.more else [p for m in masks for p in pairs_with(known, m)]
    return wrong + distances(instance.diversity, [*known, *masks], pairs)


def _value(instance: Instance, found: Any) -> tuple[float, float]:
    values = [instance.criterion.value(bits(subset.features)) for subset in found]
    scores = [value.score for value in values]
    total = min(scores) if instance.more.get("total") == "min" else fsum(scores)
    return total, fsum(value.terms for value in values)


def _differing(values: dict[str, tuple[float | None, float]]) -> list[str]:
    message = ", ".join(f"{name}: {value[0]!r}" for name, value in values.items())
    numbers = [value for value, _ in values.values() if value is not None]
    if numbers and len(numbers) < len(values):
        return [f"not all call it infeasible: {message}"]
    slack = max(
        [CLOSE * abs(number) for number in numbers] + [ROUNDING * terms for _, terms in values.values()],
        default=0.0,
    )
    if numbers and max(numbers) - min(numbers) > slack:
        return [f"all are called optimal: {message}"]
    return []
