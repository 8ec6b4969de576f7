"""Tests of conditional independence: all candidates at once, given some features."""

from altsel.stats.independence.answers import Answers, Independence
from altsel.stats.independence.g_square import ChiSquare, GSquare, Permutations, Untestable
from altsel.stats.independence.oracle import DSeparation, JointTable

__all__ = [
    "Answers",
    "ChiSquare",
    "DSeparation",
    "GSquare",
    "Independence",
    "JointTable",
    "Permutations",
    "Untestable",
]
