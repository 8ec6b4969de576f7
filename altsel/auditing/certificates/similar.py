"""Loads of sets by what they have in common with known ones: convex, in numbers that add up exactly."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.auditing.certificates.lines import hexadecimal
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity

DIGITS = 44
"""Bits of the largest load."""


@dataclass(frozen=True, eq=False)
class Similar:
    """What a set pays for 0, 1, 2, … features that it has in common with a known one.

    Attributes
    ----------
    members
        Indices of the known set's features.
    loads
        Convex; one more than members.
    """

    members: IntArray
    loads: FloatArray

    def load(self, one: Iterable[int]) -> float:
        """Return what a set pays."""
        return float(self.loads[len(set(self.members.tolist()) & {int(j) for j in one})])

    def added(self, inside: IntArray, n: int) -> FloatArray:
        """Return what each of n features adds at least to what those inside pay."""
        more = np.setdiff1d(self.members, inside)
        result = np.zeros(n)
        if len(more):
            result[more] = self.loads[-len(more)] - self.loads[-len(more) - 1]
        return result

    def plain(self) -> list[Any]:
        """Write it."""
        return [self.members.tolist(), hexadecimal(self.loads)]


def similar_to(
    problem: Problem,
    diversity: SoftDiversity,
    known: Sequence[Collection[str]],
    size: int,
    price: float = 1.0,
) -> tuple[Similar, ...]:
    """Return what sets of a size pay for their similarity to known ones, at a price."""
    return tuple(
        Similar(
            np.array(sorted(problem.index[name] for name in one), dtype=np.int64),
            convex(price * diversity.similarities(len(one), size), len(one) + 1),
        )
        for one in known
    )


def convex(loads: FloatArray, length: int) -> FloatArray:
    """Round loads down to so many convex ones, the last of which go on as those before them.

    They are multiples of one power of two, so that sums and differences of them are exact.
    """
    scale = 2.0 ** (DIGITS - ceil(log2(float(np.abs(loads).max()) or 1.0)))
    steps = np.floor(np.diff(loads) * scale)
    steps = np.minimum.accumulate(steps[::-1])[::-1]
    steps = np.append(steps, np.repeat(steps[-1:] if len(steps) else [0.0], length - len(loads)))
    return np.cumsum(np.append(floor(float(loads[0]) * scale), steps)) / scale
