"""Greedy heuristics for univariate alternatives, of the later version of AFS: milliseconds, no proof."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from altsel.errors import ArgumentError
from altsel.exact.run import Run, checked_count, checked_question
from altsel.exact.starts.nearest_valid import Closest
from altsel.exact.starts.warm_start import deal_out
from altsel.exact.verification.verified_solutions import Request
from altsel.models.dissimilarity import Dissimilarity, largest_overlap, share_of
from altsel.models.objective import Kind
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.versions import versions


def replacement(problem: Problem, dissimilarity: Dissimilarity, alternatives: int) -> Solutions:
    """Keep the best features in every set and replace the others by the next best unused ones.

    With o the largest overlap of two sets of k: every set holds the o best features and, of
    the rest in falling order, the next ``k - o``.

    Parameters
    ----------
    problem
        Separable objective, one size k; sets that break a domain constraint are replaced by the
        closest ones that keep all, found by the default solver.
    dissimilarity
        `Dice` or `Jaccard`.
    alternatives
        Number of alternatives wanted.

    Returns
    -------
    Solutions
        ``HEURISTIC`` sets; ``stop`` is ``LIMIT`` if the features ran out before the count, or
        ``INFEASIBLE`` if it is proved that no further set keeps the domain constraints.

    Raises
    ------
    ArgumentError
        If the problem is of another form.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate
    >>> from altsel.greedy import replacement
    >>> quality = Univariate([5, 4, 2, 1])
    >>> [subset.features for subset in replacement(Problem(quality, k=2), Dice(0.5), 2)]
    [('x0', 'x1'), ('x0', 'x2'), ('x0', 'x3')]
    """
    return _heuristic("greedy replacement", _replaced, problem, dissimilarity, alternatives)


def balancing(problem: Problem, dissimilarity: Dissimilarity, alternatives: int) -> Solutions:
    """Share the best features among all sets and deal out the next ones so that the sets are alike.

    Every set holds the o best features; the next ``(a + 1)(k - o)``, in falling order, each
    go to the set of lowest quality that is not full. Arguments, result and errors as in
    `replacement`; without enough features there are no sets at all.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate
    >>> from altsel.greedy import balancing
    >>> quality = Univariate([5, 4, 2, 1])
    >>> [subset.features for subset in balancing(Problem(quality, k=2), Dice(1), 1)]
    [('x0', 'x3'), ('x1', 'x2')]
    """
    return _heuristic("greedy balancing", deal_out, problem, dissimilarity, alternatives)


def _replaced(weights: np.ndarray, k: int, overlap: int, count: int) -> list[list[int]]:
    """Return the indices of the features of each set; weights in falling order."""
    fresh = k - overlap
    if fresh == 0:
        return [list(range(k))] * count
    most = min(count, (len(weights) - overlap) // fresh)
    core = list(range(overlap))
    return [[*core, *range(overlap + i * fresh, overlap + (i + 1) * fresh)] for i in range(most)]


def _heuristic(
    name: str,
    choose: Callable[[np.ndarray, int, int, int], list[list[int]]],
    problem: Problem,
    dissimilarity: Dissimilarity,
    alternatives: int,
) -> Solutions:
    checked_question(problem, dissimilarity)
    count = checked_count(alternatives)
    objective = problem.objective
    low, k = problem.sizes
    if objective.kind is not Kind.SUM:
        raise ArgumentError(f"{name} needs a sum of relevances; use sequential or simultaneous")
    if isinstance(dissimilarity, SoftDiversity) or share_of(dissimilarity) is None:
        raise ArgumentError(f"{name} needs Dice or Jaccard: every pair of sets must differ")
    if low != k:
        raise ArgumentError(f"{name} needs one size k, not {problem.k!r}; use sequential or simultaneous")
    order = np.argsort(-objective.weights, kind="stable")
    indices = choose(objective.weights[order], k, largest_overlap(dissimilarity, k, k), count)
    wanted = [[objective.features[j] for j in order[index]] for index in indices]
    request = Request(name.replace(" ", "_"), dissimilarity, options={"alternatives": alternatives})
    run = Run(problem, None, f"{name}, {dissimilarity}, alternatives={alternatives}", request)
    ruled = bool(problem.subject_to or problem.across)

    def found() -> Solutions:
        kept, stop = _repaired(run, dissimilarity, wanted) if ruled else (wanted, Stop.COUNT)
        sets = [run.unproved(subset, Proof.HEURISTIC) for subset in kept]
        if choose is deal_out:
            sets.sort(key=lambda subset: (-subset.score, subset.features))
        return run.finish(sets, Stop.LIMIT if stop is Stop.COUNT and len(sets) < count else stop)

    return run.confirmed(found) if ruled else replace(found(), versions=versions("none"))


def _repaired(
    run: Run, dissimilarity: Dissimilarity, wanted: Sequence[Collection[str]]
) -> tuple[list[Collection[str]], Stop]:
    """Replace each set by the closest one that keeps all rules and differs from those before."""
    if run.structure.on_quality:
        raise ArgumentError(
            "greedy heuristics cannot keep rules on the quality; use sequential or simultaneous"
        )
    found: list[Collection[str]] = []
    question = run.question(dissimilarity)
    for one in wanted:
        near, stop = Closest(run, question.after(found)).to([one])
        if near is None:
            return found, stop
        found += near
    return found, Stop.COUNT
