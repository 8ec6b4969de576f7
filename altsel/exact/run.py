"""What all searches by optimisation share: a solver to call, an account of it, results in one form."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata
from math import inf
from pathlib import Path
from typing import Any

from altsel._version import __version__
from altsel.errors import ArgumentError, ConfigurationError, SolverError, checked_integer, listing
from altsel.exact.pool import Pool
from altsel.exact.pool import pool as list_pool
from altsel.exact.quick_bound import quality_bound
from altsel.exact.stopping import stopped
from altsel.exact.verification import Verifier
from altsel.exact.verified_solutions import Request, verify
from altsel.models.black_box import BlackBox
from altsel.models.dissimilarity import Dissimilarity
from altsel.models.problem import Problem, tightened
from altsel.results.effort import Effort
from altsel.results.solutions import FeatureSet, Proof, Solutions, Stop
from altsel.runtime.clock import Clock, clock
from altsel.solvers import CLOSED, Outcome, Solver
from altsel.solvers import solver as make_solver

log = logging.getLogger("altsel.search")

FLOAT = 1e-14
"""Relative error of a sum of floats: model and formula may differ by that."""
SolverLike = Solver | str | None
"""A solver, the name of a profile of ``solvers.toml``, or None or ``"auto"`` for what does best."""


@dataclass(frozen=True)
class Auto:
    """List all sets where they are few, search quadratic criteria by branch and bound; else a solver.

    Parameters
    ----------
    engine
        The solver for models.
    packing
        The solver for the minimum over several sets, where another one is better at it.
    time_limit
        Seconds a question, whichever way it is answered.
    """

    engine: Solver
    packing: Solver | None = None
    time_limit: float | None = None

    name = "auto"

    def __call__(self, model: Any) -> Outcome:
        """Solve a model by the solver."""
        return self.engine(model)

    def pack(self, model: Any) -> Outcome:
        """Solve a model of the minimum over several sets."""
        if self.packing is None:
            return self.engine(model)
        try:
            return self.packing(model)
        except SolverError as fault:  # CP-SAT refuses what it cannot hold as integers
            log.info("%s: %s", self.packing.name, fault)
            return self.engine(model)


def automatic(
    time_limit: float | None = None,
    gap: float | None = None,
    log: str | Path | None = None,
    file: str | Path | None = None,
) -> Auto:
    """Make the choice of solvers that measured best; a default of ``solvers.toml`` of one's own is kept."""
    engine = make_solver(time_limit=time_limit, gap=gap, log=log, file=file)
    packing = None
    if engine.name == "highs":
        with suppress(ConfigurationError):
            packing = make_solver("cp-sat", time_limit=time_limit, gap=gap, log=log, file=file)
    limit = getattr(getattr(engine, "limits", None), "time_limit", None)
    return Auto(engine, packing, None if limit is None else float(limit))


def solver(
    name: str | None = None,
    *,
    time_limit: float | None = None,
    gap: float | None = None,
    log: str | Path | None = None,
    file: str | Path | None = None,
) -> Solver:
    """Make a solver from a profile, or ``"auto"``: what does best, whichever way that is.

    Parameters
    ----------
    name
        Name of a profile, or ``"auto"``; default: the profile that ``solvers.toml`` calls default.
    time_limit
        Seconds a call, over the profile's; of ``"auto"``: seconds a question. A whole search is limited
        by its own argument ``time_limit``.
    gap
        Relative gap, over the profile's.
    log
        File to which the engine appends its log.
    file
        A ``solvers.toml``; default: ``$ALTSEL_SOLVERS``, then upwards from the working directory (there
        it may not name programs or files), then the user's own, then the package's.

    Returns
    -------
    Solver
        A function of a Pyomo model.

    Raises
    ------
    ConfigurationError
        If the file or profile is wrong or unknown, or the engine is not installed.

    Examples
    --------
    >>> solver("highs", time_limit=10).name, solver("auto", time_limit=10).name
    ('highs', 'auto')
    """
    if name == "auto":
        return automatic(time_limit, gap, log, file)
    return make_solver(name, time_limit=time_limit, gap=gap, log=log, file=file)


