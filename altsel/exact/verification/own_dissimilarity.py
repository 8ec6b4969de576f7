"""Whether what solvers keep of a dissimilarity is what it defines: tried on some pairs of sets."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any

from altsel.errors import ArgumentError
from altsel.exact.verification.rule_reading import can_be_chosen, read_rule
from altsel.models.dissimilarity import dissimilarity_of, largest_overlap, share_of
from altsel.models.problem import Problem
from altsel.models.stated_dissimilarity import PairwiseApart, differ_enough
from altsel.pyomo_on_demand import pyo

PAIRS = 24
"""Pairs of sets that are tried."""
Names = tuple[str, ...]


def check_dissimilarity(measure: Any, problem: Problem) -> None:
    """Compare the definition of a dissimilarity with its encoding, on pairs of sets of a problem.

    An encoding that is too strict would lose sets without a trace; one that is too lenient shows in the
    answer.

    Parameters
    ----------
    measure
        A dissimilarity of the user's own: ``__call__`` and ``share`` or ``rows``.
    problem
        Whose features and sizes the sets have.

    Raises
    ------
    ArgumentError
        If they say otherwise of a pair; it names both sets.
    """
    encoded = _Rows(measure, problem) if share_of(measure) is None else _share
    for first, second in _pairs(problem):
        defined = differ_enough(measure, first, second)
        if encoded(measure, first, second) != defined:
            kept = "rows" if share_of(measure) is None else "share"
            raise ArgumentError(
                f"{type(measure).__name__}: {first!r} and {second!r} differ by "
                f"{dissimilarity_of(measure, frozenset(first), frozenset(second)):.6g}, "
                f"{'enough' if defined else 'not enough'} for tau={float(measure.tau):g}, and its {kept} "
                f"{'forbid' if defined else 'allow'}{'s' * (kept == 'share')} them"
            )


def _pairs(problem: Problem) -> Iterator[tuple[Names, Names]]:
    """Draw pairs of sets, from the same set twice to sets that have little in common."""
    draw, features, (low, high) = random.Random(0), list(problem.objective.features), problem.sizes
    for number in range(PAIRS):
        first = draw.sample(features, draw.randint(low, high))
        kept = draw.sample(first, min(len(first), number % (high + 1)))
        rest = [f for f in features if f not in kept]
        size = max(draw.randint(low, high), len(kept))
        second = kept + draw.sample(rest, min(size - len(kept), len(rest)))
        yield problem.ordered(first), problem.ordered(second)


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
