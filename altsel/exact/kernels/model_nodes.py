"""Nodes of regularised models of one predictor a row, in the part of numpy that numba compiles.

`relaxed` is the bound of `altsel.exact.sources.generalised.node_bound`, `more_of_each` and `hopeful` are what
takes time in `altsel.exact.sources.generalised.pairs`: those are the twins. Each feature has one column.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from altsel.exact.sources.generalised.shares import NEWTON, PART, ROUNDS, WORTHWHILE, shares
from altsel.stats.generalised.compiled import FARTHEST, STEEP, predicted, row_sums
from altsel.stats.generalised.family import RIDGE

SETTLING = 12
"""Steps of a constant, at most, after which there is no tangent."""


class Members(NamedTuple):
    """Features of a node, by the index of their columns.

    Attributes
    ----------
    fixed
        Those that each set has, shape (s,).
    free
        Those of which sets have some, shape (n,).
    paid
        What the free features cost by themselves, shape (n,).
    wanted
        How many of the free ones a set has.
    """

    fixed: Any
    free: Any
    paid: Any
    wanted: int


class Mixed(NamedTuple):
    """Slopes of models with some of one feature more, by their products with columns.

    Attributes
    ----------
    ridge, base
        Of the model, and the tangent's constant of the model of the chosen features.
    along, within
        Products of its slopes with the free columns, shape (n,), and the chosen ones, shape (s,).
    constant
        Of each size and feature, shape (sizes, n).
    with_free, with_chosen
        Products, shape (sizes, n, n) and (sizes, n, s).
    """

    ridge: float
    base: float
    along: Any
    within: Any
    constant: Any
    with_free: Any
    with_chosen: Any


def tangent(rows: Any, z: Any, g: Any, w: Any) -> float:
    """Return ``L(u) - <g, u>`` at predictors z, and fill slopes g that add up to 0.

    z has offset and constant in it, shape (m,); the constant moves until slopes ``g - w sum(g) / sum(w)`` are
    in range. They take at most ``sum(g)^2 / sum(w)`` off. Minus infinity where they do not come into range.
    """
    offset = rows.table[2]
    for _ in range(SETTLING):
        sums = row_sums(z, rows, g, w)
        share = sums.slope / sums.second if sums.second > 0.0 else np.inf
        if abs(share) <= STEEP:
            along = 0.0
            for i in range(len(z)):
                g[i] -= share * w[i]
                along += g[i] * (z[i] - offset[i])
            return float(sums.loss - along - sums.slope * share)
        if not abs(share) < np.inf:
            break
        z -= min(max(share, -FARTHEST), FARTHEST)
    return -np.inf


def approached(rows: Any, held: Any, ridge: Any, v: Any) -> bool:
    """Do Newton's steps of the model of columns, shape (s, m), with ridges; return if the loss is finite.

    The constant and the coefficients v, shape (1 + s,), are changed.
    """
    m, size = held.shape[1], len(v)
    z, g, w, slope, second = np.empty(m), np.empty(m), np.empty(m), np.empty(size), np.empty((size, size))
    for _ in range(NEWTON):
        predicted(held, rows.table[2], v, z)
        sums = row_sums(z, rows, g, w)
        if not abs(sums.loss) < np.inf:
            return False
        slope[0] = sums.slope
        slope[1:] = np.dot(held, g) + ridge * v[1:]
        second[0, 0] = sums.second
        second[0, 1:] = np.dot(held, w)
        second[1:, 0] = second[0, 1:]
        second[1:, 1:] = np.dot(held * w, held.T)
        largest = 1.0
        for a in range(size):
            second[a, a] += ridge[a - 1] if a else 0.0
            largest = max(largest, second[a, a])
        for a in range(size):
            second[a, a] += RIDGE * largest
        step = np.linalg.solve(second, slope)
        length = np.sqrt(max((step * slope).sum(), 0.0))
        v -= step if length < 1.0 else step / (1.0 + 0.3 * length)
    return True


def relaxed(rows: Any, members: Any, cut: float, b: Any, constant: Any, nothing: float) -> Any:
    """Bound the losses of the sets of a node, less what features cost.

    Each round: 1. shares of the free columns; 2. Newton's steps of the model with the ridge divided by them;
    3. the bound by the tangent there; 4. end if it is above the cutoff, or no longer grows; 5. let columns
    enter whose price is among the highest, with the coefficient of Newton's step.

    Parameters
    ----------
    rows
        As in `altsel.stats.generalised.compiled`.
    members
        The features.
    cut
        Bound from which more is not wanted.
    b, constant
        Where it begins, and where it ends: coefficients of all columns, shape (P + 1,), and shape (1,).
    nothing
        The constant without columns.

    Returns
    -------
    tuple
        The bound, and what each free feature may take off it, shape (n,).
    """
    fixed, free, q = members.fixed, members.free, members.wanted
    m, n = rows.columns.shape[1], len(free)
    z, g, w = np.empty(m), np.empty(m), np.empty(m)
    best, worth = -np.inf, np.zeros(n)
    for step in range(ROUNDS):
        # 1. shares
        share = shares(np.abs(b[free]), q)
        part = share > PART
        columns = np.append(fixed, free[part])
        ridge = rows.ridge / np.append(np.ones(len(fixed)), share[part])
        # 2. Newton's steps
        held = rows.columns[columns]
        v = np.append(constant, b[columns])
        if not approached(rows, held, ridge, v):
            v[:] = 0.0
            v[0] = nothing
        b[:] = 0.0
        b[columns], constant[0] = v[1:], v[0]
        # 3. the tangent's bound
        predicted(held, rows.table[2], v, z)
        low = tangent(rows, z, g, w)
        along = np.dot(rows.columns, g)
        price = along * along / (2.0 * rows.ridge)
        own = price[free] - members.paid
        ordered = np.sort(own)
        low -= price[fixed].sum() + ordered[n - q :].sum()
        # 4. whether to go on
        before = best
        if low > best:
            best, worth = low, own
        if best >= cut or (step > 0 and best - before < WORTHWHILE * (cut - best)):
            break
        # 5. who enters
        least = ordered[max(n - q - 1, 0)]
        for i in range(n):
            if not part[i] and price[free[i]] >= 0.999 * least:
                b[free[i]] = -along[free[i]] / (w.sum() + rows.ridge)
    return best, worth


def more_of_each(rows: Any, linear: Any, along: Any, moves: Any, constants: Any, slopes: Any) -> None:
    """Fill the tangents' constants, shape (n,), and slopes, shape (n, m), of models with more of one feature.

    Parameters
    ----------
    rows
        As in `altsel.stats.generalised.compiled`.
    linear
        Predictors of the model of the chosen features, with constant and offset, shape (m,).
    along
        How far each feature goes, shape (n,).
    moves
        How rows move with it, shape (n, m).
    constants, slopes
        Filled.
    """
    m = len(linear)
    z, w = np.empty(m), np.empty(m)
    for j in range(len(moves)):
        for i in range(m):
            z[i] = linear[i] + along[j] * moves[j, i]
        constants[j] = tangent(rows, z, slopes[j], w)


def hopeful(mixed: Any, mixtures: Any, paid: Any, room: float) -> Any:
    """Return which pairs of free features may cost less than there is room for, shape (n, n), the first less.

    Parameters
    ----------
    mixed
        Models with more of each.
    mixtures
        Sizes of the first and of the second feature of a pair that are mixed, shape (mixtures, 2).
    paid
        What features cost by themselves, shape (n,).
    room
        What pairs may cost.
    """
    n = len(paid)
    left = np.zeros((n, n), dtype=np.bool_)
    for j in range(n):
        for l in range(j + 1, n):  # noqa: E741
            left[j, l] = True
            for one in range(len(mixtures)):
                if bound_of_pair(mixed, mixtures[one, 0], mixtures[one, 1], j, l) >= room - paid[j] - paid[l]:
                    left[j, l] = False
                    break
    return left


def bound_of_pair(mixed: Any, a: int, b: int, j: int, l: int) -> float:  # noqa: E741
    """Bound the loss of a pair by the mixture of size a of its first and b of its second feature."""
    at_j, at_l = mixed.along[j], mixed.along[l]
    jj, jl = mixed.with_free[a, j, j] - at_j, mixed.with_free[a, j, l] - at_l
    lj, ll = mixed.with_free[b, l, j] - at_j, mixed.with_free[b, l, l] - at_l
    determinant = jj * ll - lj * jl
    one, two = 0.0, 0.0
    if determinant != 0.0:
        one = min(max((lj * at_l - ll * at_j) / determinant, 0.0), 1.0)
        two = min(max((jl * at_j - jj * at_l) / determinant, 0.0), 1.0)
    over = max(one + two, 1.0)
    one, two = one / over, two / over
    bound = (1.0 - one - two) * mixed.base + one * mixed.constant[a, j] + two * mixed.constant[b, l]
    squares = (at_j + one * jj + two * lj) ** 2 + (at_l + one * jl + two * ll) ** 2
    for i in range(len(mixed.within)):
        own = mixed.within[i]
        own += one * (mixed.with_chosen[a, j, i] - own) + two * (mixed.with_chosen[b, l, i] - own)
        squares += own * own
    return float(bound - squares / (2.0 * mixed.ridge))
