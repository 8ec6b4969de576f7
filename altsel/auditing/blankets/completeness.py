"""That there is no other blanket, or none that costs less, proved again from the failed removals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from typing import Any

from altsel.auditing.blankets.case import Case, named
from altsel.errors import ConfigurationError, SolverError
from altsel.exact.auto_solver import SolverLike
from altsel.exact.transversals.transversals import Transversals
from altsel.exact.verification.verifier import CLOSE, Check
from altsel.models.removal import admissible, priced
from altsel.results.dual import minimal
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.solvers import solver
from altsel.solvers.named import profiles, row_solver

MOST_NODES = 300_000
"""Nodes of the diagram of all minimal transversals beyond which a solver is asked instead."""
ROUNDS = 100
"""Blankets that a file need not name, which are set aside before a claim on costs is left open."""

Names = frozenset[str]


def another_solver() -> str | None:
    """Return the first profile that is installed, and not what searches for blankets ask."""
    own = row_solver().name
    usable = (one for one in profiles() if one.version and not one.refused)
    return next((one.name for one in usable if own not in {one.name, one.profile.engine}), None)


@dataclass
class Completeness:
    """What failed removals prove, by minimal transversals without any solver, or by a solver.

    Parameters
    ----------
    case
        The audit.
    prove
        The solver; None: transversals where no rules are given, else another solver than that of searches.
    """

    case: Case
    prove: SolverLike = None
    unproved: list[str] = field(default_factory=list)

    def checks(self) -> Iterator[Check]:
        """Check what the file claims of other sets."""
        case = self.case
        if case.found.stop is Stop.INFEASIBLE:
            yield from self._by_solver("no set keeps the rules", self._none_admissible)
        elif case.dual.complete or (case.is_best and case.found.stop is Stop.EXHAUSTED):
            yield from self._complete("there is no other blanket")
        elif case.is_best:
            yield from self._best()
        elif case.found.sets:
            self.unproved.append("whether there are more blankets, which the file does not claim to know")

    def _complete(self, claim: str) -> Iterator[Check]:
        """Check that no set that keeps the rules meets all removals and contains no blanket."""
        case = self.case
        if not case.rules and self.prove is None:
            found = Transversals(case.removals, case.free, MOST_NODES)
            if found.fits:
                yield self._same(claim, found)
                return
        yield from self._by_solver(claim, self._no_other)

    def _same(self, claim: str, found: Transversals) -> Check:
        """Compare the blankets with the minimal transversals of the removals."""
        case = self.case
        forced = frozenset(case.limits.include)
        known = set(minimal(one.names - forced for one in case.known))
        number = found.count()
        if number == len(known) and all(found.contains(one) for one in known):
            words = f"the minimal sets that meet all {len(case.removals)} failed removals"
            return Check(claim, True, f"{words} are exactly these {number}")
        new = next((one for one in islice(found, len(known) + 1) if frozenset(one) not in known), None)
        if new is None:
            return Check(claim, False, "a set is no minimal set that meets all failed removals")
        return self._witness(claim, forced.union(new))

    def _no_other(self, claim: str, solve: Any) -> Check:
        case = self.case
        if any(not one.names for one in case.known):
            return Check(claim, True, "the empty set is a blanket")
        model = self._model([one.names for one in case.known])
        outcome = solve(model)
        if outcome.stop is Stop.INFEASIBLE:
            return Check(claim, True, f"by {solve.name}, from {len(case.removals)} failed removals")
        if outcome.value is None:
            return Check(claim, None, f"{solve.name} did not settle it: {outcome.stop}")
        return self._witness(claim, held(model))

    def _none_admissible(self, claim: str, solve: Any) -> Check:
        model = self._model([], met=[])
        outcome = solve(model)
        if outcome.value is None:
            settled = outcome.stop is Stop.INFEASIBLE
            return Check(claim, True if settled else None, f"by {solve.name}: {outcome.stop}")
        return Check(claim, False, f"{named(sorted(held(model)))} does")

    def _witness(self, claim: str, one: Names) -> Check:
        """Say what a set shows that the proof should exclude: a blanket, or that the proof has a gap."""
        blanket = self.case.blanket_inside(one)
        if blanket is not None:
            return Check(claim, False, f"{named(blanket)} is a blanket too")
        words = f"{named(sorted(one))} has a feature of each failed removal and contains no blanket of these"
        return Check(claim, False, f"they do not prove it: {words}")

    def _best(self) -> Iterator[Check]:
        """Check that no other blanket costs less than those called optimal, or than the bound."""
        found = self.case.found
        optimal = [one for one in found if one.proof is Proof.OPTIMAL]
        bounded = [one for one in found if one.proof is Proof.FEASIBLE and one.bound is not None]
        if optimal:
            doubts = self.case.dual.doubts()
            yield Check("tests confirm what the optimum rests on", not doubts, "; ".join(doubts))
            names = optimal[-1].features
            limits = [sum(costs[name] for name in names) for costs in self.case.costs]
            claim = f"no other blanket costs less than {limits[0]:.9g}"
            yield from self._by_solver(claim, lambda claim, solve: self._cheaper(claim, solve, limits))
        if bounded:
            least = max(-one.bound for one in bounded if one.bound is not None)
            claim = f"no other blanket costs less than the bound, {least:.9g}"
            yield from self._by_solver(claim, lambda claim, solve: self._cheaper(claim, solve, [least]))
        if not optimal and not bounded and found.sets:
            self.unproved.append("whether another blanket costs less, which the file does not claim to know")

    def _cheaper(self, claim: str, solve: Any, limits: Sequence[float]) -> Check:
        """Check that no set that could be another blanket costs less than some limits.

        Blankets inside such sets that do not cost less are none that a file of the best need name.
        """
        known = [one.names for one in self.case.known]
        for _ in range(ROUNDS):
            one, words = self._cheapest(solve, known, limits)
            if one is None:
                return Check(claim, True if words is None else None, words or f"by {solve.name}")
            blanket = self.case.blanket_inside(one)
            if blanket is None or self._is_cheaper(blanket, limits):
                return self._witness(claim, one)
            known.append(frozenset(blanket))
        return Check(claim, None, f"{ROUNDS} sets were tried")

    def _cheapest(
        self, solve: Any, known: Sequence[Names], limits: Sequence[float]
    ) -> tuple[Names | None, str | None]:
        """Return a set that costs less than the limits; None if there is none, with why if that is open."""
        most: list[tuple[Mapping[str, float], float]] = []
        dearer = not all(known)  # if the empty set is a blanket, all others contain it
        for costs, limit in zip(self.case.costs, limits, strict=False):
            if dearer:
                break
            model = priced(self._model(known), costs, most)
            outcome = solve(model)
            if outcome.stop is not Stop.INFEASIBLE and outcome.value is None:
                return None, f"{solve.name} did not settle it: {outcome.stop}"
            cost = inf if outcome.value is None else _cost(held(model), costs)
            if cost < limit - _slack(limit):
                return held(model), None
            if cost < inf and outcome.proof is not Proof.OPTIMAL:
                return None, f"{solve.name} did not prove the least cost"
            dearer = cost > limit + _slack(limit)
            most.append((costs, limit + _slack(limit)))
        return None, None

    def _is_cheaper(self, names: Sequence[str], limits: Sequence[float]) -> bool:
        for costs, limit in zip(self.case.costs, limits, strict=False):
            cost = _cost(names, costs)
            if abs(cost - limit) > _slack(limit):
                return cost < limit
        return False

    def _model(self, known: Sequence[Names], met: Sequence[Names] | None = None) -> Any:
        """Ask for a set that keeps the rules, meets the removals and contains no known blanket."""
        case, limits = self.case, self.case.limits
        removals = case.removals if met is None else met
        model = admissible(case.search.test.features, case.rules, removals, known)
        for name in limits.include:
            model.blanket.x[name].fix(1)
        for name in set(case.search.test.features).difference(case.free, limits.include):
            model.blanket.x[name].fix(0)
        return model

    def _by_solver(self, claim: str, check: Any) -> Iterator[Check]:
        name = self.prove if self.prove is not None else another_solver()
        if name is None:
            self.unproved.append(f"{claim}: no second solver is installed")
            return
        try:
            yield check(claim, solver(name) if isinstance(name, str) else name)
        except (SolverError, ConfigurationError) as fault:
            yield Check(claim, None, str(fault))
        except OutOfTimeError:
            yield Check(claim, None, "time was up")


def held(model: Any) -> Names:
    """Read the set of a solved model."""
    x = model.blanket.x.items()
    return frozenset(name for name, one in x if one.value is not None and one.value > 0.5)


def _cost(names: Collection[str], costs: Mapping[str, float]) -> float:
    return sum(costs[name] for name in names)


def _slack(value: float) -> float:
    return CLOSE * max(1.0, abs(value))
