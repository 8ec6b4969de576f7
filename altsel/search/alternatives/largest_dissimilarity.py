"""The largest dissimilarity that sets of enough quality can have, by bisection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any

import numpy as np

from altsel.errors import ArgumentError, SolverError
from altsel.exact.run import engines_of, log
from altsel.models.correlation_aware import CorrelationAware
from altsel.models.count_dissimilarities import Hamming, Overlap
from altsel.models.dissimilarity import Dice, Dissimilarity, Jaccard
from altsel.models.group_dice import GroupDice
from altsel.models.soft_diversity import Average
from altsel.results.effort import Effort
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop, noted, stopped
from altsel.runtime.clock import STOPPED, clock

RESOLUTION = 1e-5
"""Difference of mean dissimilarities below which they are the same; solvers keep rows to within 1e-6."""
COARSE = 0.02
"""Interval at which bisection gives way to steps from one set to the next more different one."""
Diversity = Dissimilarity | Average
COUNTED = (Dice, Jaccard, Overlap, GroupDice, CorrelationAware)
"""Dissimilarities that are fractions of numbers of features."""


@dataclass(frozen=True)
class Furthest:
    """The most different sets, why the search for them ended, what it cost, and which engines answered."""

    sets: tuple[FeatureSet, ...]
    stop: Stop
    effort: Effort
    engines: tuple[str, ...]


def furthest(
    solve: Callable[[Any], Solutions],
    overall_of: Callable[[Solutions], float],
    diversity: Diversity,
    floor: float,
    beyond: float,
) -> Furthest:
    """Find the answer of largest dissimilarity whose sets all reach a floor.

    Parameters
    ----------
    solve
        Gives the best sets under a diversity; their least quality falls as tau rises.
    overall_of
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
            stop = walk.step(solve(at(diversity, walk.probe)), overall_of)
            if stop is not None:
                return Furthest(walk.best, stop, walk.effort, tuple(walk.engines))
    except STOPPED as fault:
        return Furthest(unproved(walk.best), noted(fault), walk.effort, tuple(walk.engines))


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
    engines: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.low = self.probe = measure_of(self.diversity).tau

    def step(self, answer: Solutions, overall_of: Callable[[Solutions], float]) -> Stop | None:
        """Take an answer in and choose the next tau; return why the search ends, if it does."""
        self.effort += answer.effort
        self.engines[engines_of(answer)] = None
        good = bool(answer.sets) and min(subset.score for subset in answer) >= self.least
        refuted = not good and _refuted(answer, self.least)
        if good and overall_of(answer) > 0:
            self.best, self.low = answer.sets, max(overall_of(answer), self.probe)
        elif refuted and self.probe > self.low + self.beyond:
            self.high = self.probe
        elif refuted:
            return Stop.COUNT if self.best else Stop.INFEASIBLE
        if clock().over or not (answer.proved if good else refuted):
            self.best = unproved(self.best)
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
    worst = min(answer, key=lambda subset: subset.score)
    return worst.bound is not None and worst.bound < least


def step(diversity: Diversity, sizes: Iterable[int]) -> float:
    """Return what an answer of larger dissimilarity is surely above: half the least difference there is.

    Dissimilarities that count at most K features are fractions with denominators of at most 2 K, so two of
    them differ by ``1 / (4 K^2)`` or more, Hamming distances by ``1 / n``. Means, and measures in which
    features weigh, are the same if they differ by less than 1e-5.
    """
    if isinstance(diversity, Hamming):
        return 1 / (2 * diversity.features)
    return 1 / (8 * max(sizes) ** 2) if isinstance(diversity, COUNTED) else RESOLUTION


def measure_of(diversity: Diversity) -> Any:
    """Return the measure itself, a dataclass with tau."""
    return diversity.distance if isinstance(diversity, Average) else diversity


def at(diversity: Diversity, tau: float) -> Diversity:
    """Set the tau of a diversity."""
    measure = measure_of(diversity)
    if not is_dataclass(measure):
        name = type(measure).__name__
        raise ArgumentError(f"{name} must be a dataclass with a field tau, to be given another")
    changed: Any = replace(measure, tau=tau)  # type: ignore[type-var]
    return Average(changed) if isinstance(diversity, Average) else changed


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


def unproved(sets: Sequence[FeatureSet]) -> tuple[FeatureSet, ...]:
    """Take back what was proved: the best set, or the largest dissimilarity, is not known for sure."""
    return tuple(replace(subset, proof=Proof.FEASIBLE) for subset in sets)
