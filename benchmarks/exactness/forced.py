"""Small problems made to take the ways of large ones: thresholds, engines and loops at random.

What is met on the way and put right by somebody else is noted: it would not be seen in the answer.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np

import altsel.search.alternatives.near_optimal  # noqa: F401  (imported before constants change: it copies one)
from altsel.errors import SolverError
from altsel.exact import auto, partial_answers, turns
from altsel.exact.families.counts import annealed_families, counted_memberships, membership_patterns
from altsel.exact.families.counts import engine as counts
from altsel.exact.families.lists import nested
from altsel.exact.question import Answer, Question
from altsel.exact.rules import rule_system
from altsel.exact.run import Run
from altsel.exact.sources import levels
from altsel.exact.sources.every_set import engine as every_set
from altsel.exact.sources.every_set import pool
from altsel.exact.sources.generalised import node_bound, pairs
from altsel.exact.sources.generalised import tree as model_fit_tree
from altsel.exact.sources.least_squares import compiled as linear_fit_loops
from altsel.exact.sources.least_squares import tree as linear_fit_tree
from altsel.exact.sources.plain_sum import chain, compiled, race
from altsel.exact.sources.plain_sum import source as plain_sum
from altsel.exact.sources.quadratic import branch_and_bound, branching, lagrangian_bound, listing
from altsel.exact.sources.quadratic.convexified import compiled as convexified_loops
from altsel.exact.sources.quadratic.convexified import compiled_tree, dual, open_nodes, tree
from altsel.exact.verification import neighbour_check, solver_claims
from altsel.models.objective import Kind
from altsel.stats.generalised import compiled as model_fit_loops
from benchmarks.exactness.criteria import ROUNDING

Choice = tuple[Any, str, tuple[Any, ...]]
WAYS: tuple[Choice, ...] = (
    (every_set, "MOST_SETS", (0, 0, 0, 0, 0, 40)),
    (branching, "MOST_PLAIN", (-1, -1, 0, 2, 10, 500, 500, 500)),
    (branching, "MOST_IF_FAR", (-1, 3, 100, 100)),
    (branching, "PATIENCE_UNDER_RULES", (1, 8)),
    (branch_and_bound, "ROOT_STEPS", (1, 3, 30, 600, 600, 600)),
    (branch_and_bound, "NODE_STEPS", (1, 2, 6, 6, 60)),
    (branch_and_bound, "AT_ONCE", (0.0, 0.0, 3e-4, 0.1)),
    (branch_and_bound, "MOST_AT_LAST", (0.0, 0.0, 0.4)),
    (lagrangian_bound, "PATIENCE", (1, 3, 8, 8)),
    (lagrangian_bound, "COMPACT", (1, 500, 500)),
    (chain, "FEWEST_KEPT", (2, 64, 64)),
    (chain, "FEWEST_ALONE", (0, 14)),
    (chain, "PRICED", (0, 10)),
    (race, "PLAIN_SHARE", (60, 30_000)),
    (race, "COMPILED_SHARE", (60, 1_000_000)),
    (dual, "MOST", (30, 60, 300)),
    (dual, "SINGLE", (2, 100, 100)),
    (tree, "ROUNDS", (1, 4, 4)),
    (tree, "PRICINGS", (0, 1, 4, 4, 12)),
    (tree, "OPEN", (open_nodes.OPEN, open_nodes.OPEN, 2_000)),
    (tree, "AT_ONCE", (1, 2, 7, 500, 500)),
    (tree, "SMALL", (0, 0, 20, 20)),
    (compiled_tree, "SETS", (1, 5, 1_000, 1_000)),
    (linear_fit_tree, "ROUNDS", (1, 12, 12)),
    (linear_fit_tree, "AT_ONCE", (0.0, 3.0)),
    (linear_fit_tree, "BOUND", (0.0, 5e3)),
    (linear_fit_tree, "ENTRY", (0.0, 7.0)),
    (nested, "FEWEST", (2, 2, 3)),
    (annealed_families, "LEAST", ({"sum": 2, "min": 2}, {"sum": 7, "min": 4})),
    (pool, "CHUNK", (7, 100_000)),
)
"""Constants, and what each is drawn from: the usual value, and those that make small problems large."""
MODEL_FITS: tuple[Choice, ...] = (
    (model_fit_tree, "ALL", (0, 0, 3, 10)),
    (model_fit_tree, "PORTION", (3, 5_000)),
    (pairs, "FEW", (2, 2, 4, 8)),
    (node_bound, "ROUNDS", (1, 2, 4, 4)),
    (node_bound, "NEWTON", (1, 2, 2)),
)
"""The same of fits of regularised models."""
ENDS: tuple[Choice, ...] = (
    (race, "PLAIN_WORK", (300,)),
    (race, "COMPILED_WORK", (300,)),
    (listing, "MOST_NODES", (5,)),
    (listing, "MOST_REWRITTEN_NODES", (5,)),
    (plain_sum, "MOST_FEATURES", (4,)),
    (nested, "MOST_LISTED", (5,)),
    (counted_memberships, "MOST_LEVELS", (0,)),
    (counted_memberships, "MOST_PATTERNS", (0,)),
    (membership_patterns, "MOST_SETS", (0,)),
    (rule_system, "MOST_PROJECTED", (0,)),
)
"""The same of constants at which a way is given up: of these few are changed."""
GIVEN_UP = 0.015
"""Share of those that are."""
LEFT_OUT = 0.3
"""Share of engines, and of ways to count, that are not asked,"""
SOLVERS = ("model", "counts of memberships")
"""Engines whose word is a solver's."""
KEPT = ("model", "branch and bound on least squares")
"""but for these: without the second one a question takes minutes."""


