"""From a question to a QUBO: the form of its criterion, and penalties that are proved large enough."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import comb, floor, inf, log2
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError
from altsel.exact.interchange.binary_quadratic import BinaryQuadratic, Sum
from altsel.exact.interchange.integer_rows import IntegerRow, integer_rows, rows_of_rules
from altsel.exact.rules.linear_rules import dissimilarity_rows
from altsel.models.dissimilarity import Dissimilarity, refuse_no_dissimilarity
from altsel.models.given_sets import given_sets
from altsel.models.objective import Kind
from altsel.models.problem import Problem, checked_problem

ROUNDING = 1e-9
"""Share of a bound that sums of its terms may be off by rounding, and far more."""
NO_PAIRS = np.zeros((0, 2), dtype=np.int64)
MOST_SLACK = 2**20
"""Largest slack of a rule that is written in bits."""


def qubo(
    problem: Problem, dissimilarity: Dissimilarity | None = None, known: Sequence[Collection[str]] = ()
) -> BinaryQuadratic:
    """Write the question for the best set, or the next one after known ones, as a QUBO.

    The criterion is ``Q(x) = sum_i a_i x_i - sum_{i<j} b_ij x_i x_j`` for sets of k features, and
    ``f = -Q``. Sizes and rules become penalties ``P v(x)``, where v is a square of integers, or a product,
    that is 0 where the rule is kept and at least 1 where not.

    **Sizes alone.** ``E = f + P (|x| - k)^2``. Adding a feature to fewer than k raises f by at most
    ``V = max_i (-a_i + the k - 1 largest of max(b_ij, 0))``; removing one from more than k raises it by at
    most ``U = max_i (a_i + sum_j max(-b_ij, 0))``. Either step towards k lowers the penalty by at least P.
    So with

    ``P > max(U, V)``

    every vector of another size has a neighbour of less energy, and all minima are sets of k features.

    **With rules, known sets, pairs that exclude each other, or free sizes.** No vector has f below
    ``L = -sum_i max(a_i, 0) - sum_{i<j} max(-b_ij, 0)``, and no set of m features has f above
    ``H_m``, the m largest of ``-a_i`` and the m (m - 1) / 2 largest of ``max(b_ij, 0)`` together. With

    ``P > max_m H_m - L``

    a vector that breaks anything has ``E >= L + P > max_m H_m``, above all sets that keep all. If the least
    energy is above that, there is no such set.

    A rule ``sum_j c_j x_j <= h`` of integers gets a slack ``s`` in bits whose weights sum to
    ``h - min_x sum_j c_j x_j``, so that its values are all integers from 0 to that, and
    ``v = (sum_j c_j x_j + s - h)^2``. "At most one of these" and "i only with j" need no slack.
    P is the least power of two above its bound, so that multiples of it are not rounded.

    Parameters
    ----------
    problem
        A plain sum, FCBF, or mRMR and other quadratic forms; these of a fixed size.
    dissimilarity
        Between the set and known ones.
    known
        Sets that are there already.

    Returns
    -------
    BinaryQuadratic
        Its minima are the best sets; their energy is minus their score.

    Raises
    ------
    ArgumentError
        If the criterion is no quadratic form of the selection, or a rule is no linear row.

    Examples
    --------
    >>> import altsel
    >>> made = qubo(altsel.Problem(altsel.Univariate({"a": 3.0, "b": 2.0, "c": 1.0}), k=2))
    >>> made.penalty, made.energies(np.array([[1, 1, 0], [1, 1, 1]])).tolist()
    (4.0, [-5.0, -2.0])
    """
    checked_problem(problem)
    if dissimilarity is not None:
        refuse_no_dissimilarity(dissimilarity)
    known = given_sets("known", known, problem)
    single, pairs, exclusive = _form(problem)
    low, high = problem.sizes
    rows = list(integer_rows(_rows(problem, dissimilarity, known)))
    n = len(single)
    form = Sum(n)
    form.linear += -single
    for i, j in zip(*np.nonzero(np.triu(pairs, 1)), strict=True):
        form.add_pair(int(i), int(j), float(pairs[i, j]))
    highest = _highest(single, pairs, (low, high))
    alone = low == high and not rows and not len(exclusive)
    bound = _for_sizes_alone(single, pairs, low) if alone else highest - _lowest(single, pairs)
    bound = max(bound * (1 + ROUNDING), 0.0)
    penalty = 2.0 ** (floor(log2(bound)) + 1) if bound > 0 else 1.0
    if low == high:
        rows.insert(0, IntegerRow(dict.fromkeys(range(n), 1), low, equal=True))
    else:
        rows += _sizes(n, low, high)
    for i, j in exclusive:
        form.add_pair(int(i), int(j), penalty)
    names = [*problem.objective.features]
    for number, row in enumerate(rows):
        names += _penalise(form, row, penalty, f"slack {number}")
    return BinaryQuadratic(
        names=tuple(names),
        features=n,
        linear=form.linear,
        quadratic={pair: value for pair, value in sorted(form.quadratic.items()) if value},
        offset=form.offset,
        penalty=penalty,
        none_above=inf if alone else highest + (penalty - bound) / 2,
        criterion=problem.objective.name,
    )


def _form(problem: Problem) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return a and b of the criterion, and the pairs that exclude each other."""
    objective, (low, high) = problem.objective, problem.sizes
    n = len(objective.features)
    if objective.as_sum is not None:
        objective_of_sum = objective.as_sum[0]
        conflict: Any = objective.conflict
        pairs = np.argwhere(np.triu(conflict, 1)) if conflict is not None else NO_PAIRS
        return objective_of_sum.weights, np.zeros((n, n)), pairs
    if objective.kind is Kind.SUM:
        return objective.weights, np.zeros((n, n)), NO_PAIRS
    if objective.kind is not Kind.QUADRATIC:
        raise ArgumentError(
            f"{objective.name} is no quadratic form of the selection, so no QUBO; write it as .json or .mps"
        )
    if low != high:
        raise ArgumentError(f"{objective.name} has another form for each size: fix k, one file a size")
    if objective.conditional:
        raise ArgumentError(f"{objective.name} has conditions that are no rows; write it as .lp or .mps")
    single, table = objective.quadratic(low)
    never = np.isinf(table)
    return single, np.where(never, 0.0, table), np.argwhere(np.triu(never, 1))


