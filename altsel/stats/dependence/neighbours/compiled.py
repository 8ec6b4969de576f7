"""Loops over neighbours compiled by numba, where that is installed (``pip install "altsel[fast]"``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel.compiling import Loops, Sources

PAIR = 5e-7
"""CPU seconds that a row of a pair takes about without numba."""
LEAST = 5e-324
"""Smallest radius, which rows of the same value are within."""
SETTLED = 32
"""After how many rows columns that need no more are put aside."""


@dataclass(frozen=True)
class Kernels:
    """Compiled loops.

    Attributes
    ----------
    radii
        ``radii(x, y, k, found)``: x ascending, shape (rows,); y in the order of x, shape (rows, columns).
        Fills ``found[i, j]`` with the distance of row i to its k-th neighbour, the larger of the differences
        in x and in column j of y.
    in_strips
        ``in_strips(x, y, ends, k, found)``: two columns in strips of rows along x, shape (strips, size), each
        strip by ascending y, the last one filled up with infinite y; `ends` the least and largest x of each
        strip, shape (strips, 2). Fills `found` with the same distances, of the same shape as x.
    within
        ``within(values, radius, found)``: values ascending in each line, shape (lines, 2^m - 1), the last
        ones huge; fills ``found[l, i]``, shape (lines, rows), with the number of rows j for which
        ``abs(values[l, j] - values[l, i]) < radius[l, i]``.
    in_classes
        ``in_classes(values, codes, classes, k, near, sizes)``: values ascending in each line, codes below
        `classes`, both of shape (lines, rows). Fills `sizes` with the number of rows of each row's class, and
        `near` with how many rows are nearer than the k-th neighbour of its class; rows of a class of their
        own come last, with 0.
    """

    radii: Callable[..., None]
    in_strips: Callable[..., None]
    within: Callable[..., None]
    in_classes: Callable[..., None]


def _compiled() -> Kernels | None:
    # minima need no branch if none is NaN, and 0 as good as -0; in `_within` the sign of 0 counts
    minima, strict = SOURCES.compiler(fastmath={"nnan", "nsz"}), SOURCES.compiler()
    if minima is None or strict is None:
        return None
    return Kernels(minima(_radii), strict(_in_strips), strict(_within), strict(_in_classes))


def kernels_for(work: int) -> Kernels | None:
    """Return the kernels if they are compiled already, or the work, rows times pairs, is worth it."""
    return LOOPS.worth(PAIR * work)


def _radii(x: Any, y: Any, k: int, found: Any) -> None:  # noqa: PLR0912 (one loop, compiled)
    """Go from each row outwards in the order of x, four rows at a time, for all columns of y that need it."""
    rows, columns = y.shape
    near, distance, own = np.empty((k, columns)), np.empty((4, columns)), np.empty(columns)
    index, in_x, live = np.empty(4, np.int64), np.empty(4), np.empty(columns, np.int64)
    for i in range(rows):
        near[:] = np.inf
        for j in range(columns):
            live[j], own[j] = j, y[i, j]
        below, above, count, seen = i - 1, i + 1, columns, 0
        while True:
            for step in range(4):
                left = x[i] - x[below] if below >= 0 else np.inf
                right = x[above] - x[i] if above < rows else np.inf
                if left <= right:  # both infinite: no rows are left
                    in_x[step], index[step] = left, max(below, 0)
                    below -= 1
                else:
                    in_x[step], index[step] = right, above
                    above += 1
            seen += 4
            if seen % SETTLED == 0:  # put columns aside whose k-th neighbour is nearer than any row to come
                kept = 0
                for j in range(count):
                    if near[k - 1, j] <= in_x[0]:
                        found[i, live[j]] = near[k - 1, j]
                        continue
                    live[kept], own[kept] = live[j], own[j]
                    for rank in range(k):
                        near[rank, kept] = near[rank, j]
                    kept += 1
                count = kept
            if count == 0 or in_x[0] == np.inf:
                break
            a, b, c, d = index[0], index[1], index[2], index[3]
            x_a, x_b, x_c, x_d = in_x[0], in_x[1], in_x[2], in_x[3]
            for j in range(count):
                column, value = live[j], own[j]
                distance[0, j] = max(abs(y[a, column] - value), x_a)
                distance[1, j] = max(abs(y[b, column] - value), x_b)
                distance[2, j] = max(abs(y[c, column] - value), x_c)
                distance[3, j] = max(abs(y[d, column] - value), x_d)
            for rank in range(k):  # insert the four among the nearest, which ascend
                for j in range(count):
                    nearest, far = near[rank, j], distance[0, j]
                    distance[0, j], nearest = max(nearest, far), min(nearest, far)
                    far = distance[1, j]
                    distance[1, j], nearest = max(nearest, far), min(nearest, far)
                    far = distance[2, j]
                    distance[2, j], nearest = max(nearest, far), min(nearest, far)
                    far = distance[3, j]
                    distance[3, j], nearest = max(nearest, far), min(nearest, far)
                    near[rank, j] = nearest
        for j in range(count):
            found[i, live[j]] = near[k - 1, j]


def _in_strips(x: Any, y: Any, ends: Any, k: int, found: Any) -> None:  # noqa: PLR0912 (one loop, compiled)
    """Go from each row outwards in the order of y, in its own strip, then in those next to it along x.

    Neither goes on where it is as far, in y or to the strip in x, as the k-th neighbour found. `place` is
    where rows of a strip begin that are not below the row in y: it grows from row to row of `owner`.
    """
    strips, size = y.shape
    near, place, owner = np.empty(k), np.zeros(strips, np.int64), np.full(strips, -1)
    for own in range(strips):
        for i in range(size):
            in_x, in_y, radius = x[own, i], y[own, i], np.inf
            if in_y == np.inf:
                break
            near[:] = np.inf
            strip, left, right, above, below = own, own - 1, own + 1, i + 1, i - 1
            while True:
                while above < size or below >= 0:
                    up = y[strip, above] - in_y if above < size else np.inf
                    down = in_y - y[strip, below] if below >= 0 else np.inf
                    if min(up, down) >= radius:
                        break
                    if up <= down:
                        distance = max(up, abs(x[strip, above] - in_x))
                        above += 1
                    else:
                        distance = max(down, abs(x[strip, below] - in_x))
                        below -= 1
                    if distance < radius:  # insert it among the nearest, which ascend
                        rank = k - 1
                        while rank > 0 and near[rank - 1] > distance:
                            near[rank] = near[rank - 1]
                            rank -= 1
                        near[rank] = distance
                        radius = near[k - 1]
                to_left = in_x - ends[left, 1] if left >= 0 else np.inf
                to_right = ends[right, 0] - in_x if right < strips else np.inf
                if min(to_left, to_right) >= radius:
                    break
                if to_left <= to_right:
                    strip, left = left, left - 1
                else:
                    strip, right = right, right + 1
                if owner[strip] != own:
                    owner[strip], place[strip] = own, np.searchsorted(y[strip], in_y)
                above = place[strip]
                while above < size and y[strip, above] < in_y:
                    above += 1
                place[strip], below = above, above - 1
            found[own, i] = radius


def _within(values: Any, radius: Any, found: Any) -> None:
    """Search both ends of every row's range by halving; signs of differences step, so nothing branches."""
    lines, rows = radius.shape
    low, high = np.empty(rows, np.int64), np.empty(rows, np.int64)
    for line in range(lines):
        own, reach = values[line], radius[line]
        low[:] = -1
        high[:] = -1
        half = (values.shape[1] + 1) >> 1
        while half:
            for i in range(rows):
                below = np.float64((own[i] - own[low[i] + half]) - reach[i]).view(np.int64) >> 63
                above = np.float64((own[high[i] + half] - own[i]) - reach[i]).view(np.int64) >> 63
                low[i] += half & ~below  # -1 where negative: nearer than the radius; else 0
                high[i] += half & above
            half >>= 1
        for i in range(rows):
            found[line, i] = high[i] - low[i]


