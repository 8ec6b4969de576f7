"""What a set of features claims, computed again: sizes, rules, scores.

Shares no code with the searches, with one exception: rules are read on a block made here, scores come from
the objective's formula, distances (`dissimilarity_checks`) are exact fractions. The exception is a rule with
variables of its own: whether they can be chosen is asked of solvers, as in a search. Searches check their
answers by it before they return, and `altsel.audit` checks anyone's file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from altsel._types import BoolArray
from altsel.errors import ArgumentError
from altsel.exact.verification.own_variables import can_be_chosen
from altsel.exact.verification.rule_reading import ReadRule, read_rule, single_set
from altsel.models.problem import Problem
from altsel.models.rule import Rule
from altsel.models.stated_dissimilarity import PairwiseApart
from altsel.models.univariate import Univariate
from altsel.pyomo_on_demand import pyo
from altsel.results.feature_set import FeatureSet, Proof

CLOSE = 1e-9
"""Relative difference of a score from the formula's that is put down to rounding."""
Names = Collection[str]


@dataclass(frozen=True)
class Check:
    """One claim that was looked at.

    Attributes
    ----------
    claim
        What should hold, in words.
    holds
        Whether it does; None if that could not be settled.
    found
        What was found.
    """

    claim: str
    holds: bool | None
    found: str = ""

    def __str__(self) -> str:
        mark = {True: "ok", False: "WRONG", None: "open"}[self.holds]
        return f"{mark:5} {self.claim}" + (f": {self.found}" if self.found else "")


