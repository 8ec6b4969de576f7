"""What the good sets say of every feature: how many have it, and what it costs to give it up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from altsel.analysis.best_under_rule import refuse_other_problem, solved_beyond
from altsel.analysis.good_sets import GoodSets
from altsel.analysis.repeated_search import same_sets
from altsel.analysis.substitutions import exchanges
from altsel.analysis.taxonomy import by_rules
from altsel.errors import ArgumentError, of_kind
from altsel.exact.auto_solver import SolverLike
from altsel.models.problem import Problem
from altsel.results.importance_range import ExchangedPair, FeatureRange, ImportanceRanges
from altsel.results.shares import share_means_something
from altsel.results.solutions import Solutions
from altsel.results.stability import Stability
from altsel.runtime.memory import require
from altsel.stats.stability import membership

LIST_OF = "near_optimal"
"""The search whose list has all good sets."""


def importance_range(
    found: Solutions,
    problem: Problem | None = None,
    *,
    stability: Stability | None = None,
    solver: SolverLike = None,
    time_limit: float | None = None,
) -> ImportanceRanges:
    """Return of every feature how many good sets have it, and the least and largest loss without it.

    The good sets are all sets within a loss of the best one, the *Rashomon set* of the criterion. A feature
    is core if all of them have it, never if none has, else sometimes. With ``Q*`` the best score, giving
    feature j up costs ``Q* - max {Q(S) : j not in S}``: a set of the list shows it exactly. No set of the
    list lacks a core feature: then it costs more than the list tolerates, and how much more is found by
    one exact solve with the rule ``forbid(j)`` where `problem` is given. Likewise what it costs to insist on
    a feature, by ``require(j)``. What a good *model* makes of a feature may differ among models of one set:
    ranges here are of sets (Fisher, Rudin and Dominici have those of models).

    Parameters
    ----------
    found
        What `altsel.near_optimal` returned. Of a list that ended at its limit the best sets are known, so
        losses down to its last score are exact. Of one that ended early, or whose sets had to differ,
        losses are bounded from above only, by the sets found.
    problem
        The problem of the list: solve for what the list leaves open, a set a feature. Where the best set of
        the list is not proved best, no loss is known, and nothing is solved.
    stability
        What `altsel.stability` returned of the same search: adds in which share of the resamples each
        feature is core, sometimes and never.
    solver
        A solver, a profile's name, or None for what does best; used with `problem`.
    time_limit
        Seconds for all solves; what is not solved by then stays a bound.

    Returns
    -------
    ImportanceRanges
        A row for each feature, and the pairs of features that stand for each other.

    Raises
    ------
    ArgumentError
        If the sets are of another search or there are none, or problem or stability are of another search.

    References
    ----------
    Breiman, Statistical Science 16 (2001); Fisher, Rudin and Dominici, Journal of Machine Learning Research
    20 (2019); Dong and Rudin, Nature Machine Intelligence 2 (2020).

    Examples
    --------
    >>> from altsel import AbsoluteLoss, Problem, Univariate, near_optimal
    >>> problem = Problem(Univariate([9, 4, 3, 1]), k=2)
    >>> found = near_optimal(problem, AbsoluteLoss(2))
    >>> ranges = importance_range(found)
    >>> ranges.of("core"), ranges.of("sometimes"), ranges.of("never")
    (('x0',), ('x1', 'x2'), ('x3',))
    >>> str(ranges["x0"].without), str(ranges["x1"].without), str(ranges["x2"].without)
    ('> 2', '1', '0')
    >>> str(importance_range(found, problem)["x0"].without)
    '6'
    """
    of_kind("found", found, Solutions, "what altsel.near_optimal returned")
    of_kind("problem", problem, Problem | None, "the Problem of the list")
    of_kind("stability", stability, Stability | None, "what altsel.stability returned")
    _refuse_other_list(found)
    listed, ruled = GoodSets(found), by_rules(found)
    features = [listed.feature_range(name) for name in found.universe]
    features = [replace(one, ruled=one.feature in ruled) for one in features]
    if stability is not None:
        features = _with_resamples(features, found, stability)
    if problem is not None:
        refuse_other_problem(found, problem)
        features = solved_beyond(features, listed, problem, solver, time_limit)
    return ImportanceRanges(
        tuple(features),
        tuple(_pairs(listed)),
        len(found),
        listed.best,
        listed.tolerance,
        listed.complete,
        found.stop,
        share_means_something(found),
        0 if stability is None else sum(map(bool, stability.collections)),
        found.criterion,
        found.target,
    )


def _refuse_other_list(found: Solutions) -> None:
    if found.request.get("search") != LIST_OF:
        raise ArgumentError(
            "importance_range takes the list of altsel.near_optimal; of the sets of another search "
            "altsel.taxonomy and altsel.substitutions tell more"
        )
    if not found.sets:
        raise ArgumentError("the list has no sets to tell the features by")


def _with_resamples(
    features: Sequence[FeatureRange], found: Solutions, stability: Stability
) -> list[FeatureRange]:
    """Add in which share of the resamples, of those with sets, each feature is of each class.

    Raises
    ------
    ArgumentError
        If the resamples are of another search.
    """
    absent = set(found.universe).difference(stability.features)
    if absent or not same_sets(stability.reference, found):
        raise ArgumentError(
            "stability is of another search than the list: give altsel.stability of the search that found it"
        )
    drawn = [membership(sets, found.universe) for sets in stability.collections if sets]
    if not drawn:
        return list(features)
    core = np.mean([held.all(axis=0) for held in drawn], axis=0)
    never = np.mean([~held.any(axis=0) for held in drawn], axis=0)
    return [
        replace(one, resamples=(float(all_), float(1 - all_ - none), float(none)))
        for one, all_, none in zip(features, core, never, strict=True)
    ]


def _pairs(listed: GoodSets) -> Iterator[ExchangedPair]:
    """Yield pairs that are exchanged for each other, or of which every set has one, most exchanged first.

    Features in all sets stand for no other.
    """
    counts, sets = exchanges(listed.found), len(listed.found)
    some = np.flatnonzero(~listed.held.all(axis=0))
    require(8 * len(some) * (sets + 2 * len(some)), "pairs of features", "allow less loss")
    names, has = [listed.used[j] for j in some.tolist()], listed.held[:, some].astype(float)
    one_of_two = has.sum(axis=0)[:, None] + has.sum(axis=0)[None, :] - 2 * has.T @ has
    place = {name: i for i, name in enumerate(names)}
    always = np.argwhere(np.triu(one_of_two == sets, 1))
    pairs = {(names[i], names[j]) for i, j in always.tolist()} | counts.keys()
    rows = ((place[first], place[second], counts[first, second]) for first, second in pairs)
    for i, j, count in sorted(rows, key=lambda row: (-row[2], -one_of_two[row[0], row[1]], row[:2])):
        yield ExchangedPair(names[i], names[j], int(one_of_two[i, j]), count)
