"""One contract for every search, objective and engine: whatever stops a search, it claims nothing untrue.

Searches are stopped at the n-th call of their solver, at the n-th node of their branch and bound, and at
the n-th look at the clock; brute force then tries to refute what they say. Every search meets every way,
every objective and both of the first moments, but not all together: ``ALTSEL_ROUNDS=6`` does that, with later
moments, in some minutes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from itertools import combinations
from math import inf
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import pyomo.environ as pyo
import pytest

import altsel
from altsel import AbsoluteLoss, Dependence, Dice, FeatureSet, HillClimbing, Problem, Proof, Solutions, Stop
from altsel.exact import auto
from altsel.exact.auto_solver import Auto
from altsel.exact.families.counts.engine import Counts
from altsel.exact.sources.every_set import engine as all_sets
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.models.problem import chosen
from altsel.runtime.clock import clock
from altsel.solvers import Outcome
from tests.models.test_objectives import OBJECTIVES, not_both
from tests.oracles import brute_force as bf
from tests.pairs import paired

run_module = import_module("altsel.exact.run")
clock_module = import_module("altsel.runtime.clock")
STARTS = [
    (import_module(f"altsel.{module}"), name)
    for module, name in {
        "exact.starts.at_hand": "good_sets",
        "exact.families.counts.membership_patterns": "good_sets",
        "exact.starts.warm_start": "good_sets",
        "search.alternatives.satisfying": "good_set",
    }.items()
]
"""Where searches get good sets to begin with."""

HIGHS = altsel.solver("highs")
CLOSE = 1e-8
TAU = 0.5
SECONDS = 1000.0
"""Time limit of calls whose clock is made to jump."""
ROUNDS = int(os.environ.get("ALTSEL_ROUNDS", "1"))
"""Problems for each search and way of being stopped."""
MOMENTS = (1, 2, 4, 15)
"""Calls, nodes and looks at which a search is stopped."""
ENDED = {Stop.COUNT, Stop.EXHAUSTED, Stop.INFEASIBLE}


# -- problems ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class World:
    """A small problem, and all its admissible sets with their scores."""

    problem: Problem
    scores: dict[bf.Set, float]

    @property
    def best(self) -> float:
        return max(self.scores.values(), default=-inf)

    @property
    def spread(self) -> float:
        return self.best - min(self.scores.values(), default=-inf) if self.scores else 0.0

    @property
    def known(self) -> list[str]:
        """A set to differ from, admissible or not."""
        return sorted(next((one for one, q in self.scores.items() if q == self.best), {"x0", "x1"}))


def helper(b: Any) -> None:
    """Cut no set off; a rule with a variable of its own that goes to a model only."""
    b.other = pyo.Var(domain=pyo.Integers)
    b.use = pyo.Constraint(expr=pyo.inequality(-1, 2 * b.other - b.x["x0"], 0))


def numbers(seed: int) -> Dependence:
    rng = np.random.default_rng(seed)
    n = 5 + seed % 8 // 3
    names = [f"x{j}" for j in range(n)]
    q, r = rng.random(n), rng.random((n, n)) * 0.75
    if seed % 2:  # many ties
        q, r = np.round(q * 10) / 10, np.round(r * 8) / 10
    table = pd.DataFrame((r + r.T) / 2, index=names, columns=names)
    return Dependence(pd.Series(q, index=names), table)


@cache
def world(name: str, seed: int, free: bool, rule: Callable[[Any], None] | None = None) -> World:
    quality = OBJECTIVES[name](numbers(seed))
    k = [(1, 3), (2, 4)][seed // 2 % 2] if free else 2 + seed % 2
    problem = Problem(quality, k, [rule] if rule else [])
    sets = bf.all_sets(quality.features, problem.sizes)
    kept = [subset for subset in sets if rule is not not_both or not {"x0", "x1"} <= subset]
    return World(problem, bf.scored(quality, kept))


# -- ways of being stopped -----------------------------------------------------------------------


def without_starts(patch: pytest.MonkeyPatch) -> None:
    """Make nothing good be known before, as where a heuristic fails."""
    for module, name in STARTS:
        patch.setattr(module, name, lambda *_, empty=[] if name == "good_sets" else None: empty)


@dataclass
class Moment:
    """Counts calls, nodes or looks, and tells when it is time."""

    at: int
    met: int = 0

    def now(self) -> bool:
        self.met += 1
        return self.met == self.at

    def since(self) -> bool:
        self.met += 1
        return self.met >= self.at

    @property
    def came(self) -> bool:
        return self.met >= self.at


@dataclass
class Stopping:
    """HiGHS, but for what it does at its n-th call: all of its answers may be true of a solver.

    ``nothing``: it has no set and no bound, from then on. ``once``: at that call only. ``poor``: it
    has the second best set and a bound. ``raise``: Ctrl-C outside of the engine.
    """

    moment: Moment
    how: str
    stop: Stop
    name: str = "stopping"

    def __call__(self, model: Any) -> Outcome:
        due = self.moment.since() if self.how == "nothing" else self.moment.now()
        if not due:
            return HIGHS(model)
        if self.how == "raise":
            raise KeyboardInterrupt
        if self.stop is Stop.INTERRUPT:
            clock().note(KeyboardInterrupt())  # as every engine does
        return self.poor(model) if self.how == "poor" else Outcome(self.stop, None, None, None, 0.0)

    def poor(self, model: Any) -> Outcome:
        best = HIGHS(model)
        if best.value is None or model.component("sets") is None:
            return Outcome(self.stop, None, None, None, 0.0)
        block = model.sets[0]
        one = chosen(block)
        terms = [x if f in one else -x for f, x in block.x.items()]
        block.second = pyo.Constraint(expr=pyo.quicksum(terms) <= len(one) - 1)
        second = HIGHS(model)
        block.del_component(block.second)
        if second.value is None:
            return Outcome(self.stop, None, None, best.bound, 0.0)
        return replace(second, stop=self.stop, proof=Proof.FEASIBLE, bound=best.bound)


@dataclass(frozen=True)
class Way:
    """A way of being stopped: makes the solver of a call, and says how the call may end."""

    prepare: Callable[[Moment, pytest.MonkeyPatch], Any]
    stops: frozenset[Stop]
    limited: bool = False


def by_solver(how: str, stop: Stop, auto: bool = False) -> Way:
    def prepare(moment: Moment, patch: pytest.MonkeyPatch) -> Any:
        if how == "poor":
            without_starts(patch)
        double: Any = Stopping(moment, how, stop)
        patch.setattr(run_module, "automatic", lambda time_limit=None: Auto(double))
        patch.setattr(all_sets, "MOST_SETS", 0)
        return None if auto else double

    return Way(prepare, frozenset({stop, Stop.LIMIT} - ({Stop.LIMIT} if stop is Stop.INTERRUPT else set())))


def by_nodes(how: str, started: bool = True) -> Way:
    def prepare(moment: Moment, patch: pytest.MonkeyPatch) -> Any:
        if not started:
            without_starts(patch)
        real = Search.examine

        def examined(self: Search, *given: Any) -> Any:
            if moment.now():
                if how == "raise":
                    raise KeyboardInterrupt
                if how == "limit":
                    self.most_nodes = 0
                current: Any = self.clock
                while how in {"time", "question"} and current is not None:
                    current.until = 0.0
                    current = current.outer if how == "time" else None
            return real(self, *given)

        patch.setattr(Search, "examine", examined)
        patch.setattr(all_sets, "MOST_SETS", 0)
        return None

    stops = {"raise": {Stop.INTERRUPT}, "limit": {Stop.LIMIT}}.get(how, {Stop.TIME, Stop.LIMIT})
    return Way(prepare, frozenset(stops))


def by_looks(how: str, way: str) -> Way:
    def prepare(moment: Moment, patch: pytest.MonkeyPatch) -> Any:
        def perf_counter() -> float:
            if how == "raise" and moment.now():
                raise KeyboardInterrupt
            late = how == "time" and moment.since()
            return time.perf_counter() + (10 * SECONDS if late else 0.0)

        times = SimpleNamespace(perf_counter=perf_counter, process_time=time.process_time)
        patch.setattr(clock_module, "time", times)
        patch.setattr(run_module, "automatic", lambda time_limit=None: Auto(HIGHS))
        if way != "pool":
            patch.setattr(all_sets, "MOST_SETS", 0)
        return HIGHS if way == "solver" else None

    stops = {"raise": {Stop.INTERRUPT}, "time": {Stop.TIME, Stop.LIMIT}}[how]
    return Way(prepare, frozenset(stops), limited=True)


WAYS = {
    "solver: time": by_solver("nothing", Stop.TIME),
    "solver: interrupt": by_solver("nothing", Stop.INTERRUPT),
    "solver: limit, once": by_solver("once", Stop.LIMIT),
    "solver: time, poor set": by_solver("poor", Stop.TIME),
    "solver: interrupt, poor set": by_solver("poor", Stop.INTERRUPT),
    "solver: Ctrl-C": by_solver("raise", Stop.INTERRUPT),
    "auto, solver: time": by_solver("nothing", Stop.TIME, auto=True),
    "auto, solver: time, once": by_solver("once", Stop.TIME, auto=True),
    "nodes: time": by_nodes("time"),
    "nodes: time of a question": by_nodes("question"),
    "nodes: time, no start": by_nodes("time", started=False),
    "nodes: limit, no start": by_nodes("limit", started=False),
    "nodes: Ctrl-C": by_nodes("raise"),
    "looks: time, pool": by_looks("time", "pool"),
    "looks: time, nodes": by_looks("time", "nodes"),
    "looks: time, solver": by_looks("time", "solver"),
    "looks: Ctrl-C, pool": by_looks("raise", "pool"),
    "looks: Ctrl-C, nodes": by_looks("raise", "nodes"),
    "looks: Ctrl-C, solver": by_looks("raise", "solver"),
}


# -- searches, and what brute force says of their answers ----------------------------------------


def distance(one: bf.Set, others: Sequence[bf.Set]) -> float:
    return min((bf.dice(one, other) for other in others), default=inf)


def of(one: FeatureSet) -> bf.Set:
    return frozenset(one.features)


def check_set(at: World, one: FeatureSet) -> None:
    """The set is admissible, has its score, and a bound and a gap that fit its proof."""
    assert of(one) in at.scores
    assert len(one.features) == len(of(one))
    assert one.score == pytest.approx(at.scores[of(one)], abs=1e-12)
    if one.proof is Proof.OPTIMAL:
        assert (one.bound, one.gap) == (one.score, 0)
    elif one.proof is Proof.FEASIBLE:
        assert one.bound is not None  # all of these criteria can be bounded
        assert one.bound >= one.score
    else:
        assert one.proof is Proof.HEURISTIC
        assert (one.bound, one.gap) == (None, None)


def check_bound(one: FeatureSet, best: float, value: float | None = None) -> None:
    """Nothing better than the bound is there; `value` is what is bounded, if not the set's score."""
    value = one.score if value is None else value
    if one.proof is Proof.FEASIBLE and one.bound is not None:
        assert value + one.bound - one.score >= best - CLOSE
        if value:
            assert one.gap == pytest.approx((one.bound - one.score) / abs(value), rel=1e-6, abs=1e-9)
    if one.proof is Proof.OPTIMAL:
        assert value >= best - CLOSE


