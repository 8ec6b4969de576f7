"""The fits of models of two classes or counts, as a loop compiled by numba (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altsel.compiling import Loops, Sources, interruptible

Fitting = Callable[..., None]
STEPS, HALVINGS = 60, 30
LARGEST = 300.0
"""Predictor from which an exponential is replaced by its tangent here, which is below it."""
STEEP = 0.9
"""Share of a row's range by which slopes are corrected at most."""
RISE = 1e-13
"""Relative rise of a loss that is rounding."""


def _fitted(
    columns: Any,
    indices: Any,
    rows: Any,
    poisson: bool,
    numbers: Any,
    cut: Any,
    v: Any,
    loss: Any,
    lower: Any,
) -> None:
    """Fit the models of sets of columns one by one, until each is done or above its cut.

    Each round: 1. predictors, loss, slopes and second derivatives of the rows; 2. half the step back if the
    loss rose; 3. the tangent's bound, with slopes ``g - w sum(g) / sum(w)``, which add up to 0: that takes no
    more than ``sum(g)^2 / sum(w)`` off, as a divergence is no more than its chi-square; 4. Newton's step.

    Parameters
    ----------
    columns
        Shape (P, m).
    indices
        Those of each set, shape (B, s).
    rows
        Responses, weights and offsets, shape (3, m).
    poisson
        Counts; else classes.
    numbers
        Ridge, gap at which a fit is done, and the loss of perfect counts.
    cut
        Shape (B,).
    v
        Constants and coefficients to begin with, and those found; shape (B, 1 + s).
    loss, lower
        As in `altsel.stats.generalised.fit.Fits`, shape (B,), filled.
    """
    count, size = indices.shape
    m = columns.shape[1]
    ridge, close, saturated = numbers[0], numbers[1], numbers[2]
    held, z, g, w = np.empty((size, m)), np.empty(m), np.empty(m), np.empty(m)
    second, slope, step = np.empty((size + 1, size + 1)), np.empty(size + 1), np.zeros(size + 1)
    for one in range(count):
        for a in range(size):
            held[a] = columns[indices[one, a]]
        best, low, halved = np.inf, -np.inf, 0
        for _ in range(STEPS):
            for i in range(m):
                z[i] = rows[2, i] + v[one, 0]
            for a in range(size):
                b = v[one, 1 + a]
                if b != 0.0:
                    for i in range(m):
                        z[i] += b * held[a, i]
            total, whole, value, along = 0.0, 0.0, saturated, 0.0
            if poisson:
                for i in range(m):
                    near = min(z[i], LARGEST)
                    mean = np.exp(near)
                    value += rows[1, i] * (mean * (1.0 + (z[i] - near)) - rows[0, i] * z[i])
                    g[i] = rows[1, i] * (mean - rows[0, i])
                    w[i] = rows[1, i] * mean
                    total += g[i]
                    whole += w[i]
                    along += g[i] * (z[i] - rows[2, i])
            else:
                for i in range(m):
                    small = np.exp(-abs(z[i]))
                    high = 1.0 / (1.0 + small)
                    mean = high if z[i] > 0.0 else small * high
                    value += rows[1, i] * (np.log(1.0 + small) + max(z[i], 0.0) - rows[0, i] * z[i])
                    g[i] = rows[1, i] * (mean - rows[0, i])
                    w[i] = rows[1, i] * small * high * high
                    total += g[i]
                    whole += w[i]
                    along += g[i] * (z[i] - rows[2, i])
            reached = value
            for a in range(size):
                reached += 0.5 * ridge * v[one, 1 + a] ** 2
            if not reached <= best + RISE * abs(best) and halved < HALVINGS:
                halved += 1
                for a in range(size + 1):
                    step[a] *= 0.5
                    v[one, a] += step[a]
                continue
            best, halved = reached, 0
            share = total / whole if whole > 0.0 else np.inf
            steep = abs(share) > STEEP
            bound = value - along - (0.0 if steep else total * share)
            for a in range(size):
                own, with_weight = 0.0, 0.0
                for i in range(m):
                    own += held[a, i] * g[i]
                    with_weight += held[a, i] * w[i]
                slope[1 + a] = own + ridge * v[one, 1 + a]
                second[0, 1 + a] = with_weight
                second[1 + a, 0] = with_weight
                if not steep:  # the tangent's <g, u>, without the constant, and prices, by corrected slopes
                    own -= share * with_weight
                    bound += share * with_weight * v[one, 1 + a]
                    bound -= own * own / (2.0 * ridge)
            if not steep:
                bound += total * v[one, 0]  # `along` has the constant, too, which corrected slopes ignore
                low = max(low, bound)
            if low >= cut[one] or best - low <= close:
                break
            second[0, 0], slope[0] = whole, total
            for a in range(size):
                for c in range(a + 1):
                    both = 0.0
                    for i in range(m):
                        both += w[i] * held[a, i] * held[c, i]
                    second[1 + a, 1 + c] = both
                    second[1 + c, 1 + a] = both
                second[1 + a, 1 + a] += ridge
            second[0, 0] += 1e-12 * max(whole, 1.0)
            found = np.linalg.solve(second, slope)
            decrement = 0.0
            for a in range(size + 1):
                decrement += found[a] * slope[a]
            if not decrement > 1e-15 * (1.0 + abs(best)):
                break
            shorter = 1.0 if decrement < 2.25 else 1.0 / (1.0 + 0.3 * np.sqrt(decrement))
            for a in range(size + 1):
                step[a] = shorter * found[a]
                v[one, a] -= step[a]
        loss[one], lower[one] = best, low


def _compiled() -> Fitting | None:
    compile_ = SOURCES.compiler(fastmath={"reassoc", "contract", "arcp", "nsz"})
    return None if compile_ is None else interruptible(compile_(_fitted))  # type: ignore[no-any-return]


SOURCES = Sources((__name__,))
LOOPS: Loops[Fitting | None] = Loops(None, SOURCES, _fitted, 6.0, _compiled)
"""The loop where it is compiled; None: numpy does without."""
