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


def scored(objective: altsel.models.Objective, sets: Sequence[Set]) -> dict[Set, float]:
    masks = {subset: np.array([f in subset for f in objective.features]) for subset in sets}
    is_feasible = getattr(objective, "is_feasible", lambda mask: True)
    return {one: objective.score(mask) for one, mask in masks.items() if is_feasible(mask)}


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
    """Best total of families of sets that differ enough pairwise; a set may repeat where tau allows.

    Tries families in falling order of scores and leaves out those that cannot beat the best.
    """
    order = sorted(scores, key=lambda one: -scores[one])
    values = [scores[one] for one in order]
    fits = [
        [j for j in range(i, len(order)) if distance(order[i], order[j]) >= tau - 1e-9]
        for i in range(len(order))
    ]
    best: float | None = None

    def extend(chosen: list[float], allowed: list[int]) -> None:
        nonlocal best
        if len(chosen) == count:
            value = total(chosen)
            best = value if best is None else max(best, value)
            return
        for index, i in enumerate(allowed):
            promise = total(chosen + [values[i]] * (count - len(chosen)))
            if best is not None and promise <= best:
                return
            rest = set(fits[i])
            extend([*chosen, values[i]], [j for j in allowed[index:] if j in rest])

    extend([], list(range(len(order))))
    return best


def best_together_plainly(
    scores: dict[Set, float],
    count: int,
    distance: Distance,
    tau: float,
    total: Callable[[list[float]], float],
) -> float | None:
    """Return the same by trying every family: the oracle's oracle."""
    best = None
    for family in combinations_with_replacement(scores, count):
        if all(distance(s, t) >= tau - 1e-9 for s, t in combinations(family, 2)):
            value = total([scores[s] for s in family])
            best = value if best is None else max(best, value)
    return best
