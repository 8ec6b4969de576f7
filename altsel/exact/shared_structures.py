"""What searches share that one call makes of the same problem: its lists, and what was proved of it.

Sets that differ by tau' >= tau are among those that differ by tau: if the best of the latter differ by tau',
they are the best of the former; where there are none by tau, there are none by tau'.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from altsel.exact.question import Answer, Question, Structure
from altsel.exact.verification.declared_abilities import check_second
from altsel.models.criterion_rule import CriterionRule
from altsel.models.declarations import check_forms
from altsel.models.objective import is_own
from altsel.models.problem import Problem
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop

NAME = "what was proved for a smaller tau"
"""What is said to have answered."""
Proved = dict[object, list[tuple[Any, Answer]]]
_shared: ContextVar[dict[int, Structure] | None] = ContextVar("structures", default=None)


@contextmanager
def shared_structures() -> Iterator[None]:
    """Let all searches within share what they find out of a problem."""
    token = _shared.set({} if _shared.get() is None else _shared.get())
    try:
        yield
    finally:
        _shared.reset(token)


def structure_of(problem: Problem) -> Structure:
    """Return what is known of a problem: what searches share, or nothing yet.

    Raises
    ------
    ArgumentError, DataError
        If the quadratic forms of a criterion of the user's own cannot be used, or what a second one declares
        is not its formula.
    """
    known = _shared.get()
    if known is not None and id(problem) in known:
        return known[id(problem)]
    if is_own(problem.objective):
        check_forms(problem.objective, problem.sizes)
    for rule in problem.subject_to:
        if isinstance(rule, CriterionRule) and is_own(rule.objective):
            check_second(rule.objective, problem.sizes)
    if known is None:
        return Structure(problem)
    known[id(problem)] = Structure(problem)  # keeps the problem, and so its number
    known[id(problem)].kept.setdefault(shared_structures, {})
    return known[id(problem)]


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
