"""The loop of G-square without tables, compiled by numba: candidate after candidate, stratum by stratum.

There is no twin: without numba `contingency` makes tables of all candidates, and is what tests compare with.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from altsel.stats.discrete.mean_loop import Known, mean_of_cell

DENSE = 2
"""Cells of a candidate a row up to which its cells are counted in one block, of all strata."""


class Target(NamedTuple):
    """The rows, of integers."""

    codes: Any
    """Shape (rows,): the class of each row."""
    classes: int
    strata: Any
    """Shape (rows,): the stratum of each row."""
    number: int
    """Number of strata."""


class Candidates(NamedTuple):
    """Columns of levels, of integers; entries are the rows that are not at level 0, column by column."""

    codes: Any
    """Shape (columns, rows)."""
    levels: Any
    """Shape (columns,): number of levels."""
    first_levels: Any
    """Shape (columns,): what the first level of each is in `rare_levels`."""
    ends: Any
    """Shape (columns + 1,): where the entries of a column begin; the next one's end them."""
    rare_rows: Any
    """Shape (entries,): rows."""
    rare_levels: Any
    """Shape (entries,): levels, those of all columns counted on."""


class Strata(NamedTuple):
    """The t strata in which the target varies, the rows elsewhere as one more."""

    groups: Any
    """Shape (rows,): ``stratum * classes + class`` of each row."""
    margins: Any
    """Shape ((t + 1) * classes,): number of rows of each group."""
    ranks: Any
    """Of the class of a group among those of its stratum that have rows."""
    begins: Any
    """Shape (t + 1,): rows of the strata before."""
    shared: Any
    """Shape (t,): minus the sum of n log n of the classes."""


class Ordered(NamedTuple):
    """Rows of the strata in which the target varies, brought together by stratum; empty where none are."""

    rows: Any
    ranks: Any
    """Of their classes."""


class Blocks(NamedTuple):
    """Memory that candidates use in turn; counts are 0 before and after each stratum's use."""

    dense: Any
    """Counts of a candidate of few cells: ``level * (t + 1) * classes + group``."""
    alone: Any
    """Counts of a candidate of many cells in one stratum: ``level * classes + rank of the class``."""
    in_level: Any
    """Rows of each level in the stratum."""
    here: Any
    """The levels that have rows."""
    in_class: Any
    """Rows of each class that has any."""
    which: Any
    """Which class that is."""


def g_tests_by_strata(  # noqa: PLR0912 (one loop, compiled)
    target: Target, columns: Candidates, indices: Any, known: Known, found: Any
) -> None:
    """Fill what `Tables.g_tests` returns for the columns at `indices`; see `g_tests.g_tests`.

    A column of few cells is counted in a dense block, but for the rows at its level 0; one of many is counted
    in a block of one stratum at a time, whose rows are brought together. Both blocks are used again.
    """
    classes, corrected, logs = target.classes, len(found) > 2, known.logs
    # 1. the strata in which the target varies, and memory for counts
    strata = telling_strata(target, logs)
    telling, total = len(strata.shared), strata.begins[-1]
    trash, stride = telling * classes, (telling + 1) * classes
    highest, largest = 1, 1
    for index in indices:
        highest = max(highest, columns.levels[index])
        if columns.levels[index] * trash <= DENSE * total:
            largest = max(largest, columns.levels[index] * stride)
    some = highest * trash > DENSE * total
    ordered = rows_by_stratum(strata, classes, total if some else 0)
    blocks = empty_blocks(largest, highest, classes, some)
    for j in range(len(indices)):
        index = indices[j]
        height = columns.levels[index]
        by_rows = height * trash > DENSE * total
        # 2. count the rows of the candidate that are not at level 0
        if not by_rows:
            shift = columns.first_levels[index]
            for e in range(columns.ends[index], columns.ends[index + 1]):
                level = columns.rare_levels[e] - shift
                blocks.dense[level * stride + strata.groups[columns.rare_rows[e]]] += 1
        whole, dof, statistic, mean, free = 0.0, 0.0, 0.0, 0.0, 0.0
        for stratum in range(telling):
            n, at = strata.begins[stratum + 1] - strata.begins[stratum], stratum * classes
            # 3. the classes and levels that have rows here
            c = classes_here(strata, blocks, at, classes)
            if by_rows:
                begin, end = strata.begins[stratum], strata.begins[stratum + 1]
                r = count_alone(columns.codes, index, ordered, blocks, begin, end, height, classes)
            else:
                r = count_rest(blocks, n, c, at, height, stride, classes)
            # 4. sums of n log n, and the mean under independence if that is wanted
            if r > 1:
                own = strata.shared[stratum] + logs[n]
                for v in range(r):
                    own -= logs[blocks.in_level[blocks.here[v]]]
                joint = joint_sum(blocks, logs, r, c, at, stride, classes, by_rows)
                whole += joint + own
                dof += (r - 1) * (c - 1)
                if corrected and max(r, c) < n:
                    statistic += joint + own
                    mean += expected_sum(blocks, n, r, c, known) + own
                    free += (r - 1) * (c - 1)
            # 5. empty the blocks
            clear(blocks, r, c, at, stride, classes, by_rows)
        if not by_rows:
            for level in range(1, height):
                blocks.dense[level * stride + trash : (level + 1) * stride] = 0
        found[0, j], found[1, j] = max(2 * whole, 0.0), dof
        if corrected:
            found[2, j], found[3, j], found[4, j] = max(2 * statistic, 0.0), 2 * mean, free


