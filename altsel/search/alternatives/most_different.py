"""The third formulation of AFS 3.1: sets as different as can be that lose little quality."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from altsel.errors import ArgumentError, SolverError
from altsel.exact.auto_solver import SolverLike
from altsel.exact.run import checked_count, log
from altsel.exact.verified_solutions import plain_diversity
from altsel.models.dissimilarity import Dissimilarity
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Average
from altsel.results.effort import Effort
from altsel.results.solutions import FeatureSet, Proof, Solutions, Stop
from altsel.results.stopping import noted, stopped
from altsel.runtime.clock import STOPPED, clock, limited
from altsel.runtime.progress import parts
from altsel.search.alternatives.quality_loss import Loss, plain_loss
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous

RESOLUTION = 1e-5
"""Difference of mean dissimilarities below which they are the same; solvers keep rows to within 1e-6."""
COARSE = 0.02
"""Interval at which bisection gives way to steps from one set to the next more different one."""
Diversity = Dissimilarity | Average


def most_different(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    within: Loss,
    solver: SolverLike = None,
    time_limit: float | None = None,
    *,
    together: bool = False,
) -> Solutions:
    """Find the best set, then again and again the set most different from all before, at little loss.

    ``max min_i d(s, s_i)`` (or the mean) subject to ``Q(s) >= floor``; of the sets that are as
    different, the best one. The largest tau at which the best set still reaches the floor is found
    by bisection, each question being one of `sequential`.

    Parameters
    ----------
    problem
        What is wanted of every set.
    dissimilarity
        `Dice` or `Jaccard`, or `Average` of one; its tau is the least dissimilarity wanted.
    alternatives
        Number of alternatives a. No set is given twice, at tau = 0 neither.
    within
        `AbsoluteLoss` or `RelativeLoss` loss of quality, against the best set; where time is up before that
        one is proved, against the best that was met.
    solver
        A solver, a profile's name, or None for what does best.
    time_limit
        Seconds for the whole call.
    together
        Whether the sets are found at once: ``max min_{i<j} d(s_i, s_j)`` (or the mean), and bounds say what a
        set might have.

    Returns
    -------
    Solutions
        The best set and its alternatives; ``OPTIMAL`` says that no set within the loss is more
        different (means: by more than 1e-5), and none as different is better. ``stop`` is
        ``INFEASIBLE`` if no further set is within the loss and differs.

    Raises
    ------
    ArgumentError, ConfigurationError, SolverError
        If an argument, the solver's profile or the model is wrong.

    Examples
    --------
    >>> from altsel import Dice, Problem, RelativeLoss, Univariate, most_different
    >>> problem = Problem(Univariate([5, 4, 4, 3]), k=2)
    >>> [one.features for one in most_different(problem, Dice(0), 1, RelativeLoss(0.25))]
    [('x0', 'x1'), ('x2', 'x3')]
    """
    if together:
        return _most_different_together(problem, dissimilarity, alternatives, within, solver, time_limit)
    count = checked_count(alternatives)
    with limited(time_limit), parts():
        found = sequential(problem, measured(dissimilarity), 0, solver)
        sets, stop, effort = list(found.sets), found.stop, found.effort
        while sets and len(sets) < count and stop is Stop.COUNT:
            further, stop, cost = _further(problem, dissimilarity, sets, within, solver)
            sets += further if found.proved else _unproved(further)
            effort += cost
            log.info("set %d of %d: stop %s", len(sets), count, stop)
    search = f"most_different, {dissimilarity}, {within}, alternatives={alternatives}"
    request = _request("most_different", dissimilarity, within, alternatives, found)
    return replace(found, sets=tuple(sets), search=search, stop=stop, effort=effort, request=request)


def _request(
    name: str, diversity: Diversity, within: Loss, alternatives: int, found: Solutions
) -> dict[str, Any]:
    """State what was asked, on top of what the first search in it was asked."""
    asked = {"search": name, "alternatives": alternatives, "within": plain_loss(within)}
    return {**found.request, **asked, "diversity": plain_diversity(diversity)}


def _unproved(sets: Sequence[FeatureSet]) -> tuple[FeatureSet, ...]:
    """Take back what was proved: the best set, or the largest dissimilarity, is not known for sure."""
    return tuple(replace(subset, proof=Proof.FEASIBLE) for subset in sets)


def _further(
    problem: Problem, diversity: Diversity, sets: Sequence[FeatureSet], within: Loss, solver: SolverLike
) -> tuple[tuple[FeatureSet, ...], Stop, Effort]:
    """Find the set most different from those before."""
    known = [subset.features for subset in sets]

    def ask(asked: Diversity) -> Solutions:
        return sequential(problem, asked, 1, solver, known=known)

    def apart(answer: Solutions) -> float:
        return overall(diversity, [(answer[0], subset) for subset in known])

    beyond = step(diversity, [problem.sizes[1], *map(len, known)])
    return furthest(ask, apart, diversity, within.floor(sets[0].score), beyond)


def _most_different_together(
    problem: Problem,
    dissimilarity: Diversity,
    alternatives: int,
    within: Loss,
    solver: SolverLike = None,
    time_limit: float | None = None,
) -> Solutions:
    """Find all sets at once, as different from each other as can be, each within the loss of the best.

    ``max min_{i<j} d(s_i, s_j)`` (or the mean) subject to ``Q(s_i) >= floor``; of the families that are
    as different, the one whose poorest set is best. Arguments and result as in `most_different`; bounds
    say what a set might have.

    Examples
    --------
    >>> from altsel import Dice, Problem, RelativeLoss, Univariate, most_different
    >>> problem = Problem(Univariate([5, 4, 4, 3]), k=2)
    >>> [one.features for one in most_different(problem, Dice(0), 1, RelativeLoss(0.2), together=True)]
    [('x0', 'x3'), ('x1', 'x2')]
    """
    checked_count(alternatives)

    def ask(diversity: Diversity) -> Solutions:
        return simultaneous(problem, diversity, alternatives, "min", solver)

    def apart(answer: Solutions) -> float:
        return overall(dissimilarity, list(combinations(answer, 2)))

    with limited(time_limit), parts():
        best = sequential(problem, measured(dissimilarity), 0, solver)
        if not best.sets or alternatives == 0 or best.stop is not Stop.COUNT:
            return best if alternatives == 0 else replace(best, sets=())
        beyond, top, cost = step(dissimilarity, problem.sizes), best[0].score, best.effort
        while True:
            sets, stop, effort = furthest(ask, apart, dissimilarity, within.floor(top), beyond)
            cost += effort
            better = max((subset.score for subset in sets), default=-inf)
            if better <= top + 1e-9 * abs(top):
                break
            top = better  # the best set was not proved, and a better one was met: less may be lost
    search = f"most_different_together, {dissimilarity}, {within}, alternatives={alternatives}"
    sets = sets if best.proved else _unproved(sets)
    request = _request("most_different_together", dissimilarity, within, alternatives, best)
    return replace(best, sets=sets, search=search, stop=stop, effort=cost, request=request)


def furthest(
    ask: Callable[[Any], Solutions],
    apart: Callable[[Solutions], float],
    diversity: Diversity,
    floor: float,
    beyond: float,
) -> tuple[tuple[FeatureSet, ...], Stop, Effort]:
    """Find the answer of largest dissimilarity whose sets all reach a floor.

    Parameters
    ----------
    ask
        Gives the best sets under a diversity; their least quality falls as tau rises.
    apart
        Dissimilarity that an answer has.
    diversity
        Measure, and the least tau wanted.
    floor
        Least quality.
    beyond
        What an answer of larger dissimilarity is surely above; see `step`.
    """
    walk = _Bisection(diversity, floor - 1e-9 * max(1e-3, abs(floor)), beyond)
    try:
        while True:
            stop = walk.step(ask(at(diversity, walk.probe)), apart)
            if stop is not None:
                return walk.best, stop, walk.effort
    except STOPPED as fault:
        return _unproved(walk.best), noted(fault), walk.effort


@dataclass(eq=False)
class _Bisection:
    """The interval in which the largest dissimilarity lies, and the best answer so far."""

    diversity: Diversity
    least: float
    beyond: float
    low: float = field(init=False)
    high: float = 1.0
    probe: float = field(init=False)
    best: tuple[FeatureSet, ...] = ()
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        self.low = self.probe = measure_of(self.diversity).tau

    def step(self, answer: Solutions, apart: Callable[[Solutions], float]) -> Stop | None:
        """Take an answer in and choose the next tau; return why the search ends, if it does."""
        self.effort += answer.effort
        good = bool(answer.sets) and min(subset.score for subset in answer) >= self.least
        refuted = not good and _refuted(answer, self.least)
        if good and apart(answer) > 0:
            self.best, self.low = answer.sets, max(apart(answer), self.probe)
        elif refuted and self.probe > self.low + self.beyond:
            self.high = self.probe
        elif refuted:
            return Stop.COUNT if self.best else Stop.INFEASIBLE
        if clock().over or not (answer.proved if good else refuted):
            self.best = _unproved(self.best)
            return _early(answer)
        if self.low >= 1.0:
            return Stop.COUNT
        log.info("the largest dissimilarity is from %.4g to %.4g", self.low, self.high)
        before, self.probe = self.probe, (self.low + self.high) / 2
        if self.high - self.low <= max(COARSE, 4 * self.beyond):
            self.probe = min(self.low + self.beyond, 1.0)
        if self.probe == before:
            raise SolverError(f"the search for a larger dissimilarity than {self.low:g} makes no progress")
        return None


def _early(answer: Solutions) -> Stop:
    """Return why a search ends whose last answer settled nothing."""
    if clock().over:
        return stopped(clock())
    return Stop.LIMIT if answer.stop is Stop.COUNT else answer.stop


def _refuted(answer: Solutions, least: float) -> bool:
    """Return whether an answer proves that no sets reach a quality."""
    if not answer.sets:
        return answer.stop is Stop.INFEASIBLE
    worst = min(answer, key=lambda one: one.score)
    return worst.bound is not None and worst.bound < least


def step(diversity: Diversity, sizes: Iterable[int]) -> float:
    """Return what an answer of larger dissimilarity is surely above: half the least difference there is.

    Dissimilarities of sets of at most K features are fractions with denominators of at most 2 K, so two
    of them differ by ``1 / (4 K^2)`` or more.
    """
    return RESOLUTION if isinstance(diversity, Average) else 1 / (8 * max(sizes) ** 2)


def measure_of(diversity: Diversity) -> Any:
    """Return the measure itself, a dataclass with tau."""
    return diversity.distance if isinstance(diversity, Average) else diversity


def at(diversity: Diversity, tau: float) -> Diversity:
    """Set the tau of a diversity."""
    if isinstance(diversity, Average):
        return Average(replace(measure_of(diversity), tau=tau))
    changed: Dissimilarity = replace(measure_of(diversity), tau=tau)
    return changed


def overall(diversity: Diversity, pairs: Sequence[tuple[Collection[str], Collection[str]]]) -> float:
    """Least dissimilarity of some pairs, or the mean; 1 without a pair."""
    values = [measure_of(diversity)(frozenset(a), frozenset(b)) for a, b in pairs]
    if not values:
        return 1.0
    return float(np.mean(values)) if isinstance(diversity, Average) else float(min(values))


def measured(diversity: Any) -> Diversity:
    """Check that a diversity has a tau that can be set.

    Raises
    ------
    ArgumentError
        If it has none.
    """
    if not hasattr(measure_of(diversity), "tau"):
        raise ArgumentError(f"{diversity!r}: use Dice(tau) or Jaccard(tau), or Average of one")
    checked: Diversity = diversity
    return checked