def left(at: World, before: Sequence[bf.Set], tau: float = TAU) -> float | None:
    return bf.best_after(at.scores, before, bf.dice, tau)


def check_sequence(at: World, found: Solutions, wanted: int, known: Sequence[bf.Set] = ()) -> None:
    """Each set is the best given those before it, as far as it says so."""
    before = list(known)
    for subset in found:
        check_set(at, subset)
        assert distance(of(subset), before) >= TAU
        best = left(at, before)
        assert best is not None
        check_bound(subset, best)
        before.append(of(subset))
    assert found.stop is not Stop.EXHAUSTED
    if found.stop is Stop.COUNT:
        assert len(found) == wanted
    if found.stop is Stop.INFEASIBLE:
        assert left(at, before) is None


def check_family(at: World, found: Solutions, count: int, total: str) -> None:
    add: Any = {"sum": sum, "min": min}[total]
    best = bf.best_together(at.scores, count, bf.dice, TAU, add)
    assert found.stop is not Stop.EXHAUSTED
    if not found.sets:
        assert found.stop is not Stop.COUNT
        assert found.stop is not Stop.INFEASIBLE or best is None
        return
    assert len(found) == count
    assert found.stop is not Stop.INFEASIBLE
    assert all(bf.dice(of(a), of(b)) >= TAU for a, b in combinations(found, 2))
    assert best is not None
    value = add([subset.score for subset in found])
    for subset in found:
        check_set(at, subset)
        check_bound(subset, best, value)


