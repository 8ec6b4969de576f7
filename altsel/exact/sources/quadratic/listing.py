"""All sets of a quadratic form, or of a plain sum, that score at least so much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

import numpy as np

from altsel._types import IntArray
from altsel.exact.question import Question
from altsel.exact.rules.linear_rules import keeps
from altsel.exact.run import Run, log
from altsel.exact.sources.quadratic.branch_and_bound import CLOSE, Search, TooManyError
from altsel.exact.sources.quadratic.branching import VALUE_ROUNDING
from altsel.exact.sources.quadratic.conditions import Conditions
from altsel.exact.sources.quadratic.convexified.tree import search_form
from altsel.exact.sources.quadratic.lagrangian_bound import TINY, Form, Node
from altsel.exact.sources.source import Above
from altsel.models.dissimilarity import Dice
from altsel.models.problem import Problem
from altsel.results.stop import Stop
from altsel.runtime.clock import clock

MOST_NODES = 30_000
"""Nodes after which listing is given up; some ten seconds."""
MOST_REWRITTEN_NODES = 200_000
"""Nodes of convex programs after which listing is given up; a minute of 200 features."""
Features = Callable[[int], tuple[IntArray | None, bool]]
"""Which features can be in a set of a size, None for all; and whether no set has any other."""


@dataclass(eq=False)
class Listing(Search):
    """A branch and bound that keeps every set of at least `value`, and perhaps a few below."""

    most_nodes: float = MOST_NODES
    most_sets: float = inf
    strictly: bool = False
    members: list[IntArray] = field(default_factory=list)
    count: int = 0
    largest: float = 0.0

    @property
    def close(self) -> float:
        """Keep what may reach the value but for rounding; strictly, only what surely exceeds it."""
        hidden = 10 * max(self.rounding, TINY)
        return hidden if self.strictly else -hidden

    @property
    def too_coarse(self) -> bool:
        """Whether numbers are too far apart to tell sets from each other."""
        return self.strictly and self.close > max(CLOSE * abs(self.value), VALUE_ROUNDING * self.largest)

    def run(self, form: Form) -> tuple[Stop, float]:
        """List all sets of a form; see `Search.run`."""
        self.rounding, self.largest = form.rounding, form.scale
        return (Stop.LIMIT, inf) if self.too_coarse else super().run(form)

    def run_convexified(self, form: Form) -> tuple[Stop, float]:
        """List them by convex programs, from the beginning."""
        self.largest = form.scale
        self.members.clear()
        self.count = 0
        return search_form(self, form)

    def offer(self, members: list[int]) -> None:
        """Keep a set that is the last of its branch; those met at branchings come again."""

    def _take(self, node: Node, choices: IntArray) -> None:
        inside = np.tile(np.array(node.inside, dtype=np.int64), (len(choices), 1))
        self.members.append(np.sort(np.column_stack([inside, node.indices[choices]]), axis=1))
        self.count += len(choices)
        if self.count > self.most_sets:
            raise TooManyError

    def indices(self, size: int) -> IntArray:
        """Return the sets found so far, shape (sets, size)."""
        return np.concatenate([np.empty((0, size), dtype=np.int64), *self.members])


def _every(size: int) -> tuple[IntArray | None, bool]:
    """Take all features."""
    del size
    return None, True


@dataclass(frozen=True, eq=False)
class TreeList:
    """Lists the sets of a form, size by size.

    Parameters
    ----------
    question, run, wanted
        As in `altsel.exact.sources.source.Source.above`.
    stated
        The problem whose form is searched: that of the question, or what exceeds a level of its ratio.
    most_nodes
        Nodes after which the plain branch and bound gives up.
    rewriting
        Whether convex programs begin anew where it does.
    features
        Which features sets of a size can have.
    """

    question: Question
    run: Run
    wanted: Above
    stated: Problem
    most_nodes: float = MOST_NODES
    rewriting: bool = False
    features: Features = _every

    def sets(self) -> tuple[list[IntArray], bool]:
        """Return the sets of each size, and whether these are all."""
        rows = self.question.structure.rows or []
        conditions = Conditions(self.stated, Dice(0), [], rows)
        found: list[IntArray] = []
        for size in range(self.question.problem.sizes[0], self.question.problem.sizes[1] + 1):
            among, complete = self.features(size)
            if among is not None and len(among) < size:
                found.append(np.empty((0, size), dtype=np.int64))
                continue
            search = Listing(
                conditions.score,
                value=self.wanted.floor,
                most_nodes=self.most_nodes,
                most_sets=self.wanted.most,
                strictly=self.wanted.strictly,
            )
            stop = self._search(search, conditions.form(size, among))
            indices = search.indices(size)
            indices = indices if among is None else among[indices]
            for row, low, high in rows:  # the tree leaves a margin
                indices = indices[keeps(row[indices], low, high)]
            found.append(indices)
            clock().check()
            if not complete or stop is not Stop.EXHAUSTED:
                log.info("gave up listing after %d sets and %d nodes", search.count, search.nodes)
                return found, False
        return found, True

    def _search(self, search: Listing, form: Form) -> Stop:
        """Search a form; return why that ended."""
        try:
            stop, _ = search.run(form)
            if self.rewriting and stop is Stop.LIMIT and not search.too_coarse:
                search.most_nodes = search.nodes + MOST_REWRITTEN_NODES
                stop, _ = search.run_convexified(form)
        except TooManyError:
            return Stop.LIMIT
        finally:
            self.run.nodes += search.nodes
        return stop
