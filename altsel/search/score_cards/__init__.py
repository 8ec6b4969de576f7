"""Sparse integer scoring systems: points that people add up by hand, proved best."""
