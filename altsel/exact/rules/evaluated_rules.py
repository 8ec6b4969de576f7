"""Rules that are evaluated on sets: searched without, then with cuts for what was found to break them.

A set that breaks a rule is cut off, and with it all sets that are known to break the rule for the same
reason: with a rule that holds for every part of a set that keeps it, all that contain a smallest part that
breaks it. A cut is a linear row, so every method that takes rows takes cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from altsel.errors import ArgumentError
from altsel.models.predicate import Condition, Cut
from altsel.models.problem import Problem
from altsel.models.rule import title_of
from altsel.models.rules_alone import RowsOnly
from altsel.pyomo_on_demand import pyo
from altsel.runtime.clock import clock

MOST_LARGER = 200
"""Features that are added to a set in turn to find a larger one that breaks a rule too."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """The cuts known, as a rule: ``sum_{inside} x_j - sum_{outside} x_j <= |inside| - 1``."""

    cuts: tuple[Cut, ...]

    def __call__(self, block: Any) -> list[Any]:
        """Return a row for each cut."""
        x = block.x
        rows: list[Any] = []
        for cut in self.cuts:
            if not all(f in x for f in cut.inside):
                continue  # no set of these features is one of them
            outside = [f for f in cut.outside if f in x]
            if not cut.inside and not outside:
                return [pyo.Constraint.Infeasible]  # all sets are
            rows.append(sum(x[f] for f in cut.inside) - sum(x[f] for f in outside) <= len(cut.inside) - 1)
        return rows

    may_be_silent = True

    @property
    def __name__(self) -> str:
        return "sets that break a rule"


@dataclass(eq=False)
class EvaluatedRules:
    """The rules of a problem that say more than rows, and the cuts that are known for them.

    Parameters
    ----------
    problem
        What is wanted of every set.
    keeps
        Evaluates whether a set keeps all rules.
    evaluated
        For each rule whether it is to be evaluated.
    """

    problem: Problem
    keeps: Callable[[Collection[str]], bool]
    evaluated: tuple[bool, ...]
    _own: dict[Cut, None] = field(default_factory=dict, init=False)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts known, those that rules have learned in other searches included."""
        learned = (cut for rule in self.problem.learned for cut in rule.cuts())
        return tuple(dict.fromkeys([*self._own, *learned]))

    def narrow(self) -> Problem:
        """Return the problem with rows for what can be written as rows, and the cuts known."""
        rules = []
        for rule, evaluated in zip(self.problem.subject_to, self.evaluated, strict=True):
            if not evaluated:
                rules.append(rule)
            elif not isinstance(rule, Condition) or rule.has_rows:
                rules.append(RowsOnly(rule))
        if cuts := self.cuts:
            rules.append(Cuts(cuts))
        return replace(self.problem, subject_to=rules)

    def cut(self, names: Collection[str]) -> Cut:
        """Cut off a set that breaks a rule, and all that break it for the same reason; remembered."""
        for rule in self.problem.learned:
            if not self._holds(rule, names):
                return next(cut for cut in rule.cuts() if cut.removes(names))
        found = self._widen(frozenset(names))
        self._own[found] = None
        return found

    def _widen(self, names: frozenset[str]) -> Cut:
        for rule in self.problem.subject_to:
            if isinstance(rule, Condition) and rule.monotone and not self._holds(rule, names):
                return (
                    self._smallest_part(rule, names)
                    if rule.monotone == "down"
                    else self._largest(rule, names)
                )
        low, high = self.problem.sizes
        outside = frozenset() if low == high else frozenset(self.problem.objective.features) - names
        return Cut(names, outside)

    def _holds(self, rule: Condition, names: Collection[str]) -> bool:
        clock().check()
        return rule.holds(self.problem.ordered(names))

    def _smallest_part(self, rule: Condition, names: frozenset[str]) -> Cut:
        """Leave features out as long as the rest breaks the rule: all sets with the rest break it."""
        inside = set(names)
        for f in self.problem.ordered(names):
            if len(inside) > 1 and not self._holds(rule, inside - {f}):
                inside.remove(f)
        return Cut(frozenset(inside), frozenset())

    def _largest(self, rule: Condition, names: frozenset[str]) -> Cut:
        """Add features as long as the set breaks the rule: all sets without one of the others break it."""
        inside = set(names)
        rest = [f for f in self.problem.objective.features if f not in inside]
        for f in rest[:MOST_LARGER]:
            if not self._holds(rule, inside | {f}):
                inside.add(f)
        return Cut(frozenset(), frozenset(rest) - inside)

    def check_monotone(self, sets: Sequence[Collection[str]]) -> None:
        """Refuse rules that are declared monotone and are not, as far as sets that keep them show.

        Raises
        ------
        ArgumentError
            Names the rule and two sets.
        """
        rules = [rule for rule in self.problem.subject_to if isinstance(rule, Condition) and rule.monotone]
        for rule in rules:
            for one in sets:
                self._check_monotone(rule, frozenset(one))

    def _check_monotone(self, rule: Condition, names: frozenset[str]) -> None:
        features = self.problem.ordered(names)
        others = [f for f in self.problem.objective.features if f not in names][: len(names)]
        near = [names - {f} for f in features if len(names) > 1] if rule.monotone == "down" else []
        near += [names | {f} for f in others] if rule.monotone == "up" else []
        for other in near:
            if not self._holds(rule, other):
                raise ArgumentError(
                    f"rule {title_of(rule)!r} is declared monotone={rule.monotone!r}, yet it holds for "
                    f"{features!r} and not for {self.problem.ordered(other)!r}; leave monotone out"
                )
