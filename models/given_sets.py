"""Sets that a user gives: to differ from, or to start at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from typing import Any

from altsel.errors import ArgumentError, absence, listing
from altsel.models.problem import Problem
from altsel.results.members import unit_of


def given_sets(argument: str, sets: Any, problem: Problem) -> list[tuple[str, ...]]:
    """Return sets as tuples of names; members of a unit by that, and what has no order in that of all.

    Parameters
    ----------
    argument
        What they are called in an error.
    sets
        Collections of names, or feature sets found.
    problem
        Has the features.

    Raises
    ------
    ArgumentError
        If a set is a text, empty, or names a feature that is not there.
    """
    if isinstance(sets, str) or not isinstance(sets, Iterable):
        raise ArgumentError(f"{argument}={sets!r:.60}; give a list of lists of names")
    unit = unit_of(problem.objective.members)
    named: list[tuple[str, ...]] = []
    for one in sets:
        subset = getattr(one, "features", one)
        if not isinstance(subset, Collection) or isinstance(subset, str) or not subset:
            raise ArgumentError(
                f"{argument}: {subset!r} is no set of features; give a list of lists of names"
            )
        absent = [f for f in subset if not isinstance(f, str) or (f not in problem.index and f not in unit)]
        if absent:
            why = absence(str(absent[0]), problem.index, problem.objective.absent)
            raise ArgumentError(f"{argument}: there is no feature {listing(absent)}{why}")
        names = tuple(dict.fromkeys(str(unit.get(f, f)) for f in subset))
        named.append(problem.ordered(names) if isinstance(subset, Set) else names)
    return named
