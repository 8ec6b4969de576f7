"""Several sets at once, from lists of all sets that can be among them."""

from __future__ import annotations

from altsel.exact.families.lists.nested import by_nested_lists, why_not_nested
from altsel.exact.families.lists.threshold import by_threshold
from altsel.exact.partial_answers import better, is_settled
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.table import why_no_list


class Lists:
    """Find sets one after another, and list all that can be in a better family; search the list.

    Three sets or more with the largest sum are found two, three, and more at a time, each time from a list.
    Where that is given up, and for two sets or the best poorest one, one list is searched.
    """

    name = "lists above a floor"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if (why := question.why_not_together()) is not None:
            return why
        if question.problem.across:
            return "rules across sets hold for all sets together"
        return None if why_not_nested(question) is None else why_no_list(question)

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Go from list to list, then take one list; None if they are too long."""
        found = by_nested_lists(question, run) if why_not_nested(question) is None else None
        if (found is not None and is_settled(found)) or why_no_list(question) is not None:
            return found
        run.incumbent = run.incumbent if found is None else found.sets or run.incumbent
        last = by_threshold(question, run)
        if found is None or last is None:
            return last or found
        return better(question, run, last, found)
