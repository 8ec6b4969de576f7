"""One optimisation question: the best set, or the best sets together; and the answer to it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from math import comb, inf
from typing import Any

from altsel._types import IntArray
from altsel.exact.dominance import Reduction, reduction
from altsel.exact.rules.evaluated_rules import EvaluatedRules
from altsel.exact.rules.linear_rules import Rules, read_rules
from altsel.exact.verification.dissimilarity_checks import distances
from altsel.exact.verification.verifier import Verifier
from altsel.models.criterion_rule import CriterionRule
from altsel.models.dissimilarity import Dice, Dissimilarity, share_of
from altsel.models.dominance import candidates
from altsel.models.objective import Kind, is_own
from altsel.models.problem import Problem
from altsel.models.rule import Row
from altsel.models.rules_alone import quality_ceiling, rules_alone, rules_on_quality
from altsel.models.soft_diversity import Diversity, SoftDiversity, is_soft, penalty_paid
from altsel.models.stated_dissimilarity import differ_by_rule, differ_by_rule_across, own_measures
from altsel.runtime.clock import clock
from altsel.solvers import Outcome

Sets = list[list[str]]
FEW_SETS = 5_000
"""Sets that are listed, or evaluated one by one, before anything else is tried: it takes milliseconds."""
SIMILAR = "sets may be similar at a penalty, or on average"
"""Why engines whose sets differ pair by pair cannot answer a question with a `SoftDiversity`."""


@dataclass(frozen=True, eq=False)
class Structure:
    """What exact methods can make use of in a problem, found out once for all questions on it.

    Parameters
    ----------
    problem
        What is wanted of every set.

    Attributes
    ----------
    kept
        What engines keep from one question on the problem to the next, such as steps known ahead.
    lists
        What they keep even where a rule has learned that it was wrong.
    """

    problem: Problem
    kept: dict[object, Any] = field(default_factory=dict, init=False)
    lists: dict[object, Any] = field(default_factory=dict, init=False)
    _admitted: dict[frozenset[str], bool] = field(default_factory=dict, init=False)

    @cached_property
    def rules(self) -> Rules | None:
        """The rules as rows over the features and the quality; None if they are more than that."""
        return read_rules(self.problem)

    @property
    def rows(self) -> list[Row] | None:
        """The rules as rows over the features; None if they are more than that."""
        return None if self.rules is None or self.rules.on_quality else self.rules.rows

    @cached_property
    def on_quality(self) -> bool:
        """Whether a rule names the quality."""
        return rules_on_quality(self.problem)

    @cached_property
    def evaluated(self) -> EvaluatedRules | None:
        """The rules that say more than rows, to be evaluated on sets; None if there are none.

        A row that limits the quality from above is one: some models of the quality are right from one side
        only.
        """
        if not self.problem.subject_to:
            return None
        problem, flags = self.problem, rules_alone(self.problem).evaluated
        ceiling = quality_ceiling(problem)
        if ceiling < inf:
            limit = CriterionRule(problem.objective, at_most=ceiling)
            problem, flags = replace(problem, subject_to=[*problem.subject_to, limit]), (*flags, True)
        return EvaluatedRules(problem, self.admits, flags) if any(flags) else None

    def reduction(self, sets: int) -> Reduction | None:
        """Return what lets features of a plain sum be left out, for so many sets."""
        key = reduction, sets if self.problem.across else 1
        if key not in self.kept:
            self.kept[key] = reduction(self.problem, sets)
        found: Reduction | None = self.kept[key]
        return found

    @cached_property
    def as_sum(self) -> Structure | None:
        """The problem as one of a plain sum, its criterion's conditions as a rule; None if it has none."""
        parts = self.problem.objective.as_sum
        if parts is None or self.problem.objective.kind is Kind.SUM:
            return None
        rules = [*self.problem.subject_to, parts[1]]
        return Structure(replace(self.problem, objective=parts[0], subject_to=rules))

    @cached_property
    def verifier(self) -> Verifier:
        """What checks sets against the problem."""
        return Verifier(self.problem)

    def admits(self, names: Collection[str]) -> bool:
        """Return whether a set keeps all rules; evaluated once."""
        key = frozenset(names)
        if key not in self._admitted:
            checks = self.verifier.rules(list(names))
            self._admitted[key] = all(check.holds is not False for check in checks)
        return self._admitted[key]

    @property
    def withdrawn(self) -> int:
        """How many cuts of rules that learn have been withdrawn."""
        return sum(rule.withdrawn for rule in self.problem.learned)

    def evaluate_again(self) -> None:
        """Forget which sets keep the rules: what a rule has learned has changed that."""
        self._admitted.clear()
        self.kept.clear()
        for name in ("evaluated", "as_sum"):
            self.__dict__.pop(name, None)

    @cached_property
    def number(self) -> int:
        """Number of sets of the sizes wanted, whether or not they keep the rules."""
        low, high = self.problem.sizes
        return sum(comb(len(self.problem.index), size) for size in range(low, high + 1))

    def breaking(self) -> Iterator[frozenset[str]]:
        """Yield all sets that break a rule, where there are few sets; none where there are many."""
        low, high = self.problem.sizes
        sizes = range(low, high + 1) if self.number <= FEW_SETS else ()
        for size in sizes:
            clock().check()
            yield from (
                one
                for one in map(frozenset, combinations(self.problem.objective.features, size))
                if not self.admits(one)
            )


