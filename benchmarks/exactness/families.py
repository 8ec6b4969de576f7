"""The families by name: how an instance is drawn, put to altsel, and checked."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import altsel
from benchmarks.exactness import (
    conflicts,
    correlated,
    different,
    fronts,
    limits,
    many,
    medium,
    near,
    rules_in_trees,
    screened,
    searches,
    sets,
)
from benchmarks.exactness.calls import Attempt, attempt, installed, mode
from benchmarks.exactness.criteria import Criterion, draw_criterion, only_fits
from benchmarks.exactness.distance import draw_demand
from benchmarks.exactness.forced import small_model_fits
from benchmarks.exactness.instance import Instance, Ready, masks_of
from benchmarks.exactness.model_fits import draw_model_fit
from benchmarks.exactness.rules_drawn import Ground, draw_rules
from benchmarks.exactness.tally import Verdict
from benchmarks.exactness.written import family as written


@dataclass(frozen=True)
class QuestionKind:
    """One kind of question."""

    draw: Callable[[Random], Instance]
    call: Callable[[Ready], Any]
    check: Callable[[Instance, Any], list[str]]


BASES: dict[str, QuestionKind] = {
    "sequential": QuestionKind(searches.draw_sequential, searches.ask_sequential, searches.check_sequential),
    "chains": QuestionKind(searches.draw_chain, searches.ask_sequential, searches.check_sequential),
    "simultaneous": QuestionKind(
        searches.draw_simultaneous, searches.ask_simultaneous, searches.check_simultaneous
    ),
    "lenient": QuestionKind(searches.draw_lenient, searches.ask_lenient, searches.check_lenient),
    "near_optimal": QuestionKind(near.draw_near_optimal, near.ask_near_optimal, near.check_near_optimal),
    "satisfying": QuestionKind(searches.draw_satisfying, searches.ask_satisfying, searches.check_satisfying),
    "fronts": QuestionKind(fronts.draw_front, fronts.ask_front, fronts.check_front),
    "most_different": QuestionKind(
        different.draw_different, different.ask_different, different.check_different
    ),
    "valid": QuestionKind(sets.draw_valid, sets.ask_valid, sets.check_valid),
    "correlated": QuestionKind(
        correlated.draw_correlated, correlated.ask_correlated, correlated.check_correlated
    ),
    "many": QuestionKind(many.draw_many, many.ask_many, searches.check_simultaneous),
    "explain": QuestionKind(conflicts.draw_explain, conflicts.ask_explain, conflicts.check_explain),
    "wrapper": QuestionKind(sets.draw_wrapper, sets.ask_wrapper, sets.check_wrapper),
}


def draw_linear_fit(rng: Random) -> Instance:
    """Draw a question of any other family, about the fit of linear models; some of 9 to 14 features."""
    with only_fits():
        return _of_fits(rng, "linear_fit", 0.4)


def draw_model_fits(rng: Random) -> Instance:
    """Draw a question of any other family, about the fit of regularised models; most without lists of all."""
    with only_fits(draw_model_fit):
        instance = _of_fits(rng, "model_fit", 0.12)
    instance.more["ways"] = rng.getrandbits(64)
    solver = instance.solver if rng.random() < 0.4 else "auto"
    return replace(instance, solver=solver, mode="nopool" if rng.random() < 0.6 else instance.mode)


def _of_fits(rng: Random, family: str, large: float) -> Instance:
    if rng.random() < large:
        return _larger(rng, family)
    while True:
        base = rng.choice([name for name in BASES if name != "wrapper"])
        instance = BASES[base].draw(rng)
        if not isinstance(instance.criterion, Criterion):
            break
    instance.more["base"] = base
    return replace(instance, family=family)


def _larger(rng: Random, family: str) -> Instance:
    """Draw a question for `sequential` or `near_optimal` about a few thousand sets, without a list."""
    n, k = rng.randint(9, 14), rng.randint(2, 6)
    low = k - (rng.random() < 0.2)
    criterion = draw_criterion(rng, n)
    masks = masks_of(n, (low, k))
    rules = draw_rules(rng, Ground(criterion, tuple(rng.sample(masks, min(len(masks), 200)))), quality=False)
    diversity = draw_demand(rng, ("each",), 1.0)
    instance = Instance(
        family, criterion, (low, k), rules[:2], (), diversity, rng.randint(0, 3), "auto", "nopool"
    )
    instance.more["base"] = rng.choice(["sequential", "near_optimal"])
    if instance.more["base"] == "near_optimal":
        instance.more.update(within=near.draw_loss(rng, instance), apart=rng.random() < 0.2)
        instance.more["limit"] = rng.choice([5, 50, 150] if family == "linear_fit" else [5, 20, 40])
    return instance


def _draw_screened(rng: Random) -> Instance:
    """Draw a question of any other family, about a criterion of pairs; most often for sets one by one."""
    base = rng.choice(screened.BASES)
    while True:
        instance = BASES[base].draw(rng)
        if instance.criterion.kind in screened.KINDS:
            break
    instance.more.update(base=base, screened=rng.random())
    return replace(instance, family="screened")


def _ask_screened(ready: Ready) -> Any:
    """Put a question to altsel as if it were on very many features."""
    with screened.screened(Random(ready.instance.more["screened"])):
        return _ask_base(ready)


def _ask_base(ready: Ready) -> Any:
    """Put a question to altsel as its family does."""
    return BASES[ready.instance.more["base"]].call(ready)


def _ask_model_fits(ready: Ready) -> Any:
    """Put a question to altsel, by one of the ways of its search."""
    with small_model_fits(Random(ready.instance.more["ways"])):
        return _ask_base(ready)


def _ask_limits(ready: Ready) -> Any:
    """Put a question to altsel with its limit."""
    return BASES[ready.instance.more["base"]].call(limits.limited(ready, altsel.sequential))


def _check_base(instance: Instance, found: Any) -> list[str]:
    """Check the answer like any other of its kind: only what is claimed counts."""
    return BASES[instance.more["base"]].check(instance, found)


FAMILIES: dict[str, QuestionKind] = {
    **BASES,
    "limits": QuestionKind(
        limits.draw_limits({name: one.draw for name, one in BASES.items()}), _ask_limits, _check_base
    ),
    "linear_fit": QuestionKind(draw_linear_fit, _ask_base, _check_base),
    "model_fit": QuestionKind(draw_model_fits, _ask_model_fits, _check_base),
    "screened": QuestionKind(_draw_screened, _ask_screened, _check_base),
    "rules_in_trees": QuestionKind(
        rules_in_trees.draw_rules_in_trees,
        rules_in_trees.ask_rules_in_trees,
        rules_in_trees.check_rules_in_trees,
    ),
    "user_written": QuestionKind(
        written.draw_user_written, written.ask_user_written, written.check_user_written
    ),
    "medium": QuestionKind(medium.draw_medium, medium.ask_medium, medium.check_medium),
}


def cpu_seconds() -> float:
    """CPU time of this process and of the solvers it ran."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def judge(seed: int, name: str, number: int, asked_mode: str | None = None) -> Verdict:
    """Draw an instance, put it to altsel, and check what comes."""
    began = cpu_seconds()
    family = FAMILIES[name]
    instance = family.draw(Random(f"{seed}:{name}:{number}"))
    instance = replace(instance, mode=asked_mode or instance.mode)
    if instance.solver not in installed() | {"all"}:
        instance = replace(instance, solver="auto")
    if name == "medium":
        answers = medium.ask_medium(Ready(instance, None))
        ended, text = _compared(instance, answers)
        printed = next((answer.printed for answer in answers.values() if answer.printed), "")
    else:
        with mode(instance.mode):
            called = attempt(lambda: family.call(Ready(instance, instance.solver)))
        ended, text = _judged(family, instance, called)
        printed = called.printed[:200]
    message = repr(instance) if ended in {"wrong", "crash", "slow"} else ""
    searched = instance.more.get("base", name)
    labels = (instance.solver, instance.criterion.kind)
    return Verdict(
        seed, name, number, ended, text, message, *labels, cpu_seconds() - began, printed, searched
    )


def _judged(family: QuestionKind, instance: Instance, called: Attempt) -> tuple[str, str]:
    if called.ended != "fine":
        return called.ended, called.text
    wrong = family.check(instance, called.result)
    return ("wrong", "; ".join(wrong[:3])) if wrong else ("fine", "")


def _compared(instance: Instance, answers: dict[str, Attempt]) -> tuple[str, str]:
    wrong = medium.check_medium(instance, answers)
    failed = [f"{name}: {one.text}" for name, one in answers.items() if one.ended != "fine"]
    return medium.ended(answers, wrong), "; ".join((wrong or failed)[:3])
