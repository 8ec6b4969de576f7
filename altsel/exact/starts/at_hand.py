"""The best sets met, or made in no time, where the clock has ended a search."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from altsel.exact.partial_answers import answer_unproved
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.run import Run
from altsel.exact.stages.screening import is_screened, searched_alone
from altsel.exact.starts.warm_start import good_sets, proposed_sets
from altsel.models.objective import Kind
from altsel.runtime.clock import OutOfTimeError, grace


class SetsAtHand:
    """Take the sets met, those that the search began with, or good ones; nothing is proved of them."""

    name = ""
    """None, as it answers nothing: searches name engines that did."""

    def why_not(self, question: Question) -> str | None:
        """Return None: there may be some of any question."""
        del question
        return None

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Return sets that keep all conditions; None if there are none, or rules take long to evaluate."""
        sets: Sets = []
        with grace(), suppress(OutOfTimeError):
            sets = self._sets(question, run)
        with grace(), suppress(OutOfTimeError):
            if sets and question.keeps_all(sets):
                return answer_unproved(question, sets, run.stop)
        return None

    def _sets(self, question: Question, run: Run) -> Sets:
        if len(run.incumbent) == question.count:
            return run.incumbent
        sets = proposed_sets(question, run.start) if run.start else []
        plain = question.soft is None and not question.problem.across
        if sets or not plain or question.kind is Kind.BLACK_BOX:
            return sets
        question = searched_alone(question) if is_screened(question) else question
        return good_sets(question, np.arange(len(question.problem.index)))
