"""All sets of a quadratic form or of least squares that can be in a best family, where all are too many."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from altsel._types import IntArray
from altsel.errors import listing
from altsel.exact.branch_and_bound import CLOSE, Search, TooManyError
from altsel.exact.convexified.tree import searched
from altsel.exact.engines.all_sets import MOST_SETS, AllSets, from_pool
from altsel.exact.engines.chains import Chains
from altsel.exact.engines.conditions_as_rows import Conditions
from altsel.exact.engines.linear_fit import LeastSquares, listed_fits, why_no_tree
from altsel.exact.engines.quadratic import (
    OWN,
    Convexified,
    best_one,
    patience,
    plain_nodes,
    why_no_form,
    why_not_convexified,
)
from altsel.exact.lagrangian_bound import TINY, Form, Node
from altsel.exact.pool import pool_of
from altsel.exact.question import Answer, Question, Sets
from altsel.exact.rules.linear_rules import keeps, kept
from altsel.exact.run import Run, log
from altsel.models.dissimilarity import Dice
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.results.feature_set import Proof
from altsel.results.stop import Stop
from altsel.runtime.clock import clock
from altsel.solvers import CLOSED

MOST_FEATURES = 3_000
"""Features of a plain sum after which listing is given up."""
FEW_FEATURES = 500
"""Features looked at where that happens."""
MOST_NODES = 30_000
"""Nodes after which listing is given up; some ten seconds."""
ROUNDING = 1e-12
"""Rounding of a sum of scores, relative to them."""


MOST_CONVEXIFIED = 200_000
"""The same by convex programs; a minute of 200 features."""


@dataclass(eq=False)
class Listing(Search):
    """A branch and bound that keeps every set of at least `value`, and perhaps a few below."""

    most_nodes: float = MOST_NODES
    most_sets: int = MOST_SETS
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
        return self.strictly and self.close > max(CLOSE * abs(self.value), OWN * self.largest)

    def run(self, form: Form) -> tuple[Stop, float]:
        """List all sets of a form; see `Search.run`."""
        self.rounding, self.largest = form.rounding, form.scale
        return (Stop.LIMIT, inf) if self.too_coarse else super().run(form)

    def run_convexified(self, form: Form) -> tuple[Stop, float]:
        """List them by convex programs, from the beginning."""
        self.largest = form.scale
        self.members.clear()
        self.count = 0
        return searched(self, form)

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


class Threshold:
    """List the sets of a quadratic criterion that can be in a family better than the sequential one.

    With ``Q_1 >= Q_2 >= ...`` the scores of sets found one after another, a family with a larger
    sum has no set below ``sum_i Q_i - (count - 1) Q_1``, one with a larger minimum none below
    ``Q_count``.
    """

    name = "list of the sets above a threshold"

    def why_not(self, question: Question) -> str | None:
        """Return why it cannot answer, if it cannot."""
        if (why := question.why_not_together()) is not None:
            return why
        if question.problem.across:
            return "rules across sets hold for all sets together"
        return why_not_by_branching(question) or (
            "all sets are listed" if not AllSets().why_not(question) else None
        )

    def answer(self, question: Question, run: Run) -> Answer | None:
        """List them and search the list; None if they are too many."""
        family: Sets = []
        while len(family) < question.count:
            one = best_after(question, family, run)
            if one is None:
                return None
            if one.outcome.stop in {Stop.INTERRUPT, Stop.TIME}:
                clock().check()
            if one.outcome.stop is Stop.INFEASIBLE:
                break
            if one.outcome.proof is not Proof.OPTIMAL:
                return None
            family += one.sets
        if len(family) == question.count:
            run.incumbent = family
        sets, complete = listed(question, run, _floor(question, family), known=family)
        return (
            from_pool(question, run, pool_of(question.problem, question.distance, sets)) if complete else None
        )


def why_not_by_branching(question: Question) -> str | None:
    """Return why no branch and bound lists the sets of a question, if none does."""
    return why_no_tree(question) if question.kind is Kind.LEAST_SQUARES else why_no_form(question)


def best_after(question: Question, known: Sets, run: Run) -> Answer | None:
    """Find the best set that differs from known ones; what was proved is kept for the next who asks."""
    key = ("best after", question.distance, tuple(map(frozenset, known)))
    if key not in question.structure.kept:
        found = _best_one(replace(question, known=known, count=1, total="min"), run)
        if found is None or found.outcome.proof is not Proof.OPTIMAL:
            return found
        question.structure.kept[key] = found
    kept = question.structure.kept[key]
    assert isinstance(kept, Answer)
    return kept


def _best_one(question: Question, run: Run) -> Answer | None:
    if question.kind is Kind.SUM:
        return Chains().answer(question, run)
    way = LeastSquares().answer if question.kind is Kind.LEAST_SQUARES else best_one
    return way(question, run)


def _floor(question: Question, family: Sets) -> float:
    """Return what every set of a better family scores at least."""
    if len(family) < question.count:
        return -inf
    scores = [question.problem.objective.checked_score(question.problem.mask(subset)) for subset in family]
    floor = sum(scores) - (len(scores) - 1) * scores[0] if question.total == "sum" else min(scores)
    return floor - ROUNDING * sum(map(abs, scores))


def listed(
    question: Question,
    run: Run,
    floor: float,
    most: int = MOST_SETS,
    strictly: bool = False,
    known: Sequence[Collection[str]] = (),
) -> tuple[list[IntArray], bool]:
    """List all admissible sets of at least a score, or of more than it.

    Parameters
    ----------
    question
        One whose criterion is quadratic, a plain sum or least squares, and whose rules are rows.
    run
        The search.
    floor
        The score.
    most
        Number of sets after which to stop.
    strictly
        Leave out sets that score just that.
    known
        Sets that have been met: a list that lacks one that belongs to it is worth nothing.

    Returns
    -------
    list of array
        Indices of the features, one array of shape (sets, k) a size.
    bool
        Whether these are all.
    """
    way = listed_fits if question.kind is Kind.LEAST_SQUARES else _listed_by_branching
    sets, complete = way(question, run, floor, most, strictly)
    lost = _lost(question, sets, floor, known) if complete else None
    if lost is None:
        return sets, complete
    log.warning("a list lacks the set %s, which is known: it is given up", listing(lost))
    return [np.empty((0, question.problem.sizes[0]), dtype=np.int64)], False


def _lost(
    question: Question, sets: list[IntArray], floor: float, known: Sequence[Collection[str]]
) -> Collection[str] | None:
    """Return a known set that keeps the rules and is clearly above the floor, but is not in the list."""
    problem, rows = question.problem, question.structure.rows or []
    for subset in known:
        mask = problem.mask(subset)
        if not kept(rows, mask) or not problem.objective.checked_feasible(mask):
            continue
        score = problem.objective.checked_score(mask)
        here = [members for members in sets if members.shape[1] == len(subset)]
        above = score > floor + CLOSED * max(abs(score), abs(floor))
        if above and not any((members == np.flatnonzero(mask)).all(axis=1).any() for members in here):
            return subset
    return None


def _listed_by_branching(
    question: Question, run: Run, floor: float, most: int, strictly: bool
) -> tuple[list[IntArray], bool]:
    """List the sets of a quadratic form, a ratio or a plain sum; see `listed`."""
    conditions = _conditions(question, floor)
    value = 0.0 if question.kind is Kind.RATIO else floor
    sets: list[IntArray] = []
    for size in range(question.problem.sizes[0], question.problem.sizes[1] + 1):
        among = reaching(conditions.problem, size, floor)
        if among is not None and len(among) < size:
            sets.append(np.empty((0, size), dtype=np.int64))
            continue
        cut = among is not None and len(among) > MOST_FEATURES
        if among is not None and cut:
            among = _heaviest(conditions.problem, among)
        search = Listing(conditions.score, value=value, most_sets=most, strictly=strictly)
        try:
            form = conditions.form(size, among)
            handing = why_not_convexified(question) is None and question.kind is not Kind.SUM
            search.most_nodes = plain_nodes(len(form.linear)) * patience(question) if handing else MOST_NODES
            stop, _ = search.run(form)
            if handing and stop is Stop.LIMIT and not search.too_coarse:
                search.most_nodes = search.nodes + MOST_CONVEXIFIED
                run.engines[Convexified.name] = None
                stop, _ = search.run_convexified(form)
        except TooManyError:
            stop = Stop.LIMIT
        finally:
            run.nodes += search.nodes
        found = search.indices(size)
        found = found if among is None else among[found]
        for row, low, high in question.structure.rows or []:  # the tree leaves a margin
            found = found[keeps(row[found], low, high)]
        sets.append(found)
        clock().check()
        if cut or stop is not Stop.EXHAUSTED:
            log.info("gave up listing after %d sets and %d nodes", search.count, search.nodes)
            return sets, False
    return sets, True


def _heaviest(problem: Problem, among: IntArray) -> IntArray:
    """Keep some of the best features: enough to raise a floor by the sets they make."""
    objective = problem.objective
    order = np.argsort(-objective.weights[among], kind="stable")
    return np.sort(among[order[:FEW_FEATURES]])


def _conditions(question: Question, floor: float) -> Conditions:
    problem, objective = question.problem, question.problem.objective
    if question.kind is Kind.RATIO:
        problem = replace(problem, objective=objective.parametric(max(floor, 0.0)))
    return Conditions(problem, Dice(0), [], question.structure.rows or [])


def reaching(problem: Problem, size: int, floor: float) -> IntArray | None:
    """Return the features that are in a set of at least a score, if the score is a plain sum.

    A feature outside the best k costs at least what it is below the k-th best.
    """
    objective = problem.objective
    if objective.kind is not Kind.SUM:
        return None
    n = len(objective.weights)
    best = np.partition(objective.weights, n - size)[n - size :]
    least = floor - best.sum() + best.min() - CLOSE * max(1.0, float(np.abs(best).sum()))
    return np.flatnonzero(objective.weights >= least)
