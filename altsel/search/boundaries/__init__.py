"""All Markov blankets: TMFBS, which backtracks, and TIE*, which hides features and searches again."""

from altsel.search.boundaries.extent import Extent
from altsel.search.boundaries.order import dependent_in_pairs, dependent_in_turn
from altsel.search.boundaries.tie_star import Removal, Reuse, tie_star
from altsel.search.boundaries.tmfbs import Pruning, Template, tmfbs

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
