"""Several sets at once, by counting in how many of them each feature is."""

from __future__ import annotations

from altsel.exact.families.counts.annealed_families import LEAST, Annealing
from altsel.exact.families.counts.counted_memberships import CountsUnderRules
from altsel.exact.families.counts.membership_patterns import Profiles
from altsel.exact.families.counts.name import COUNTS
from altsel.exact.families.counts.too_few_features import why_no_count
from altsel.exact.predicted_seconds import predicted
from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.turns import Engine, Turn, ask
from altsel.solvers import Outcome


def many_sets(question: Question) -> bool:
    """Return whether there are enough sets for annealing."""
    return question.count >= LEAST["sum"]


WAYS: tuple[Engine, ...] = (Turn(Profiles(), 0.1, many_sets), Annealing(), Profiles(), CountsUnderRules())


class Counts:
    """Count in how many of the sets each feature is: the best counts bound the total.

    Where counting shows that there are no such sets, that is the answer, whatever the criterion. Of a plain
    sum without rules only the number of features in one, two, … sets counts, their *profile*; under rules the
    counts of all features do. Sets that have the best counts are optimal.
    """

    name = COUNTS

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if why_no_count(question) is None:
            return None
        reasons = [way.why_not(question) for way in WAYS]
        return None if None in reasons else reasons[-1]

    def expected_seconds(self, question: Question) -> float:
        """Predict the CPU seconds it takes; 0 where it is seen at once that there are no such sets."""
        return 0.0 if why_no_count(question) is None else predicted(self.name, question)

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Count; None if that is given up and no sets were found."""
        if why_no_count(question) is None:
            return Answer([], Outcome.infeasible(), final=True)
        found, refused = ask(WAYS, question, run)
        if found is None and refused is not None:
            raise refused
        return found
