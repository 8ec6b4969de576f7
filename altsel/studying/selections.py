"""What selects features in a study: a criterion, a search for a blanket, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import altsel
from altsel import catalogue
from altsel.analysis.repeated_search import search_rows, sets_of
from altsel.data.dataset import Dataset
from altsel.models.problem import Problem
from altsel.results.sets import Names
from altsel.results.solutions import Solutions
from altsel.studying.plan import Plan

MOST_RUNS = 200
"""Runs of a learner in a search for all blankets."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that are searched, whose dependences are measured once for all criteria and sizes."""

    data: Dataset
    seed: int
    known: dict[str, altsel.Dependence] = field(default_factory=dict)

    def dependence(self, measure: str) -> altsel.Dependence:
        """Return relevances and redundancies by a measure."""
        if measure not in self.known:
            self.known[measure] = altsel.dependence(self.data, catalogue.measure(measure, self.seed))
        return self.known[measure]

    @cached_property
    def test(self) -> Any:
        """The usual test of independence."""
        return altsel.independence.auto(self.data)


class Selection(Protocol):
    """What selects features from rows.

    `searches` is false where nothing is searched for: then there are no alternatives.
    """

    @property
    def searches(self) -> bool:
        """Whether anything is."""

    @property
    def name(self) -> str:
        """It in words."""

    def found(self, rows: Rows, alternatives: int = 0, tau: float = 0.5) -> Solutions | Sequence[Names]:
        """Return the set selected, and alternatives that differ by tau from those before them."""


@dataclass(frozen=True)
class Everything:
    """All features."""

    name: str = "all features"
    searches: bool = False

    def found(self, rows: Rows, alternatives: int = 0, tau: float = 0.5) -> Sequence[Names]:
        """Return all features."""
        del alternatives, tau
        return [rows.data.features]


@dataclass(frozen=True)
class Nothing:
    """No feature: the mean, or the shares of the classes."""

    name: str = "no features"
    searches: bool = False

    def found(self, rows: Rows, alternatives: int = 0, tau: float = 0.5) -> Sequence[Names]:
        """Return the empty set."""
        del rows, alternatives, tau
        return [()]


@dataclass(frozen=True)
class ByCriterion:
    """The best set of k features by a criterion, proved."""

    criterion: str
    measure: str | None
    k: int
    searches: bool = True

    @property
    def name(self) -> str:
        """It in words."""
        by = f" by {self.measure}" if self.measure else ""
        return f"{self.criterion}{by}, k = {self.k}"

    def found(self, rows: Rows, alternatives: int = 0, tau: float = 0.5) -> Solutions:
        """Return the best set, and alternatives that differ by tau from those before them."""
        return altsel.sequential(self.problem(rows), altsel.Dice(tau), alternatives)

    def problem(self, rows: Rows) -> Problem:
        """Return what is wanted of the set."""
        given = rows.data if self.measure is None else rows.dependence(self.measure)
        k = min(self.k, len(rows.data.features))
        return Problem(catalogue.objective(self.criterion, given), k)


@dataclass(frozen=True)
class ByBlanket:
    """A Markov blanket by a learner."""

    learner: str
    alpha: float
    searches: bool = True

    @property
    def name(self) -> str:
        """It in words."""
        return f"blanket by {self.learner}, alpha = {self.alpha:g}"

    def found(self, rows: Rows, alternatives: int = 0, tau: float = 0.5) -> Solutions:
        """Return the blanket, and others that tests find equivalent; these differ as they do."""
        del tau
        learner = catalogue.learner(self.learner)
        if not alternatives or catalogue.LEARNERS[self.learner].neighbours:
            return learner(rows.test, self.alpha)
        limits = altsel.blankets.Limits(max_solutions=alternatives + 1, max_states=MOST_RUNS)
        return altsel.blankets.tie_star(rows.test, self.alpha, learner=learner, limits=limits)


Searching = ByCriterion | ByBlanket


def selections(plan: Plan) -> Iterator[Selection]:
    """Yield what a plan tries, the simplest first: of equals in loss the first is taken."""
    yield Nothing()
    for k in plan.sizes:
        for criterion in plan.criteria:
            if catalogue.of_data(criterion):
                yield ByCriterion(criterion, None, k)
            else:
                yield from (ByCriterion(criterion, measure, k) for measure in plan.measures)
    for learner in plan.learners:
        yield from (ByBlanket(learner, alpha) for alpha in plan.alpha)
    yield Everything()


@dataclass(frozen=True)
class Repeated:
    """The search that was chosen, as a function of a table."""

    selection: Searching
    seed: int
    alternatives: int
    tau: float

    def __call__(self, data: Dataset) -> Solutions:
        """Search a table."""
        return self.selection.found(Rows(data, self.seed), self.alternatives, self.tau)


def sets_by(selection: Selection, rows: Rows, alternatives: int = 0, tau: float = 0.5) -> tuple[Names, ...]:
    """Return what is selected, without notes that were made of all rows already."""
    return sets_of(search_rows(lambda _: selection.found(rows, alternatives, tau), rows.data))


def first_by(selection: Selection, rows: Rows) -> Names:
    """Return the first set selected; none where nothing is found."""
    return next(iter(sets_by(selection, rows)), ())
