"""Rules on all sets of a search, where the sets are found one after another."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from altsel.models.problem import Problem
from altsel.models.rule import Across, Rule


def after(problem: Problem, known: Sequence[Collection[str]]) -> Problem:
    """Turn the rules across sets into rules on the next set, where the others are known."""
    if not problem.across:
        return problem
    before = [{f: int(f in subset) for f in problem.objective.features} for subset in known]

    def bound(rule: Across) -> Rule:
        def one_more(block: Any) -> None:
            rule(block, [*before, block.x])

        one_more.__name__ = getattr(rule, "__name__", "rule across sets")
        return one_more

    rules = [*problem.subject_to, *(bound(rule) for rule in problem.across)]
    return replace(problem, subject_to=rules, across=())
