"""All Markov blankets: TMFBS, which backtracks, and TIE*, which hides features and searches again."""

from altsel.search.blankets.all.limits import Extent
from altsel.search.blankets.all.order_variables import dependent_in_pairs, dependent_in_turn
from altsel.search.blankets.all.tie_star import Removal, Reuse, tie_star
from altsel.search.blankets.all.tmfbs import Pruning, Template, tmfbs

__all__ = [
    "Extent",
    "Pruning",
    "Removal",
    "Reuse",
    "Template",
    "dependent_in_pairs",
    "dependent_in_turn",
    "tie_star",
    "tmfbs",
]
