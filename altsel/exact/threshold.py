"""All sets of a quadratic criterion that can be in a best family: a pool where all sets are too many."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from altsel._types import IntArray
from altsel.exact.branch_and_bound import CLOSE, Search
from altsel.exact.lagrangian_bound import TINY, Form, Node
from altsel.exact.linear_rules import rule_rows
from altsel.exact.milp import Sets, best_sets
from altsel.exact.pool import MOST_SETS, Pool, pool_of
from altsel.exact.quadratic import OWN, Conditions, by_branching
from altsel.exact.run import Run, log
from altsel.exact.warm_start import good_set
from altsel.models.dissimilarity import Dice, Dissimilarity
from altsel.models.objective import Ratio, Separable
from altsel.models.problem import Problem
from altsel.results.solutions import Proof, Stop
from altsel.runtime.clock import clock

MOST_FEATURES = 3_000
"""Features of a plain sum after which listing is given up."""
FEW_FEATURES = 500
"""Features looked at where that happens."""
MOST_NODES = 30_000
"""Nodes after which listing is given up; some ten seconds."""
ROUNDING = 1e-12
"""Rounding of a sum of scores, relative to them."""


class TooManyError(Exception):
    """There are more sets than are to be listed."""


@dataclass(eq=False)
class Listing(Search):
    """A branch and bound that keeps every set of at least `value`, and perhaps a few below."""

    most_nodes: float = MOST_NODES
    most_sets: int = MOST_SETS
    strictly: bool = False
    members: list[IntArray] = field(default_factory=list)
    count: int = 0

    @property
    def close(self) -> float:
        """Keep what may reach the value but for rounding; strictly, only what surely exceeds it."""
        hidden = 10 * max(self.rounding, TINY)
        return hidden if self.strictly else -hidden

    def run(self, form: Form) -> tuple[Stop, float]:
        """List all sets of a form; see `Search.run`."""
        if self.strictly and 10 * form.rounding > max(CLOSE * abs(self.value), OWN * form.scale):
            return Stop.LIMIT, inf  # numbers too far apart to tell sets from each other
        return super().run(form)

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
        if outcome.stop in {Stop.INTERRUPT, Stop.TIME}:
            clock().check()
        if outcome.stop is Stop.INFEASIBLE:
            break
        if outcome.proof is not Proof.OPTIMAL:
            return None
        family += found
    scores = [run.score(subset) for subset in family]
    floor = -inf
    if len(family) == count:
        floor = sum(scores) - (count - 1) * scores[0] if total == "sum" else min(scores)
        floor -= ROUNDING * sum(map(abs, scores))
    sets, whole = listed(run, floor)
    return pool_of(run.problem, dissimilarity, sets) if whole else None


def listed(
    run: Run, floor: float, most: int = MOST_SETS, strictly: bool = False
) -> tuple[list[IntArray], bool]:
    """List all admissible sets of at least a score, or of more than it.

    Parameters
    ----------
    run
        A search whose criterion is quadratic or a plain sum, and whose domain constraints are rows.
    floor
        The score.
    most
        Number of sets after which to stop.
    strictly
        Leave out sets that score just that.

    Returns
    -------
    list of array
        Places of the features, one array of shape (sets, k) a size.
    bool
        Whether these are all.
    """
    conditions = _conditions(run, floor)
    value = 0.0 if isinstance(run.problem.objective, Ratio) else floor
    sets: list[IntArray] = []
    for size in range(run.problem.sizes[0], run.problem.sizes[1] + 1):
        among = reaching(conditions.problem, size, floor)
        if among is not None and len(among) < size:
            sets.append(np.empty((0, size), dtype=np.int64))
            continue
        cut = among is not None and len(among) > MOST_FEATURES
        if among is not None and cut:
            among = _heaviest(conditions.problem, among)
        listing = Listing(conditions.score, value=value, most_sets=most, strictly=strictly)
        try:
            stop, _ = listing.run(conditions.form(size, among))
        except TooManyError:
            stop = Stop.LIMIT
        finally:
            run.nodes += listing.nodes
        found = listing.indices(size)
        sets.append(found if among is None else among[found])
        clock().check()
        if cut or stop is not Stop.EXHAUSTED:
            log.info("gave up listing after %d sets and %d nodes", listing.count, listing.nodes)
            return sets, False
    return sets, True


def _heaviest(problem: Problem, among: IntArray) -> IntArray:
    """Keep some of the best features: enough to raise a floor by the sets they make."""
    objective: Any = problem.objective
    order = np.argsort(-objective.weights[among], kind="stable")
    return np.sort(among[order[:FEW_FEATURES]])


def _conditions(run: Run, floor: float) -> Conditions:
    problem: Any = run.problem
    objective = problem.objective
    if isinstance(objective, Ratio):
        objective = objective.at(max(floor, 0.0))
    rules = rule_rows(problem)
    return Conditions(replace(problem, objective=objective), Dice(0), [], rules or [])


def reaching(problem: Problem, size: int, floor: float) -> IntArray | None:
    """Places of the features that are in a set of at least a score, if the score is a plain sum.

    A feature outside the best k costs at least what it is below the k-th best.
    """
    objective = problem.objective
    if not isinstance(objective, Separable):
        return None
    n = len(objective.weights)
    best = np.partition(objective.weights, n - size)[n - size :]
    least = floor - best.sum() + best.min() - CLOSE * max(1.0, float(np.abs(best).sum()))
    return np.flatnonzero(objective.weights >= least)