def check_near(at: World, found: Solutions, loss: float, limit: int, tau: float) -> None:
    before: list[bf.Set] = []

    def others() -> list[float]:
        return [q for s, q in at.scores.items() if s not in before and distance(s, before) >= tau - 1e-9]

    for subset in found:
        check_set(at, subset)
        assert of(subset) not in before
        assert distance(of(subset), before) >= tau
        check_bound(subset, max(others()))
        before.append(of(subset))
    assert found.stop is not Stop.COUNT or len(found) == limit
    if found.stop is Stop.INFEASIBLE:
        assert not at.scores
    if found.stop is Stop.EXHAUSTED:
        assert max(others(), default=-inf) < at.best - loss + CLOSE
        assert min(subset.score for subset in found) >= at.best - loss - CLOSE


def fronts(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Leave those that no other one beats."""
    best: list[tuple[float, float]] = []
    for apart, quality in sorted(pairs, reverse=True):
        if not best or quality > best[-1][1] + CLOSE:
            best.append((apart, quality))
    return best[::-1]


def check_points(found: altsel.Front, pairs: Sequence[tuple[float, float]]) -> None:
    """Check points against the dissimilarities and qualities of all answers that there are."""
    for point in found:
        as_different = [q for apart, q in pairs if apart >= point.dissimilarity - 1e-9]
        for subset in point.found:
            check_bound(subset, max(as_different), point.quality)
    apart = [point.dissimilarity for point in found]
    assert apart == sorted(set(apart))
    assert found.stop is not Stop.COUNT
    if found.stop is Stop.INFEASIBLE:
        assert not pairs
    if found.stop is Stop.EXHAUSTED:
        wanted = fronts(pairs)
        assert apart == pytest.approx([apart for apart, _ in wanted])
        assert [point.quality for point in found] == pytest.approx([quality for _, quality in wanted])
    if found.proved and found.points:
        assert max(point.quality for point in found) == pytest.approx(max(q for _, q in pairs))


def check_front(at: World, found: altsel.Front, bases: Sequence[bf.Set]) -> None:
    """Check a front against any of the sets it may have begun with."""
    for point in found:
        (one,) = point.found
        check_set(at, one)
        assert point.quality == one.score
    faults = []
    for base in bases:
        pairs = [(bf.dice(s, base), q) for s, q in at.scores.items() if bf.dice(s, base) >= TAU]
        try:
            assert all(bf.dice(of(point.found[0]), base) == point.dissimilarity for point in found)
            check_points(found, pairs)
        except AssertionError as fault:
            faults.append(fault)
        else:
            return
    if bases:
        raise faults[0]
    assert not found.points
    assert found.stop is not Stop.EXHAUSTED


def pairs_of(at: World, total: Callable[[list[float]], float]) -> Iterator[tuple[float, float]]:
    for (s, a), (t, b) in combinations(at.scores.items(), 2):
        if bf.dice(s, t) >= TAU:
            yield bf.dice(s, t), total([a, b])


def check_front_together(at: World, found: altsel.Front) -> None:
    for point in found:
        assert point.dissimilarity == bf.dice(*map(of, point.found))
        assert point.quality == pytest.approx(min(subset.score for subset in point.found))
        for subset in point.found:
            check_set(at, subset)
    check_points(found, list(pairs_of(at, min)))


def check_most_different(at: World, found: Solutions, loss: float, wanted: int) -> None:
    before: list[bf.Set] = []
    for subset in found:
        check_set(at, subset)
        if not before:
            check_bound(subset, at.best)
        else:
            near = {s: q for s, q in at.scores.items() if q >= found[0].score - loss - CLOSE}
            own = distance(of(subset), before)
            assert of(subset) in near
            assert own >= TAU
            check_bound(subset, max(q for s, q in near.items() if distance(s, before) >= own - 1e-9))
            if subset.proof is Proof.OPTIMAL:
                assert found[0].score >= at.best - CLOSE
                assert own >= max(distance(s, before) for s in near) - 1e-9
        before.append(of(subset))
    assert found.stop is not Stop.EXHAUSTED
    if found.stop is Stop.COUNT:
        assert len(found) == wanted
    if found.stop is Stop.INFEASIBLE:
        near = {s: q for s, q in at.scores.items() if q >= at.best - loss + CLOSE}
        assert all(distance(s, before) < TAU for s in near)


def check_most_different_together(at: World, found: Solutions, loss: float) -> None:
    pairs = list(pairs_of(at, min))
    near = [(apart, q) for apart, q in pairs if q >= at.best - loss + CLOSE]
    if not found.sets:
        assert found.stop not in {Stop.COUNT, Stop.EXHAUSTED}
        assert found.stop is not Stop.INFEASIBLE or not near
        return
    assert len(found) == 2
    assert found.stop is not Stop.INFEASIBLE
    own = bf.dice(*map(of, found))
    assert own >= TAU
    value = min(subset.score for subset in found)
    for subset in found:
        check_set(at, subset)
        check_bound(subset, max(q for apart, q in pairs if apart >= own - 1e-9), value)
        if subset.proof is Proof.OPTIMAL:
            assert value >= at.best - loss - CLOSE
            assert own >= max((apart for apart, _ in near), default=0.0) - 1e-9


def check_satisfying(at: World, found: Solutions, least: float, wanted: int) -> None:
    check_sequence(at, replace(found, stop=Stop.COUNT if found.stop is Stop.COUNT else Stop.TIME), wanted)
    assert all(subset.score >= least for subset in found)
    if found.stop is Stop.INFEASIBLE:
        best = left(at, [of(subset) for subset in found])
        assert best is None or best < least + CLOSE


def check_satisfying_together(at: World, found: Solutions, least: float, wanted: int) -> None:
    best = bf.best_together(at.scores, wanted, bf.dice, TAU, min)
    assert all(bf.dice(of(a), of(b)) >= TAU for a, b in combinations(found, 2))
    before: list[bf.Set] = []
    for subset in found:
        check_set(at, subset)
        assert subset.score >= least
        bests = [b for b in (best, left(at, before)) if b is not None]  # found at once or in turn
        check_bound(replace(subset, gap=None), min(bests), None) if subset.proof is Proof.OPTIMAL else None
        before.append(of(subset))
    assert found.stop is not Stop.EXHAUSTED
    if found.stop is Stop.COUNT:
        assert len(found) == wanted
    if found.stop is Stop.INFEASIBLE:
        assert best is None or best < least + CLOSE


def check_heuristic(at: World, found: Solutions, wanted: int, together: bool) -> None:
    for subset in found:
        check_set(at, subset)
        assert subset.proof is Proof.HEURISTIC
    assert all(bf.dice(of(a), of(b)) >= TAU for a, b in combinations(found, 2))
    assert found.stop is not Stop.EXHAUSTED
    if found.stop is Stop.COUNT:
        assert len(found) == wanted
    if found.stop is Stop.INFEASIBLE and together:
        assert bf.best_together(at.scores, wanted, bf.dice, TAU, sum) is None
    elif found.stop is Stop.INFEASIBLE:
        assert left(at, [of(subset) for subset in found]) is None


@dataclass
class Listed:
    """What an iterator of valid sets gave, and whether it came to its end."""

    sets: list[tuple[str, ...]] = field(default_factory=list)
    ended: bool = False


def listed(at: World, solver: Any, seconds: float | None) -> Listed:
    found = Listed()
    with suppress(altsel.SolverError, KeyboardInterrupt):
        for one in altsel.enumerate_valid(at.problem, Dice(TAU), [at.known], solver, time_limit=seconds):
            found.sets.append(one)
        found.ended = True
    return found


def valid(at: World) -> set[bf.Set]:
    return {s for s in at.scores if bf.dice(s, frozenset(at.known)) >= TAU}


def check_listed(at: World, found: Listed) -> None:
    sets = [frozenset(subset) for subset in found.sets]
    assert len(set(sets)) == len(sets)
    assert set(sets) <= valid(at)
    assert not found.ended or set(sets) == valid(at)


def sampled(at: World, seconds: float | None) -> altsel.results.Sample | None:
    with suppress(altsel.SolverError, KeyboardInterrupt):
        return altsel.sample_valid(at.problem, 3, Dice(TAU), [at.known], time_limit=seconds)
    return None


def check_sample(at: World, found: altsel.results.Sample | None) -> None:
    if found is None:
        return
    assert {frozenset(subset) for subset in found.sets} <= valid(at)
    assert len(found.sets) == 3 or (not found.sets and not valid(at))


def least(at: World) -> float:
    return at.best - at.spread / 2


def loss(at: World) -> float:
    return at.spread / 2


@dataclass(frozen=True)
class Asked:
    """A search: the call, and the check of what it says."""

    call: Callable[[World, Any, float | None], Any]
    check: Callable[[World, Any], None]
    rules: tuple[Any, ...] = (None, None, not_both, helper)
    """Rules to choose from."""


CLIMB = HillClimbing(max_iters=12)
SEARCHES = {
    "sequential": Asked(
        lambda w, s, t: altsel.sequential(w.problem, Dice(TAU), 2, s, time_limit=t),
        lambda w, found: check_sequence(w, found, 3),
    ),
    "sequential, known": Asked(
        lambda w, s, t: altsel.sequential(w.problem, Dice(TAU), 2, s, [w.known], t),
        lambda w, found: check_sequence(w, found, 2, [frozenset(w.known)]),
    ),
    "simultaneous, sum": Asked(
        lambda w, s, t: altsel.simultaneous(w.problem, Dice(TAU), 2, "sum", s, t),
        lambda w, found: check_family(w, found, 3, "sum"),
    ),
    "simultaneous, min": Asked(
        lambda w, s, t: altsel.simultaneous(w.problem, Dice(TAU), 1, "min", s, t),
        lambda w, found: check_family(w, found, 2, "min"),
    ),
    "near_optimal": Asked(
        lambda w, s, t: altsel.near_optimal(w.problem, AbsoluteLoss(loss(w) / 2), 5, None, s, t),
        lambda w, found: check_near(w, found, loss(w) / 2, 5, 0.0),
    ),
    "near_optimal, apart": Asked(
        lambda w, s, t: altsel.near_optimal(w.problem, AbsoluteLoss(loss(w)), 5, Dice(TAU), s, t),
        lambda w, found: check_near(w, found, loss(w), 5, TAU),
    ),
    "pareto_front": Asked(
        lambda w, s, t: altsel.pareto_front(w.problem, Dice(TAU), (), s, t),
        lambda w, found: check_front(
            w,
            found,
            [one for one, q in w.scores.items() if found.stop is not Stop.EXHAUSTED or q >= w.best - CLOSE],
        ),
    ),
    "pareto_front, known": Asked(
        lambda w, s, t: altsel.pareto_front(w.problem, Dice(TAU), [w.known], s, t),
        lambda w, found: check_front(w, found, [frozenset(w.known)]),
    ),
    "pareto_front_together": Asked(
        lambda w, s, t: altsel.pareto_front(
            w.problem, Dice(TAU), alternatives=1, total="min", solver=s, time_limit=t, together=True
        ),
        check_front_together,
    ),
    "most_different": Asked(
        lambda w, s, t: altsel.most_different(w.problem, Dice(TAU), 2, AbsoluteLoss(loss(w)), s, t),
        lambda w, found: check_most_different(w, found, loss(w), 3),
    ),
    "most_different_together": Asked(
        lambda w, s, t: altsel.most_different(
            w.problem, Dice(TAU), 1, AbsoluteLoss(loss(w)), s, t, together=True
        ),
        lambda w, found: check_most_different_together(w, found, loss(w)),
    ),
    "satisfying": Asked(
        lambda w, s, t: altsel.satisfying(w.problem, Dice(TAU), 2, least(w), s, t),
        lambda w, found: check_satisfying(w, found, least(w), 3),
    ),
    "satisfying_together": Asked(
        lambda w, s, t: altsel.satisfying(w.problem, Dice(TAU), 1, least(w), s, t, together=True),
        lambda w, found: check_satisfying_together(w, found, least(w), 2),
    ),
    "enumerate_valid": Asked(listed, check_listed, (None, helper)),
    "sample_valid": Asked(lambda w, s, t: sampled(w, t), check_sample, (None, helper)),
    "wrapper": Asked(
        lambda w, s, t: altsel.wrapper(w.problem, Dice(TAU), 1, CLIMB, s, t),
        lambda w, found: check_heuristic(w, found, 2, together=False),
    ),
    "wrapper_together": Asked(
        lambda w, s, t: altsel.wrapper(
            w.problem, Dice(TAU), 1, total="sum", climb=CLIMB, time_limit=t, together=True
        ),
        lambda w, found: check_heuristic(w, found, 2, together=True),
    ),
}


def stopped(at: World, wanted: Asked, way: Way, moment: Moment) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        solver = way.prepare(moment, patch)
        try:
            return wanted.call(at, solver, SECONDS if way.limited else None)
        except KeyboardInterrupt:  # would end the whole test run
            raise AssertionError("Ctrl-C was not caught") from None


@pytest.mark.parametrize(("search", "way"), paired([*SEARCHES], [*WAYS], 3))
def test_whatever_stops_a_search_brute_force_cannot_refute_it(search: str, way: str) -> None:
    draw = np.random.default_rng(crc32(f"{search}, {way}".encode()))
    first = [*SEARCHES].index(search) + [*WAYS].index(way)
    for index in range(ROUNDS):
        name = [*OBJECTIVES][(first + index) % len(OBJECTIVES)]
        rule = SEARCHES[search].rules[draw.integers(len(SEARCHES[search].rules))]
        seeds = 2 if name == "cfs-linearised" else 8  # of the smallest problems
        free = bool(draw.integers(2)) and search != "enumerate_valid"
        at = world(name, int(draw.integers(seeds)), free, rule)
        for n in MOMENTS if ROUNDS > 1 else MOMENTS[first % 2 :][:1]:
            if not refuted_nowhere(at, search, way, n):
                break


def refuted_nowhere(at: World, search: str, way: str, n: int) -> bool:
    """Stop a search at some moment and check what it says; False if it was over before."""
    moment = Moment(n + (1 if way.startswith("looks: Ctrl-C") else 0))  # nothing has begun at the first look
    found = stopped(at, SEARCHES[search], WAYS[way], moment)
    SEARCHES[search].check(at, found)
    stop = getattr(found, "stop", Stop.COUNT)
    assert stop in ENDED or (moment.came and stop in WAYS[way].stops)
    return moment.came


# -- what was wrong once, or would not have been seen ---------------------------------------------


@pytest.mark.parametrize("stop", [Stop.TIME, Stop.LIMIT, Stop.INTERRUPT])
@pytest.mark.parametrize("known", [[], [["x0", "x1"]]])
def test_a_front_with_an_unproved_point_is_not_whole(stop: Stop, known: list[list[str]]) -> None:
    problem = Problem(altsel.Univariate([5, 4, 3, 2, 1, 0.5]), 2)
    double = Stopping(Moment(1), "poor", stop)
    with pytest.MonkeyPatch.context() as patch:
        without_starts(patch)
        found = altsel.pareto_front(problem, Dice(TAU), known, double)
        together = altsel.pareto_front(
            problem,
            Dice(TAU),
            alternatives=1,
            total="min",
            solver=Stopping(Moment(1), "poor", stop),
            together=True,
        )
    assert found.stop in {stop, Stop.LIMIT}
    assert together.stop in {stop, Stop.LIMIT}
    assert not found.proved
    assert not together.proved
    if stop is Stop.INTERRUPT:
        assert double.moment.met == 1
        assert {found.stop, together.stop} == {Stop.INTERRUPT}


@pytest.mark.parametrize("n", [2, 3, 4])
def test_near_optimal_sets_are_not_all_there_while_one_is_undecided(n: int) -> None:
    """At its n-th call the solver has a set below the floor; the best one left is above it."""
    quality = altsel.Univariate([5, 4, 3, 0, -3])
    for floor in (8, 7, 5, 4):
        at = World(Problem(quality, 2), bf.scored(quality, list(bf.all_sets(quality.features, (2, 2)))))
        with pytest.MonkeyPatch.context() as patch:
            without_starts(patch)
            double = Stopping(Moment(n), "poor", Stop.TIME)
            found = altsel.near_optimal(at.problem, AbsoluteLoss(9 - floor), solver=double)
        check_near(at, found, 9 - floor, 1000, 0.0)
        assert found.stop is (Stop.TIME if [9, 8, 7, 5, 4][n - 1] >= floor else Stop.EXHAUSTED)


@pytest.mark.parametrize("stop", [Stop.TIME, Stop.LIMIT])
@pytest.mark.parametrize("n", range(1, 5))
def test_a_sum_is_not_the_largest_while_a_better_profile_is_undecided(n: int, stop: Stop) -> None:
    for seed in range(6):
        at = world("univariate", seed, free=False)
        found = altsel.simultaneous(at.problem, Dice(TAU), 2, solver=Stopping(Moment(n), "once", stop))
        check_family(at, found, 3, "sum")
    quality = altsel.Univariate([0.53, 0.41, 0.32, 0.21, 0.1])
    at = World(Problem(quality, 2), bf.scored(quality, list(bf.all_sets(quality.features, (2, 2)))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto, "ENGINES", (Counts(),))
        found = altsel.simultaneous(at.problem, Dice(TAU), 2, solver=Stopping(Moment(1), "once", stop))
    check_family(at, found, 3, "sum")
    assert not found.proved


@pytest.mark.parametrize("way", ["nodes: limit, no start", "looks: time, nodes"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_bound_of_cfs_holds_where_many_features_have_a_large_denominator(n: int, way: str) -> None:
    """The best two are not redundant; all four have a larger numerator, and a far larger denominator."""
    names = ["x0", "x1", "x2", "x3"]
    r = pd.DataFrame(np.full((4, 4), 0.9), index=names, columns=names)
    r.loc["x0", "x1"] = r.loc["x1", "x0"] = 0.0
    quality = altsel.CFS(Dependence(pd.Series([0.9, 0.8, 0.8, 0.8], index=names), r))
    at = World(Problem(quality, (2, 4)), bf.scored(quality, list(bf.all_sets(names, (2, 4)))))
    for search in ("sequential", "simultaneous, min"):
        refuted_nowhere(at, search, way, n)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_sets_whose_qualities_a_model_has_too_low_or_too_high_are_kept(seed: int) -> None:
    """The linearised CFS only bounds the qualities: where a solver stops they need not be the formula's."""
    search = ["simultaneous, sum", "simultaneous, min"][seed % 2]
    for n, free in ((1, True), (1, False), (2, True)):
        at = world("cfs-linearised", seed, free)
        refuted_nowhere(at, search, "solver: time, poor set", n)


@pytest.mark.parametrize("way", ["looks: Ctrl-C, pool", "looks: Ctrl-C, nodes"])
@pytest.mark.parametrize("search", ["pareto_front", "pareto_front, known", "pareto_front_together"])
def test_ctrl_c_between_two_points_of_a_front_keeps_the_points(search: str, way: str) -> None:
    at = world("mrmr-k2", 0, free=False)
    for n in range(1, 40):
        if not refuted_nowhere(at, search, way, n):
            break


@pytest.mark.parametrize("name", ["fcbf", "mrmr"])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_family_of_a_pool_is_not_proved_before_its_search_ends(name: str, seed: int) -> None:
    at = world(name, seed, free=False)
    for search in ("simultaneous, sum", "simultaneous, min"):
        for n in range(1, 30, 2):
            if not refuted_nowhere(at, search, "looks: time, pool", n):
                break


def test_a_sample_is_not_short_because_its_solver_was_stopped() -> None:
    """Fewer sets than wanted would say that there are none."""
    at = world("univariate", 0, free=False, rule=helper)
    for n in (1, 2, 3):  # at the second call it would be a sample of one set
        with pytest.MonkeyPatch.context() as patch:
            WAYS["auto, solver: time"].prepare(Moment(n), patch)
            with pytest.raises(altsel.SolverError, match=r"time|solver"):
                altsel.sample_valid(at.problem, 3)
