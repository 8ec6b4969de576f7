"""Good admissible sets in no time, as warm starts of exact solves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.linear_rules import kept, rule_rows
from altsel.exact.local_search import exchange_search
from altsel.models.dissimilarity import Dissimilarity, largest_overlap
from altsel.models.objective import Separable
from altsel.models.problem import Problem

MOST_EXCHANGED = 2_000
"""Features up to which a set that breaks rules is repaired by exchanges."""


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
        A problem with a separable or an exchangeable objective.
    dissimilarity, known
        What to differ from, and by how much.
    among
        Places of the features to choose from (separable objectives only); default: all.

    Returns
    -------
    list of str or None
        None if no set of any size wanted was found.
    """
    objective = problem.objective
    if not isinstance(objective, Separable):
        return exchange_search(problem, dissimilarity, known)
    among = np.arange(len(objective.features)) if among is None else among
    names = [objective.features[j] for j in among]
    member = np.array([[f in subset for f in names] for subset in map(set, known)], dtype=bool).reshape(
        -1, len(names)
    )
    weights = objective.weights[among]
    low, high = problem.sizes
    for size in range(high, low - 1, -1):
        room = np.array(
            [largest_overlap(dissimilarity, len(subset), size) for subset in known], dtype=np.int64
        )
        mask = greedy(weights, member, room, size)
        if mask is not None:
            mask = swapped(weights, member, room, mask)
            found = [names[j] for j in np.flatnonzero(mask)]
            return found if not problem.subject_to else _repaired(problem, dissimilarity, known, found)
    return _repaired(problem, dissimilarity, known, None) if problem.subject_to else None


def _repaired(
    problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Collection[str]], found: list[str] | None
) -> list[str] | None:
    """Keep a set if it keeps the rules; else look for another by exchanges."""
    rows = rule_rows(problem)
    if rows is None or (found is not None and kept(rows, problem.mask(found))):
        return found
    if len(problem.index) > MOST_EXCHANGED:
        return found
    return exchange_search(problem, dissimilarity, known, restarts=2) or found


def greedy(weights: FloatArray, member: BoolArray, room: IntArray, size: int) -> BoolArray | None:
    """Take the best features in turn, as far as the overlaps leave room.

    Parameters
    ----------
    weights
        One a feature.
    member
        Which known sets have which features, shape (known, features).
    room
        Largest overlap with each known set.
    size
        Number of features to take.
    """
    mask = np.zeros(len(weights), dtype=bool)
    left = room.copy()
    taken = 0
    for j in np.argsort(-weights, kind="stable"):
        if taken == size:
            break
        if (left[member[:, j]] > 0).all():
            mask[j] = True
            left -= member[:, j]
            taken += 1
    return mask if taken == size else None


def swapped(weights: FloatArray, member: BoolArray, room: IntArray, mask: BoolArray) -> BoolArray:
    """Exchange one feature for another, the best pair first, until no exchange gains."""
    counts = member.astype(np.int64)
    mask = mask.copy()
    while True:
        inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
        gain = weights[outside][None, :] - weights[inside][:, None]
        overlap = counts[:, mask].sum(axis=1)
        after = overlap[:, None, None] - counts[:, inside][:, :, None] + counts[:, outside][:, None, :]
        gain[(after > room[:, None, None]).any(axis=0)] = -np.inf
        if not gain.size or gain.max() <= 0:
            return mask
        i, j = np.unravel_index(int(gain.argmax()), gain.shape)
        mask[inside[i]], mask[outside[j]] = False, True