@dataclass
class Run:
    """One search under way.

    Parameters
    ----------
    problem
        What is wanted; rules across sets are turned into rules on the next set on the way.
    solver
        A solver, the name of a profile, or None for `Auto` with the default profile.
    search
        The call in words, for the result.
    request
        What the answer is checked against, and what a file of solutions says was asked.
    """

    problem: Problem
    solver: SolverLike
    search: str
    request: Request = field(default_factory=lambda: Request("search"))
    solves: int = 0
    listed: int = 0
    nodes: int = 0
    began: float = field(default_factory=time.perf_counter)
    clock: Clock = field(default_factory=clock)
    wanted: Problem = field(init=False)
    _verifier: Verifier | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.wanted = self.problem
        if self.solver is None or self.solver == "auto":
            self.engine: Solver = automatic()
        else:
            self.engine = make_solver(self.solver) if isinstance(self.solver, str) else self.solver
        if not callable(self.engine):
            raise ArgumentError(f"{self.solver!r} is no solver; give a profile's name or altsel.solver(name)")

    @property
    def question_limit(self) -> float | None:
        """Seconds for each question, if the choice of solvers has such a limit."""
        return self.engine.time_limit if isinstance(self.engine, Auto) else None

    @property
    def stop(self) -> Stop:
        """Why the clock has ended the search."""
        return stopped(self.clock)

    def ended(self, fault: BaseException) -> Stop:
        """Note what was caught to keep what was found, and return why the search ends."""
        self.clock.note(fault)
        return self.stop

    @property
    def verifier(self) -> Verifier:
        """What checks sets against the problem as it stands; the rules are read once."""
        if self._verifier is None or self._verifier.problem is not self.problem:
            self._verifier = Verifier(self.problem)
        return self._verifier

    def pool(self, dissimilarity: Dissimilarity) -> Pool | None:
        """List all admissible sets, if the solver is `Auto` and they are few enough."""
        found = list_pool(self.problem, dissimilarity) if isinstance(self.engine, Auto) else None
        if found is None and isinstance(self.problem.objective, BlackBox):
            raise ArgumentError(
                f"{self.problem.objective.name} is a black box, and there are too many sets to evaluate all, "
                "or a solver was asked for; use wrapper"
            )
        self.listed = 0 if found is None else len(found.scores)
        return found

    def solve(self, model: Any, packing: bool = False, stated: Problem | None = None) -> Outcome:
        """Solve a model and count it; again while a quality that is only bounded was too high.

        `packing` tells that several sets of plain 0/1 variables share the features; `stated` is the
        problem that the model states, if it is another.
        """
        solver = self.engine.pack if packing and isinstance(self.engine, Auto) else self.engine
        while True:
            clock().check()
            self.solves += 1
            outcome = solver(model)
            value = None if outcome.value is None else tightened(stated or self.problem, model)
            if value is None:
                return outcome
            if outcome.stop is not Stop.EXHAUSTED:
                return replace(outcome, proof=Proof.FEASIBLE, value=value)

    def feature_set(self, names: Collection[str], outcome: Outcome, penalty_paid: float = 0.0) -> FeatureSet:
        """Describe one set; its score comes from the objective's formula, not from the solver.

        `penalty_paid` is what was paid of the quality for being similar to other sets.

        Raises
        ------
        SolverError
            If formula and model disagree: then one of the objective's two faces is wrong.
        """
        value = self.score(names) - penalty_paid
        _agreed(outcome, value, penalty_paid)
        return self._described(names, outcome, value, lambda: quality_bound(self.problem, value))

    def joint_sets(
        self, sets: Sequence[Collection[str]], total: str, outcome: Outcome, penalty_paid: float = 0.0
    ) -> list[FeatureSet]:
        """Describe sets found together, best first; bound and gap are those of their total.

        With rules across sets they stay in the order in which those hold.
        """
        scores = [self.score(names) for names in sets]
        value = self.total(sets, total) - penalty_paid
        _agreed(outcome, value, penalty_paid)
        indices = [sorted(self.problem.index[f] for f in names) for names in sets]
        order = list(range(len(sets)))
        if not self.problem.across:
            order.sort(key=lambda i: (-scores[i], indices[i]))
        share = replace(outcome, seconds=outcome.seconds / len(sets))

        def most() -> float:
            bound = quality_bound(self.problem, min(scores))
            return bound * len(sets) if total == "sum" else bound

        return [self._described(sets[i], share, value, most) for i in order]

    def unproved(self, names: Collection[str], proof: Proof) -> FeatureSet:
        """Describe a set that nothing was proved of; a feasible one has the bound that all sets have."""
        if proof is Proof.FEASIBLE:
            return self.feature_set(names, Outcome(Stop.LIMIT, proof, None, None, 0.0))
        return FeatureSet(self.problem.ordered(names), self.score(names), proof)

    def score(self, names: Collection[str]) -> float:
        """Evaluate the objective's formula."""
        return self.problem.objective.score(self.problem.mask(names))

    def total(self, sets: Sequence[Collection[str]], total: str) -> float:
        """Sum the scores of sets, or take their minimum."""
        scores = [self.score(names) for names in sets]
        return sum(scores) if total == "sum" else min(scores)

    def finish(self, sets: Sequence[FeatureSet], stop: Stop) -> Solutions:
        """Check every set against what was wanted, and put the result together.

        Raises
        ------
        SolverError
            If a set breaks a condition or has another score: it must not leave.
        """
        self.problem = self.wanted
        verify(self.verifier, self.request, sets, self.engine.name)
        objective = self.problem.objective
        return Solutions(
            tuple(sets),
            stop,
            tuple(objective.features),
            objective.name,
            getattr(objective, "target", None),
            self.search,
            Effort(0, self.solves, self.listed, self.nodes, time.perf_counter() - self.began),
            getattr(objective, "seed", None),
            versions(self.engine.name),
            request=self.request.plain(self.wanted),
        )

    def _described(
        self, names: Collection[str], outcome: Outcome, value: float, most: Callable[[], float]
    ) -> FeatureSet:
        """Describe a set; `value` is what the outcome's bound bounds, `most` a bound that always holds."""
        score = self.score(names)
        ordered = self.problem.ordered(names)
        bound = outcome.bound
        close = max(CLOSED * abs(value), outcome.rounding)
        noise = max(close, FLOAT * outcome.largest_term)
        if outcome.proof is Proof.OPTIMAL and (bound is None or bound - value <= noise):
            return FeatureSet(ordered, score, Proof.OPTIMAL, score, 0.0, outcome.seconds)
        bound = min(inf if bound is None else bound, most())
        if bound - value <= close:
            return FeatureSet(ordered, score, Proof.OPTIMAL, score, 0.0, outcome.seconds)
        if bound == inf:
            return FeatureSet(ordered, score, Proof.FEASIBLE, seconds=outcome.seconds)
        slack = max(bound - value, 0.0)
        gap = slack / abs(value) if value else None
        return FeatureSet(ordered, score, Proof.FEASIBLE, score + slack, gap, outcome.seconds)