@dataclass(eq=False)
class Verifier:
    """Checks sets against what is wanted of them; rules are read once.

    Parameters
    ----------
    problem
        What is wanted of every set.
    """

    problem: Problem
    _model: Any = field(default=None, init=False)
    _read: list[ReadRule] = field(default_factory=list, init=False)
    _identity: dict[str, int] = field(default_factory=dict, init=False)
    _loaded: bool = field(default=False, init=False)
    _on_quality: bool = field(default=False, init=False)

    @classmethod
    def of_rules(cls, features: Sequence[str], rules: Sequence[Rule]) -> Verifier:
        """Return what checks rules alone, of sets that no criterion chose."""
        nothing = Univariate(pd.Series(0.0, index=list(features)))
        return cls(Problem(nothing, (1, len(features)), rules))

    def of(self, one: FeatureSet) -> Iterator[Check]:
        """Check one set by itself: the cheap checks, which no search leaves out."""
        yield self.sizes(one.features)
        if not one.features or not all(f in self.problem.index for f in one):
            return
        mask = self.problem.mask(one.features)
        yield self.conditions(mask)
        yield self.score(mask, one.score)
        yield from self.rules(one.features, steady=True)
        if one.bound is not None:
            good = one.bound >= one.score - CLOSE * abs(one.score)
            yield Check("bound at or above the score", good, "" if good else f"{one.bound!r} < {one.score!r}")
        if one.proof is Proof.OPTIMAL:
            met = one.bound is not None and abs(one.bound - one.score) <= CLOSE * abs(one.score)
            yield Check("an optimal set's bound is its score", met, "" if met else f"bound {one.bound!r}")

    def sizes(self, one: Sequence[str]) -> Check:
        """Check that a set holds known features, each once, and as many as wanted."""
        low, high = self.problem.sizes
        wanted = f"{low}" if low == high else f"{low} to {high}"
        claim = f"{wanted} known features, each once"
        unknown = [f for f in one if f not in self.problem.index]
        if unknown:
            return Check(claim, False, f"there is no feature {unknown[0]!r}")
        if len(set(one)) < len(one):
            return Check(claim, False, "a feature occurs twice")
        if not low <= len(one) <= high:
            return Check(claim, False, f"it has {len(one)}")
        return Check(claim, True)

    def conditions(self, mask: BoolArray) -> Check:
        """Check the criterion's own conditions."""
        objective = self.problem.objective
        good = objective.checked_feasible(mask)
        return Check(f"{objective.name} admits the set", good, "" if good else "it does not")

    def score(self, mask: BoolArray, reported: float) -> Check:
        """Check a score against the formula."""
        value = self.problem.objective.evaluated_score(mask)
        good = abs(value - reported) <= CLOSE * abs(value)
        return Check(f"score {reported:.9g}", good, "" if good else f"the formula gives {value!r}")

    def rules(self, one: Names, steady: bool = False) -> Iterator[Check]:
        """Check every rule of the domain on one set; `steady`: ask what says no once more."""
        if not self.problem.subject_to:
            return
        names = self.problem.ordered(one)
        model, values = self._single(), self._values(names)
        for rule in self._read:
            broken = rule.broken(values, names)
            good: bool | None = broken is None
            if broken is None and rule.block is not None:
                good = can_be_chosen(model, model.rules, rule, values)
                broken = None if good else "its own variables cannot be chosen"
            if steady and broken is not None and rule.condition is not None and rule.condition.holds(names):
                raise ArgumentError(
                    f"rule {rule.title!r} gives True, and then False, for {names!r}; it must say the same "
                    "of a set each time: fix its seed, and keep nothing between calls"
                )
            yield Check(f"rule {rule.title!r}", good, broken or "")

    def _single(self) -> Any:
        """Return the model of one set on which the rules are stated; they are read once."""
        if self._model is None:
            self._model = single_set(self.problem)
            model = self._model
            given = {"x": model.x, "size": model.size, "quality": model.quality, "sizes": self.problem.sizes}
            variables = [*model.x.values(), model.reported]
            self._identity = {f: id(x) for f, x in model.x.items()}
            self._read = [read_rule(model.rules, rule, given, variables) for rule in self.problem.subject_to]
            self._loaded = any(rule.formulas or rule.block is not None for rule in self._read)
            quality = id(model.reported)
            self._on_quality = self._loaded or any(rule.names(quality) for rule in self._read)
        return self._model

    def _values(self, names: tuple[str, ...]) -> dict[int, float]:
        """Return what is not 0 at a set; all, and on the variables, where a rule is no linear row."""
        model, quality = self._single(), id(self._model.reported)
        values = dict.fromkeys(self._identity.values(), 0.0) if self._loaded else {}
        values.update((self._identity[f], 1.0) for f in names)
        if self._on_quality:
            values[quality] = float(self.problem.objective.evaluated_score(self.problem.mask(names)))
        if self._loaded:
            for x in model.x.values():
                x.set_value(int(values[id(x)]), skip_validation=True)
            model.reported.set_value(values[quality], skip_validation=True)
        return values

    def across(self, sets: Sequence[Names]) -> Check | None:
        """Check the rules across sets, on all of them in their order."""
        if not self.problem.across or not sets:
            return None
        model = pyo.ConcreteModel()
        features = self.problem.objective.features
        model.x = pyo.Var(range(len(sets)), features, domain=pyo.Binary)
        model.rules = pyo.Block()
        for (i, f), x in model.x.items():
            x.set_value(int(f in sets[i]), skip_validation=True)
        values = {id(x): float(x.value) for x in model.x.values()}
        members = [{f: model.x[i, f] for f in features} for i in range(len(sets))]
        claim = f"rules across the {len(sets)} sets"
        for rule in self.problem.across:
            if isinstance(rule, PairwiseApart):
                if not rule.keeps(sets):
                    return Check(claim, False, f"{rule.__name__!r}: they do not")
                continue
            read = read_rule(model.rules, rule, {}, list(model.x.values()), [members])
            broken = read.broken(values, ())
            if broken is not None:
                return Check(claim, False, f"{read.title!r}: {broken}")
            good = True if read.block is None else can_be_chosen(model, model.rules, read, values)
            if not good:
                return Check(claim, good, f"{read.title!r}: its own variables cannot be chosen")
        return Check(claim, True)
