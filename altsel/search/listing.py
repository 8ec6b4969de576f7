"""All sets of a quadratic criterion that can be in a best family: a pool where all sets are too many."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from altsel.models.alternatives import Dissimilarity
from altsel.models.objective import Ratio
from altsel.result import Proof, Stop
from altsel.search.branching import CLOSE, Search
from altsel.search.pool import MOST_SETS, Pool, pool_of
from altsel.search.quadratic import Conditions, by_branching
from altsel.search.relaxation import IntArray, Node
from altsel.search.rules import rule_rows
from altsel.search.run import Run, log
from altsel.search.solving import Sets, best_sets
from altsel.search.starts import good_set

MOST_NODES = 30_000
"""Nodes after which listing is given up; some ten seconds."""


class TooManyError(Exception):
    """There are more sets than are to be listed."""


@dataclass(eq=False)
class Listing(Search):
    """A branch and bound that keeps every set of at least `value`, and perhaps a few below."""

    most_nodes: float = MOST_NODES
    tolerance: float = -CLOSE
    members: list[IntArray] = field(default_factory=list)
    count: int = 0

    def offer(self, members: list[int]) -> None:
        """Keep a set that is the last of its branch; those met at branchings come again."""

    def _take(self, node: Node, choices: IntArray) -> None:
        inside = np.tile(np.array(node.inside, dtype=np.int64), (len(choices), 1))
        self.members.append(np.sort(np.column_stack([inside, node.places[choices]]), axis=1))
        self.count += len(choices)
        if self.count > MOST_SETS:
            raise TooManyError


def promising_pool(
    run: Run, dissimilarity: Dissimilarity, count: int, total: str, family: Sets
) -> Pool | None:
    """List all sets that can be in a family better than the sequential one.

    With ``Q_1 >= Q_2 >= ...`` the scores of sets found one after another, a family with a larger
    sum has no set below ``sum_i Q_i - (count - 1) Q_1``, one with a larger minimum none below
    ``Q_count``.

    Parameters
    ----------
    run
        The search.
    dissimilarity
        Measure and threshold between the sets.
    count, total
        Number of sets and what is maximised over them.
    family
        Gets the sequential sets as they are found; an interrupt leaves it with fewer.

    Returns
    -------
    Pool or None
        None if the criterion is not quadratic, a solver is forced, or they are too many.
    """
    while len(family) < count:
        ask = by_branching(run, dissimilarity, family)
        if ask is None:
            return None
        start = good_set(run.problem, dissimilarity, family)
        found, outcome = best_sets(run, ask, [start] if start else [], "min")
        if outcome.stop is Stop.INTERRUPT:
            raise KeyboardInterrupt
        if outcome.stop is Stop.INFEASIBLE:
            break
        if outcome.proof is not Proof.OPTIMAL:
            return None
        family += found
    scores = [run.score(one) for one in family]
    floor = -inf
    if len(family) == count:
        floor = sum(scores) - (count - 1) * scores[0] if total == "sum" else min(scores)
    return _listed(run, dissimilarity, floor)


def _listed(run: Run, dissimilarity: Dissimilarity, floor: float) -> Pool | None:
    """List all sets of at least a score."""
    problem: Any = run.problem
    objective, value = problem.objective, floor
    if isinstance(objective, Ratio):
        objective, value = objective.at(max(floor, 0.0)), 0.0
    rules = rule_rows(problem)
    conditions = Conditions(replace(problem, objective=objective), dissimilarity, [], rules or [])
    limit = getattr(run.engine, "time_limit", None)
    until = None if limit is None else time.perf_counter() + limit
    listed = []
    for size in range(problem.sizes[0], problem.sizes[1] + 1):
        listing = Listing(conditions.score, until, value=value)
        try:
            stop, _ = listing.run(conditions.form(size))
        except TooManyError:
            log.info("%d sets or more are worth %.6g; solving a model", listing.count, floor)
            return None
        finally:
            run.nodes += listing.nodes
        if stop is Stop.INTERRUPT:
            raise KeyboardInterrupt
        if stop is not Stop.EXHAUSTED:
            log.info("listing was given up after %d nodes; solving a model", listing.nodes)
            return None
        listed.append(np.concatenate([np.empty((0, size), dtype=np.int64), *listing.members]))
    return pool_of(problem, dissimilarity, listed)
