"""Conditions in conflict: the smallest part of them that cannot hold together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from altsel.models.rule import Across, Rule
from altsel.runtime.clock import clock

One = TypeVar("One", bound=Hashable)

MOST_SUBSETS = 300
"""Smaller sets of conditions solved for before an irreducible conflict is taken as it is."""
MOST_STEPS = 20_000
"""Smaller sets of conditions looked at, those included that are known to fit."""


@dataclass(frozen=True, eq=False)
class Condition:
    """One of the conditions that a question consists of.

    Attributes
    ----------
    name
        What is shown.
    rule
        The domain constraint, if it is one.
    across
        The constraint on all sets, if it is one.
    known
        The sets to differ from, if it is that.
    """

    name: str
    rule: Rule | None = None
    across: Across | None = None
    known: tuple[tuple[str, ...], ...] = ()


def smallest_conflict(
    conditions: Sequence[One], possible: Callable[[Sequence[One]], bool | None]
) -> tuple[list[One], bool, bool]:
    """Reduce conditions that cannot hold together to a smallest set of them.

    A condition without which all others fit is part of every conflict; where a conflict is nothing but
    these, no other one is smaller. What is not settled when the clock in force runs out is not proved.

    Parameters
    ----------
    conditions
        Of any kind; together impossible.
    possible
        Returns whether some can hold together; None if it cannot tell.

    Returns
    -------
    list
        A conflict.
    bool
        Whether it is proved that each of them is needed.
    bool
        Whether it is proved that no other conflict is smaller.
    """
    conflict, proved = list(conditions), True
    fit: list[set[One]] = []
    for condition in reversed(conditions):
        rest = [other for other in conflict if other is not condition]
        answer = possible(rest)
        if answer is False:
            conflict = rest
        else:
            proved &= answer is True
            fit += [set(rest)] if answer else []
    needed = [one for one in conditions if any(set(conditions) - good == {one} for good in fit)]
    others = [one for one in conditions if one not in needed]
    steps = tried = 0
    for size in range(len(needed), len(conflict)):
        for some in combinations(others, size - len(needed)):
            if steps == MOST_STEPS or tried == MOST_SUBSETS or clock().over:
                return conflict, proved, False
            steps += 1
            smaller = [*needed, *some]
            if any(set(smaller) <= good for good in fit):
                continue
            tried += 1
            answer = possible(smaller)
            if answer is False:
                return smaller, True, proved
            proved &= answer is True
            fit += [set(smaller)] if answer else []
    return conflict, proved, proved
