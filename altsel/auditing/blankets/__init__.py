"""Audits of searches for all Markov blankets: their sets, their certificate, and the tests both rest on."""
