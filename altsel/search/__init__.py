"""Searches: loops that decide what to ask a model or a test next."""

from altsel.search.heuristics import greedy_balancing, greedy_replacement
from altsel.search.sequential import sequential
from altsel.search.simultaneous import simultaneous

__all__ = ["greedy_balancing", "greedy_replacement", "sequential", "simultaneous"]