def telling_strata(target: Target, logs: Any) -> Strata:
    """Find the strata in which the target varies."""
    codes, classes, strata, number = target
    rows = len(codes)
    first, places = np.empty(number, dtype=np.int32), np.zeros(number, dtype=np.int32)
    for i in range(rows):
        first[strata[i]] = codes[i]
    for i in range(rows):
        places[strata[i]] |= first[strata[i]] != codes[i]
    telling = 0
    for stratum in range(number):
        varies = places[stratum]
        places[stratum] = telling if varies else -1
        telling += varies
    for stratum in range(number):
        if places[stratum] < 0:
            places[stratum] = telling
    stride = (telling + 1) * classes
    margins, groups = np.zeros(stride, dtype=np.int32), np.empty(rows, dtype=np.int32)
    for i in range(rows):
        group = places[strata[i]] * classes + codes[i]
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
    return Strata(groups, margins, ranks, begins, shared)


def rows_by_stratum(strata: Strata, classes: int, total: int) -> Ordered:
    """Order the rows of the strata in which the target varies, if their total is not given as 0."""
    telling = len(strata.shared)
    rows, ranks = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    if total:
        nexts = strata.begins[:telling].copy()
        for i in range(len(strata.groups)):
            group = strata.groups[i]
            if group < telling * classes:
                stratum = group // classes
                rows[nexts[stratum]], ranks[nexts[stratum]] = i, strata.ranks[group]
                nexts[stratum] += 1
    return Ordered(rows, ranks)


def empty_blocks(largest: int, highest: int, classes: int, some: bool) -> Blocks:
    """Allocate memory for the counts of candidates of at most so many cells, or levels."""
    return Blocks(
        np.zeros(largest, dtype=np.int32),
        np.zeros(highest * classes if some else 1, dtype=np.int32),
        np.zeros(highest, dtype=np.int64),
        np.empty(highest, dtype=np.int64),
        np.empty(classes, dtype=np.int64),
        np.empty(classes, dtype=np.int64),
    )


def classes_here(strata: Strata, blocks: Blocks, at: int, classes: int) -> int:
    """Note the classes that have rows in a stratum, whose groups begin there; return how many there are."""
    c = 0
    for code in range(classes):
        if strata.margins[at + code]:
            blocks.in_class[c], blocks.which[c] = strata.margins[at + code], code
            c += 1
    return c


def count_alone(  # noqa: PLR0913, PLR0917 (arrays, as compiled loops take them)
    codes: Any, index: int, ordered: Ordered, blocks: Blocks, begin: int, end: int, height: int, classes: int
) -> int:
    """Count the rows of one stratum, level by class; return how many levels have rows."""
    r = 0
    for i in range(begin, end):
        own_level = np.int64(codes[index, ordered.rows[i]])
        blocks.alone[own_level * classes + ordered.ranks[i]] += 1
        blocks.in_level[own_level] += 1
    for level in range(height):
        if blocks.in_level[level]:
            blocks.here[r] = level
            r += 1
    return r


def count_rest(blocks: Blocks, n: int, c: int, at: int, height: int, stride: int, classes: int) -> int:
    """Count the n rows of one stratum by level, of level 0 what others leave; return how many have rows."""
    dense, in_level, here = blocks.dense, blocks.in_level, blocks.here
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
            count = blocks.in_class[k]
            for v in range(1, r):
                count -= dense[here[v] * stride + at + blocks.which[k]]
            dense[at + blocks.which[k]] = count
    elif not rest:
        r -= 1
        for v in range(r):
            here[v] = here[v + 1]
    return r


def joint_sum(  # noqa: PLR0913, PLR0917 (arrays, as compiled loops take them)
    blocks: Blocks, logs: Any, r: int, c: int, at: int, stride: int, classes: int, by_rows: bool
) -> float:
    """Sum n log n of the cells of a stratum."""
    joint = 0.0
    for v in range(r):
        if by_rows:
            for cell in range(blocks.here[v] * classes, blocks.here[v] * classes + c):
                joint += logs[blocks.alone[cell]]
        else:
            for k in range(c):
                joint += logs[blocks.dense[blocks.here[v] * stride + at + blocks.which[k]]]
    return joint


def expected_sum(blocks: Blocks, n: int, r: int, c: int, known: Known) -> float:
    """Sum what n log n of the cells of a stratum are in the mean, given its margins."""
    expected = 0.0
    for v in range(r):
        a = blocks.in_level[blocks.here[v]]
        if a == 1:  # its cells are of 0 or 1, whose logarithms are 0
            continue
        for k in range(c):
            expected += mean_of_cell(n, a, blocks.in_class[k], known)
    return expected


def clear(blocks: Blocks, r: int, c: int, at: int, stride: int, classes: int, by_rows: bool) -> None:
    """Set the counts of a stratum to 0."""
    for v in range(r):
        level = blocks.here[v]
        blocks.in_level[level] = 0
        if by_rows:
            blocks.alone[level * classes : level * classes + c] = 0
        else:
            for k in range(c):
                blocks.dense[level * stride + at + blocks.which[k]] = 0
    blocks.in_level[0] = 0


WHOLE_STEPS = telling_strata, rows_by_stratum, empty_blocks
"""Steps that make arrays."""
STEPS = classes_here, count_alone, count_rest, joint_sum, expected_sum, clear
"""Steps of each stratum, compiled into the loop."""
