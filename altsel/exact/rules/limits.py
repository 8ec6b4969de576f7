"""Rules as upper limits of sums over the features, and groups of features that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.rules.linear_rules import loosen
from altsel.models.rule import Row


@dataclass(frozen=True, eq=False)
class Limits:
    """Rules as rows ``R s <= h`` over the features."""

    rows: FloatArray
    limits: FloatArray

    def groups(self, k: int) -> tuple[IntArray, IntArray]:
        """Return disjoint groups of features, and how many of each may be chosen."""
        group, most = np.full(self.rows.shape[1], -1), list[int]()
        for row, limit in zip(self.rows, loosen(self.rows, self.limits, k), strict=True):
            members = np.flatnonzero(row)
            if not np.isin(row[members], 1.0).all():
                continue
            members = members[group[members] < 0]
            if 0 <= limit < min(k, len(members)):
                group[members] = len(most)
                most.append(int(limit))
        return group, np.array(most, dtype=np.int64)


def limits_of(rows: Sequence[Row], features: int) -> Limits:
    """Write rows with a least and a largest sum as upper limits."""
    upper = [(row, high) for row, _, high in rows if high < inf]
    upper += [(-row, -low) for row, low, _ in rows if low > -inf]
    table = np.array([row for row, _ in upper], dtype=float).reshape(-1, features)
    limits: FloatArray = np.array([limit for _, limit in upper], dtype=float)
    return Limits(table, limits)
