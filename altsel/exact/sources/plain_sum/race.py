"""One list above a threshold, made by whichever way comes to its end first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from altsel._types import IntArray
from altsel.exact.sources.plain_sum.compiled import LOOPS, Loops
from altsel.exact.sources.plain_sum.ground import Ground
from altsel.exact.sources.plain_sum.listing import Complete, Listing
from altsel.exact.sources.plain_sum.tree import Way

PLAIN_WORK, COMPILED_WORK = 2_000_000, 300_000_000
"""Candidates looked at for one step, after which it is given up: half a second or so."""
PLAIN_SHARE, COMPILED_SHARE = 30_000, 1_000_000
"""Most candidates looked at between two looks at the clock."""
HARD_PART = 0.15
"""Part of that work which shows that a step is hard."""
TREE_PART = 10.0
"""How much more work a tree of linear programs has, as a model takes longer."""
FIRST_TURN = 20
"""Share of that which each way has for its first turn."""
PLAIN_OVERHEAD, COMPILED_OVERHEAD = 5_000, 200_000
"""Candidates that could be looked at while a list is set up."""
CANDIDATE = 1e-6
"""CPU seconds that one takes about without numba."""
MOST_KEPT = 5_000
"""Sets kept without numba."""


@dataclass(eq=False)
class Race:
    """Ways to make a list, each with a growing budget in turn.

    Parameters
    ----------
    over
        Whether time is up.
    loops
        What the last race ended with.
    way
        The way that won it.
    patience
        Share of the work that is done before the race is given up.

    Attributes
    ----------
    work
        Candidates looked at since the last call of `begin`.
    best, members
        The best set met, as indices of features with the required ones.
    """

    over: Callable[[], bool]
    loops: Loops = field(default_factory=lambda: LOOPS.ready())  # noqa: PLW0108 (looked up at each call)
    way: Way = field(default_factory=Way)
    patience: float = 1.0
    total: int = 0
    work: int = 0
    best: float = -inf
    members: tuple[int, ...] | None = None
    entered: list[Listing] = field(default_factory=list)

    @property
    def overhead(self) -> int:
        """Candidates that could be looked at while a list is set up."""
        return COMPILED_OVERHEAD if self.loops.words else PLAIN_OVERHEAD

    def begin(self) -> None:
        """Forget what belongs to another question."""
        self.work, self.best, self.members = 0, -inf, None

    def run(
        self,
        grounds: Sequence[Ground],
        low: float,
        high: float,
        keep: int,
        priced: bool,
        others: Callable[[], bool],
    ) -> Complete | None:
        """Run a list; None if time or patience is at its end, or it is hard and others may go on."""
        keep = keep if self.loops.words else min(keep, MOST_KEPT)
        self.entered = [Listing(grounds, self.way, self.loops, keep, low, high)]
        share = COMPILED_SHARE if self.loops.words else PLAIN_SHARE
        turn, rounds, counted = -(-share // FIRST_TURN), 0, self.total
        while True:
            for listing in self.entered:
                if self._turn(listing, turn, share):
                    return self._won(listing)
                if self.over() or self._impatient(1.0) or (self._impatient(HARD_PART) and others()):
                    self._note()
                    return None
            rounds += 1
            work, counted = self.total - counted, self.total
            if not self.loops.words and (found := LOOPS.after(CANDIDATE * work)).words:
                self.loops, share, turn, rounds = found, COMPILED_SHARE, -(-COMPILED_SHARE // FIRST_TURN), 0
                self._note()
                self.entered = [Listing(grounds, self.way, found, keep, low, high)]
            elif rounds == 1:
                ways = [way for way in ways_of(grounds, priced) if way != self.way]
                self.entered += [Listing(grounds, way, self.loops, keep, low, high) for way in ways]
            else:
                turn *= 2
                keep = self._hurry(keep, rounds)

    def _turn(self, listing: Listing, turn: int, share: int) -> bool:
        """Let one way go on for its turn, looking at the clock; return whether it is at its end."""
        while turn > 0 and not self.over():
            before = listing.work
            ended = listing.run(min(turn, share))
            done = listing.work - before
            self.work += done
            self.total += done
            if ended:
                return True
            turn -= max(done, 1)
        return False

    def _hurry(self, keep: int, rounds: int) -> int:
        """Keep fewer sets the longer it takes; of one set all look for better ones than the best met."""
        if rounds > 3 and keep > 1:
            keep = max(1, keep // 4)
            for listing in self.entered:
                listing.shorten(keep)
        if keep == 1:
            self._note()
            for listing in self.entered:
                if self.members is not None:
                    listing.raise_low(self.best)
        return keep

    def _won(self, listing: Listing) -> Complete:
        """Return the list of the winner, with the best set met elsewhere if that was looked for."""
        self.way = listing.way
        sets, low = listing.listed(), listing.low
        if any(len(scores) and scores.max() >= low for _, scores in sets):
            return Complete(sets, low)
        self._note()
        if self.members is not None and self.best >= low:
            free = sorted(set(self.members) - set(listing.grounds[0].required.tolist()))
            sets = [(np.array([free], dtype=np.int64), np.array([self.best]))]
        return Complete(sets, low)

    def count(self, work: int) -> bool:
        """Count work that was done elsewhere; return whether there is time and patience for more."""
        self.work += work
        self.total += work
        return not (self.over() or self._impatient(TREE_PART))

    def _impatient(self, part: float) -> bool:
        if self.work <= part * self.patience * (COMPILED_WORK if self.loops.words else PLAIN_WORK):
            return False
        return self.loops.words or not LOOPS.to_come()

    def _note(self) -> None:
        """Note the best set that any way has met."""
        for listing in self.entered:
            required = listing.grounds[0].required if listing.grounds else np.empty(0, dtype=np.int64)
            for members, scores in listing.listed():
                if len(scores) and scores.max() > self.best:
                    one = members[int(scores.argmax())]
                    self.best = float(scores.max())
                    self.members = whole(one, required)


def whole(members: IntArray, required: IntArray) -> tuple[int, ...]:
    """Return a set with the features that all sets have."""
    return tuple(sorted([*members.tolist(), *required.tolist()]))


def ways_of(grounds: Sequence[Ground], priced: bool) -> list[Way]:
    """List the ways to make a list: rules priced or not, overlaps priced down to a depth."""
    need = max(ground.need for ground in grounds)
    ruled = any(len(ground.rows) for ground in grounds)
    depths = [0, *sorted({need // 2, need - 2} - {0})] if priced and need > 3 else [0]
    ways = [Way()] + [Way(depth, ruled) for depth in depths]
    return list(dict.fromkeys(ways))
