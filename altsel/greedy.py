"""Greedy heuristics for alternatives of univariate criteria (AFS): milliseconds, no proof."""

from altsel.search.alternatives.greedy import (
    balancing,
    replacement,
)

__all__ = ["balancing", "replacement"]
