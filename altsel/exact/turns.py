"""Turns of engines: some CPU seconds each for some questions, as none is the soonest for all of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from altsel.errors import RangeError
from altsel.exact.partial_answers import better, is_settled
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, clock, turn

GROWTH = 4
"""How many times longer a turn is than the one before."""
PART = 4
"""A turn takes no more than this part of the time that is left."""


class Engine(Protocol):
    """A way to answer a question exactly."""

    @property
    def name(self) -> str:
        """The way in words."""
        ...

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        ...

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Answer, from ``run.incumbent`` if there is one; None if it gives up."""
        ...


@dataclass(frozen=True)
class Turn:
    """An engine that is asked questions of a kind, for some CPU seconds; others go on from what it found.

    Parameters
    ----------
    engine
        The engine.
    seconds
        How long it may take; infinity: as long as there is.
    kind
        Which questions it is asked.
    """

    engine: Engine
    seconds: float
    kind: Callable[[Question], bool]

    @property
    def name(self) -> str:
        """The engine's name."""
        return self.engine.name

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, or is not asked."""
        if not self.kind(question):
            return "others are sooner here"
        if question.named and self.seconds < inf:
            return "a solver is named"
        return self.engine.why_not(question)

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Answer within the time of the turn; None if that is over and nothing was found."""
        if self.seconds == inf:
            return self.engine.answer(question, run)
        try:
            with turn(self.seconds, 1 / PART):
                found = self.engine.answer(question, run)
        except OutOfTimeError:
            clock().check()
            return None
        if found is None or clock().over or _settled(found):
            return found
        known = found.sets or found.outcome.bound is not None
        return replace(found, cut_short=True, final=False) if known else None


def rounds(kind: Callable[[Question], bool], first: dict[Engine, float], number: int = 4) -> tuple[Turn, ...]:
    """Let engines take turns, each `GROWTH` times as long as the one before.

    What the engine takes that is the soonest is more than a share of what all take together, whichever it is.

    Parameters
    ----------
    kind
        Which questions they are asked.
    first
        The engines in order, and the CPU seconds of their first turns.
    number
        Turns of each.
    """
    return tuple(
        Turn(engine, seconds * GROWTH**i, kind) for i in range(number) for engine, seconds in first.items()
    )


def _settled(found: Answer) -> bool:
    """Return whether an answer is proved, or was interrupted."""
    return found.outcome.proof is Proof.OPTIMAL or found.outcome.stop in {Stop.INFEASIBLE, Stop.INTERRUPT}


def ask(
    engines: Iterable[Engine], question: Question, run: Run, best: Answer | None = None
) -> tuple[Answer | None, RangeError | None]:
    """Ask engines in order, each from what those before have found.

    Parameters
    ----------
    engines, question, run
        Who is asked, what, and in which search.
    best
        What is known before.

    Returns
    -------
    Answer or None
        The first that is settled, else the best sets and the smallest bound of all; None if none said
        anything.
    RangeError or None
        What the last engine said that could not hold the numbers of the question.
    """
    refused: RangeError | None = None
    for engine in engines:
        if engine.why_not(question) is not None:
            continue
        asked = run.engines.copy()
        run.engines[engine.name] = None
        try:
            found = engine.answer(question, run)
        except RangeError as fault:
            refused = fault
            continue
        if found is None:
            run.engines = asked  # it has said nothing
            continue
        best = found if best is None else better(question, run, found, best)
        if is_settled(found) and (best is found or found.final):
            return best, refused
        run.incumbent = best.sets or run.incumbent
    return best, refused