@dataclass(frozen=True, eq=False)
class Question:
    """The best set that differs from known ones, or the best sets that differ from each other.

    Attributes
    ----------
    structure
        The problem, and what is known of it.
    diversity
        How different the sets must be.
    known
        Sets to differ from; only with a count of 1.
    count
        Number of sets.
    total
        ``"sum"`` or ``"min"`` of their qualities; ``"min"`` for one set.
    named
        Whether a solver was named: then nothing but its models may answer.
    fresh
        Whether the rules are of this question alone, as rules across sets are after every set found.
    to_come
        Sets that are wanted one after another, this one included.
    """

    structure: Structure
    diversity: Diversity
    known: Sequence[Collection[str]] = ()
    count: int = 1
    total: str = "min"
    named: bool = False
    fresh: bool = False
    to_come: int = 1

    def after(self, known: Sequence[Collection[str]]) -> Question:
        """Return the question for the next set, where some are known; rules across sets become rules."""
        problem = self.problem.after(known)
        if problem is self.problem:
            return replace(self, known=known)
        return replace(self, structure=Structure(problem), known=known, fresh=True)

    @property
    def by_rows(self) -> bool:
        """Whether the diversity is a dissimilarity that is stated by rows."""
        return self.soft is None and share_of(self.distance) is None

    @cached_property
    def stated(self) -> Question:
        """The question with its dissimilarity as a rule, where that is stated by rows; else itself.

        Of sets of one size some measures are `Dice`.
        """
        if not self.by_rows:
            return self
        plain = self._of_one_size()
        if plain is not None:
            return replace(self, diversity=plain)
        state = differ_by_rule_across if self.count > 1 else partial(differ_by_rule, known=self.known)
        structure = Structure(state(self.problem, self.distance))
        return replace(self, structure=structure, diversity=Dice(0), known=(), fresh=True)

    def _of_one_size(self) -> Dissimilarity | None:
        """Return what the dissimilarity is if all sets have the same number of features."""
        low, high = self.problem.sizes
        measure: Any = self.distance
        if low < high or any(len(one) != low for one in self.known) or not hasattr(measure, "of_size"):
            return None
        plain: Dissimilarity | None = measure.of_size(low)
        return plain

    @property
    def problem(self) -> Problem:
        """What is wanted of every set."""
        return self.structure.problem

    @property
    def kind(self) -> Kind:
        """What the criterion is."""
        return self.problem.objective.kind

    @property
    def quadratic(self) -> bool:
        """Whether the criterion is a quadratic form, or a ratio whose levels are."""
        return self.kind is Kind.QUADRATIC or self.problem.objective.by_levels

    @property
    def as_sum(self) -> Question:
        """The question with a plain sum, if it can be stated so; else itself."""
        summed = self.structure.as_sum
        return self if summed is None else replace(self, structure=summed)

    @property
    def packing(self) -> bool:
        """Whether sets of plain 0/1 variables share the features, the poorest as good as it can be."""
        plain = self.kind in {Kind.SUM, Kind.QUADRATIC} and not self.problem.objective.has_helpers
        return plain and self.soft is None and self.total == "min" and self.count > 1

    @cached_property
    def soft(self) -> SoftDiversity | None:
        """The diversity, if it is one of all pairs together: at a penalty, or on average."""
        return self.diversity if is_soft(self.diversity) else None

    @property
    def penalty(self) -> float:
        """What a unit of similarity costs."""
        return 0.0 if self.soft is None else self.soft.penalty

    @cached_property
    def distance(self) -> Dissimilarity:
        """The dissimilarity of two sets."""
        diversity: Any = self.diversity
        return diversity if self.soft is None else self.soft.distance

    @cached_property
    def own_measures(self) -> list[Any]:
        """The dissimilarities of the user's own, which solvers know by ``share`` or ``rows`` only."""
        return [*filter(is_own, [self.distance]), *own_measures(self.problem)]

    @cached_property
    def among(self) -> IntArray | None:
        """Indices of the features that suffice; None if no reduction is known."""
        count = self.count * self.problem.sizes[1]
        if self.soft is not None:
            return candidates(self.problem, list(self.known), count)
        reduced = self.structure.reduction(self.count)
        return None if reduced is None else reduced.among(self.problem, self.known, count)

    def pairs(self, sets: Sequence[Collection[str]]) -> Iterable[tuple[Collection[str], Collection[str]]]:
        """Pair up the sets, and each with the known ones."""
        yield from combinations(sets, 2)
        yield from ((known, subset) for subset in sets for known in self.known)

    def penalty_of(self, sets: Sequence[Collection[str]]) -> float:
        """Sum what sets pay for being similar."""
        return penalty_paid(self.diversity, self.pairs(sets)) if self.penalty else 0.0

    def quality(self, sets: Sequence[Collection[str]]) -> float:
        """Sum the qualities of sets, or take the least, whatever they pay."""
        objective = self.problem.objective
        scores = [objective.checked_score(self.problem.mask(names)) for names in sets]
        return sum(scores) if self.total == "sum" else min(scores)

    def value(self, sets: Sequence[Collection[str]]) -> float:
        """Return what is maximised: the total of the qualities, less what is paid."""
        return self.quality(sets) - self.penalty_of(sets)

    def why_not_alone(self) -> str | None:
        """Return why an engine for one set, without a solver, cannot answer; None if it can."""
        if self.named:
            return "a solver is named"
        if self.count > 1 or self.problem.across:
            return "several sets are wanted together"
        return None

    def why_not_together(self) -> str | None:
        """Return why an engine for several sets that differ pair by pair, without a solver, cannot answer."""
        if self.named:
            return "a solver is named"
        if self.count == 1:
            return "only for several sets together"
        if self.soft is not None:
            return SIMILAR
        return None

    def differ(self, sets: Sequence[Collection[str]]) -> bool:
        """Return whether sets differ enough from each other, and each from the known ones."""
        return all(check.holds for check in distances(self.diversity, sets, self.known, self.count > 1))

    def keeps_rules(self, one: Collection[str]) -> bool:
        """Return whether a set keeps the rules on each set."""
        return not self.problem.subject_to or self.structure.admits(one)

    def keeps_all(self, sets: Sequence[Collection[str]]) -> bool:
        """Return whether sets keep all rules; whether they differ enough is not looked at."""
        joint = self.structure.verifier.across(sets)
        return (joint is None or joint.holds is not False) and all(map(self.keeps_rules, sets))


@dataclass(frozen=True)
class Answer:
    """The sets, best first, and what was proved of them.

    Attributes
    ----------
    sets
        Names; empty if there are none, or none was found.
    outcome
        Value and bound of what is maximised.
    penalty_paid
        What the sets pay for being similar.
    final
        Whether later engines cannot improve it, though it is not proved to be optimal.
    cut_short
        Whether the engine gave up before its end, for others to go on.
    following
        Gives the answers that come next, as far as the engine knows them already, if each set is the next
        one known.
    """

    sets: Sets
    outcome: Outcome
    penalty_paid: float = 0.0
    final: bool = False
    cut_short: bool = False
    following: Callable[[], list[Answer]] = list
