"""What engines say is tried before it is believed, and asked again where a rule has learned meanwhile."""

from __future__ import annotations

from altsel.exact.question import Answer, Question
from altsel.exact.run import Run
from altsel.exact.stages.stage import Rest
from altsel.exact.verification.infeasibility_check import refuse_false_infeasible
from altsel.exact.verification.neighbour_check import refuse_beaten


class Confirmation:
    """Try sets next to those called optimal, and some where there were to be none."""

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        """Answer; once more as long as a cut of a rule was wrong: better sets may keep the rules."""
        while True:
            before = question.structure.withdrawn
            found = rest(question, run)
            if question.structure.withdrawn == before:
                return refuse_false_infeasible(question, refuse_beaten(question, found))
            question.structure.evaluate_again()
