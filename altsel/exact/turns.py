"""Turns of engines: some CPU seconds each for some questions, as none is the soonest for all of a kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

from altsel.exact.engines.all_sets import AllSets
from altsel.exact.engines.nested_lists import FEWEST
from altsel.exact.question import FEW_SETS, Answer, Question
from altsel.exact.run import Run
from altsel.models.objective import Kind
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError, clock, turn

MANY_SETS = 200_000
"""Sets whose list takes longer than the turn of another engine."""
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


def few_sets(question: Question) -> bool:
    """Return whether there are at most 5,000 sets."""
    return question.structure.number <= FEW_SETS


def plain_sum(question: Question) -> bool:
    """Return whether the criterion is a plain sum."""
    return question.kind is Kind.SUM


def no_nested_sum(question: Question) -> bool:
    """Return whether the criterion is no sum, or sets are too few for nested lists."""
    return question.count < FEWEST or question.as_sum.kind is not Kind.SUM


def sum_under_conditions(question: Question) -> bool:
    """Return whether the criterion is a sum of features that may exclude each other."""
    return question.kind is not Kind.SUM and question.as_sum.kind is Kind.SUM


def no_plain_sum(question: Question) -> bool:
    """Return whether the criterion is something else."""
    return question.kind is not Kind.SUM


def poorest_sum(question: Question) -> bool:
    """Return whether the poorest of several sets is to be good, by a plain sum."""
    return plain_sum(question) and question.packing


def poorest_pairs(question: Question) -> bool:
    """Return whether the poorest of several sets is to be good, by a sum under conditions."""
    return sum_under_conditions(question) and question.packing


def not_yet_listed(question: Question) -> bool:
    """Return whether one set is wanted, and all could be listed, but are not yet, and that takes a while."""
    asked = question.count == 1 and question.structure.number > MANY_SETS and not question.structure.listed
    return asked and AllSets().why_not(question) is None


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
            return "it has no turn here"
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


def _settled(found: Answer) -> bool:
    """Return whether an answer is proved, or was interrupted."""
    return found.outcome.proof is Proof.OPTIMAL or found.outcome.stop in {Stop.INFEASIBLE, Stop.INTERRUPT}
