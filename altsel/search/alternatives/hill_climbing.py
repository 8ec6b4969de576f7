"""Hill climbing over valid sets, after AFS algorithm 1: one change after another, as long as that helps."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from altsel.errors import checked_integer, of_kind
from altsel.exact.starts.nearest_valid import Closest, Flip, Sets
from altsel.models.problem import Problem
from altsel.results.sets import checked_sets
from altsel.results.stop import Stop, noted
from altsel.runtime.clock import STOPPED, clock

log = logging.getLogger("altsel.search")
Value = Callable[[Sets], float]


@dataclass(frozen=True)
class HillClimbing:
    """How a hill is climbed; after AFS algorithm 1, which `OrderedFlips` follows as printed.

    Parameters
    ----------
    max_iters
        Most attempts to make new sets, for each hill; AFS counts them as solver calls.
    pairs
        Exchange two features at a time (True) or flip one, as AFS does (False); default:
        exchanges where the size is fixed.
    restarts
        Hills climbed anew from other random sets while attempts are left.
    start
        Sets to begin with; the closest valid ones are taken. Default: random valid sets.
    random_state
        Seed of the beginnings and of the order of attempts.

    Raises
    ------
    ArgumentError
        If a number is no integer, or too small.

    Examples
    --------
    >>> from altsel import BlackBox, Dice, Problem, wrapper
    >>> length = BlackBox(lambda names: -len("".join(names)), ["height", "age", "sex", "weight"])
    >>> climb = HillClimbing(max_iters=50, restarts=2)
    >>> wrapper(Problem(length, k=2), Dice(0.5), alternatives=0, climb=climb)[0].features
    ('age', 'sex')
    """

    max_iters: int = 1000
    pairs: bool | None = None
    restarts: int = 0
    start: Sequence[Collection[str]] = ()
    random_state: int = 0

    def __post_init__(self) -> None:
        least = {"max_iters": 1, "restarts": 0, "random_state": 0}
        for name, low in least.items():
            checked_integer(name, getattr(self, name), low)
        of_kind("pairs", self.pairs, bool | None, "True, False or None")
        checked_sets(self.start, "start")


def climbed(
    nearest: Closest,
    value: Value,
    climb: HillClimbing,
    start: Sequence[Collection[str]],
    rng: np.random.Generator,
) -> tuple[Sets, Stop]:
    """Climb one hill, or several while attempts are left; return the best sets."""
    best: Sets = []
    left = climb.max_iters
    for hill in range(climb.restarts + 1):
        if best and clock().over:
            return best, Stop.TIME
        sets, stop = nearest.to(start) if start and not hill else nearest.some(rng)
        if sets is None:
            return best, Stop.COUNT if best and stop is not Stop.INTERRUPT else stop
        ascent = _Ascent(nearest, value, sets, left - 1)
        ended = ascent.climb(climb, rng)
        left = ascent.left
        if ascent.reached > (value(best) if best else -inf):
            best = ascent.sets
        log.info("hill %d: %.6g, %d attempts left", hill + 1, ascent.reached, left)
        if ended is not None:
            return best, ended
        if left <= 0:
            break
    return best, Stop.COUNT


@dataclass(eq=False)
class _Ascent:
    """A hill being climbed: where it is, and how many attempts are left."""

    nearest: Closest
    value: Value
    sets: Sets
    left: int
    reached: float = field(init=False)

    def climb(self, climb: HillClimbing, rng: np.random.Generator) -> Stop | None:
        """Take the first change that helps, until none does; return why that was cut short, if it was."""
        met: set[frozenset[frozenset[str]]] = set()
        self.reached = -inf
        try:
            self.reached = self.value(self.sets)
            while self._improved(climb, rng, met):
                pass
        except STOPPED as fault:
            return noted(fault)
        return None

    def _improved(
        self, climb: HillClimbing, rng: np.random.Generator, met: set[frozenset[frozenset[str]]]
    ) -> bool:
        for flips in _moves(self.nearest.problem, climb, self.sets, rng):
            if self.left <= 0:
                return False
            self.left -= 1
            clock().check()
            near, stop = self.nearest.to(self.sets, flips)
            if stop is Stop.INTERRUPT:
                raise KeyboardInterrupt
            if near is None or frozenset(near) in met:
                continue
            met.add(frozenset(near))
            value = self.value(near)
            if value > self.reached:
                self.sets, self.reached = near, value
                return True
        return False


def _moves(
    problem: Problem, climb: HillClimbing, sets: Sets, rng: np.random.Generator
) -> Iterator[list[Flip]]:
    """Return the changes to try from given sets, in random order."""
    low, high = problem.sizes
    features = problem.objective.features
    pairs = low == high if climb.pairs is None else climb.pairs
    inside = [[f for f in features if f in subset] for subset in sets]
    outside = [[f for f in features if f not in subset] for subset in sets]
    sizes = [len(a) * len(b) if pairs else len(features) for a, b in zip(inside, outside, strict=True)]
    ends = np.cumsum(sizes)
    for code in rng.permutation(int(ends[-1])).tolist():
        i = int(np.searchsorted(ends, code, side="right"))
        index = code - int(ends[i] - sizes[i])
        if pairs:
            out, into = divmod(index, len(outside[i]))
            yield [(i, inside[i][out]), (i, outside[i][into])]
        else:
            yield [(i, features[index])]
