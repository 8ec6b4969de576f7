"""Good admissible sets in no time, as warm starts of exact solves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.question import Question, Sets
from altsel.exact.rules.linear_rules import keeps_rows, rule_rows
from altsel.exact.starts.local_search import exchange_search
from altsel.models.dissimilarity import Dissimilarity, largest_overlap
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.soft_diversity import DISTINCT, Diversity, SoftDiversity
from altsel.runtime.clock import turn

PATIENCE, PART = 2.0, 4
"""CPU seconds for good sets of linear models, at most, and what part of the time that is left."""
MOST_EXCHANGED = 2_000
"""Features up to which a set that breaks rules is repaired by exchanges."""


def starting_sets(question: Question, incumbent: Sets) -> Sets:
    """Return the best sets met, if they are as many as are wanted; else make good ones."""
    return incumbent if len(incumbent) == question.count else good_sets(question, question.among)


def proposed_sets(question: Question, proposed: Sequence[Collection[str]]) -> Sets:
    """Return the best of proposed sets that keep all conditions of a question, or better ones made quickly.

    Parameters
    ----------
    question
        What is wanted.
    proposed
        Sets of any number; those that break a condition are not used.

    Returns
    -------
    list of list of str
        As many sets as are wanted, or none.
    """
    problem, count = question.problem, question.count
    low, high = problem.sizes
    good = [list(problem.ordered(one)) for one in proposed if low <= len(one) <= high]
    good = [one for one in good if problem.objective.checked_feasible(problem.mask(one))]
    good = [one for one in good if question.keeps_rules(one)]
    best_first = sorted(good, key=lambda one: -question.quality([one]))
    offers = [good[:count], _apart(question, best_first)]
    families = [family for family in offers if _complete(question, family)]
    if not families:
        return []
    if question.kind is not Kind.BLACK_BOX:
        made = good_sets(question, question.among)
        families += [made] if _complete(question, made) else []
    return max(families, key=question.value)


def _apart(question: Question, sets: Sets) -> Sets:
    """Take one set after another that differs enough from those before, up to as many as are wanted."""
    taken: Sets = []
    for one in sets:
        if len(taken) < question.count and question.differ([*taken, one]):
            taken.append(one)
    return taken


def _complete(question: Question, sets: Sets) -> bool:
    return len(sets) == question.count and question.differ(sets) and question.keeps_all(sets)


def good_sets(question: Question, among: IntArray | None) -> Sets:
    """Build good sets that differ enough, best first, without proof; none if that fails.

    Parameters
    ----------
    question
        What is wanted.
    among
        Indices of the features to choose from (plain sums only); None: all.
    """
    question = question.stated
    if question.kind in {
        Kind.LEAST_SQUARES,
        Kind.MODEL_FIT,
    }:  # each exchange takes what a node of the exact search does
        with turn(PATIENCE, 1 / PART):
            return _make_sets(question, among)
    return _make_sets(question, among)


def _make_sets(question: Question, among: IntArray | None) -> Sets:
    problem, diversity = question.problem, question.diversity
    if question.count > 1:
        sets = _several(question, diversity, among)
        return sorted(sets, key=lambda subset: -problem.objective.checked_score(problem.mask(subset)))
    if not isinstance(diversity, SoftDiversity):
        one = good_set(problem, diversity, question.known, among)
    else:
        one = exchange_search(problem, DISTINCT if diversity.penalty else diversity, question.known)
        if one is None and not question.known and question.kind is Kind.SUM:
            one = good_set(problem, diversity.distance, [])
    return [one] if one else []


def _several(question: Question, diversity: Diversity, among: IntArray | None) -> Sets:
    """Build sets one after another, or deal features out to all alike, whichever is better."""
    problem, count = question.problem, question.count
    if isinstance(diversity, SoftDiversity):
        ways: list[Diversity] = [diversity.distance] if diversity.distance.tau > 0 else []
        for way in [*ways, DISTINCT] if diversity.penalty or not ways else ways:
            sets = _in_turn(problem, way, count, exchange_search)
            if sets:
                return sets
        return []
    sets = _in_turn(problem, diversity, count, lambda stated, way, known: good_set(stated, way, known, among))
    offers = [sets] if sets else []
    low, k = problem.sizes
    if low == k and question.kind is Kind.SUM:
        weights, features = problem.objective.weights, problem.objective.features
        order = (
            np.argsort(-weights, kind="stable")
            if among is None
            else among[np.argsort(-weights[among], kind="stable")]
        )
        dealt = deal_out(weights[order], k, largest_overlap(diversity, k, k), count)
        offers += [[[features[order[j]] for j in subset] for subset in dealt]] if dealt else []
    rows = question.structure.rows if problem.subject_to else None
    if rows is not None:
        offers = [
            offer for offer in offers if all(keeps_rows(rows, problem.mask(subset)) for subset in offer)
        ]
    return max(offers, key=question.quality, default=[])


def _in_turn(
    problem: Problem,
    diversity: Diversity,
    count: int,
    find: Callable[[Problem, Any, Sets], list[str] | None],
) -> Sets:
    sets: Sets = []
    while len(sets) < count:
        one = find(problem.after(sets), diversity, sets)
        if one is None:
            return []
        sets.append(one)
    return sets


def deal_out(weights: FloatArray, k: int, overlap: int, count: int) -> list[list[int]]:
    """Deal features out to sets that share the best ones, each to the set of lowest quality.

    Returns
    -------
    list of list of int
        Indices of the features of each set; none if there are too few features.

    Examples
    --------
    >>> deal_out(np.array([5.0, 4, 2, 1]), 2, 0, 2)
    [[0, 3], [1, 2]]
    """
    if overlap + count * (k - overlap) > len(weights):
        return []
    sets = [list(range(overlap)) for _ in range(count)]
    quality = np.zeros(count)
    for j in range(overlap, overlap + count * (k - overlap)):
        worst = int(np.argmin(np.where([len(subset) < k for subset in sets], quality, np.inf)))
        sets[worst].append(j)
        quality[worst] += weights[j]
    return sets


def good_set(
    problem: Problem,
    dissimilarity: Dissimilarity,
    known: Sequence[Collection[str]],
    among: IntArray | None = None,
) -> list[str] | None:
    """Find a good set that differs enough from all known ones: greedy, then best exchanges.

    For a separable objective rules that are rows are kept where there are not too many features; others
    are not looked at: the caller checks them.

    Parameters
    ----------
    problem
        A problem whose objective is a plain sum or exchangeable.
    dissimilarity, known
        What to differ from, and by how much.
    among
        Indices of the features to choose from (separable objectives only); default: all.

    Returns
    -------
    list of str or None
        None if no set of any size wanted was found.
    """
    objective = problem.objective
    if objective.kind is not Kind.SUM:
        return exchange_search(problem, dissimilarity, known)
    among = np.arange(len(objective.features)) if among is None else among
    names = [objective.features[j] for j in among]
    member = np.array([[f in subset for f in names] for subset in map(set, known)], dtype=bool).reshape(
        -1, len(names)
    )
    weights = np.asarray(objective.weights[among], dtype=float)
    low, high = problem.sizes
    for size in range(high, low - 1, -1):
        largest = np.array(
            [largest_overlap(dissimilarity, len(subset), size) for subset in known], dtype=np.int64
        )
        mask = greedy(weights, member, largest, size)
        if mask is not None:
            mask = swap_pairs(weights, member, largest, mask)
            found = [names[j] for j in np.flatnonzero(mask)]
            return found if not problem.subject_to else _repair(problem, dissimilarity, known, found)
    return _repair(problem, dissimilarity, known, None) if problem.subject_to else None


def _repair(
    problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Collection[str]], found: list[str] | None
) -> list[str] | None:
    """Keep a set if it keeps the rules; else look for another by exchanges."""
    rows = rule_rows(problem)
    if rows is None or (found is not None and keeps_rows(rows, problem.mask(found))):
        return found
    if len(problem.index) > MOST_EXCHANGED:
        return found
    return exchange_search(problem, dissimilarity, known, restarts=2) or found


def greedy(weights: FloatArray, member: BoolArray, largest: IntArray, size: int) -> BoolArray | None:
    """Take the best features in turn, as far as the overlaps allow.

    Parameters
    ----------
    weights
        One a feature.
    member
        Which known sets have which features, shape (known, features).
    largest
        Largest overlap with each known set.
    size
        Number of features to take.
    """
    mask = np.zeros(len(weights), dtype=bool)
    left = largest.copy()
    taken = 0
    for j in np.argsort(-weights, kind="stable"):
        if taken == size:
            break
        if (left[member[:, j]] > 0).all():
            mask[j] = True
            left -= member[:, j]
            taken += 1
    return mask if taken == size else None


def swap_pairs(weights: FloatArray, member: BoolArray, largest: IntArray, mask: BoolArray) -> BoolArray:
    """Exchange one feature for another, the best pair first, until no exchange gains."""
    counts = member.astype(np.int64)
    mask = mask.copy()
    while True:
        inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
        gain = weights[outside][None, :] - weights[inside][:, None]
        overlap = counts[:, mask].sum(axis=1)
        after = overlap[:, None, None] - counts[:, inside][:, :, None] + counts[:, outside][:, None, :]
        gain[(after > largest[:, None, None]).any(axis=0)] = -np.inf
        if not gain.size or gain.max() <= 0:
            return mask
        i, j = np.unravel_index(int(gain.argmax()), gain.shape)
        mask[inside[i]], mask[outside[j]] = False, True
