"""A cheap test of a solver's claim: no sets one step away may be better than those called optimal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, product

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.errors import SolverError, listing
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.run import Run, log
from altsel.exact.starts.nearest_valid import dissimilar_enough
from altsel.models.dissimilarity import Dissimilarity, largest_overlap, share_of
from altsel.models.many_scores import scores_of
from altsel.models.objective import Kind, Objective, is_own
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.solvers.outcome import CLOSED, Outcome

Limit = tuple[Collection[str], Callable[[int], int]]
"""A set to differ from; the features that a set of some size may have in common with it."""

MOST_FEATURES = 5_000
"""Features above which the test would cost more than the solve."""
RANGE = 1e8
"""Ratio of the numbers of a sum from which on a solver may not see the small ones."""
MOST_CROSSED = 2_000
"""Exchanges of two sets' features up to which all are looked at."""
MOST_TRIED = 20_000
"""Better sets that are compared with the conditions before the solver is believed."""


def unbeaten(
    question: Question, run: Run, start: Sets, solve: Callable[[Sets], tuple[Sets, Outcome]]
) -> tuple[Sets, Outcome]:
    """Solve from a start, and again from neighbours as long as some beat what the solver calls optimal.

    A solver that calls less than its start optimal does not see the difference: then its bound says nothing.

    Raises
    ------
    SolverError
        If there is another solver to be asked.
    """
    if _rests_on_own(question):
        return solve(start)  # asked once: see `refuse_beaten`
    level = -np.inf
    while True:
        answer = solve(start)
        better = better_neighbours(question, *answer)
        if better is None:
            return answer
        value = question.value(better)
        if value <= level:
            lost = replace(answer[1], proof=Proof.FEASIBLE, stop=Stop.LIMIT, value=level, bound=None)
            return start, lost
        level = value
        fault = SolverError(f"solver {run.answered_by!r} called sets optimal that their neighbours beat")
        if run.other_solver is not None:
            raise fault
        log.warning("%s; trying again", fault)
        start = better


def better_neighbours(question: Question, sets: Sets, outcome: Outcome) -> Sets | None:
    """Find sets that refute a claim of optimality, or a bound: one step away, all conditions kept, better.

    A step exchanges one feature, or adds or drops one where the size is free, or exchanges features of two
    sets.

    Parameters
    ----------
    question
        What is wanted.
    sets, outcome
        The sets, and what the solver said of them.
    """
    objective = question.problem.objective
    plain = _plain(question) and not _rests_on_own(question)
    if not sets or _claimed_bound(question, sets, outcome) == np.inf or plain:
        return None
    if not (objective.exchangeable or is_own(objective)) or len(objective.features) > MOST_FEATURES:
        return None
    scores = [objective.checked_score(question.problem.mask(subset)) for subset in sets]
    least = _claimed_bound(question, sets, outcome)
    tried = 0
    for i, subset in enumerate(sets):
        rest, others = [*sets[:i], *sets[i + 1 :]], [*scores[:i], *scores[i + 1 :]]
        if question.total == "min" and min(others, default=np.inf) <= least:
            continue
        enough = least - sum(others) if question.total == "sum" else least
        for other in _better(question.problem, subset, enough, _limits(question, rest)):
            tried += 1
            changed: Sets = [*sets[:i], other, *sets[i + 1 :]]
            differ = dissimilar_enough(question.diversity, list(question.pairs(changed)))
            if question.value(changed) > least and differ and question.keeps_all(changed):
                return changed
            if tried > MOST_TRIED:
                return None
    return _exchange_across(question, sets, scores, least)


def _rests_on_own(question: Question) -> bool:
    """Return whether what is solved is a criterion or a dissimilarity as its user encoded it."""
    return is_own(question.problem.objective) or bool(question.own_measures)


def _claimed_bound(question: Question, sets: Sets, outcome: Outcome) -> float:
    """Return what no sets are worth more than, as the solver claims; infinite if it claims nothing."""
    value = question.value(sets)
    if outcome.proof is Proof.OPTIMAL:
        return value + max(CLOSED * abs(value), outcome.rounding)
    if outcome.bound is None or outcome.stop is not Stop.EXHAUSTED:
        return np.inf
    return max(value, outcome.bound) + max(CLOSED * abs(outcome.bound), outcome.rounding)


def _exchange_across(question: Question, sets: Sets, scores: list[float], least: float) -> Sets | None:
    """Find better sets by exchanging a feature of one for a feature of another."""
    steps = sum(len(one) * len(other) for one, other in combinations(sets, 2))
    if steps > MOST_CROSSED:
        return None
    for i, j in combinations(range(len(sets)), 2):
        rest = [score for at, score in enumerate(scores) if at not in {i, j}]
        if question.total == "min" and min(rest, default=np.inf) <= least:
            continue
        one, other = (question.problem.ordered(sets[at]) for at in (i, j))
        for a, b in product((f for f in one if f not in other), (f for f in other if f not in one)):
            changed = list(sets)
            changed[i] = list(question.problem.ordered({*sets[i], b} - {a}))
            changed[j] = list(question.problem.ordered({*sets[j], a} - {b}))
            if _holds(question, changed, least):
                return changed
    return None


def _holds(question: Question, changed: Sets, least: float) -> bool:
    """Return whether sets are worth more than so much, and keep all conditions."""
    objective = question.problem.objective
    if not all(objective.checked_feasible(question.problem.mask(one)) for one in changed):
        return False
    if question.value(changed) <= least:
        return False
    differ = dissimilar_enough(question.diversity, list(question.pairs(changed)))
    return differ and question.keeps_all(changed)


