"""Fits of models of two classes or counts, as loops compiled by numba (``pip install "altsel[fast]"``).

The twin of `fitted` is `altsel.stats.generalised.fit`, for any family, by numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from altsel.compiling import Loops, Sources, interruptible

STEPS, HALVINGS = 400, 30
LARGEST, LEAST = 300.0, -700.0
"""Predictor from which an exponential is replaced by its tangent here, which is below it; and that of 0."""
PER_TWO, TWO, TWO_REST = 1.4426950408889634, 0.6931471805598903, 5.497923018708371e-14
"""``1 / log 2``, and log 2 as a sum whose first part has few digits."""
ONES, SHIFT, BIAS = 6755399441055744.0, 52, 1023
"""Added to an integer, a float's last bits are that; digits of a float, and what its exponent is above."""
STEEP = 0.9
"""Share of a row's second derivative by which its slope is corrected at most."""
RISE, SETTLED = 1e-13, 1e-28
"""Relative rise of a loss that is rounding, and what a step would take off it that is."""
ENOUGH = 0.1
"""Share of the fall by a step's slope that a loss has to fall by (Armijo's condition)."""
FAR, FARTHEST = 1.0, 10.0
"""Sum of a step's sizes from which it is looked at how far rows move, and how far they do at first."""
LIFT = 1e-12
"""Added to the second derivative by the constant, which may vanish."""


class Rows(NamedTuple):
    """What is fitted.

    Attributes
    ----------
    columns
        Shape (P, m).
    table
        Responses, weights and offsets, shape (3, m).
    counts
        Whether responses are counts; else classes 0 and 1.
    saturated
        What is added to the losses of counts, so that perfect ones are 0.
    ridge
        Above 0.
    """

    columns: Any
    table: Any
    counts: bool
    saturated: float
    ridge: float


class Sums(NamedTuple):
    """Sums over the rows: of slopes, second derivatives, losses, and slopes times predictors."""

    slope: float
    second: float
    loss: float
    along: float


def exponential(x: Any) -> Any:
    """Return ``exp(x)`` of a float in range: ``2^n exp(r)`` with r at most half of log 2, by its series.

    Written out, as a loop of it takes four numbers at a time, and one that calls a library none.
    """
    n = np.floor(x * PER_TWO + 0.5)
    r = (x - n * TWO) - n * TWO_REST
    even = 1 / 479001600
    part = 1 / 39916800 + r * even
    part = 1 / 40320 + r * (1 / 362880 + r * (1 / 3628800 + r * part))
    part = 1 / 120 + r * (1 / 720 + r * (1 / 5040 + r * part))
    part = 1.0 + r * (1.0 + r * (1 / 2 + r * (1 / 6 + r * (1 / 24 + r * part))))
    last = np.float64(n + ONES).view(np.int64)
    return part * np.int64((BIAS + last) << SHIFT).view(np.float64)


def log_of_one_and(small: Any) -> Any:
    """Return ``log(1 + x)`` of a float from 0 to 1: twice the artanh of ``x / (2 + x)``."""
    q = small / (2.0 + small)
    s = q * q
    part = 1 / 25 + s * (1 / 27 + s * (1 / 29 + s * (1 / 31)))
    part = 1 / 17 + s * (1 / 19 + s * (1 / 21 + s * (1 / 23 + s * part)))
    part = 1 / 9 + s * (1 / 11 + s * (1 / 13 + s * (1 / 15 + s * part)))
    return 2.0 * q * (1.0 + s * (1 / 3 + s * (1 / 5 + s * (1 / 7 + s * part))))


def row_sums(z: Any, rows: Any, g: Any, w: Any) -> Any:
    """Fill the slopes and second derivatives of rows with predictors z, all shape (m,); return the sums."""
    total, whole, value, along = 0.0, 0.0, 0.0, 0.0
    response, weight, offset = rows.table[0], rows.table[1], rows.table[2]
    if rows.counts:
        for i in range(len(z)):
            near = min(z[i], LARGEST)
            mean = exponential(max(near, LEAST))
            value += weight[i] * (mean * (1.0 + (z[i] - near)) - response[i] * z[i])
            slope, second = weight[i] * (mean - response[i]), weight[i] * mean
            g[i], w[i] = slope, second
            total += slope
            whole += second
            along += slope * (z[i] - offset[i])
    else:
        for i in range(len(z)):
            size = abs(z[i])
            small = exponential(-min(size, -LEAST))
            high = 1.0 / (1.0 + small)
            mean = high * (1.0 if z[i] > 0.0 else small)
            value += weight[i] * (log_of_one_and(small) + 0.5 * (z[i] + size) - response[i] * z[i])
            slope, second = weight[i] * (mean - response[i]), weight[i] * small * high * high
            g[i], w[i] = slope, second
            total += slope
            whole += second
            along += slope * (z[i] - offset[i])
    return Sums(total, whole, value + rows.saturated, along)


def predicted(held: Any, offset: Any, v: Any, z: Any) -> None:
    """Fill the predictors of a model of columns, shape (s, m), with parameters v: constant, coefficients."""
    for i in range(len(z)):
        z[i] = offset[i] + v[0]
    for a in range(len(held)):
        b = v[1 + a]
        if b != 0.0:
            for i in range(len(z)):
                z[i] += b * held[a, i]