def _in_classes(values: Any, codes: Any, classes: int, k: int, near: Any, sizes: Any) -> None:
    """Sweep each line; both ends of a row's range are near those of the row before it of its class.

    The distance to the k-th neighbour changes by no more than the value does, so neither end turns back but
    by what rounding takes.
    """
    lines, rows = values.shape
    count, begin, fill = np.empty(classes, np.int64), np.empty(classes, np.int64), np.empty(classes, np.int64)
    low, high = np.empty(classes, np.int64), np.empty(classes, np.int64)
    value, grouped = np.empty(rows), np.empty(rows)
    group, rank = np.empty(rows, np.int64), np.empty(rows, np.int64)
    for line in range(lines):
        count[:] = 0
        for i in range(rows):
            count[codes[line, i]] += 1
        first, kept = 0, 0
        for c in range(classes):
            begin[c], fill[c], low[c], high[c] = first, first, -1, 0
            first += count[c]
        for i in range(rows):
            c = codes[line, i]
            if count[c] > 1:
                value[kept], group[kept], rank[kept] = values[line, i], c, fill[c]
                grouped[fill[c]], sizes[line, kept], fill[c] = values[line, i], count[c], fill[c] + 1
                kept += 1
        near[line, kept:], sizes[line, kept:] = 0, 1
        for i in range(kept):
            own, c = value[i], group[i]
            last, seen, radius = begin[c] + count[c] - 1, min(k, count[c] - 1), np.inf
            for left in range(max(rank[i] - seen, begin[c]), min(rank[i], last - seen) + 1):
                radius = min(radius, max(own - grouped[left], grouped[left + seen] - own))
            radius = max(radius, LEAST)
            below, above = low[c] if low[c] >= 0 else i, max(high[c], i + 1)
            while below > 0 and own - value[below - 1] < radius:
                below -= 1
            while own - value[below] >= radius:
                below += 1
            while above < kept and value[above] - own < radius:
                above += 1
            while above > i + 1 and value[above - 1] - own >= radius:
                above -= 1
            low[c], high[c], near[line, i] = below, above, above - below


SOURCES = Sources((__name__,))
LOOPS: Loops[Kernels | None] = Loops(None, SOURCES, _in_classes, 6.0, _compiled)
"""The loops where they are compiled; None: numpy does without."""
