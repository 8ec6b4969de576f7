"""Greedy filters: rankings of features by criteria of information theory."""
