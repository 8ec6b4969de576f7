"""Several sets at once, from lists of all sets that can be among them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from altsel.exact.families.lists.nested import by_nested_lists, why_not_nested
from altsel.exact.families.lists.threshold import by_threshold
from altsel.exact.predicted_seconds import predicted
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.sources.every_set.engine import AllSets
from altsel.exact.sources.table import why_no_list

SOONER_LISTED_WHOLE = 20_000
"""Sets up to which a list of all of them comes first: of 864 measured questions one of the best was sooner by
more than 2 % in 14, 2.2 times at most; nested ones in 20, most of which others answer sooner still."""
LATER = 4.0
"""How much longer nested lists are then taken to need than that of all: some families of ten features are
found in .3 s by them, and not in 3 s among all sets."""


@dataclass(frozen=True)
class Lists:
    """Find sets one after another, and list all that can be in a better family; search the list.

    Three sets or more with the largest sum may be found two, three, and more at a time, each time from a
    shorter list; for two sets, or the best poorest one, one list is searched.

    Parameters
    ----------
    nested
        Whether there is a list for two sets, for three, and so on.
    """

    nested: bool = False
    name = "lists above a floor"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if (why := question.why_not_together()) is not None:
            return why
        if question.problem.across:
            return "rules across sets hold for all sets together"
        return why_not_nested(question) if self.nested else why_no_list(question)

    @property
    def full_name(self) -> str:
        """The way, told from the other one."""
        return f"nested {self.name}" if self.nested else self.name

    def expected_seconds(self, question: Question) -> float:
        """Predict the CPU seconds it takes; more than the list of all sets where that is sooner."""
        few = question.structure.number <= SOONER_LISTED_WHOLE and AllSets().why_not(question) is None
        if few and not self.nested:
            return inf
        seconds = predicted(self.full_name, question)
        return max(seconds, LATER * predicted(AllSets.name, question)) if few else seconds

    def answer(self, question: Question, run: Run) -> Answer | None:
        """List and search; None if a list is too long."""
        return by_nested_lists(question, run) if self.nested else by_threshold(question, run)
