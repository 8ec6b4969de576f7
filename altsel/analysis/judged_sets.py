"""Which of several sets count as solutions: what tests find equivalent to the first one."""

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
from altsel.stats.independence import Independence

ALL_SOUGHT = {Stop.EXHAUSTED, Stop.INFEASIBLE, Stop.HEURISTIC}
"""Why a search for all blankets ends, if nothing cuts it short."""


@dataclass(frozen=True)
class JudgedSets:
    """Which sets are solutions as far as is known.

    Attributes
    ----------
    indices
        Places of the first set and of those equivalent to it.
    compared
        How many sets were compared, the first one counted in.
    settled
        Whether that tells which features can be replaced: there are several, or there was a search for all.
    """

    indices: tuple[int, ...]
    compared: int
    settled: bool


def judged_sets(found: Solutions, test: Independence | None, equivalent: Equivalence | None) -> JudgedSets:
    """Return the sets of a search for blankets, which has compared them; of other searches those that pass.

    Raises
    ------
    ArgumentError
        If the evidence is none, or is of other sets.
    """
    of_kind("equivalent", equivalent, Equivalence | None, "what altsel.equivalence returned")
    if equivalent is not None:
        refuse_other_sets("equivalent", equivalent, found)
    everything = tuple(range(len(found)))
    if equivalent is None and all(one.proof is Proof.TESTED for one in found):
        return JudgedSets(everything, len(found), len(found) > 1 or found.stop in ALL_SOUGHT)
    if equivalent is None and test is not None and len(found) > 1:
        tests: Any = recommended_criterion(test).tests  # of its own making, tests of sets all
        equivalent = equivalence([one.features for one in found], tests)
    pairs = () if equivalent is None else [pair for pair in equivalent if pair.first == 0]
    passed = (0, *sorted(pair.second for pair in pairs if pair.equivalent))
    return JudgedSets(passed, 1 + len(pairs), len(passed) > 1)


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
