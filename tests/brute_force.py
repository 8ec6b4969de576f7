"""Exact oracles by trying everything; they share no code with the searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np

import altsel

Set = frozenset[str]
Distance = Callable[[Set, Set], float]


def all_sets(names: Sequence[str], sizes: tuple[int, int]) -> Iterator[Set]:
    for size in range(sizes[0], sizes[1] + 1):
        yield from map(frozenset, combinations(names, size))


def dice(a: Set, b: Set) -> float:
    return 1 - 2 * len(a & b) / (len(a) + len(b))


def jaccard(a: Set, b: Set) -> float:
    return 1 - len(a & b) / len(a | b)


def scored(objective: altsel.Objective, sets: Sequence[Set]) -> dict[Set, float]:
    names = objective.features
    return {one: objective.score(np.array([f in one for f in names])) for one in sets}


def best_after(
    scores: dict[Set, float], known: Sequence[Set], distance: Distance, tau: float
) -> float | None:
    """Best score among the sets that differ enough from all known ones."""
    fit = [q for s, q in scores.items() if all(distance(s, t) >= tau - 1e-9 for t in known)]
    return max(fit, default=None)


def best_together(
    scores: dict[Set, float],
    count: int,
    distance: Distance,
    tau: float,
    total: Callable[[list[float]], float],
) -> float | None:
    """Best total of families of sets that differ enough pairwise; a set may repeat where tau allows."""
    fits = {(s, t): distance(s, t) >= tau - 1e-9 for s in scores for t in scores}
    best = None
    for family in combinations_with_replacement(scores, count):
        if all(fits[pair] for pair in combinations(family, 2)):
            value = total([scores[s] for s in family])
            best = value if best is None else max(best, value)
    return best
