"""The problem that options describe, on a table; and what is chosen where an option was not given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import altsel
from altsel.cli.messages import announce, note
from altsel.cli.rules_file import Rules, rules_on
from altsel.models.objective import Objective, is_own
from altsel.models.problem import Problem
from altsel.models.soft_diversity import Diversity
from altsel.results.noise import NoiseLevel
from altsel.results.solutions import Solutions
from altsel.results.text import number_of
from altsel.runtime.clock import STOPPED
from altsel.search.alternatives.noise import PermutedTargets
from altsel.search.alternatives.sizes import Choice, size_of, sized, usual
from altsel.search.alternatives.thresholds import search_tau
from altsel.stats.imputation.several import SeveralTables


@dataclass(eq=False)
class ProblemFactory:
    """Turns a table into the problem that options describe.

    Features that are left out of the first table, as no more than noise, are there again in the next: what
    permuted targets reach is not the best of features that were chosen by the target itself.

    Parameters
    ----------
    objective
        Makes the criterion of a table.
    measure
        Its measure of dependence; None if it is measured on models, which are not fitted again for permuted
        targets.
    sizes
        Of the sets; None: chosen for the first table, and kept.
    rules
        Of the user's domain.

    Attributes
    ----------
    choices
        What was chosen, by the name of the option.
    """

    objective: Callable[[altsel.Dataset], Objective]
    measure: altsel.measures.Measure | None
    sizes: int | tuple[int, int] | None
    rules: Rules
    choices: dict[str, Choice] = field(default_factory=dict, init=False)
    _targets: PermutedTargets | None = field(default=None, init=False)

    def __call__(self, table: altsel.Dataset) -> Problem:
        """Return the problem of a table."""
        objective = self.objective(table)
        sizes = 1 if self.sizes is None else self.sizes
        self.rules = rules_on(self.rules, table)
        problem = Problem(objective, sizes, self.rules.subject_to, self.rules.across)
        if self.sizes is not None:
            return problem
        guide: Any = table.guide if isinstance(table, SeveralTables) else table
        targets = self._permuted(guide) if objective.quick_to_refit else None
        if targets is None:
            why = "it takes too long to find how many" if guide is not None else "no table tells how many"
            chosen = usual(len(objective.features), why)
        else:
            several = guide is not table
            chosen = size_of(self._guiding(problem, guide) if several else problem, targets)
        self.choices["k"] = chosen
        self.sizes = int(chosen.value)
        return sized(problem, chosen)

    def _guiding(self, problem: Problem, table: altsel.Dataset) -> Problem:
        """Return the same problem of the first of several tables, which the size is chosen by."""
        return replace(problem, objective=self.objective(table))

    def with_tau(
        self,
        problem: Problem,
        search: Callable[[Diversity], Solutions],
        measure: Callable[[float], Diversity],
        alternatives: int,
    ) -> Solutions:
        """Choose tau by a search, and return what it finds there."""
        self.choices["tau"], found = search_tau(problem, search, measure, alternatives)
        return found

    def noise(self, problem: Problem, table: altsel.Dataset) -> NoiseLevel | None:
        """Find the level of noise; None where that would take long, or no time is left."""
        targets = self._permuted(table)
        objective: Any = problem.objective
        measured = (objective.relevance is not None or objective.of_data) and not is_own(objective)
        if targets is None or not measured or not objective.quick_for_noise:
            return None
        try:
            return targets.level(replace(problem, subject_to=self.rules.subject_to))
        except STOPPED:
            note("stopped before the level of noise was known")
            return None

    def _permuted(self, table: altsel.Dataset) -> PermutedTargets | None:
        """Return the permuted targets of a table in memory, if its measure is fast enough to be repeated."""
        if self.measure is None or not isinstance(table, altsel.Dataset):
            return None
        if self._targets is None or self._targets.data is not table:
            self._targets = PermutedTargets(table, self.measure)
        return self._targets

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that were chosen, as the command line takes them."""
        values = {name: choice.value for name, choice in self.choices.items()}
        return {name: str(int(value)) if name == "k" else value for name, value in values.items()}

    def explain(self, whole: bool) -> None:
        """Report what was chosen; why as well, if that is wanted."""
        if not self.choices:
            return
        if whole:
            for name, choice in self.choices.items():
                announce(f"{name} = {choice.value:.3g}: {choice.reason}")
                if choice.left_out:
                    announce(f"left out: {', '.join(choice.left_out)}")
            return
        named = ", ".join(f"{name} = {choice.value:.3g}" for name, choice in self.choices.items())
        note(f"chosen: {named}; --explain-defaults says why")
        noise = sum(len(choice.left_out) for choice in self.choices.values())
        if noise:
            are = "is" if noise == 1 else "are"
            known = f"{number_of(noise, 'feature')} no more relevant than noise {are} left out"
            note(f"{known}; with -k all are searched")
