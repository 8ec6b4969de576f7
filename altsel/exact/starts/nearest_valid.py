"""Valid sets close to given ones: the solver's part in a search over black boxes (AFS 3.3.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from altsel.exact.question import Question
from altsel.exact.rules.linear_rules import FEASIBLE, keeps_rows
from altsel.exact.run import Run
from altsel.models.dissimilarity import largest_overlap, share_of
from altsel.models.feasibility_only import conditions_only
from altsel.models.objective import is_own
from altsel.models.overlap_rows import differ, differ_from
from altsel.models.problem import Problem, chosen, clear_start, exclude, model_of_sets
from altsel.models.ranges import refuse_wide_rules
from altsel.models.rule import Row
from altsel.models.rule_slack import widen_rules
from altsel.models.soft_diversity import (
    Diversity,
    SoftDiversity,
    differ_softly,
    differ_softly_from,
    similarity,
)
from altsel.models.stated_dissimilarity import differ_enough
from altsel.results.stop import Stop

Sets = list[frozenset[str]]
Flip = tuple[int, str]
"""Index of a set, and the feature that is to change sides in it."""


@dataclass(eq=False)
class Closest:
    """Answers which valid sets are closest to given ones, by one model that is kept.

    Parameters
    ----------
    run
        The search; its solver is called.
    question
        The problem, and how far the sets must be from each other and from known ones.
    """

    run: Run
    question: Question
    problem: Problem = field(init=False)
    model: Any = field(init=False)
    rows: list[Row] | None = field(init=False)

    def __post_init__(self) -> None:
        self.question = question = self.question.stated
        wanted = question.problem
        refuse_wide_rules(wanted)
        self.problem = wanted
        if not question.structure.on_quality:
            self.problem = replace(wanted, objective=conditions_only(wanted.objective, wanted=True))
        self.model = model_of_sets(self.problem, question.count)
        if question.count > 1:
            _differ(question.diversity, self.model, wanted.sizes)
        elif question.soft is not None:
            differ_softly_from(question.soft, self.model, question.known, wanted.sizes)
        else:
            for subset in question.known:
                differ_from(question.distance, self.model.sets[0], subset, wanted.sizes)
        widen_rules(self.model, wanted.sizes[1])
        self.rows = None if wanted.across else question.structure.rows

    def some(self, rng: np.random.Generator) -> tuple[Sets | None, Stop]:
        """Find any valid sets, at random though not uniformly: the best under random weights."""
        aim = 0.0
        for block in self.model.sets.values():
            weights = rng.random(len(block.x)).tolist()
            aim += sum(weight * x for weight, x in zip(weights, block.x.values(), strict=True))
        return self._solve(aim)

    def to(self, sets: Sequence[Collection[str]], flips: Sequence[Flip] = ()) -> tuple[Sets | None, Stop]:
        """Find the valid sets of least Hamming distance that have the flips; None if there are none.

        ``max sum_j [s_j x_j + (1 - s_j)(1 - x_j)]`` subject to the conditions, flipped features fixed.
        """
        moved = [set(subset) for subset in sets]
        for i, f in flips:
            moved[i] ^= {f}
        if self._valid(moved):
            return [frozenset(subset) for subset in moved], Stop.EXHAUSTED  # no solver is needed
        likeness = sum(
            x if f in subset else -x
            for block, subset in zip(self.model.sets.values(), sets, strict=True)
            for f, x in block.x.items()
        )
        return self._solved_with([(i, f, f in moved[i]) for i, f in flips], likeness)

    def any_with(self, sides: Sequence[tuple[int, str, bool]]) -> tuple[Sets | None, Stop]:
        """Find any valid sets, whichever the solver meets first, with some features in or out.

        Parameters
        ----------
        sides
            Index of a set, a feature, and whether it is to be in that set.
        """
        return self._solved_with(sides, 0.0)

    def _solved_with(self, sides: Sequence[tuple[int, str, bool]], aim: Any) -> tuple[Sets | None, Stop]:
        """Solve for the sets of the largest aim that have some features in or out."""
        blocks = list(self.model.sets.values())
        fixed = [(blocks[i].x[f], int(inside)) for i, f, inside in sides]
        if any((x.fixed and x.value != side) or not x.lb <= side <= x.ub for x, side in fixed):
            return None, Stop.INFEASIBLE
        free = [x for x, _ in fixed if not x.fixed]
        for x, side in fixed:
            x.fix(side)
        try:
            return self._solve(aim)
        finally:
            for x in free:
                x.unfix()

    def _solve(self, aim: Any) -> tuple[Sets | None, Stop]:
        self.model.total.set_value(aim)
        for block in self.model.sets.values():
            clear_start(block)
        while True:
            outcome = self.run.solve(self.model, stated=self.problem)
            if outcome.value is None:
                return None, outcome.stop
            sets = [chosen(block) for block in self.model.sets.values()]
            broken = [subset for subset in sets if not self._admits(subset)]
            if not broken:
                return sets, outcome.stop
            for block, one in product(self.model.sets.values(), broken):  # the model only bounds the quality
                exclude(block, one)

    def _admits(self, one: Collection[str]) -> bool:
        """Return whether objective and rules admit a set, whatever a tolerance said."""
        feasible = self.question.problem.objective.checked_feasible(self.problem.mask(one))
        return feasible and self.question.keeps_rules(one)

    def _valid(self, sets: Sequence[set[str]]) -> bool:
        """Return whether sets are valid, where that is a matter of rows; False if it is not known."""
        low, high = self.problem.sizes
        if self.rows is None or not all(
            low <= len(subset) <= high and self._keeps_conditions(subset) for subset in sets
        ):
            return False
        return dissimilar_enough(self.question.diversity, list(self.question.pairs(sets)))

    def _keeps_conditions(self, one: Collection[str]) -> bool:
        """Return whether a set keeps the rules and the criterion's own conditions."""
        mask = self.problem.mask(one)
        return self.problem.objective.checked_feasible(mask) and keeps_rows(self.rows or [], mask)


def dissimilar_enough(diversity: Diversity, pairs: Sequence[tuple[Collection[str], Collection[str]]]) -> bool:
    """Return whether pairs of sets differ as a diversity wants it."""
    if isinstance(diversity, SoftDiversity):
        distinct = all(set(one) != set(other) for one, other in pairs)
        return (
            distinct
            and sum(similarity(diversity, *pair) for pair in pairs) <= diversity.limit(len(pairs)) + FEASIBLE
        )
    if share_of(diversity) is None or is_own(diversity):
        return all(differ_enough(diversity, one, other) for one, other in pairs)
    limits = (largest_overlap(diversity, len(one), len(other)) for one, other in pairs)
    return all(len(set(one) & set(other)) <= limit for (one, other), limit in zip(pairs, limits, strict=True))


def _differ(diversity: Diversity, model: Any, sizes: tuple[int, int]) -> None:
    if isinstance(diversity, SoftDiversity):
        differ_softly(diversity, model, sizes)
    else:
        differ(diversity, model, sizes)
