"""Families of sets given as the minimal transversals of some sets, without listing them.

A transversal (hitting set) meets each of some sets; it is minimal if no feature of it can be left out. The
Markov blankets of a target are the minimal transversals of its minimal *failed removals*: the sets of
features without which no blanket is left. A few such sets stand for millions of blankets.
"""
