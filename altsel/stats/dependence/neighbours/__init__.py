"""Mutual information by nearest neighbours: of two numbers (Kraskov), of a number and classes (Ross).

A column of numbers is scaled to variance 1 and gets noise of 1e-10, which breaks ties (`noise`). The radius
of a row is the distance to its k-th neighbour, and what counts is how many rows of a column lie within it
(`counts`). `kraskov` and `ross` make that an estimate; `tables` gives relevances and redundancies, in
`blocks` that workers share. Loops are compiled where numba is installed (`compiled`), else numpy's and
scipy's, to the same bits.
"""

from altsel.stats.dependence.neighbours.tables import Neighbours

__all__ = ["Neighbours"]
