"""One audit of blankets: what was found, and the searches and judgements that check it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from altsel.auditing.blankets.problem import BlanketProblem
from altsel.errors import listing
from altsel.results.comparison import Comparison
from altsel.results.dual import Dual, FailedRemoval
from altsel.results.feature_set import FeatureSet
from altsel.results.solutions import Solutions
from altsel.search.blankets.all.admissible import Admission
from altsel.search.blankets.all.collection import INADMISSIBLE, BlanketFamily
from altsel.search.blankets.all.costs import checked_costs
from altsel.search.blankets.all.template import Template, one_blanket
from altsel.search.blankets.all.tie_star import learned_among
from altsel.search.blankets.blanket_search import begin
from altsel.search.blankets.false_discoveries import warned_already
from altsel.search.blankets.limits import Limits, by_unit, checked_limits, of_one_blanket
from altsel.stats.equivalence.criterion import Judgement, criterion
from altsel.stats.independence.base import members_of

Names = frozenset[str]

LEAST_COST = "least cost; "
"""What the criterion of the best blankets begins with."""


@dataclass(frozen=True)
class Known:
    """A blanket that a file names: one of its sets, or one that it discarded as it breaks the rules."""

    title: str
    features: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    listed: FeatureSet | None = None

    @cached_property
    def names(self) -> Names:
        """Its features."""
        return frozenset(self.features)


class Case:
    """One audit.

    Parameters
    ----------
    found
        The answer, with its dual.
    problem
        What was wanted.
    """

    def __init__(self, found: Solutions, problem: BlanketProblem) -> None:
        limits = by_unit(checked_limits(problem.limits), members_of(problem.test))
        self.limits = Limits(limits.include, limits.exclude, None, subject_to=limits.subject_to)
        self.found, self.problem, self.rules = found, problem, self.limits.subject_to
        with warned_already():
            self.search = begin(problem.test, problem.alpha, of_one_blanket(self.limits))
        self.free = tuple(self.search.candidates)
        self.criterion = criterion(problem.test, problem.equivalent)
        self.is_best = found.criterion.startswith(LEAST_COST)
        self.costs = checked_costs(problem.costs, self.search)
        self._judged: dict[Names, Judgement] = {}

    @property
    def dual(self) -> Dual:
        """The failed removals, and what they are said to prove."""
        assert self.found.dual is not None
        return self.found.dual

    @property
    def removals(self) -> list[Names]:
        """The features of the failed removals."""
        return [frozenset(one.removed) for one in self.dual.failed]

    @property
    def by_template(self) -> bool:
        """Whether the search repeats an algorithm that tells members from others, and no more of them."""
        return self.problem.learner is None or isinstance(self.problem.learner, Template)

    @property
    def number(self) -> int | None:
        """How many of the best blankets were wanted, as the file says; None of all blankets."""
        said = re.match(r"best blankets, number=(\d+)(,|$)", self.found.search)
        return None if said is None else int(said[1])

    @cached_property
    def known(self) -> list[Known]:
        """All blankets that the file names."""
        kept = [
            Known(f"set {number}", one.features, one.comparisons, one)
            for number, one in enumerate(self.found)
        ]
        out = [one for one in self.found.discarded if one.reason == INADMISSIBLE]
        return [
            *kept,
            *(Known(f"discarded {write_set(one.features)}", one.features, one.comparisons) for one in out),
        ]

    @cached_property
    def whole(self) -> tuple[str, ...]:
        """What the learner finds among all features."""
        return self.learned(self.free)

    @property
    def alone(self) -> list[Known]:
        """The blankets that were compared with none, as the reference is."""
        return [one for one in self.known if one.comparisons == ()]

    @cached_property
    def reference(self) -> tuple[str, ...]:
        """The set that others are judged by: what is found among all features, or the one compared with none.

        TIE* that hides features from the start, as rules make it, has another one than the former.
        """
        alone = self.alone
        return alone[0].features if len(alone) == 1 and alone[0].names != {*self.whole} else self.whole

    def learned(self, among: Collection[str]) -> tuple[str, ...]:
        """Return what the learner finds among some features, with those forced in."""
        learner = self.problem.learner
        wanted = set(among)
        inside = [name for name in self.free if name in wanted]
        self.search.at(self.search.forced, self.free)
        if learner is None or isinstance(learner, Template):
            return one_blanket(self.search, learner or Template(), inside).features
        family = BlanketFamily(self.criterion, self.limits, Admission(self.search.test.features))
        return learned_among(self.search, family, learner, inside).features

    def judged(self, features: Iterable[str]) -> Judgement:
        """Judge a set by the reference."""
        names = tuple(features)
        key = frozenset(names)
        if key == frozenset(self.reference):
            return Judgement(True)
        if key not in self._judged:
            self._judged[key] = self.criterion(self.reference, names)
        return self._judged[key]

    def blanket_inside(self, names: Collection[str]) -> tuple[str, ...] | None:
        """Return the blanket that the learner finds among some features; None if what it finds is none."""
        found = self.learned(names)
        return found if self.judged(found).equivalent else None


def write_set(features: Iterable[str]) -> str:
    """Write a set of features in braces, the first few of many."""
    return f"{{{listing(features)}}}"


def removal_text(one: FailedRemoval) -> str:
    """Name a failed removal."""
    return f"without {write_set(one.removed)} there is no blanket"
