"""What would mend a search that finds too few sets, and how it is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from altsel.models.dissimilarity import Dissimilarity, exact
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Average, SoftDiversity, similarities
from altsel.results.solutions import Stop
from altsel.search.alternatives.most_different import at, measure_of

MOST_TRIALS = 60
"""Values of tau tried before none is offered."""
Works = Callable[[Problem, Any, int], bool]
"""Tells whether a problem, with a diversity and a number of alternatives, has all its sets."""


@dataclass(frozen=True)
class Repair:
    """A change that is proved to mend the search, the nearest of its kind.

    Attributes
    ----------
    name
        ``"tau"``, ``"k"`` or ``"alternatives"``.
    value
        The largest value below the one asked for that works; of k, if none does, the smallest above.
    """

    name: str
    value: float

    def __str__(self) -> str:
        return f"{self.name} to {self.value:g}"


@dataclass(frozen=True)
class Explanation:
    """Why there is no set, or no further one.

    Attributes
    ----------
    conflict
        Names of conditions that cannot hold together; empty if all can, or if that is not known.
    stop
        How the search itself ended.
    what
        What there is not, in words.
    irreducible
        Whether it is proved that each of the conditions is needed for the conflict.
    smallest
        Whether it is proved that there is no conflict of fewer conditions.
    repairs
        Single changes that are proved to mend it.
    """

    conflict: tuple[str, ...]
    stop: Stop
    what: str = "no set"
    irreducible: bool = False
    smallest: bool = False
    repairs: tuple[Repair, ...] = ()

    def __str__(self) -> str:
        if not self.conflict:
            found = {Stop.COUNT: "Nothing is in conflict: all sets asked for exist."}
            return found.get(self.stop, f"It was not found out whether anything is in conflict: {self.stop}.")
        verb = "are" if self.what.endswith("sets") else "is"
        if len(self.conflict) == 1:
            told = f"There {verb} {self.what}: this condition alone cannot hold: {self.conflict[0]}."
        else:
            listed = "; ".join(_joined(self.conflict))
            told = f"There {verb} {self.what}: these conditions cannot hold together: {listed}."
            told += " Each of them is needed for the conflict." if self.irreducible else ""
        return f"{told} {self._mend()}"

    def _mend(self) -> str:
        offers = [str(one) for one in self.repairs]
        if not offers:
            return "No other k, tau or number of alternatives was found that would do."
        listed = offers[0] if len(offers) == 1 else f"{', '.join(offers[:-1])} or {offers[-1]}"
        return f"It would do to set {listed}."


def _joined(names: Sequence[str]) -> list[str]:
    """Name sets together that the same distance is kept from."""
    indices: dict[str, list[str]] = {}
    for name in names:
        match = re.fullmatch(r"differs from set (\d+) by (.*)", name)
        indices.setdefault(match[2] if match else name, []).extend([match[1]] if match else [])
    told = []
    for words, sets in indices.items():
        plural = "sets" if len(sets) > 1 else "set"
        told.append(f"differs from {plural} {', '.join(sets)} by {words}" if sets else words)
    return told


def repairs(
    problem: Problem, diversity: Any, alternatives: int, works: Works, kinds: Collection[str]
) -> tuple[Repair, ...]:
    """Find the nearest tau, k and number of alternatives that work.

    Parameters
    ----------
    problem, diversity, alternatives
        What does not work.
    works
        Tells whether something does.
    kinds
        Which of ``"tau"`` and ``"k"`` may do.
    """
    offers = []
    counts = range(alternatives - 1, -1, -1)
    most = next((count for count in counts if works(problem, diversity, count)), None)
    if most is not None and "tau" in kinds:
        tau = _nearest_tau(problem, diversity, lambda asked: works(problem, asked, alternatives))
        offers += [] if tau is None else [Repair("tau", tau)]
    if "k" in kinds:
        size = _nearest_size(problem, lambda changed: works(changed, diversity, alternatives))
        offers += [] if size is None else [Repair("k", size)]
    offers += [] if most is None else [Repair("alternatives", most)]
    return tuple(offers)


def _nearest_tau(problem: Problem, diversity: Any, works: Callable[[Any], bool]) -> float | None:
    """Find the largest tau below the one asked for at which all sets exist."""
    if isinstance(diversity, SoftDiversity) and not isinstance(diversity, Average):
        return None
    measure: Dissimilarity = measure_of(diversity)
    low, high = problem.sizes
    sizes = range(low, high + 1)
    values = {
        exact(1 - float(similarities(measure, a, b)[common]))
        for a, b in product(sizes, sizes)
        for common in range(min(a, b) + 1)
    }
    below = sorted((value for value in values if value < exact(measure.tau)), reverse=True)
    for value in below[:MOST_TRIALS]:
        if works(at(diversity, float(value))):
            return float(value)
    return None


def _nearest_size(problem: Problem, works: Callable[[Problem], bool]) -> int | None:
    """Find the largest k below the one asked for at which all sets exist; else the smallest above."""
    low, high = problem.sizes
    n = len(problem.objective.features)
    for size in [*range(low - 1, 0, -1), *range(high + 1, min(n, 2 * high + 2) + 1)]:
        if works(replace(problem, k=size)):
            return int(size)
    return None
