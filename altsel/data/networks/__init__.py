"""Bayesian networks whose Markov blankets are known: files, graphs, and samples of them."""
