"""The loop of G-square without tables, compiled by numba: candidate after candidate, stratum by stratum."""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel.stats.discrete.mean_loop import Known, mean_of_cell


def g_tests_by_strata(  # noqa: PLR0912, PLR0913, PLR0915, PLR0917 (one loop, compiled)
    target: Any,
    classes: Any,
    strata: Any,
    number: Any,
    codes: Any,
    levels: Any,
    first_levels: Any,
    ends: Any,
    rare_rows: Any,
    rare_levels: Any,
    indices: Any,
    known: Known,
    found: Any,
) -> None:
    """Fill what `Tables.g_tests` returns for the columns at `indices`; see `g_tests.g_tests`.

    A column of few cells is counted in a dense block, but for the rows at its level 0; one of many is counted
    in a block of one stratum at a time, whose rows are brought together. Both blocks are used again.
    """
    rows, corrected, logs = len(target), len(found) > 2, known.logs
    # strata in which the target varies, and the rows of each class there
    first, places = np.empty(number, dtype=np.int32), np.zeros(number, dtype=np.int32)
    for i in range(rows):
        first[strata[i]] = target[i]
    for i in range(rows):
        places[strata[i]] |= first[strata[i]] != target[i]
    telling = 0
    for stratum in range(number):
        varies = places[stratum]
        places[stratum] = telling if varies else -1
        telling += varies
    for stratum in range(number):
        if places[stratum] < 0:
            places[stratum] = telling  # all others are one more
    trash, stride = telling * classes, (telling + 1) * classes
    margins, groups = np.zeros(stride, dtype=np.int32), np.empty(rows, dtype=np.int32)
    for i in range(rows):
        group = places[strata[i]] * classes + target[i]
        groups[i] = group
        margins[group] += 1
    begins = np.empty(telling + 1, dtype=np.int64)
    shared, ranks, total = np.empty(telling), np.empty(stride, dtype=np.int32), 0
    for stratum in range(telling):
        begins[stratum], own, c = total, 0.0, 0
        for group in range(stratum * classes, (stratum + 1) * classes):
            b = margins[group]
            ranks[group] = c
            total += b
            own -= logs[b]
            c += b > 0
        shared[stratum] = own
    begins[telling] = total
    # blocks, and the rows ordered by stratum if some column needs that
    highest, largest = 1, 1
    for index in indices:
        highest = max(highest, levels[index])
        if levels[index] * trash <= 2 * total:
            largest = max(largest, levels[index] * stride)
    some = highest * trash > 2 * total
    ordered = total if some else 0
    order, goals = np.empty(ordered, dtype=np.int32), np.empty(ordered, dtype=np.int32)
    if some:
        nexts = begins[:telling].copy()
        for i in range(rows):
            if groups[i] < trash:
                stratum = groups[i] // classes
                order[nexts[stratum]], goals[nexts[stratum]] = i, ranks[groups[i]]
                nexts[stratum] += 1
    dense = np.zeros(largest, dtype=np.int32)
    block = np.zeros(highest * classes if some else 1, dtype=np.int32)
    in_level, here = np.zeros(highest, dtype=np.int64), np.empty(highest, dtype=np.int64)
    in_class, where = np.empty(classes, dtype=np.int64), np.empty(classes, dtype=np.int64)
    for j in range(len(indices)):
        index = indices[j]
        height, by_rows = levels[index], levels[index] * trash > 2 * total
        if not by_rows:
            shift = first_levels[index]
            for e in range(ends[index], ends[index + 1]):
                dense[(rare_levels[e] - shift) * stride + groups[rare_rows[e]]] += 1
        whole, dof, statistic, mean, free = 0.0, 0.0, 0.0, 0.0, 0.0
        for stratum in range(telling):
            n, c, at = begins[stratum + 1] - begins[stratum], 0, stratum * classes
            for code in range(classes):
                if margins[at + code]:
                    in_class[c], where[c] = margins[at + code], code
                    c += 1
            r = 0
            if by_rows:
                for i in range(begins[stratum], begins[stratum + 1]):
                    own_level = np.int64(codes[index, order[i]])
                    block[own_level * classes + goals[i]] += 1
                    in_level[own_level] += 1
                for level in range(height):
                    if in_level[level]:
                        here[r] = level
                        r += 1
            else:
                rest, r = n, 1
                for level in range(1, height):
                    size = 0
                    for cell in range(level * stride + at, level * stride + at + classes):
                        size += dense[cell]
                    if size:
                        in_level[level], here[r] = size, level
                        rest -= size
                        r += 1
                in_level[0], here[0] = rest, 0
                if rest and r > 1:
                    for k in range(c):
                        count = in_class[k]
                        for v in range(1, r):
                            count -= dense[here[v] * stride + at + where[k]]
                        dense[at + where[k]] = count
                elif not rest:
                    r -= 1
                    for v in range(r):
                        here[v] = here[v + 1]
            own, joint = shared[stratum], 0.0
            if r > 1:
                for v in range(r):
                    own -= logs[in_level[here[v]]]
                    if by_rows:
                        for cell in range(here[v] * classes, here[v] * classes + c):
                            joint += logs[block[cell]]
                    else:
                        for k in range(c):
                            joint += logs[dense[here[v] * stride + at + where[k]]]
                own += logs[n]
                whole += joint + own
                dof += (r - 1) * (c - 1)
            if corrected and r > 1 and max(r, c) < n:
                expected = 0.0
                for v in range(r):
                    a = in_level[here[v]]
                    if a == 1:  # as below, but sooner
                        continue
                    for k in range(c):
                        expected += mean_of_cell(n, a, in_class[k], known)
                statistic += joint + own
                mean += expected + own
                free += (r - 1) * (c - 1)
            for v in range(r):  # empty the blocks
                level = here[v]
                in_level[level] = 0
                if by_rows:
                    block[level * classes : level * classes + c] = 0
                else:
                    for k in range(c):
                        dense[level * stride + at + where[k]] = 0
            in_level[0] = 0
        if not by_rows:
            for level in range(1, height):
                dense[level * stride + trash : (level + 1) * stride] = 0
        found[0, j], found[1, j] = max(2 * whole, 0.0), dof
        if corrected:
            found[2, j], found[3, j], found[4, j] = max(2 * statistic, 0.0), 2 * mean, free
