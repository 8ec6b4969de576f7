"""Benchmarks of solvers, searches and criteria on one's own data."""

from altsel.bench.grid import BenchSearch, Case, Grid
from altsel.bench.report import profile, report, summary
from altsel.bench.run import bench

__all__ = ["BenchSearch", "Case", "Grid", "bench", "profile", "report", "summary"]
