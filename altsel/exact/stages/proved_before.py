"""What one call proved for a smaller tau may be the answer for a larger one.

Sets that differ by tau' >= tau are among those that differ by tau: if the best of the latter differ by tau',
they are the best of the former; where there are none by tau, there are none by tau'.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.shared_structures import shared_structures
from altsel.exact.stages.stage import Rest
from altsel.models.objective import is_own
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop

NAME = "what was proved for a smaller tau"
"""What is said to have answered."""
Proved = dict[object, list[tuple[Any, Answer]]]


class ProvedBefore:
    """Answer from what was proved for a smaller tau, if it is an answer; else keep what is proved."""

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        """Answer a question that was not asked before by what comes after."""
        known = proved_before(question)
        if known is not None:
            run.engines[NAME] = None
            return known
        found = rest(question, run)
        keep(question, found)
        return found


def proved_before(question: Question) -> Answer | None:
    """Return the answer to the same question with a smaller tau, if it is one to this."""
    proved: Proved | None = question.structure.kept.get(shared_structures)
    if not proved or not _known_to_nest(question):
        return None
    measure: Any = question.distance
    every = replace(measure, tau=0.0)
    for distance, answer in proved.get(_key(question), ()):
        nested = distance.tau <= measure.tau and replace(distance, tau=0.0) == every
        if nested and question.differ(answer.sets):
            return replace(answer, following=list)
    return None


def keep(question: Question, answer: Answer) -> None:
    """Keep an answer that is proved, if answers are kept."""
    proved: Proved | None = question.structure.kept.get(shared_structures)
    settled = answer.outcome.proof is Proof.OPTIMAL or answer.outcome.stop is Stop.INFEASIBLE
    if proved is not None and settled and _known_to_nest(question):
        proved.setdefault(_key(question), []).append((question.distance, answer))


def _known_to_nest(question: Question) -> bool:
    """Return whether sets that differ by more differ by less, too: so they do by altsel's own measures."""
    return question.soft is None and not is_own(question.distance)


def _key(question: Question) -> object:
    return question.count, question.total, tuple(map(frozenset, question.known))
