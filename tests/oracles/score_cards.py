"""All score cards of a small table, by Newton's method on constant and scale of every vector of points."""

from __future__ import annotations

from itertools import product

import numpy as np

from altsel._types import FloatArray, IntArray


def all_cards(p: int, k: int, points: int) -> IntArray:
    """Return all integer vectors of at most k entries other than 0, shape (cards, p)."""
    found = np.array(list(product(range(-points, points + 1), repeat=p)), dtype=np.int64)
    return np.asarray(found[(found != 0).sum(axis=1) <= k])


def losses(X: FloatArray, y: FloatArray, w: FloatArray, cards: IntArray, ridge: float) -> FloatArray:
    """Return the least loss of each card over all constants c and scales m >= 0.

    ``sum_i w_i (log(1 + exp(u_i)) - y_i u_i) + ridge/2 m^2 sum_j (sd_j v_j)^2`` with ``u = c + m X v``.
    """
    mean = w @ X / w.sum()
    variance = w @ (X - mean) ** 2 / w.sum()
    total = (X - mean) @ cards.T
    price = ridge * variance @ (cards**2).T.astype(float)
    share = w @ y / w.sum()
    parameters = np.tile([[np.log(share / (1 - share))], [0.0]], (1, len(cards)))

    def value(at: FloatArray) -> FloatArray:
        u = at[0] + at[1] * total
        return np.asarray(w @ (np.logaddexp(0.0, u) - y[:, None] * u) + price / 2 * at[1] ** 2)

    for _ in range(200):
        u = parameters[0] + parameters[1] * total
        mean_of = 1 / (1 + np.exp(-u))
        g, v = w[:, None] * (mean_of - y[:, None]), w[:, None] * mean_of * (1 - mean_of)
        a, b = g.sum(axis=0), (g * total).sum(axis=0) + price * parameters[1]
        aa, ab = v.sum(axis=0) + 1e-12, (v * total).sum(axis=0)
        bb = (v * total * total).sum(axis=0) + price + 1e-12
        det = aa * bb - ab * ab + 1e-300
        step = np.array([(bb * a - ab * b) / det, (aa * b - ab * a) / det])
        before, size = value(parameters), np.ones(len(cards))
        for _ in range(40):
            worse = value(parameters - size * step) > before + 1e-13 * np.abs(before)
            if not worse.any():
                break
            size[worse] *= 0.5
        parameters = parameters - size * step
        if np.abs(step).max() < 1e-12:
            break
    null = value(np.array([np.full(len(cards), np.log(share / (1 - share))), np.zeros(len(cards))]))
    return np.where(parameters[1] >= 0, value(parameters), null)
