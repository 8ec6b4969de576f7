"""Many sets at once under a plain sum: annealings, and the best profile as the bound."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.families.counts.annealing import Begun, Wanted, good_family, slowly_annealed
from altsel.exact.families.counts.membership_patterns import rank_features
from altsel.exact.families.counts.name import COUNTS
from altsel.exact.families.counts.profiles import priced_counts, prices, profiles_above, realisable
from altsel.exact.families.counts.realisation import Asked
from altsel.exact.families.counts.realised_families import Found, best_poorest, best_profile, of_profile
from altsel.exact.question import SIMILAR, Answer, Question
from altsel.exact.run import Run
from altsel.models.dissimilarity import largest_overlap
from altsel.models.objective import Kind
from altsel.results.stop import Stop
from altsel.runtime.clock import clock, turn
from altsel.solvers import Outcome

LEAST = {"sum": 7, "min": 4}
"""Sets from which on it is tried: models prove fewer sooner."""
FREE, FIXED, PROFILES = 150, 100, 4
"""Annealings that change the profile, of each that do not, and how many profiles these are."""
MOST_MEMBERSHIPS = 20_000_000
"""Sets times features up to which families are annealed: tables of so many numbers are held."""
SLOW_SECONDS = 60.0
"""CPU seconds at most, and half of what is left, for the slow annealing."""
CLOSE = 5e-4
"""Part below the bound in which profiles are listed; ten times as much where there is none."""


class Annealing:
    """Search for many sets of the best profile: how many features are in how many sets.

    No sets can have a larger sum than the best profile that counting, Deza's theorem and an exact search
    leave; sets that have it are optimal. Where that search takes too long sets are annealed, and models go
    on from them and the bound. The best poorest set is found by searching all counts of features that a
    better one could have.
    """

    name = COUNTS

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        least = LEAST["min" if question.total == "min" else "sum"]
        low, high = question.problem.sizes
        several = largest_overlap(question.distance, low, low) < low  # else all sets are the best one
        memberships = question.count * len(question.problem.objective.features) if several else 0
        reasons = {
            "a solver is named": question.named,
            f"a {question.kind} is no plain sum": question.kind is not Kind.SUM,
            f"models prove fewer than {least} sets sooner": question.count < least,
            "rules tell features apart": bool(question.problem.subject_to or question.problem.across),
            SIMILAR: question.soft is not None,
            "the size of the sets is free": low != high,
            f"there are more than {MOST_MEMBERSHIPS:,} memberships": memberships > MOST_MEMBERSHIPS,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Search and anneal; None if no sets were found that differ enough."""
        del run
        began = time.perf_counter()
        weights, names = rank_features(question.problem, question.count, [])
        k = question.problem.sizes[1]
        if len(weights) < k:
            return None
        found = anneal_family(question, weights)
        if found.family is None:
            return None
        bound, sets = found.bound, [[names[j] for j in np.flatnonzero(row)] for row in found.family]
        value, seconds = question.value(sets), time.perf_counter() - began
        if value >= bound - 1e-12 * float(np.abs(weights).sum()) * question.count:
            return Answer(sets, Outcome.optimal(value, seconds))
        outcome = replace(Outcome.unfinished(Stop.LIMIT, value, bound), seconds=seconds)
        return Answer(sets, outcome, cut_short=True)


