"""Rules that are no rows are evaluated on the sets found, and cut off what breaks them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from altsel.exact.question import Answer, Question, Structure
from altsel.exact.rules.evaluated_rules import EvaluatedRules
from altsel.exact.run import Run, log
from altsel.exact.sources.every_set.engine import are_listed
from altsel.exact.stages.stage import Rest
from altsel.results.stop import Stop
from altsel.solvers import Outcome


class RulesByCuts:
    """Answer without such rules, with cuts for what breaks them; a list of all sets evaluates them itself."""

    def answer(self, question: Question, run: Run, rest: Rest) -> Answer:
        """Answer a question with rules that are evaluated on sets.

        1. Answer the question by the rules that are rows, and the cuts known. 2. Evaluate the sets found.
        3. If one breaks a rule, cut it off, with all that break it for the same reason, and begin again; else
        the sets are the best.
        """
        rules = question.structure.evaluated
        if rules is None or are_listed(question):
            return rest(question, run)
        while True:
            found = rest(replace(question, structure=Structure(rules.narrow())), run)
            broken = [one for one in found.sets if not rules.keeps(one)]
            if not broken:
                return replace(found, following=list)  # those are not evaluated
            cut_off(rules, chain(broken, question.structure.breaking()))
            log.info("%d sets cut off that break a rule", len(rules.cuts))
            if found.outcome.stop is not Stop.EXHAUSTED:
                return Answer([], Outcome.unfinished(found.outcome.stop, None, found.outcome.bound))


def cut_off(rules: EvaluatedRules, broken: Iterator[frozenset[str] | list[str]]) -> None:
    """Cut off sets that break rules, where no cut that is known removes them."""
    for one in broken:
        if not any(cut.removes(one) for cut in rules.cuts):
            rules.cut(one)
