"""Searches: loops that decide what to ask a model or a test next."""

from altsel.search import blanket, ranking
from altsel.search.blanket import Scope
from altsel.search.boundaries import (
    Extent,
    Pruning,
    Removal,
    Reuse,
    Template,
    dependent_in_pairs,
    dependent_in_turn,
    tie_star,
    tmfbs,
)
from altsel.search.climb import Climb
from altsel.search.explain import explain, explain_together
from altsel.search.heuristics import greedy_balancing, greedy_replacement
from altsel.search.most_different import most_different, most_different_together
from altsel.search.near_optimal import near_optimal
from altsel.search.pareto import pareto_front, pareto_front_together
from altsel.search.repair import Explanation, Repair
from altsel.search.satisfying import satisfying, satisfying_together
from altsel.search.sequential import sequential
from altsel.search.simultaneous import simultaneous
from altsel.search.valid import Sample, enumerate_valid, sample_valid
from altsel.search.within import Absolute, Relative
from altsel.search.wrapper import wrapper, wrapper_together

__all__ = [
    "Absolute",
    "Climb",
    "Explanation",
    "Extent",
    "Pruning",
    "Relative",
    "Removal",
    "Repair",
    "Reuse",
    "Sample",
    "Scope",
    "Template",
    "blanket",
    "dependent_in_pairs",
    "dependent_in_turn",
    "enumerate_valid",
    "explain",
    "explain_together",
    "greedy_balancing",
    "greedy_replacement",
    "most_different",
    "most_different_together",
    "near_optimal",
    "pareto_front",
    "pareto_front_together",
    "ranking",
    "sample_valid",
    "satisfying",
    "satisfying_together",
    "sequential",
    "simultaneous",
    "tie_star",
    "tmfbs",
    "wrapper",
    "wrapper_together",
]
