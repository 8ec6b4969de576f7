"""Whether what solvers keep of a dissimilarity is what it defines: tried on pairs of sets."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, permutations, product
from math import comb
from typing import Any

import numpy as np

from altsel.errors import ArgumentError, checked_integer, of_kind
from altsel.exact.verification.own_variables import can_be_chosen
from altsel.exact.verification.rule_reading import read_rule
from altsel.models.dissimilarity import (
    dissimilarity_of,
    largest_overlap,
    refuse_no_dissimilarity,
    share_of,
)
from altsel.models.many_scores import scores_of
from altsel.models.problem import Problem
from altsel.models.stated_dissimilarity import PairwiseApart, differ_enough
from altsel.pyomo_on_demand import pyo

PAIRS = 24
"""Pairs of sets that are drawn at the door of a search."""
BLOCKS = 6
"""Sets, each of the next best features, whose pairs are tried there besides."""
Names = tuple[str, ...]


def check_dissimilarity(measure: Any, problem: Problem, pairs: int = 1_000, random_state: int = 0) -> None:
    """Compare a definition with its encoding on many pairs; see `altsel.models.check_dissimilarity`."""
    refuse_no_dissimilarity(measure)
    of_kind("problem", problem, Problem, "an altsel.Problem")
    checked_integer("pairs", pairs, 1)
    checked_integer("random_state", random_state, 0)
    low, high = problem.sizes
    features, sizes = list(problem.objective.features), range(low, high + 1)
    if sum(comb(len(features), size) for size in sizes) ** 2 <= pairs:
        sets: list[Names] = [one for size in sizes for one in combinations(features, size)]
        _compare(measure, problem, product(sets, sets))
        return
    random.Random(random_state).shuffle(features)
    covering = islice(_covering(problem, features), pairs // 2)
    _compare(measure, problem, chain(_draw_pairs(problem, pairs - pairs // 2, random_state), covering))


def refuse_wrong_encoding(measure: Any, problem: Problem) -> None:
    """Compare a definition with its encoding at the door of a search, on some pairs of sets.

    An encoding that is too strict would lose sets without a trace; one that is too lenient shows in the
    answer. Pairs are drawn, and made of the features that are best alone, where answers are looked for.

    Parameters
    ----------
    measure
        A dissimilarity of the user's own: ``__call__`` and ``share`` or ``rows``.
    problem
        Whose features and sizes the sets have.

    Raises
    ------
    ArgumentError
        If they differ for a pair; it names both sets.
    """
    best = _best_first(problem)[: BLOCKS * problem.sizes[1]]
    _compare(measure, problem, chain(_draw_pairs(problem, PAIRS, 0), _covering(problem, best)))


def _compare(measure: Any, problem: Problem, pairs: Iterable[tuple[Names, Names]]) -> None:
    encoded = _Rows(measure, problem) if share_of(measure) is None else _share
    for first, second in pairs:
        defined = differ_enough(measure, first, second)
        if encoded(measure, first, second) != defined:
            kept = "rows" if share_of(measure) is None else "share"
            raise ArgumentError(
                f"{type(measure).__name__}: {first!r} and {second!r} differ by "
                f"{dissimilarity_of(measure, frozenset(first), frozenset(second)):.6g}, "
                f"{'enough' if defined else 'not enough'} for tau={float(measure.tau):g}, and its {kept} "
                f"{'forbid' if defined else 'allow'}{'s' * (kept == 'share')} them"
            )


def _draw_pairs(problem: Problem, number: int, seed: int) -> Iterator[tuple[Names, Names]]:
    """Draw pairs of sets, from the same set twice to sets that have little in common."""
    draw, features, (low, high) = random.Random(seed), list(problem.objective.features), problem.sizes
    for each in range(number):
        first = draw.sample(features, draw.randint(low, high))
        kept = draw.sample(first, min(len(first), each % (high + 1)))
        rest = [f for f in features if f not in kept]
        size = max(draw.randint(low, high), len(kept))
        second = kept + draw.sample(rest, min(size - len(kept), len(rest)))
        yield problem.ordered(first), problem.ordered(second)


def _covering(problem: Problem, features: Sequence[str]) -> Iterator[tuple[Names, Names]]:
    """Pair up blocks of features, in both orders: each two features of different blocks meet once."""
    size = problem.sizes[1]
    blocks = [problem.ordered(features[i : i + size]) for i in range(0, len(features), size)]
    yield from permutations([one for one in blocks if len(one) >= problem.sizes[0]], 2)


def _best_first(problem: Problem) -> list[str]:
    """Return the features, the best alone first; in their order where that would cost, or says nothing."""
    objective = problem.objective
    if not objective.exchangeable:
        return list(objective.features)
    alone = scores_of(objective, np.arange(len(objective.features))[:, None])
    return [objective.features[j] for j in np.argsort(-alone, kind="stable")]


def _share(measure: Any, first: Collection[str], second: Collection[str]) -> bool:
    return len(set(first) & set(second)) <= largest_overlap(measure, len(first), len(second))


class _Rows:
    """Evaluates the rows of a measure on pairs of sets."""

    def __init__(self, measure: Any, problem: Problem) -> None:
        self.model = pyo.ConcreteModel()
        self.model.x = pyo.Var([0, 1], problem.objective.features, domain=pyo.Binary)
        self.model.rules = pyo.Block()
        sets = [{f: self.model.x[i, f] for f in problem.objective.features} for i in (0, 1)]
        variables = list(self.model.x.values())
        self.read = read_rule(self.model.rules, PairwiseApart(measure), {}, variables, [sets])

    def __call__(self, measure: Any, first: Collection[str], second: Collection[str]) -> bool:
        for (i, f), x in self.model.x.items():
            x.set_value(int(f in (first, second)[i]), skip_validation=True)
        values = {id(x): float(x.value) for x in self.model.x.values()}
        if self.read.broken(values, ()) is not None:
            return False
        if self.read.block is None:
            return True
        return bool(can_be_chosen(self.model, self.model.rules, self.read, values))
