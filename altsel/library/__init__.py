"""A library of questions with known optima, for developers of solvers and of searches.

`make` writes the questions as MPS, LP, QUBO, BQM and plain numbers, with the optimum of each file in the
file's own sense, and who proved it; `hard` measures which of them a solver does not prove; `gap` says how far
anybody's sets are from the optima.
"""

from altsel.library.gap import gap
from altsel.library.hard import hard
from altsel.library.make import make

__all__ = ["gap", "hard", "make"]
