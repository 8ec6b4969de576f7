"""Which of several sets count as solutions: what tests find equivalent to the first one, and nothing more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from altsel.analysis.equivalence import equivalence
from altsel.errors import ArgumentError, of_kind
from altsel.results.equivalence import Equivalence
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.stats.equivalence.criterion import recommended_criterion
from altsel.stats.independence.protocol import Independence, backward

Names = tuple[str, ...]
ALL_SOUGHT = {Stop.EXHAUSTED, Stop.INFEASIBLE, Stop.HEURISTIC}
"""Why a search for all blankets ends, if nothing cuts it short."""


@dataclass(frozen=True)
class JudgedSets:
    """Which sets are solutions as far as is known.

    Attributes
    ----------
    solutions
        The sets, each once.
    equivalent, compared
        How many sets are equivalent to the first, and how many were compared; the first is counted in.
    settled
        Whether that tells which features can be replaced: there are several, or there was a search for all.
    """

    solutions: tuple[Names, ...]
    equivalent: int
    compared: int
    settled: bool


def judged_sets(
    found: Solutions, test: Independence | None, alpha: float, equivalent: Equivalence | None
) -> JudgedSets:
    """Return the sets of a search for blankets, which has compared them; of other searches what passes.

    Of sets that no test has chosen, members that tell nothing given the others are no part of a solution:
    any feature could stand there. They leave one after another, as in the backward phase of a search
    for a blanket; of what is left, sets that hold another one are left out.

    Raises
    ------
    ArgumentError
        If the evidence is none, or is of other sets.
    """
    of_kind("equivalent", equivalent, Equivalence | None, "what altsel.equivalence returned")
    if equivalent is not None:
        refuse_other_sets("equivalent", equivalent, found)
    sets, number = tuple(one.features for one in found), len(found)
    if all(one.proof is Proof.TESTED for one in found):
        return JudgedSets(sets, number, number, number > 1 or found.stop in ALL_SOUGHT)
    if test is None or number == 1:
        return JudgedSets(sets[:1], 1, 1, settled=False)
    if equivalent is None:
        tests: Any = recommended_criterion(test).tests  # of its own making, tests of sets all
        equivalent = equivalence(sets, tests)
    pairs = [pair for pair in equivalent if pair.first == 0]
    passed = (0, *sorted(pair.second for pair in pairs if pair.equivalent))
    minimal = _minimal([needed(test, sets[i], alpha) for i in passed])
    settled = len(minimal) > 1
    return JudgedSets(minimal if settled else sets[:1], len(passed), 1 + len(pairs), settled)


def needed(test: Independence, names: Names, alpha: float) -> Names:
    """Return the members of a set without those that are independent given the others, one by one."""
    left = list(names)
    for name, answer in zip(names, backward(test, names, (), alpha), strict=True):
        if answer.independent(alpha)[0]:
            left.remove(name)
    return tuple(left)


def _minimal(sets: list[Names]) -> tuple[Names, ...]:
    """Return the sets that hold no other one, each once, in their order."""
    different = {frozenset(names): names for names in reversed(sets)}
    kept = [names for key, names in different.items() if not any(other < key for other in different)]
    return tuple(reversed(kept))


def refuse_other_sets(name: str, known: Equivalence, found: Solutions) -> None:
    """Refuse evidence on sets that are not the first of these.

    Raises
    ------
    ArgumentError
        Names the argument.
    """
    own = [set(one) for one in found][: len(known.sets)]
    if [set(one) for one in known.sets] != own:
        raise ArgumentError(f"{name} is of other sets: give altsel.equivalence of these solutions")
