"""Turns of engines: some CPU seconds each, the one first that will be the soonest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import inf
from typing import Protocol

from altsel.errors import RangeError
from altsel.exact.partial_answers import better, is_settled
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop, noted
from altsel.runtime.clock import STOPPED, OutOfTimeError, clock, turn

GROWTH = 4
"""How many times longer an engine's turn is than the one before."""
PART = 4
"""A turn takes no more than this part of the time that is left."""
PATIENCE = 2.0
"""How many times longer the first turn is than what is predicted."""
SHORTEST = 0.01
"""CPU seconds of a turn at least; where less is left of the time, all of it."""


class Engine(Protocol):
    """A way to answer a question exactly.

    One with a method ``expected_seconds(question)`` says how many CPU seconds it will probably take: 0 if it
    is to be asked at once, infinity if after all others. One without it is asked at once.
    """

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
    kind: Callable[[Question], bool] = lambda _: True

    @property
    def name(self) -> str:
        """The engine's name."""
        return self.engine.name

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, or is not asked."""
        if not self.kind(question):
            return "others are sooner here"
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
    asked = _Asked(question, run, best)
    for engine in engines:
        if engine.why_not(question) is None and asked.settled_by(engine):
            break
    return asked.best, asked.refused


def ask_soonest_first(
    engines: Sequence[Engine], question: Question, run: Run, best: Answer | None = None
) -> tuple[Answer | None, RangeError | None]:
    """Ask engines in turns, the one first that is predicted to be the soonest; as `ask` does.

    An engine's first turn is `PATIENCE` times as long as is predicted, each further one `GROWTH` times the
    one before, and the shortest turn comes first. So what the soonest engine takes is a fixed share of what
    all take together, if predictions are right to a factor, and none is waited for long if they are wrong.

    1. Those to be asked at once are, before others say whether they can answer: that takes time, too.
    2. The turn that would be the shortest comes next, of equal ones that of the engine which should be the
       soonest; turns of one engine that follow each other are one.
    3. An engine that is left alone has all the time there is.
    4. One that gives up long before its turn is over is not asked again.
    """
    asked = _Asked(question, run, best)
    waiting: list[tuple[float, float, int]] = []
    for place, engine in enumerate(engines):
        if engine.why_not(question) is not None:
            continue
        seconds, expected = _first_turn(engine, question)
        if seconds:
            heappush(waiting, (seconds, expected, place))
        elif asked.settled_by(engine):
            return asked.best, asked.refused
    while waiting:
        seconds, expected, place = heappop(waiting)
        following = waiting[0][0] if waiting else inf
        if following == inf or clock().left < PART * SHORTEST:
            seconds = inf
        while seconds * GROWTH <= following < inf:
            seconds *= GROWTH
        began = time.process_time()
        if asked.settled_by(Turn(engines[place], seconds)):
            break
        gave_up = time.process_time() - began < seconds / (PART + 1)
        if seconds < inf and not gave_up:
            heappush(waiting, (seconds * GROWTH, expected, place))
    return asked.best, asked.refused


def in_order(engines: Sequence[Engine], question: Question) -> list[Engine]:
    """Sort engines: those that cannot answer, then the others by their first turns."""
    unable = (-1.0, 0.0)
    return sorted(engines, key=lambda one: unable if one.why_not(question) else _first_turn(one, question))


def _first_turn(engine: Engine, question: Question) -> tuple[float, float]:
    """Return how long an engine's first turn is, 0 if it has no end, and how long it should take."""
    predict = getattr(engine, "expected_seconds", None)
    seconds: float = 0.0 if predict is None else predict(question)
    return (max(PATIENCE * seconds, SHORTEST) if seconds else 0.0), seconds


@dataclass
class _Asked:
    """What engines have said to a question so far.

    Attributes
    ----------
    best
        The answer so far.
    refused
        What the last engine said that could not hold its numbers.
    """

    question: Question
    run: Run
    best: Answer | None
    refused: RangeError | None = None

    def settled_by(self, engine: Engine) -> bool:
        """Ask an engine, from what those before have found; return whether nothing is left to ask.

        Where the engine is stopped and has said nothing, sets and the bound of those before are the answer.
        """
        question, run = self.question, self.run
        asked = run.engines.copy()
        run.engines[engine.name] = None
        try:
            found = engine.answer(question, run)
        except RangeError as fault:
            self.refused = fault
            return False
        except STOPPED as fault:
            if self.best is None or not self.best.sets or self.best.outcome.bound is None:
                raise
            self.best = replace(self.best, outcome=replace(self.best.outcome, stop=noted(fault)))
            return True
        if found is None:
            run.engines = asked  # it has said nothing
            return False
        self.best = best = found if self.best is None else better(question, run, found, self.best)
        if is_settled(found) and (best is found or found.final):
            return True
        run.incumbent = best.sets or run.incumbent
        return False
