"""Two minimal transversals that have as little in common as can be, proved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from altsel.errors import SolverError
from altsel.exact.auto_solver import automatic
from altsel.exact.transversals.by_model import read_set, solve_to_optimum
from altsel.exact.transversals.hypergraph import Names, Sets, is_minimal_transversal, make_minimal
from altsel.models.dissimilarity import Dice, Jaccard
from altsel.models.minimal_transversal import dissimilar_transversals, two_transversals
from altsel.solvers import Solver

Pair = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True)
class DifferentPair:
    """Two sets that were proved to differ the most.

    Attributes
    ----------
    first, second
        The sets.
    shared
        What both have; nothing: they are disjoint.
    """

    first: Names
    second: Names
    shared: Names

    @property
    def dice(self) -> float:
        """Dice dissimilarity of the two."""
        return Dice(0)(self.first, self.second)

    @property
    def jaccard(self) -> float:
        """Jaccard distance of the two."""
        return Jaccard(0)(self.first, self.second)


def fewest_shared(removals: Sets, solver: Solver | None = None) -> Pair | None:
    """Return two minimal transversals with the fewest features in common; None if there are no two.

    By one solve, which is the proof: see `two_transversals`. If what it finds shrinks to one set twice, that
    set is the only one: another one would not contain it, and share less.

    Raises
    ------
    SolverError, OutOfTimeError, KeyboardInterrupt
        As `solve_to_optimum`.

    Examples
    --------
    >>> first, second = fewest_shared([["a", "b"], ["c"]])
    >>> sorted(first & second), sorted(first ^ second)
    (['c'], ['a', 'b'])
    """
    solve, sets = solver or automatic(), tuple(removals)
    model = two_transversals(sets)
    if not sets or not solve_to_optimum(solve, model):
        return None
    both, one_side = read_set(model.shared), read_set(model.side)
    transversals = (one_side | both, (frozenset(model.side) - one_side) | both)
    first, second = (make_minimal(sorted(chosen, key=both.__contains__), sets) for chosen in transversals)
    checked = _refuse_no_transversal((first, second), sets, solve.name)
    return None if first == second else checked


def most_dissimilar(removals: Sets, solver: Solver | None = None) -> Pair | None:
    """Return two minimal transversals of the largest Dice and Jaccard dissimilarity; None if there is one.

    Both rise as ``|S & T| / (|S| + |T|)`` falls, so one pair is the furthest by both. Disjoint sets are as
    far as can be. Else a pair with a smaller ratio than the best one known is solved for until there is none
    (Dinkelbach), in integers.

    Raises
    ------
    SolverError, OutOfTimeError, KeyboardInterrupt
        As `solve_to_optimum`.

    Examples
    --------
    >>> pair = most_dissimilar([["a", "b"], ["c"]])
    >>> Dice(0)(*pair)
    0.5
    """
    solve, sets = solver or automatic(), tuple(removals)
    pair = fewest_shared(sets, solve)
    while pair is not None and pair[0] & pair[1]:
        # 1. The ratio of the best pair known: share = |S & T| / (|S| + |T|).
        share = _share(pair)
        # 2. A pair below it has total |S & T| < share (|S| + |T|) by 1 or more, as all are integers.
        model = dissimilar_transversals(sets, share.denominator, share.numerator)
        if not solve_to_optimum(solve, model):
            raise SolverError(f"{solve.name} calls infeasible what two known sets keep")
        better = _refuse_no_transversal((read_set(model.first), read_set(model.second)), sets, solve.name)
        # 3. None: the one known is the furthest.
        if _share(better) >= share:
            return pair
        pair = better
    return pair


def _share(pair: Pair) -> Fraction:
    return Fraction(len(pair[0] & pair[1]), len(pair[0]) + len(pair[1]))


def _refuse_no_transversal(pair: Pair, sets: Sets, name: str) -> Pair:
    """Refuse what is no minimal transversal."""
    for subset in pair:
        if not is_minimal_transversal(subset, sets):
            raise SolverError(f"{name}: {sorted(subset)} is no minimal transversal")
    return pair
