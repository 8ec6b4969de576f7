"""A least quality is no reason for a model: the best without it either has it, or nothing has.

Where one set is maximised, or the poorest of several, ``max {Q(s) : s in S, Q(s) >= least}`` is
``max {Q(s) : s in S}`` if that is at least `least`; else there is no such set.
"""

from __future__ import annotations

from dataclasses import replace

from altsel.exact.question import Answer, Question, Structure
from altsel.exact.run import Run
from altsel.exact.stages.stage import Rest
from altsel.models.objective import Kind
from altsel.models.rule import Stated
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.solvers import Outcome

CLOSE = 1e-6
"""Share of a least quality within which it is left to the rows."""


class QualityFloor:
    """Answer without rules on the least quality, where that settles the question; else with them."""

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        """Answer without the rules first."""
        least = least_quality(question)
        if least is not None:
            found = answer_below_floor(question, least, rest(without_floor(question), run))
            if found is not None:
                return replace(found, following=list)  # those may be below the floor
        return rest(question, run)


def least_quality(question: Question) -> float | None:
    """Return the least quality that rules want, if the question can be answered without them."""
    if question.named or question.problem.across or question.soft is not None:
        return None
    if question.kind is Kind.BLACK_BOX or question.total != "min":
        return None
    if question.kind is Kind.SUM and question.count == 1:
        return None  # a floor of the list
    return max((rule.data["minimum_quality"] for rule in _floors(question)), default=None)


def without_floor(question: Question) -> Question:
    """Return the question without rules on the least quality, on one structure for all such questions."""
    kept = question.structure.kept
    if without_floor not in kept:
        floors = _floors(question)
        rest = [rule for rule in question.problem.subject_to if rule not in floors]
        kept[without_floor] = Structure(replace(question.problem, subject_to=rest))
    return replace(question, structure=kept[without_floor])


def answer_below_floor(question: Question, least: float, found: Answer) -> Answer | None:
    """Return what an answer without the least quality says of it; None if that is not settled."""
    outcome = found.outcome
    if outcome.stop is Stop.INFEASIBLE or (found.sets and all(map(question.keeps_rules, found.sets))):
        return found
    proved = found.sets and outcome.proof is Proof.OPTIMAL
    bound = question.value(found.sets) if proved else outcome.bound
    if bound is not None and bound < least - CLOSE * max(abs(least), abs(bound)):
        return Answer([], Outcome.infeasible())
    if outcome.stop in {Stop.TIME, Stop.INTERRUPT}:
        return Answer([], Outcome.unfinished(outcome.stop, None, bound))
    return None


def _floors(question: Question) -> list[Stated]:
    rules = question.problem.subject_to
    return [rule for rule in rules if isinstance(rule, Stated) and rule.kind == "minimum_quality"]
