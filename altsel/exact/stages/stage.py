"""A stage between a search and the table of engines, and stages one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from altsel.exact.question import Answer, Question
from altsel.exact.run import Run

Rest = Callable[[Question, Run], Answer]
"""What answers a question after a stage: the next stages, and the table at their end."""


class Stage(Protocol):
    """What restates a question for those after it, or judges what they say."""

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        """Answer a question by what comes after, which may be asked another question, or several, or none."""
        ...


def through(stages: Sequence[Stage], last: Rest) -> Rest:
    """Return what answers questions by stages, the first of which is asked first, and what is at their end.

    Examples
    --------
    >>> through([], lambda question, run: question)("a question", None)
    'a question'
    """
    for stage in reversed(stages):
        last = partial(stage.answer, rest=last)
    return last