def bounded(held: Any, g: Any, w: Any, v: Any, sums: Any, ridge: float, derivatives: Any) -> float:
    """Fill the slopes by the parameters, and the second ones by constant and coefficient; return the bound.

    It is that of the tangent with slopes ``g - w sum(g) / sum(w)``, which add up to 0: that takes no more
    than ``sum(g)^2 / sum(w)`` off, as a divergence of distributions is no more than their chi-square. Minus
    infinity where such slopes are out of range.
    """
    slope, cross = derivatives
    share = sums.slope / sums.second if sums.second > 0.0 else np.inf
    bound = sums.loss - sums.along + sums.slope * v[0] - sums.slope * share
    slope[0] = sums.slope
    for a in range(len(held)):
        own, by_weight = 0.0, 0.0
        for i in range(len(g)):
            own += held[a, i] * g[i]
            by_weight += held[a, i] * w[i]
        slope[1 + a], cross[a] = own + ridge * v[1 + a], by_weight
        own -= share * by_weight
        bound += share * by_weight * v[1 + a] - own * own / (2.0 * ridge)
    return bound if abs(share) <= STEEP else -np.inf


def stepped(held: Any, w: Any, derivatives: Any, sums: Any, ridge: float, second: Any) -> Any:
    """Return Newton's step; `second` is room for the second derivatives, shape (1 + s, 1 + s)."""
    slope, cross = derivatives
    second[0, 0] = sums.second + LIFT * max(sums.second, 1.0)
    for a in range(len(held)):
        second[0, 1 + a] = cross[a]
        second[1 + a, 0] = cross[a]
        for c in range(a + 1):
            both = 0.0
            for i in range(len(w)):
                both += w[i] * held[a, i] * held[c, i]
            second[1 + a, 1 + c] = both
            second[1 + c, 1 + a] = both
        second[1 + a, 1 + a] += ridge
    return np.linalg.solve(second, slope)


def fitted(rows: Any, indices: Any, cut: Any, close: float, v: Any, loss: Any, lower: Any) -> None:
    """Fit the models of sets of columns one by one, until each is done or above its cut.

    Each round: 1. predictors, loss, slopes and second derivatives of the rows; 2. half the step back if the
    loss rose; 3. the tangent's bound; 4. Newton's step, shortened if it moves a row too far.

    Parameters
    ----------
    rows
        What is fitted.
    indices
        Of the columns of each set, shape (B, s).
    cut
        Shape (B,).
    close
        Gap at which a fit is done.
    v
        Constants and coefficients to begin with, and those found; shape (B, 1 + s).
    loss, lower
        As in `altsel.stats.generalised.fit.Fits`, shape (B,), filled.
    """
    size, m = indices.shape[1], rows.columns.shape[1]
    held, z, g, w = np.empty((size, m)), np.empty(m), np.empty(m), np.empty(m)
    second, nothing = np.empty((size + 1, size + 1)), np.zeros(m)
    slope, cross, step = np.empty(size + 1), np.empty(size), np.zeros(size + 1)
    for one in range(len(indices)):
        for a in range(size):
            held[a] = rows.columns[indices[one, a]]
        best, low, halved, own = np.inf, -np.inf, 0, v[one]
        fall, radius = 0.0, FARTHEST
        for _ in range(STEPS):
            predicted(held, rows.table[2], own, z)
            sums = row_sums(z, rows, g, w)
            reached = sums.loss + 0.5 * rows.ridge * (own[1:] * own[1:]).sum()
            if not reached <= best - ENOUGH * fall + RISE * abs(best) and halved < HALVINGS:
                halved, radius = halved + 1, 0.25 * radius
                fall *= 0.5
                step *= 0.5
                own += step
                continue
            best, halved, radius = reached, 0, 2.0 * radius
            low = max(low, bounded(held, g, w, own, sums, rows.ridge, (slope, cross)))
            if low >= cut[one] or best - low <= close:
                break
            step[:] = stepped(held, w, (slope, cross), sums, rows.ridge, second)
            fall = (step * slope).sum()
            if not fall > SETTLED * (1.0 + abs(best)):
                break
            if np.abs(step).sum() > FAR:
                predicted(held, nothing, step, z)
                shorter = radius / max(np.abs(z).max(), radius)
                step *= shorter
                fall *= shorter
            own -= step
        loss[one], lower[one] = best, low


def _compiled() -> Callable[..., None] | None:
    compile_ = SOURCES.compiler(fastmath={"reassoc", "contract", "arcp", "nsz"})
    if compile_ is None:
        return None
    names = {**globals()}
    for plain in (exponential, log_of_one_and, row_sums, predicted, bounded, stepped, fitted):
        names[plain.__name__] = compile_(plain, names)
    return interruptible(names["fitted"])  # type: ignore[no-any-return]


SOURCES = Sources((__name__,))
LOOPS: Loops[Callable[..., None] | None] = Loops(None, SOURCES, fitted, 8.0, _compiled)
"""The loop where it is compiled; None: numpy does without."""