def _plain(question: Question) -> bool:
    """Return whether the model is one of 0/1 variables and ordinary numbers, where no solver erred yet."""
    problem = question.problem
    if problem.subject_to or problem.across or question.soft is not None:
        return False
    if question.kind is not Kind.SUM:
        return False
    sizes = np.abs(problem.objective.weights)
    sizes = sizes[sizes > 0]
    return not len(sizes) or float(sizes.max()) < RANGE * float(sizes.min())


def _limits(question: Question, rest: Sets) -> list[Limit]:
    """Return for each set to differ from how many features of it a set of some size may have."""
    diversity = question.diversity
    if isinstance(diversity, SoftDiversity) or is_own(diversity):
        return []
    return [
        (one, partial(_largest_overlap, diversity, len(one)))
        for one in (frozenset(subset) for subset in (*rest, *question.known))
    ]


def _largest_overlap(diversity: Dissimilarity, other: int, size: int) -> int:
    return largest_overlap(diversity, size, other)


def _better(problem: Problem, one: Collection[str], least: float, limits: list[Limit]) -> Iterator[list[str]]:
    """Return the feasible sets one step from a set that are worth more than so much, the best first."""
    objective = problem.objective
    members = np.array(sorted(problem.index[f] for f in one))
    values, dropped, added = _steps(objective, members, problem.sizes)
    better = np.flatnonzero(values > least)
    if not len(better):
        return
    features = [*objective.features, None]
    better = better[_dissimilar(problem, one, dropped[better], added[better], limits)]
    for step in better[np.argsort(-values[better], kind="stable")].tolist():
        changed = (set(one) - {features[dropped[step]]}) | {features[added[step]]}
        other = list(problem.ordered(changed - {None}))
        mask = problem.mask(other)
        if objective.checked_feasible(mask) and objective.checked_score(mask) > least:
            yield other


def _dissimilar(
    problem: Problem, one: Collection[str], dropped: IntArray, added: IntArray, limits: list[Limit]
) -> BoolArray:
    """Return which steps leave few enough features in common with other sets."""
    none = len(problem.index)
    size = len(one) - (dropped < none) + (added < none)
    differ = np.ones(len(dropped), dtype=bool)
    for other, limit in limits:
        inside = np.append(problem.mask(other), False).astype(int)
        common = len(set(one) & set(other)) - inside[dropped] + inside[added]
        for each in np.unique(size).tolist():
            differ &= (size != each) | (common <= limit(each))
    return differ


def _steps(
    objective: Objective, members: IntArray, sizes: tuple[int, int]
) -> tuple[FloatArray, IntArray, IntArray]:
    """Score all sets one step away; with them go the indices of what each drops and adds.

    The index after the last stands for nothing.
    """
    k, none = len(members), len(objective.features)
    free = np.setdiff1d(np.arange(none), members, assume_unique=True)
    values = [_score_exchanges(objective, members, free)]
    dropped, added = [np.repeat(members, len(free))], [np.tile(free, k)]
    if k < sizes[1] and len(free):
        values.append(scores_of(objective, np.column_stack([np.tile(members, (len(free), 1)), free])))
        dropped.append(np.full(len(free), none))
        added.append(free)
    if k > max(sizes[0], 1):
        values.append(scores_of(objective, np.array([np.delete(members, i) for i in range(k)])))
        dropped.append(members)
        added.append(np.full(k, none))
    return np.concatenate(values), np.concatenate(dropped), np.concatenate(added)


def _score_exchanges(objective: Objective, members: IntArray, free: IntArray) -> FloatArray:
    """Score the sets in which another feature replaces a member; of a user's own criterion by its formula."""
    if not is_own(objective):
        return objective.exchanged(members)[:, free].ravel()
    changed = np.repeat(np.tile(members, (len(members), 1)), len(free), axis=0)
    changed[np.arange(len(changed)), np.repeat(np.arange(len(members)), len(free))] = np.tile(
        free, len(members)
    )
    return Objective.scores(objective, changed)


def refuse_beaten(question: Question, found: Answer) -> Answer:
    """Refuse to call sets optimal that a neighbour beats by the user's own definitions.

    Methods know a criterion of the user's own by its model, or by what it declares besides its formula; and
    a dissimilarity by ``share`` or ``rows``.

    Raises
    ------
    SolverError
        Names both sets.
    """
    if not _rests_on_own(question) or found.outcome.proof is not Proof.OPTIMAL:
        return found
    try:
        better = better_neighbours(question, found.sets, found.outcome)
    except OutOfTimeError:
        bound = None if found.outcome.value is None else found.outcome.bound
        return replace(found, outcome=Outcome.unfinished(Stop.TIME, question.value(found.sets), bound))
    if better is None:
        return found
    ordered = question.problem.ordered
    one, other = (
        "; ".join(f"({listing(ordered(subset))})" for subset in sets) for sets in (found.sets, better)
    )
    raise SolverError(
        f"{question.problem.objective.name}: {one} was to be optimal, with "
        f"{question.value(found.sets):.9g}, and one step from it the formula gives "
        f"{question.value(better):.9g} for {other}: "
        f"{_what_may_be_wrong(question)}, or nothing: then the solver is wrong"
    )


def _what_may_be_wrong(question: Question) -> str:
    """Return which of the user's definitions may not be what is solved, and what finds where."""
    causes = []
    if is_own(question.problem.objective):
        causes.append(
            "express, or what the class declares besides, is not the formula; "
            "altsel.models.check_objective finds where"
        )
    causes += [
        f"{'its rows forbid' if share_of(one) is None else 'its share forbids'} what __call__ of "
        f"{type(one).__name__} allows; altsel.models.check_dissimilarity finds where"
        for one in question.own_measures[:1]
    ]
    return "; or ".join(causes)
