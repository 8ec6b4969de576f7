"""Benchmarks of solvers, searches and criteria on one's own data."""

from altsel.bench.comparison import comparison, contradictions, shifted_geometric_mean
from altsel.bench.grid import BenchSearch, Case, Grid
from altsel.bench.report import profile, report, summary
from altsel.bench.rules import NamedRules, named_rules
from altsel.bench.run import bench

__all__ = [
    "BenchSearch",
    "Case",
    "Grid",
    "NamedRules",
    "bench",
    "comparison",
    "contradictions",
    "named_rules",
    "profile",
    "report",
    "shifted_geometric_mean",
    "summary",
]
