"""A dissimilarity that is stated by rows becomes a rule, or is evaluated on all sets."""

from __future__ import annotations

from dataclasses import replace

from altsel.exact.partial_answers import better, is_settled
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.every_set.engine import AllSets, are_listed
from altsel.exact.stages.stage import Rest
from altsel.models.dissimilarity import Dice


class DissimilarityByRows:
    """Where sets are few, take them from a list of all; what that leaves open is answered with a rule."""

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        """Answer a question without such a dissimilarity as it is."""
        if not question.by_rows:
            return rest(question, run)
        found = self._from_list(question, run)
        if found is not None and is_settled(found):
            return found
        after = rest(question.stated, run)
        return replace(after, following=list) if found is None else better(question, run, after, found)

    def _from_list(self, question: Question, run: Run) -> Answer | None:
        """Take the best sets of all; None if they are too many, or the dissimilarity is one without rows."""
        if question.stated.diversity != Dice(0) or not are_listed(question):
            return None
        every = AllSets()
        run.engines[every.name] = None
        found = every.answer(question, run)
        run.incumbent = found.sets
        return found
