"""Searches: loops that decide what to ask a model or a test next."""

from altsel.search.explain import Explanation, Repair, explain, explain_together
from altsel.search.heuristics import greedy_balancing, greedy_replacement
from altsel.search.most_different import most_different, most_different_together
from altsel.search.near_optimal import near_optimal
from altsel.search.pareto import pareto_front, pareto_front_together
from altsel.search.satisfying import satisfying, satisfying_together
from altsel.search.sequential import sequential
from altsel.search.simultaneous import simultaneous
from altsel.search.within import Absolute, Relative

__all__ = [
    "Absolute",
    "Explanation",
    "Relative",
    "Repair",
    "explain",
    "explain_together",
    "greedy_balancing",
    "greedy_replacement",
    "most_different",
    "most_different_together",
    "near_optimal",
    "pareto_front",
    "pareto_front_together",
    "satisfying",
    "satisfying_together",
    "sequential",
    "simultaneous",
]
