"""Searches: loops that decide what to ask a model or a test next."""

from altsel.search.alternatives.explain.explain import explain, explain_together
from altsel.search.alternatives.explain.repair import Explanation, Repair
from altsel.search.alternatives.greedy import greedy_balancing, greedy_replacement
from altsel.search.alternatives.hill_climbing import HillClimbing
from altsel.search.alternatives.most_different import most_different, most_different_together
from altsel.search.alternatives.near_optimal import near_optimal
from altsel.search.alternatives.pareto_front import pareto_front, pareto_front_together
from altsel.search.alternatives.quality_loss import AbsoluteLoss, RelativeLoss
from altsel.search.alternatives.satisfying import satisfying, satisfying_together
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous
from altsel.search.alternatives.valid_sets import Sample, enumerate_valid, sample_valid
from altsel.search.alternatives.wrapper import wrapper, wrapper_together
from altsel.search.blankets import Scope
from altsel.search.blankets.all import (
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

__all__ = [
    "AbsoluteLoss",
    "Explanation",
    "Extent",
    "HillClimbing",
    "Pruning",
    "RelativeLoss",
    "Removal",
    "Repair",
    "Reuse",
    "Sample",
    "Scope",
    "Template",
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