def _agreed(outcome: Outcome, value: float, penalty_paid: float) -> None:
    """Check a model's value against the formula's; without a model it is the formula's.

    Where a solve ended early, a quality that is only bounded may still be off: then the formula counts.
    """
    if outcome.proof is not Proof.OPTIMAL:
        return
    scale = max(abs(value), penalty_paid, 1e-3 * outcome.largest_term)
    modelled = outcome.value is not None and (penalty_paid or outcome.largest_term)
    if modelled and outcome.value is not None and abs(outcome.value - value) > 1e-6 * scale:
        raise SolverError(f"the model's objective is {outcome.value!r}, the formula gives {value!r}")


def versions(solver: str) -> dict[str, str]:
    """Versions of altsel, Pyomo and the engines installed, and the solver's profile."""
    return {"altsel": __version__, "solver": solver, **_packages()}


@cache
def _packages() -> dict[str, str]:
    found = {}
    for package in ("pyomo", "highspy", "ortools", "pyscipopt"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def checked_count(alternatives: int) -> int:
    """Return the number of sets, the original included; refuse what is no integer of at least 0."""
    return checked_integer("alternatives", alternatives, 0) + 1


def checked_known(problem: Problem, known: Sequence[Collection[str]]) -> list[tuple[str, ...]]:
    """Return known sets as tuples of names.

    Raises
    ------
    ArgumentError
        If a set is a text, empty, or names a feature that is not there.
    """
    for subset in known:
        if isinstance(subset, str) or not subset:
            raise ArgumentError(f"known: {subset!r} is no set of features; give a list of lists of names")
        absent = [f for f in subset if f not in problem.index]
        if absent:
            raise ArgumentError(f"known: there is no feature {listing(absent)}")
    return [tuple(dict.fromkeys(subset)) for subset in known]
