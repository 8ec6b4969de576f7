"""Dissimilarities that are stated by rows: as a rule on the next set, or across all sets."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from altsel.models.dissimilarity import Dissimilarity, dissimilarity_of, share_of
from altsel.models.known_set import KnownSet, refuse_moved_constants
from altsel.models.objective import is_own
from altsel.models.problem import Problem, differs
from altsel.models.rule import unique_name
from altsel.models.rule_statement import state
from altsel.pyomo_on_demand import pyo

CLOSE = 1e-9
"""How far a dissimilarity of floats may be below tau."""


def differ_enough(measure: Dissimilarity, first: Collection[str], second: Collection[str]) -> bool:
    """Return whether two sets differ enough by the definition of a measure."""
    return dissimilarity_of(measure, frozenset(first), frozenset(second)) >= measure.tau - CLOSE


def words(measure: Dissimilarity) -> str:
    """Return a measure and its tau in words."""
    return f"{type(measure).__name__} of at least {measure.tau:g}"


@dataclass(frozen=True, eq=False)
class Apart:
    """A set differs enough from known ones: a rule that is evaluated by the measure, and stated by its rows.

    Attributes
    ----------
    measure
        A dissimilarity with `rows`.
    features
        Names of all features.
    known
        The sets to differ from.
    """

    measure: Any
    features: Sequence[str]
    known: Sequence[Collection[str]]
    monotone = None
    has_rows = True
    rows_suffice = True
    may_be_silent = True

    @property
    def __name__(self) -> str:
        return f"{words(self.measure)} from the sets before"

    def holds(self, names: tuple[str, ...]) -> bool:
        """Return whether a set differs enough from each known one."""
        return all(differ_enough(self.measure, one, names) for one in self.known)

    def __call__(self, block: Any) -> None:
        """State the rows of the measure for each known set."""
        host, index = block.parent_block(), dict.fromkeys(self.features)
        for one in self.known:
            _state_pair(block, self.measure, KnownSet(host, index, one), block.x)
        refuse_moved_constants(host, self.__name__)


@dataclass(frozen=True, eq=False)
class PairwiseApart:
    """All sets differ enough from each other: a rule across sets.

    Attributes
    ----------
    measure
        A dissimilarity with `rows`.
    """

    measure: Any

    @property
    def __name__(self) -> str:
        return f"{words(self.measure)} between the sets"

    def keeps(self, sets: Sequence[Collection[str]]) -> bool:
        """Return whether sets differ enough by the definition of the measure."""
        return all(differ_enough(self.measure, one, other) for one, other in combinations(sets, 2))

    def __call__(self, block: Any, sets: Sequence[Mapping[str, Any]]) -> None:
        """State the rows of the measure for each pair."""
        for one, other in combinations(sets, 2):
            _state_pair(block, self.measure, one, other)
        block.stated = pyo.ConstraintList()  # of a single set there is nothing to say


@dataclass(frozen=True)
class EachOnce:
    """A measure of the user's own that keeps a known set from coming again, whatever it says of that.

    Attributes
    ----------
    measure
        A dissimilarity with `rows`.
    """

    measure: Any

    @property
    def tau(self) -> float:
        """The least dissimilarity."""
        return float(self.measure.tau)

    def __call__(self, first: Collection[str], second: Collection[str]) -> float:
        """Return the dissimilarity; 0 of a set from itself."""
        return 0.0 if set(first) == set(second) else dissimilarity_of(self.measure, first, second)

    def rows(self, block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        """State the rows of the measure, and that the second set is not the first, which is known."""
        stated = self.measure.rows(block, first, second)
        inside = [f for f in first if pyo.value(first[f]) > 0.5]
        new = differs(second, inside)
        return new if stated is None else [stated, new]


def each_once(measure: Any) -> Any:
    """Return a measure by which no set differs from itself; altsel's own are such."""
    if share_of(measure) is not None or not is_own(measure):
        return measure
    return EachOnce(measure)


def own_measures(problem: Problem) -> list[Any]:
    """Return the dissimilarities of the user's own that rules of a problem state by rows."""
    rules: list[Any] = [*problem.subject_to, *problem.across]
    stated: list[Any] = [rule.measure for rule in rules if isinstance(rule, (Apart, PairwiseApart))]
    return [one for one in (getattr(each, "measure", each) for each in stated) if is_own(one)]


def _state_pair(block: Any, measure: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
    """State the rows of a measure for two sets on a block of their own."""
    own = pyo.Block()
    block.add_component(unique_name(block, "pair"), own)

    def rows(block: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> Any:
        return measure.rows(block, first, second)

    rows.__name__ = f"{type(measure).__name__}.rows"
    features = [x for one in (first, second) if not isinstance(one, KnownSet) for x in one.values()]
    state(rows, own, features, first, second)


def differ_by_rule(problem: Problem, measure: Any, known: Sequence[Collection[str]]) -> Problem:
    """Return the problem of the next set, which differs enough from known ones, as a rule.

    Examples
    --------
    >>> from altsel import Problem, Univariate, WeightedDice
    >>> problem, measure = Problem(Univariate({"a": 2, "b": 1}), k=1), WeightedDice(0.5, {"a": 1, "b": 1})
    >>> [rule.__name__ for rule in differ_by_rule(problem, measure, [["a"]]).subject_to]
    ['WeightedDice of at least 0.5 from the sets before']
    """
    problem = problem.after(known)
    if not known:
        return problem
    apart = Apart(measure, tuple(problem.objective.features), [tuple(one) for one in known])
    return replace(problem, subject_to=[*problem.subject_to, apart])


def differ_by_rule_across(problem: Problem, measure: Any) -> Problem:
    """Return the problem of several sets that differ enough from each other, as a rule across sets."""
    return replace(problem, across=[*problem.across, PairwiseApart(measure)])
