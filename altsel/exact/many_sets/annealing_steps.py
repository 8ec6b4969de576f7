"""The steps of an annealing of several sets: one loop over arrays, compiled where numba is installed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp
from typing import Any

import numpy as np

from altsel.compiling import Sources

COMPILED_STEPS, PLAIN_STEPS = 300_000, 15_000
"""Steps of a short annealing, with numba and without: there a step takes far longer."""


SOURCES = Sources((__name__,))
COMPILING = 3.0
"""CPU seconds of compiling the loop."""


def kernel() -> tuple[Callable[..., float], int]:
    """Return the loop, compiled if there are numba and time, and the steps of a short annealing."""
    loop = _compiled() if SOURCES.in_time(annealed, COMPILING) else None
    return (annealed, PLAIN_STEPS) if loop is None else (loop, COMPILED_STEPS)


@cache
def _compiled() -> Callable[..., float] | None:
    compile_ = SOURCES.compiler()
    return compile_(annealed) if compile_ else None


def annealed(  # noqa: PLR0912, PLR0915 (one loop, compiled)
    inside: Any, weights: Any, rows: Any, limits: Any, numbers: Any, draws: Any, kept: Any
) -> float:
    """Exchange members of two sets, or a member for a feature of about its rank; keep the best family.

    Costs: common features too many, rows broken, and what the sum lacks, or what each set lacks to a target.
    Returns the value of the best family that breaks neither, which `kept` holds.
    """
    m, s = inside.shape
    ruled = len(limits)
    loads = np.zeros((m, ruled))
    k, overlap, penalty, price = int(numbers[0]), int(numbers[1]), numbers[2], numbers[3]
    temperature, shifts, smallest, best, goal = numbers[4], numbers[6], numbers[7] > 0, numbers[8], numbers[9]
    cooling = (numbers[5] / numbers[4]) ** (1.0 / len(draws))
    members, common, values = np.zeros((m, k), np.int64), np.zeros((m, m), np.int64), np.zeros(m)
    excess = 0
    for i in range(m):
        count = 0
        for f in range(s):
            if inside[i, f]:
                members[i, count] = f
                count += 1
                values[i] += weights[f]
                for r in range(ruled):
                    loads[i, r] += rows[r, f]
        for j in range(i):
            for f in range(s):
                common[i, j] += inside[i, f] * inside[j, f]
            common[j, i] = common[i, j]
            excess += max(0, common[i, j] - overlap)
    target = goal
    for step in range(len(draws)):
        temperature *= cooling
        i, a = int(draws[step, 0] * m), int(draws[step, 1] * k)
        f, j = members[i, a], -1
        if shifts > 0 and draws[step, 2] < 0.5:
            g, b = f + int(draws[step, 3] * 9) - 4, 0
            if g < 0 or g >= s or inside[i, g]:
                continue
        else:
            j, b = int(draws[step, 3] * (m - 1)), int(draws[step, 4] * k)
            if j >= i:
                j += 1
            g = members[j, b]
            if inside[j, f] or inside[i, g]:
                continue
        more = 0
        for h in range(m):
            e = inside[h, g] - inside[h, f]
            if e != 0 and h not in (i, j):
                more += max(0, common[i, h] + e - overlap) - max(0, common[i, h] - overlap)
                if j >= 0:
                    more += max(0, common[j, h] - e - overlap) - max(0, common[j, h] - overlap)
        gain = weights[g] - weights[f]
        broken = 0.0
        for r in range(ruled):
            e = rows[r, g] - rows[r, f]
            if e != 0.0:
                broken += max(0.0, loads[i, r] + e - limits[r]) - max(0.0, loads[i, r] - limits[r])
                if j >= 0:
                    broken += max(0.0, loads[j, r] - e - limits[r]) - max(0.0, loads[j, r] - limits[r])
        change = penalty * (more + broken)
        if smallest:
            change += (max(0.0, target - values[i] - gain) - max(0.0, target - values[i])) / price
            if j >= 0:
                change += (max(0.0, target - values[j] + gain) - max(0.0, target - values[j])) / price
        elif j < 0:
            change -= gain / price
        if change > 0 and draws[step, 5] >= exp(-change / temperature):
            continue
        for h in range(m):
            e = inside[h, g] - inside[h, f]
            if e != 0 and h not in (i, j):
                common[i, h] += e
                common[h, i] += e
                if j >= 0:
                    common[j, h] -= e
                    common[h, j] -= e
        for r in range(ruled):
            e = rows[r, g] - rows[r, f]
            loads[i, r] += e
            if j >= 0:
                loads[j, r] -= e
        inside[i, f], inside[i, g], members[i, a] = 0, 1, g
        values[i] += gain
        if j >= 0:
            inside[j, g], inside[j, f], members[j, b] = 0, 1, f
            values[j] -= gain
        excess += more
        if excess == 0:
            worst = 0.0
            for h in range(m):
                for r in range(ruled):
                    worst = max(worst, loads[h, r] - limits[r])
            if worst > 1e-9:
                continue
            value = values.min() if smallest else values.sum()
            if value > best:
                best = value
                kept[:] = inside
                if best >= goal:
                    break
    return float(best)
