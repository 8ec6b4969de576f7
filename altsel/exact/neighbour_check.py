"""A cheap test of a solver's word: no sets one step away may be better than those called optimal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.milp import Sets, keeps_all
from altsel.exact.nearest_valid import far_enough
from altsel.exact.run import Run, log
from altsel.models.dissimilarity import Dissimilarity, largest_overlap
from altsel.models.objective import Exchangeable, Separable, feasible
from altsel.models.soft_diversity import SoftDiversity, penalty_paid
from altsel.results.solutions import Proof, Stop
from altsel.solvers.outcome import CLOSED, Outcome

Room = tuple[Collection[str], Callable[[int], int]]
"""A set to differ from; the features that a set of some size may have in common with it."""

MOST_FEATURES = 5_000
"""Features above which the test would cost more than the solve."""
RANGE = 1e8
"""Ratio of the numbers of a sum from which on a solver may not see the small ones."""
MOST_TRIED = 20_000
"""Better sets that are compared with the conditions before the solver is believed."""


def unbeaten(
    run: Run,
    diversity: Dissimilarity | SoftDiversity,
    known: Sequence[Collection[str]],
    start: Sets,
    ask: Callable[[Sets], tuple[Sets, Outcome]],
    total: str = "min",
) -> tuple[Sets, Outcome]:
    """Ask a solver from a start, and again from neighbours as long as some beat what it calls optimal.

    A solver that calls less than its start optimal does not see the difference: then its bound says nothing.
    """
    pairs = _Pairs(diversity, known)
    level = -np.inf
    while True:
        answer = ask(start)
        better = better_neighbours(run, diversity, known, answer, total)
        if better is None:
            return answer
        value = run.total(better, total) - pairs.penalty(better)
        if value <= level:
            return start, replace(answer[1], proof=Proof.FEASIBLE, stop=Stop.LIMIT, value=level, bound=None)
        level = value
        log.warning("solver %r called sets optimal that their neighbours beat; asked again", run.engine.name)
        start = better


def better_neighbours(
    run: Run,
    diversity: Dissimilarity | SoftDiversity,
    known: Sequence[Collection[str]],
    answer: tuple[Sets, Outcome],
    total: str = "min",
) -> Sets | None:
    """Find sets that refute a claim of optimality: one step in one of them, all conditions kept, better.

    A step exchanges one feature, or adds or drops one where the size is free.

    Parameters
    ----------
    run
        The search.
    diversity, known
        What to differ from, and by how much.
    answer
        The sets, and what the solver said of them.
    total
        Whether their ``"sum"`` or their ``"min"`` was to be large; for one set ``"min"``.
    """
    sets, outcome = answer
    objective = run.problem.objective
    if not sets or outcome.proof is not Proof.OPTIMAL or _plain(run, diversity):
        return None
    if not isinstance(objective, Exchangeable) or len(objective.features) > MOST_FEATURES:
        return None
    pairs = _Pairs(diversity, known)
    scores = [run.score(subset) for subset in sets]
    value = (sum(scores) if total == "sum" else min(scores)) - pairs.penalty(sets)
    least = value + max(CLOSED * abs(value), outcome.rounding)
    tried = 0
    for i, subset in enumerate(sets):
        rest, others = [*sets[:i], *sets[i + 1 :]], [*scores[:i], *scores[i + 1 :]]
        if total == "min" and min(others, default=np.inf) <= least:
            continue
        enough = least - sum(others) if total == "sum" else least
        for other in _better(run, subset, enough, pairs.rooms(rest)):
            tried += 1
            changed: Sets = [*sets[:i], other, *sets[i + 1 :]]
            worth = run.total(changed, total) - pairs.penalty(changed)
            if worth > least and pairs.apart(changed) and keeps_all(run, changed):
                return changed
            if tried > MOST_TRIED:
                return None
    return None


def _plain(run: Run, diversity: Dissimilarity | SoftDiversity) -> bool:
    """Return whether the model is one of 0/1 variables and ordinary numbers, where no solver erred yet."""
    problem = run.problem
    if problem.subject_to or problem.across or isinstance(diversity, SoftDiversity):
        return False
    if not isinstance(problem.objective, Separable):
        return False
    sizes = np.abs(problem.objective.weights)
    sizes = sizes[sizes > 0]
    return not len(sizes) or float(sizes.max()) < RANGE * float(sizes.min())


class _Pairs:
    """What pairs of sets pay for being similar, and whether they differ enough."""

    def __init__(self, diversity: Dissimilarity | SoftDiversity, known: Sequence[Collection[str]]) -> None:
        self.diversity, self.known = diversity, known

    def penalty(self, sets: Sets) -> float:
        """Sum what all pairs pay."""
        return (
            penalty_paid(self.diversity, self._all(sets)) if getattr(self.diversity, "penalty", None) else 0.0
        )

    def apart(self, sets: Sets) -> bool:
        """Return whether all pairs differ as it is wanted."""
        return far_enough(self.diversity, self._all(sets))

    def rooms(self, rest: Sets) -> list[Room]:
        """Tell for each set to differ from how many features of it a set of some size may have."""
        diversity = self.diversity
        if isinstance(diversity, SoftDiversity):
            return []
        return [(one, partial(_room, diversity, len(one))) for one in [*rest, *self.known]]

    def _all(self, sets: Sets) -> list[tuple[Collection[str], Collection[str]]]:
        return [*combinations(sets, 2), *product(sets, self.known)]


def _room(diversity: Dissimilarity, other: int, size: int) -> int:
    return largest_overlap(diversity, size, other)


def _better(run: Run, one: Collection[str], least: float, rooms: list[Room]) -> Iterator[list[str]]:
    """Return the admitted sets one step from a set that are worth more than so much, the best first."""
    objective: Any = run.problem.objective
    members = np.array(sorted(run.problem.index[f] for f in one))
    values, dropped, added = _steps(objective, members, run.problem.sizes)
    better = np.flatnonzero(values > least)
    if not len(better):
        return
    features = [*objective.features, None]
    better = better[_apart(run, one, dropped[better], added[better], rooms)]
    for step in better[np.argsort(-values[better], kind="stable")].tolist():
        changed = (set(one) - {features[dropped[step]]}) | {features[added[step]]}
        other = list(run.problem.ordered(changed - {None}))
        mask = run.problem.mask(other)
        if feasible(objective, mask) and objective.score(mask) > least:
            yield other


def _apart(
    run: Run, one: Collection[str], dropped: IntArray, added: IntArray, rooms: list[Room]
) -> BoolArray:
    """Tell which steps leave few enough features in common with other sets."""
    none = len(run.problem.index)
    size = len(one) - (dropped < none) + (added < none)
    apart = np.ones(len(dropped), dtype=bool)
    for other, room in rooms:
        inside = np.append(run.problem.mask(other), False).astype(int)
        common = len(set(one) & set(other)) - inside[dropped] + inside[added]
        for each in np.unique(size).tolist():
            apart &= (size != each) | (common <= room(each))
    return apart


def _steps(
    objective: Any, members: IntArray, sizes: tuple[int, int]
) -> tuple[FloatArray, IntArray, IntArray]:
    """Score all sets one step away; with them go the indices of what each drops and adds.

    The index after the last stands for nothing.
    """
    k, none = len(members), len(objective.features)
    free = np.setdiff1d(np.arange(none), members, assume_unique=True)
    values = [objective.exchanged(members)[:, free].ravel()]
    dropped, added = [np.repeat(members, len(free))], [np.tile(free, k)]
    if hasattr(objective, "scores") and k < sizes[1] and len(free):
        values.append(objective.scores(np.column_stack([np.tile(members, (len(free), 1)), free])))
        dropped.append(np.full(len(free), none))
        added.append(free)
    if hasattr(objective, "scores") and k > max(sizes[0], 1):
        values.append(objective.scores(np.array([np.delete(members, i) for i in range(k)])))
        dropped.append(members)
        added.append(np.full(k, none))
    return np.concatenate(values), np.concatenate(dropped), np.concatenate(added)