def _rows(problem: Problem, dissimilarity: Any, known: Sequence[Collection[str]]) -> list[Any]:
    """Return the rules as rows over the features, those of known sets among them."""
    stated = problem.after(known)
    rows = rows_of_rules(stated)
    if rows is None:
        raise ArgumentError("a rule is more than a linear row over the features: a QUBO cannot have it")
    if not known:
        return list(rows)
    low, high = problem.sizes
    if low != high:
        raise ArgumentError("known sets need a fixed k: the largest overlap depends on the size")
    if dissimilarity is None:
        raise ArgumentError("known sets need a dissimilarity, such as Dice(0.5)")
    try:
        apart = dissimilarity_rows(problem, dissimilarity, known, low)
    except AssertionError:
        apart = None
    if apart is None:
        raise ArgumentError(f"{dissimilarity!r} is no linear row over the features; use Dice or Jaccard")
    return [*rows, *apart]


def _for_sizes_alone(single: FloatArray, pairs: FloatArray, k: int) -> float:
    """Return what one step towards k raises f by at most: the larger of U and V."""
    positive = np.sort(np.maximum(pairs, 0.0), axis=1)[:, ::-1]
    adding = -single + positive[:, : k - 1].sum(axis=1)
    removing = single + np.maximum(-pairs, 0.0).sum(axis=1)
    return max(float(adding.max()), float(removing.max()))


def _lowest(single: FloatArray, pairs: FloatArray) -> float:
    """Return L, which no vector has f below."""
    return -float(np.maximum(single, 0.0).sum()) - float(np.triu(np.maximum(-pairs, 0.0), 1).sum())


def _highest(single: FloatArray, pairs: FloatArray, sizes: tuple[int, int]) -> float:
    """Return the largest H_m, which no set of the sizes has f above."""
    losses = np.sort(-single)[::-1]
    above = np.sort(np.maximum(pairs[np.triu_indices(len(single), 1)], 0.0))[::-1]
    return max(
        float(losses[:m].sum()) + float(above[: comb(m, 2)].sum()) for m in range(sizes[0], sizes[1] + 1)
    )


def _sizes(n: int, low: int, high: int) -> list[IntegerRow]:
    """Return the limits of the size as rows: together one slack of few bits would do, two are simple."""
    most = [IntegerRow(dict.fromkeys(range(n), 1), high)] if high < n else []
    least = [IntegerRow(dict.fromkeys(range(n), -1), -low)] if low > 0 else []
    return most + least


def _penalise(form: Sum, row: IntegerRow, penalty: float, name: str) -> list[str]:
    """Add the penalty of a row, and return the names of the bits of its slack."""
    if _is_packing(row):
        members = sorted(row.terms)
        for position, i in enumerate(members):
            for j in members[position + 1 :]:
                form.add_pair(i, j, penalty)
        return []
    if sorted(row.terms.values()) == [-1, 1] and row.limit == 0 and not row.equal:
        first, second = sorted(row.terms, key=row.terms.__getitem__, reverse=True)
        form.linear[first] += penalty
        form.add_pair(first, second, -penalty)
        return []
    slack = 0 if row.equal else max(row.limit - row.least, 0)
    if slack > MOST_SLACK:
        raise ArgumentError(f"a rule leaves a slack of {slack}, too much for bits: round its numbers")
    bits = _bits(slack)
    begin = len(form.linear)
    form.linear = np.append(form.linear, np.zeros(len(bits)))
    form.add_square({**row.terms, **{begin + i: c for i, c in enumerate(bits)}}, -row.limit, penalty)
    return [f"{name} bit {i}" for i in range(len(bits))]


def _is_packing(row: IntegerRow) -> bool:
    """Return whether a row says "at most one of these"."""
    return not row.equal and row.limit == 1 and set(row.terms.values()) == {1}


def _bits(most: int) -> list[int]:
    """Return weights of bits whose sums are just the integers from 0 to a number.

    Examples
    --------
    >>> _bits(5), _bits(7), _bits(0)
    ([1, 2, 2], [1, 2, 4], [])
    """
    weights: list[int] = []
    left, weight = most, 1
    while left > 0:
        weights.append(min(weight, left))
        left, weight = left - weights[-1], 2 * weight
    return weights
