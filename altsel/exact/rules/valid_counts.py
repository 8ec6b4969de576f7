"""How many valid sets there are: features that no condition tells apart are counted as one class."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb, inf, prod

import numpy as np

from altsel._types import IntArray
from altsel.exact.rules.linear_rules import ROUNDING, dissimilarity_rows, keeps, read_rules
from altsel.models.dissimilarity import Dissimilarity
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.runtime.clock import clock

MOST_COUNTS = 300_000
"""Ways to share the features out among classes, up to which sets are counted."""


@dataclass(frozen=True, eq=False)
class Share:
    """Classes of features for one size of a set, and the ways to share it out among them."""

    classes: list[list[int]]
    counts: IntArray
    ends: list[int]

    @property
    def total(self) -> int:
        """Number of sets."""
        return self.ends[-1] if self.ends else 0


def shares(
    problem: Problem, dissimilarity: Dissimilarity, known: Sequence[Collection[str]]
) -> list[Share] | None:
    """Count the valid sets, size by size; None if that is too much, or rules are more than rows.

    Rules on the quality are left to the caller.
    """
    read = read_rules(problem)
    if read is None:
        return None
    rules = read.rows
    found = []
    for size in range(problem.sizes[0], problem.sizes[1] + 1):
        rows = [*(dissimilarity_rows(problem, dissimilarity, known, size) or []), *rules]
        table = np.array([row for row, _, _ in rows]).reshape(len(rows), len(problem.index))
        columns, which = np.unique(table, axis=1, return_inverse=True)
        which = np.zeros(table.shape[1], dtype=np.int64) if not rows else which.ravel()
        classes = [np.flatnonzero(which == g).tolist() for g in range(int(which.max()) + 1)]
        counts = list_counts(columns, [len(label) for label in classes], rows, size)
        if counts is None:
            return None
        sizes = [len(label) for label in classes]
        ways = (prod(map(comb, sizes, row)) for row in counts.tolist())
        found.append(Share(classes, counts, list(accumulate(ways))))
    return found


def list_counts(columns: np.ndarray, sizes: list[int], rows: list[Row], size: int) -> IntArray | None:
    """List how many features of each class a valid set may have, shape (ways, classes)."""
    low, high = (np.array([row[side] for row in rows], dtype=float) for side in (1, 2))
    reach = size * np.abs(columns).max(axis=1, initial=0.0)
    low, high = (
        low - 2 * ROUNDING * np.maximum(np.abs(low), reach),
        high + 2 * ROUNDING * np.maximum(np.abs(high), reach),
    )
    counts, left = np.zeros((1, 0), dtype=np.int64), np.array([size])
    used = np.zeros((1, len(rows)))
    clock().check()
    for g, members in enumerate(sizes):
        after = sum(sizes[g + 1 :])
        most, fewest = np.minimum(left, members), np.maximum(left - after, 0)
        width = np.maximum(most - fewest + 1, 0)
        if width.sum() > MOST_COUNTS:
            return None
        parent = np.repeat(np.arange(len(left)), width)
        number = fewest[parent] + np.arange(len(parent)) - np.repeat(np.cumsum(width) - width, width)
        counts = np.column_stack([counts[parent], number])
        left = left[parent] - number
        used = used[parent] + number[:, None] * columns[:, g] if rows else np.zeros((len(parent), 0))
        rest = columns[:, g + 1 :] if rows else np.zeros((0, 0))
        lightest = left[:, None] * np.minimum(rest.min(axis=1, initial=inf if after else 0), 1e300)
        heaviest = left[:, None] * np.maximum(rest.max(axis=1, initial=-inf if after else 0), -1e300)
        fits = ((used + lightest <= high) & (used + heaviest >= low)).all(axis=1)
        counts, left, used = counts[fits], left[fits], used[fits]
    terms = counts[:, None, :] * columns[None, :, :] if rows else np.zeros((len(counts), 0, 1))
    kept = [keeps(terms[:, i], least, most) for i, (_, least, most) in enumerate(rows)]
    return counts[np.all(kept, axis=0)] if rows else counts
