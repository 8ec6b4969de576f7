"""That there is no other blanket, or none that costs less, proved again from the failed removals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from altsel.auditing.blankets.case import Case, write_set
from altsel.errors import ConfigurationError, SolverError
from altsel.exact.auto_solver import SolverLike
from altsel.exact.transversals.by_model import read_set
from altsel.exact.transversals.transversals import Transversals
from altsel.exact.verification.verifier import Check
from altsel.models.removal import admissible
from altsel.results.dual import minimal
from altsel.results.stop import Stop
from altsel.runtime.clock import OutOfTimeError
from altsel.solvers import solver
from altsel.solvers.named import profiles, row_solver

MOST_NODES = 300_000
"""Nodes of the diagram of all minimal transversals beyond which a solver is asked instead."""

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
        if case.found.stop is Stop.INFEASIBLE and not case.dual.complete:
            yield from self.by_solver("no set keeps the rules", self._none_admissible)
        elif case.dual.complete or case.found.stop is Stop.EXHAUSTED:
            yield from self._complete("there is no other blanket")
        elif case.found.sets and not case.is_best and case.found.stop is not Stop.HEURISTIC:
            self.unproved.append("whether there are more blankets, which the file does not claim to know")

    def _complete(self, claim: str) -> Iterator[Check]:
        """Check that no set that keeps the rules meets all removals and contains no blanket."""
        case = self.case
        if not case.rules and self.prove is None:
            found = Transversals(case.removals, case.free, MOST_NODES)
            if found.fits:
                yield self._same(claim, found)
                return
        yield from self.by_solver(claim, self._no_other)

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
        return self.witness(claim, forced.union(new))

    def _no_other(self, claim: str, solve: Any) -> Check:
        case = self.case
        if any(not one.names for one in case.known):
            return Check(claim, True, "the empty set is a blanket")
        model = self.model([one.names for one in case.known])
        outcome = solve(model)
        if outcome.stop is Stop.INFEASIBLE:
            return Check(claim, True, f"by {solve.name}, from {len(case.removals)} failed removals")
        if outcome.value is None:
            return Check(claim, None, f"{solve.name} did not settle it: {outcome.stop}")
        return self.witness(claim, read_set(model.blanket.x))

    def _none_admissible(self, claim: str, solve: Any) -> Check:
        model = self.model([], met=[])
        outcome = solve(model)
        if outcome.value is None:
            settled = outcome.stop is Stop.INFEASIBLE
            return Check(claim, True if settled else None, f"by {solve.name}: {outcome.stop}")
        return Check(claim, False, f"{write_set(sorted(read_set(model.blanket.x)))} does")

    def witness(self, claim: str, one: Names) -> Check:
        """Report what a set shows that the proof should exclude: a blanket, or that the proof has a gap."""
        blanket = self.case.blanket_inside(one)
        if blanket is not None:
            return Check(claim, False, f"{write_set(blanket)} is a blanket too")
        words = (
            f"{write_set(sorted(one))} has a feature of each failed removal and contains no blanket of these"
        )
        return Check(claim, False, f"they do not prove it: {words}")

    def model(self, known: Sequence[Names], met: Sequence[Names] | None = None) -> Any:
        """Ask for a set that keeps the rules, meets the removals and contains no known blanket."""
        case, limits = self.case, self.case.limits
        removals = case.removals if met is None else met
        model = admissible(case.search.test.features, case.rules, removals, known)
        for name in limits.include:
            model.blanket.x[name].fix(1)
        for name in set(case.search.test.features).difference(case.free, limits.include):
            model.blanket.x[name].fix(0)
        return model

    def by_solver(self, claim: str, check: Any) -> Iterator[Check]:
        """Check a claim by the solver that was named, or another one than that of searches."""
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
