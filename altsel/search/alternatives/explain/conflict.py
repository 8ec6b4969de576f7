"""Conditions in conflict: the smallest part of them that cannot hold together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from altsel.models.rule import Across, Rule

MOST_SUBSETS = 300
"""Smaller sets of conditions looked at before an irreducible conflict is taken as it is."""


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
    conditions: Sequence[Condition], possible: Callable[[Sequence[Condition]], bool | None]
) -> tuple[list[Condition], bool, bool]:
    """Reduce conditions that cannot hold together to a smallest set of them.

    Parameters
    ----------
    conditions
        Together impossible.
    possible
        Returns whether some can hold together; None if it cannot tell.

    Returns
    -------
    list of Condition
        A conflict.
    bool
        Whether it is proved that each of them is needed.
    bool
        Whether it is proved that no other conflict is smaller.
    """
    conflict, proved = list(conditions), True
    fit: list[set[Condition]] = []
    for condition in reversed(conditions):
        rest = [other for other in conflict if other is not condition]
        answer = possible(rest)
        if answer is False:
            conflict = rest
        else:
            proved &= answer is True
            fit += [set(rest)] if answer else []
    tried = 0
    for size in range(len(conflict)):
        for some in combinations(conditions, size):
            if any(set(some) <= good for good in fit):
                continue
            if tried == MOST_SUBSETS:
                return conflict, proved, False
            tried += 1
            answer = possible(some)
            if answer is False:
                return list(some), True, proved
            proved &= answer is True
            fit += [set(some)] if answer else []
    return conflict, proved, proved