@dataclass
class Noted:
    """What others had to put right on the way: sets that neighbours beat, what known sets refute, lost sets.

    Attributes
    ----------
    own
        Of altsel's own trees and lists.
    of_solvers
        Of solvers, whose faults are no concern here.
    asked
        The engine that was asked last.
    """

    own: list[str] = field(default_factory=list)
    of_solvers: list[str] = field(default_factory=list)
    asked: str = ""

    def add(self, text: str) -> None:
        """Note something of the engine that was asked last; a list is none."""
        of_solver = self.asked in SOLVERS and "a list lacks" not in text
        (self.of_solvers if of_solver else self.own).append(f"{self.asked}: {text}")


@dataclass
class _Watched:
    """An engine; it is noted when it is asked."""

    engine: turns.Engine
    noted: Noted

    @property
    def name(self) -> str:
        """Its name."""
        return self.engine.name

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer."""
        return self.engine.why_not(question)

    def answer(self, question: Question, run: Run) -> Answer | None:
        """Answer, and note that it was asked."""
        self.noted.asked = self.name
        return self.engine.answer(question, run)


@contextmanager
def forced(rng: Random) -> Iterator[Noted]:
    """Take ways at random; note what others had to put right."""
    noted = Noted()
    with ExitStack() as stack:
        for module, name, values in WAYS:
            stack.enter_context(patch.object(module, name, rng.choice(values)))
        for module, name, values in ENDS:
            if rng.random() < GIVEN_UP:
                stack.enter_context(patch.object(module, name, rng.choice(values)))
        asked = [one for one in auto.ENGINES if one.name in KEPT or rng.random() > LEFT_OUT]
        stack.enter_context(patch.object(auto, "ENGINES", tuple(_Watched(one, noted) for one in asked)))
        ways = tuple(way for way in counts.WAYS if rng.random() > LEFT_OUT) or counts.WAYS
        stack.enter_context(patch.object(counts, "WAYS", ways))
        _choose_loops(stack, rng)
        _note_rescues(stack, noted)
        yield noted


@contextmanager
def small_model_fits(rng: Random) -> Iterator[None]:
    """Take the ways of larger fits of regularised models; fit by numpy, or by the compiled loop."""
    with ExitStack() as stack:
        for module, name, values in MODEL_FITS:
            stack.enter_context(patch.object(module, name, rng.choice(values)))
        _choose_loops(stack, rng, ((model_fit_loops.LOOPS, 0.5),))
        yield


@contextmanager
def watched() -> Iterator[Noted]:
    """Take the usual ways; note what others had to put right."""
    noted = Noted()
    with ExitStack() as stack:
        _note_rescues(stack, noted)
        yield noted


PLAIN_LOOPS: tuple[tuple[Any, float], ...] = (
    (convexified_loops.LOOPS, 0.3),
    (convexified_loops.WITHOUT_ROWS, 0.3),
    (compiled.LOOPS, 0.5),
    (linear_fit_loops.LOOPS, 0.5),
)
"""Loops of the chains, the convex programs and linear fits, and how often the plain ones are taken."""


def _choose_loops(stack: ExitStack, rng: Random, of: tuple[tuple[Any, float], ...] = PLAIN_LOOPS) -> None:
    """Choose loops of numpy, or compiled ones."""
    for loops, plain in of:
        found = loops.plain if rng.random() < plain else loops.compiled or loops.plain
        for name in ("after", "ready"):
            stack.enter_context(patch.object(loops, name, lambda *_, found=found: found))
        stack.enter_context(patch.object(loops, "to_come", lambda: False))


def _rounding(objective: Any) -> float:
    """Return what rounding may make of a score of 0."""
    sizes = objective.weights if objective.kind is Kind.SUM else objective.relevance
    return 0.0 if sizes is None else ROUNDING * float(np.abs(sizes).sum())


class _Handler(logging.Handler):
    """Keeps the warnings of searches."""

    def __init__(self, noted: Noted) -> None:
        super().__init__(logging.WARNING)
        self.noted = noted

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.noted.add(record.getMessage())


def _note_rescues(stack: ExitStack, noted: Noted) -> None:
    """Note the warnings of searches, and what is refused or bettered without one."""
    log, handler = logging.getLogger("altsel.search"), _Handler(noted)
    log.addHandler(handler)
    stack.callback(log.removeHandler, handler)
    refuse, better = solver_claims.refuse_false_claims, neighbour_check.better_neighbours

    def refusing(run: Any, outcome: Any, known: float, start: Any) -> None:
        try:
            refuse(run, outcome, known, start)
        except SolverError as fault:
            if outcome.value is None or known - outcome.value > _rounding(run.problem.objective):
                noted.add(f"refused: {fault}")
            raise

    def bettered(*given: Any) -> Any:
        found = better(*given)
        if found is not None:
            noted.add(f"bettered: {found}")
        return found

    for module in (levels, partial_answers, nested, counted_memberships, membership_patterns):
        stack.enter_context(patch.object(module, "refuse_false_claims", refusing))
    for module in (neighbour_check, nested, counted_memberships):
        stack.enter_context(patch.object(module, "better_neighbours", bettered))
