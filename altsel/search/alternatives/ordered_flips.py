"""The greedy wrapper of AFS algorithm 1 as printed: ordered flips, repaired by any solution."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from altsel.errors import checked_integer
from altsel.exact.starts.nearest_valid import Closest, Sets
from altsel.results.stop import Stop, noted
from altsel.runtime.clock import STOPPED, clock
from altsel.search.alternatives.hill_climbing import Value

log = logging.getLogger("altsel.search")


@dataclass(frozen=True)
class OrderedFlips:
    """Climb a hill exactly as AFS algorithm 1 prints it.

    ``s = Solve(Cons)``, ``j = 1``; while ``iters < max_iters`` and ``j <= |s|``: ``s' = Solve(Cons and s_j
    flipped)``; if there is an s' and ``Q(s') > Q(s)``, then ``s = s'`` and ``j = 1``, else ``j = j + 1``.
    Solve returns any solution, whichever the solver meets first, so the result depends on the solver and
    on the order of the columns, but on no seed. Of sets found together, j runs through the features of
    the first, then of the second, and so on.

    `HillClimbing` differs: it starts from a random valid set, tries flips or exchanges in random order,
    goes to the valid set closest to the change, evaluates none twice, and can begin anew.

    Parameters
    ----------
    max_iters
        Most calls of Solve for each hill, with the first one.

    Raises
    ------
    ArgumentError
        If the number is no integer of at least 1.

    References
    ----------
    Bach, Finding Optimal Diverse Feature Sets via Alternative Feature Selection (AFS, v1), algorithm 1.

    Examples
    --------
    >>> from altsel import BlackBox, Dice, Problem, wrapper
    >>> wanted = BlackBox(lambda names: 1.5 * ("a" in names), list("abcde"))
    >>> [s.score for s in wrapper(Problem(wanted, k=2), Dice(1), 0, climb=OrderedFlips(max_iters=50))]
    [1.5]
    """

    max_iters: int = 1000

    start: ClassVar[Sequence[Collection[str]]] = ()
    random_state: ClassVar[int] = 0

    def __post_init__(self) -> None:
        checked_integer("max_iters", self.max_iters, 1)


def flipped_in_order(nearest: Closest, value: Value, most: int) -> tuple[Sets, Stop]:
    """Follow AFS algorithm 1; return the sets it ends with."""
    sets, stop = nearest.any_with([])
    if sets is None:
        return [], stop
    features = nearest.problem.objective.features
    flips = [(i, name) for i in range(len(sets)) for name in features]
    reached, iters, j = -inf, 1, 0
    try:
        reached = value(sets)
        while iters < most and j < len(flips):
            clock().check()
            i, name = flips[j]
            changed, stop = nearest.any_with([(i, name, name not in sets[i])])
            iters += 1
            if stop is Stop.INTERRUPT:
                raise KeyboardInterrupt
            if changed is not None and (new := value(changed)) > reached:
                sets, reached, j = changed, new, 0
            else:
                j += 1
    except STOPPED as fault:
        return sets if reached > -inf else [], noted(fault)
    log.info("%d solver calls: %.6g", iters, reached)
    return sets, Stop.COUNT
