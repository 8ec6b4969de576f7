"""Searches for Markov blankets, driven by tests of conditional independence.

One blanket: ``forward_backward``, ``forward_backward_early_dropping``, ``grow_shrink``, ``iamb``,
``inter_iamb``, ``fast_iamb`` condition on all members; ``mmpc``, ``mmmb``, ``hiton_pc``,
``hiton_mb``, ``ipcmb``, ``stmb`` on subsets of them. All blankets: ``tmfbs`` and ``tie_star``.
All take a test, a level and limits, and return `Solutions`.
"""

from altsel.search.blankets import (
    EarlyDropping,
    Scope,
    dependent_by_association,
    dependent_by_p,
    fast_iamb,
    forward_backward,
    forward_backward_early_dropping,
    grow_shrink,
    hiton_mb,
    hiton_pc,
    iamb,
    inter_iamb,
    ipcmb,
    mmmb,
    mmpc,
    remove_least_dependent,
    stmb,
)
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
from altsel.stats.error_bounds import (
    error_bounds,
    with_error_bounds,
)

__all__ = [
    "EarlyDropping",
    "Extent",
    "Pruning",
    "Removal",
    "Reuse",
    "Scope",
    "Template",
    "dependent_by_association",
    "dependent_by_p",
    "dependent_in_pairs",
    "dependent_in_turn",
    "error_bounds",
    "fast_iamb",
    "forward_backward",
    "forward_backward_early_dropping",
    "grow_shrink",
    "hiton_mb",
    "hiton_pc",
    "iamb",
    "inter_iamb",
    "ipcmb",
    "mmmb",
    "mmpc",
    "remove_least_dependent",
    "stmb",
    "tie_star",
    "tmfbs",
    "with_error_bounds",
]
