"""Exchange search: a good set by exchanging one feature for another, from many beginnings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.rules.linear_rules import FEASIBLE, dissimilarity_rows, rule_rows
from altsel.models.dissimilarity import Dissimilarity
from altsel.models.many_scores import exchanged_of
from altsel.models.objective import Objective
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.models.soft_diversity import SoftDiversity
from altsel.runtime.clock import clock

RESTARTS = 5
SIZES = 8
"""Most sizes tried where the size is free."""


def exchange_search(
    problem: Problem,
    dissimilarity: Dissimilarity | SoftDiversity,
    known: Sequence[Collection[str]],
    restarts: int = RESTARTS,
) -> list[str] | None:
    """Find a good set that differs enough from all known ones, without proof.

    Of all exchanges of one feature the best is made, until none gains: first towards keeping
    all conditions (distances, domain constraints, pairs that exclude each other), then
    towards a higher score. The first beginning is greedy, by what features add or by
    relevance, the others are random.

    Parameters
    ----------
    problem
        A problem whose objective is exchangeable.
    dissimilarity, known
        What to differ from, and by how much.
    restarts
        Number of random beginnings for each size.

    Returns
    -------
    list of str or None
        The best set found, in the order of the features; None if none is admissible or a
        domain constraint is not a row over the features.
    """
    objective = problem.objective
    rules = rule_rows(problem) if objective.exchangeable else None
    if rules is None:
        return None
    best: tuple[float, IntArray] | None = None
    low, high = problem.sizes
    path = _greedy_path(objective, high)
    sizes = np.unique(np.linspace(low, high, min(high - low + 1, SIZES)).round().astype(int)).tolist()
    by_size = dict[int, _Conditions]()
    for size in sizes:
        distances = dissimilarity_rows(problem, dissimilarity, known, size)
        if distances is None:
            return None
        by_size[size] = conditions = _conditions(problem, [*distances, *rules])
        if size <= len(path) and not conditions.violation(path[:size]):
            value = _value(objective, path[:size])
            best = (value, path[:size]) if best is None or value > best[0] else best
    for size, conditions in by_size.items():
        met = set[tuple[int, ...]]()
        for members in _beginnings(objective, conditions, size, restarts, path):
            if best is not None and clock().over:
                break
            found = _descend(objective, conditions, members, met)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
    return None if best is None else [objective.features[j] for j in np.sort(best[1])]


@dataclass(frozen=True, eq=False)
class _Conditions:
    """Rows ``low <= rows @ s <= high``, and pairs that exclude each other."""

    rows: FloatArray
    low: FloatArray
    high: FloatArray
    conflict: BoolArray | None

    def violation(self, members: IntArray) -> float:
        """Measure by how much a set breaks the conditions."""
        used = self.rows[:, members].sum(axis=1)
        clashes = 0 if self.conflict is None else self.conflict[np.ix_(members, members)].sum() / 2
        return float(self._excess(used).sum() + clashes)

    def exchanged(self, members: IntArray) -> FloatArray:
        """Measure the same after every exchange, shape (k, features)."""
        used = self.rows[:, members].sum(axis=1)
        after = used[:, None, None] - self.rows[:, members][:, :, None] + self.rows[:, None, :]
        broken = np.asarray(self._excess(after).sum(axis=0))
        if self.conflict is not None:
            count = self.conflict[members].sum(axis=0)
            inner = count[members]
            broken = broken + inner.sum() / 2 - inner[:, None] + count[None, :] - self.conflict[members]
        return broken

    def _excess(self, used: FloatArray) -> FloatArray:
        shape = (-1,) + (1,) * (used.ndim - 1)
        low, high = self.low.reshape(shape), self.high.reshape(shape)
        excess = np.maximum(np.maximum(used - high, low - used), 0.0)
        return np.where(excess <= FEASIBLE, 0.0, excess)


def _conditions(problem: Problem, rows: list[Row]) -> _Conditions:
    n = len(problem.objective.features)
    return _Conditions(
        np.array([row for row, _, _ in rows]).reshape(-1, n),
        np.array([low for _, low, _ in rows]),
        np.array([high for _, _, high in rows]),
        problem.objective.conflict,
    )


def _greedy_path(objective: Objective, most: int) -> IntArray:
    """Take features one by one, that which adds most first; none where the criterion does not tell."""
    path = np.zeros(0, dtype=np.int64)
    while len(path) < most and not clock().over:
        scores = objective.grown(path)
        if scores is None or scores.max() == -np.inf:
            break
        path = np.append(path, scores.argmax())
    return path


def _beginnings(
    objective: Objective, conditions: _Conditions, size: int, restarts: int, path: IntArray
) -> Sequence[IntArray]:
    rng = np.random.default_rng(0)
    relevance = np.zeros(len(objective.features)) if objective.relevance is None else objective.relevance
    best_first = np.argsort(-relevance, kind="stable")
    orders = [np.concatenate([path, best_first[~np.isin(best_first, path)]])]
    orders += [rng.permutation(len(relevance)) for _ in range(restarts)]
    return [_take_first(conditions.conflict, order, size) for order in orders]


def _take_first(conflict: BoolArray | None, order: IntArray, size: int) -> IntArray:
    """Take the first features of an order that go together, then any."""
    if conflict is None:
        return order[:size].copy()
    free = np.ones(len(order), dtype=bool)
    taken: list[int] = []
    for j in order.tolist():
        if len(taken) < size and free[j]:
            taken.append(j)
            free &= ~conflict[j]
    rest = order[~np.isin(order, taken)].tolist()
    return np.array((taken + rest)[:size])


def _descend(
    objective: Objective, conditions: _Conditions, members: IntArray, met: set[tuple[int, ...]]
) -> tuple[float, IntArray] | None:
    """Exchange while that lowers the violation or, with the same one, raises the score.

    Both are computed anew of each set, so that no rounding can lead round in circles. A descent that comes to
    a set that an earlier one has met ends: it would go on as that did.
    """
    broken, value = conditions.violation(members), _value(objective, members)
    while len(members) < len(objective.features) and not clock().over:
        here = tuple(sorted(members.tolist()))
        if here in met:
            return None
        met.add(here)
        after = conditions.exchanged(members)
        after[:, members] = np.inf
        gain = np.where(after <= after.min() + FEASIBLE, exchanged_of(objective, members), -np.inf)
        i, j = np.unravel_index(
            int(gain.argmax()) if gain.max() > -np.inf else int(after.argmin()), gain.shape
        )
        changed = members.copy()
        changed[i] = j
        new = conditions.violation(changed), _value(objective, changed)
        if not (new[0] < broken or (new[0] == broken and new[1] > value)):
            break
        members, (broken, value) = changed, new
    return None if broken or value == -np.inf else (value, members)


def _value(objective: Objective, members: IntArray) -> float:
    mask = np.zeros(len(objective.features), dtype=bool)
    mask[members] = True
    if objective.conflict is None and not objective.checked_feasible(mask):
        return -np.inf
    return objective.checked_score(mask)