def anneal_family(question: Question, weights: FloatArray) -> Found:
    """Return the best family met, shape (sets, features), and a bound on all of them."""
    sets, k = question.count, question.problem.sizes[1]
    overlap = largest_overlap(question.distance, k, k)
    smallest = question.total == "min"
    if overlap >= k:  # sets may be the same: the best one, again and again
        same: BoolArray = np.tile(np.arange(len(weights)) < k, (sets, 1))
        return Found(same, float(weights[:k].sum()) * (1 if smallest else sets))
    asked = Asked(weights, sets, k, overlap)
    membership, price, bound = prices(weights, sets, k, asked.cap)
    profiles, sums, bound = _best_profiles(asked, bound)
    begun = of_profile(profiles[0]) if len(profiles) else priced_counts(weights, sets, k, (membership, price))
    wanted = Wanted(weights, sets, k, overlap, max(price, 1e-9 * float(np.ptp(weights)) + 1e-300), smallest)
    known = question.structure.kept.setdefault(("annealings", question.distance, sets, smallest), {})
    met = _Met(wanted, asked, begun, bound / sets if smallest else bound, known)
    try:
        if smallest:
            met.poorest()
        else:
            met.sum(profiles, sums)
    except KeyboardInterrupt as fault:  # what was met before is kept
        clock().note(fault)
    family = met.family
    return Found(family if family is not None and _keep_valid(family, k, overlap) else None, met.bound)


@dataclass(eq=False)
class _Met:
    """The best family met, and a bound on all; annealings begin with given counts, or go on."""

    wanted: Wanted
    asked: Asked
    begun: IntArray
    bound: float
    known: Begun
    family: BoolArray | None = None

    @property
    def goal(self) -> float:
        """Value at which annealing stops."""
        return self.bound - 1e-12 * float(np.abs(self.wanted.weights).sum())

    @property
    def enough(self) -> bool:
        """Whether time is up, or the bound is reached."""
        return clock().over or (self.family is not None and self.wanted.value(self.family) >= self.goal)

    def meet(self, family: BoolArray | None) -> None:
        """Keep a family if it is better."""
        met = [one for one in (self.family, family) if one is not None]
        self.family = max(met, key=self.wanted.value, default=None)

    def anneal(self, counts: IntArray, runs: int, fixed: bool = False) -> None:
        """Anneal so often, or as often as that takes with what was done before, unless there is enough."""
        if not self.enough:
            self.meet(good_family(self.wanted, counts, self.goal, runs, fixed, self.known))

    def sum(self, profiles: IntArray, sums: FloatArray) -> None:
        """Search for the best profiles, and anneal unless sets of the best one were found."""
        found = best_profile(self.asked, profiles, sums, self.bound)
        self.bound = found.bound
        self.meet(found.family)
        for part, tried in ((5, 1), (1, PROFILES)):  # sets of the best profile are the best: these come first
            for profile in profiles[:tried]:
                self.anneal(of_profile(profile), FIXED // part, fixed=True)
            self.anneal(self.begun, FREE // part)
        if not self.enough:
            with turn(SLOW_SECONDS, 1 / 2):
                self.meet(slowly_annealed(self.wanted, self.begun, self.goal))

    def poorest(self) -> None:
        """Anneal for the best poorest set, and search all counts that a better one may have."""
        for runs in (FREE // 5, FREE):
            before = -inf if self.family is None else self.wanted.value(self.family)
            self.anneal(self.begun, runs)
            if self.family is not None and self.wanted.value(self.family) > before:
                found = best_poorest(self.asked, self.family, self.bound)
                self.family, self.bound = found.family, found.bound
            if self.enough:
                break


def _best_profiles(asked: Asked, bound: float) -> tuple[IntArray, FloatArray, float]:
    """List the best profiles that can be, and bound all: by the best of them, or by the prices."""
    for part in (CLOSE, 10 * CLOSE):
        least = bound - part * abs(bound)
        found = profiles_above(asked.weights, asked.sets, asked.k, asked.cap, least)
        if found is None:
            break
        possible = realisable(found[0], asked.k, asked.overlap)
        profiles, sums = found[0][possible], found[1][possible]
        if len(sums):
            return profiles, sums, float(sums[0])
        bound = min(bound, least)  # all that are above are impossible
    return np.empty((0, asked.sets), dtype=np.int64), np.empty(0), bound


def _keep_valid(family: BoolArray, k: int, overlap: int) -> bool:
    """Check sizes and overlaps anew."""
    each = family.astype(int)
    common = each @ each.T
    return bool((common.diagonal() == k).all()) and all(
        common[i, j] <= overlap for i, j in combinations(range(len(family)), 2)
    )
