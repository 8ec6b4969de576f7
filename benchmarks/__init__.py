"""Benchmarks: measured, never part of the test suite."""
