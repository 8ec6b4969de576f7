"""What a set of features claims, computed again: sizes, rules, scores.

Shares no code with the searches: rules are read on a block made here, scores come from the objective's
formula, distances (`dissimilarity_checks`) are exact fractions. Searches check their answers by it before
they return, and `altsel.audit` checks anyone's file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from altsel._types import BoolArray
from altsel.errors import SolverError
from altsel.exact.verification.rule_reading import Row, added_rows, bounds_rows, fresh_model
from altsel.models.problem import Problem, formulate
from altsel.models.rule import bounds_of
from altsel.pyomo_on_demand import pyo
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import Clock, in_force
from altsel.solvers import solver

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
    _model: Any = field(default=None, init=False)  # held, as blocks know their model weakly only
    _block: Any = field(default=None, init=False)
    _rows: list[tuple[str, list[Row]]] | None = field(default=None, init=False)

    def of(self, one: FeatureSet) -> Iterator[Check]:
        """Check one set by itself: the cheap checks, which no search leaves out."""
        yield self.sizes(one.features)
        if not one.features or not all(f in self.problem.index for f in one):
            return
        mask = self.problem.mask(one.features)
        yield self.conditions(mask)
        yield self.score(mask, one.score)
        yield from self.rules(one.features)
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
        if not low <= len(one) <= high and self._size_counts():
            return Check(claim, False, f"it has {len(one)}")
        return Check(claim, True)

    def conditions(self, mask: BoolArray) -> Check:
        """Check the criterion's own conditions."""
        objective = self.problem.objective
        good = objective.is_feasible(mask)
        return Check(f"{objective.name} admits the set", good, "" if good else "it does not")

    def score(self, mask: BoolArray, reported: float) -> Check:
        """Check a score against the formula."""
        value = self.problem.objective.score(mask)
        good = abs(value - reported) <= CLOSE * abs(value)
        return Check(f"score {reported:.9g}", good, "" if good else f"the formula gives {value!r}")

    def rules(self, one: Names) -> Iterator[Check]:
        """Check every rule of the domain on one set."""
        if not self.problem.subject_to:
            return
        quality = float(self.problem.objective.score(self.problem.mask(one)))
        kept = True
        for name, rows in self._read():
            missed = max((row.missed(one, quality) for row in rows), default=0.0)
            kept &= not missed
            yield Check(f"rule {name!r}", not missed, f"missed by {missed:.3g}" if missed else "")
        if self._block is not None and kept:
            yield self._solved(one, quality)

    def across(self, sets: Sequence[Names]) -> Check | None:
        """Check the rules across sets, on all of them in their order."""
        if not self.problem.across or not sets:
            return None
        model = pyo.ConcreteModel()
        features = self.problem.objective.features
        model.x = pyo.Var(range(len(sets)), features, domain=pyo.Binary)
        for (i, f), x in model.x.items():
            x.fix(int(f in sets[i]))
        members = [{f: model.x[i, f] for f in features} for i in range(len(sets))]
        for rule in self.problem.across:
            rule(model, members)
        claim = f"rules across the {len(sets)} sets"
        if any(
            bounds_of(x) != (x.value, x.value) or x.value != (f in sets[i]) for (i, f), x in model.x.items()
        ):
            return Check(claim, False, "a rule fixes or bounds a feature otherwise")
        return _feasible(model, claim)

    def _size_counts(self) -> bool:
        """Return whether no rule switches the size off."""
        if not self.problem.subject_to:
            return True
        self._read()
        return (
            self._block is None
            or self._block.component("cardinality") is None
            or bool(self._block.cardinality.active)
        )

    def _read(self) -> list[tuple[str, list[Row]]]:
        """Read the rules as rows; a block is kept for rules that are more than that."""
        if self._rows is None:
            self._rows = []
            self._model = fresh_model(self.problem)
            block = self._model.sets[0]
            try:
                for rule in self.problem.subject_to:
                    rows = added_rows(block, rule)
                    self._rows.append((getattr(rule, "__name__", type(rule).__name__), rows or []))
                    bounds = bounds_rows(block)  # the next rule may override them
                    self._rows += [("bounds on features", bounds)] * bool(bounds)
                    if rows is None or not block.cardinality.active:
                        self._block = block
            except AttributeError:  # a rule names what only the objective's own model has
                self._rows = []
                self._model = formulate(self.problem)
                self._block = self._model.sets[0]
        return self._rows

    def _solved(self, one: Names, quality: float) -> Check:
        """Ask a solver whether rules with variables of their own can be kept."""
        block = self._block
        states = [(x, x.fixed, x.value) for x in block.x.values()]
        if any(x.fixed and round(x.value) != int(f in one) for f, x in block.x.items()):
            return Check("rules with variables of their own", False, "a feature is fixed otherwise")
        try:
            for f, x in block.x.items():
                x.fix(int(f in one), skip_validation=True)
            if block.component("reported") is not None:
                block.reported.fix(quality)
            return _feasible(self._model, "rules with variables of their own")
        finally:
            for x, fixed, value in states:
                x.fixed = fixed
                x.set_value(value, skip_validation=True)


def _feasible(model: Any, claim: str) -> Check:
    """Ask HiGHS whether the rest of a model can hold."""
    for component in list(model.component_data_objects(pyo.Objective, active=True)):
        component.deactivate()
    if model.component("nothing") is None:
        model.nothing = pyo.Objective(expr=0.0)
    model.nothing.activate()
    try:
        with in_force(Clock()):  # an answer is checked even where time is up
            outcome = solver("highs")(model)
    except SolverError as fault:
        return Check(claim, None, str(fault))
    if outcome.value is not None:
        return Check(claim, True)
    return Check(claim, False if outcome.stop is Stop.INFEASIBLE else None, "they cannot be kept")
