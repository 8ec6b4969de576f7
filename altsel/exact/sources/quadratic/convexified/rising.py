"""A search at a level of a ratio, which rises with the best set met, so that one tree answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

import numpy as np

from altsel._types import IntArray
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.exact.sources.quadratic.lagrangian_bound import Form

RISE = 1e-12
"""Least rise of the ratio, relative to it: less may be rounding."""
SURELY = 1 - 1e-9
"""Share of a product that is sure, whatever its rounding."""


@dataclass(frozen=True, eq=False)
class Level:
    """What is searched at a level.

    Attributes
    ----------
    form
        What is above 0 where the ratio exceeds the level.
    slack
        Value of the form that may be missed.
    score
        Evaluates the form by its formula; -inf for a set that breaks a condition.
    """

    form: Form
    slack: float
    score: Callable[[IntArray], float]


@dataclass(eq=False)
class Rising(Search):
    """A search for sets above a level, which is that of the best set: `value` is 0 but for rounding.

    A better set is kept aside until `rise`. Until then branches are closed by the level under way: a set
    that exceeds it by less than another may have the larger ratio.

    Parameters
    ----------
    at
        What is searched at a level.
    ratio
        Ratio of a set by its formula.
    least
        Least denominator of a set.
    level
        Ratio of the best set.
    better, reached
        A set of a larger ratio, if one was met, and the largest ratio met.
    """

    at: Callable[[float], Level] = field(kw_only=True)
    ratio: Callable[[IntArray], float] = field(kw_only=True)
    least: float = field(kw_only=True)
    level: float = field(kw_only=True)
    better: IntArray | None = None
    reached: float = -inf

    def __post_init__(self) -> None:
        self.reached = self.level

    def offer(self, members: list[int]) -> None:
        """Keep a set aside if its ratio is the largest."""
        indices = np.sort(np.array(members, dtype=np.int64))
        if self.score(indices) > self.value:
            ratio = self.ratio(indices)
            if ratio > self.reached + RISE * abs(self.reached):
                self.better, self.reached = indices, ratio

    def rise(self) -> tuple[Form, float] | None:
        """Go over to the level of the better set, if there is one.

        Returns
        -------
        tuple or None
            The form at that level; and by how much the form of every set has become less, at least:
            ``(L'^2 - L^2) D``.
        """
        if self.better is None:
            return None
        self.best, self.better = self.better, None
        less = SURELY * (self.reached - self.level) * (self.reached + self.level) * self.least
        self.level = self.reached
        now = self.at(self.level)
        self.score, self.slack = now.score, now.slack
        self.value = now.score(self.best)
        return now.form, less
