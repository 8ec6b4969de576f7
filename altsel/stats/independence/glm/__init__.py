"""Generalised linear models for tests of independence: designs, families, Newton's method."""
