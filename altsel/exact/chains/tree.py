"""One search of the sets of one size above a threshold, that can be stopped and taken up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.chains import loop
from altsel.exact.chains.compiled import Loops
from altsel.exact.chains.ground import Ground


@dataclass(frozen=True)
class Way:
    """How a tree is searched: whether rules are priced, and the depth down to which overlaps are."""

    depth: int = 0
    ruled: bool = False


class Tree:
    """A depth-first search with a list of sets; `run` goes on with it.

    Parameters
    ----------
    ground
        What to choose from; at least one feature has to be chosen.
    way
        How it is searched.
    loops
        By numba, or plain.
    low, strict
        Sets of at least this score are listed; strictly, above it.
    high
        A score that none exceeds.
    keep
        Number of sets kept at least before the threshold rises; 1: the best one.
    """

    def __init__(
        self, ground: Ground, way: Way, loops: Loops, low: float, strict: bool, high: float, keep: int
    ) -> None:
        self.ground, self.loops = ground, loops
        self.depth = min(way.depth, ground.need - 1)
        below = ground.ruled if way.ruled else ground.plain
        above = ground.priced if self.depth else below
        order = np.argsort(-below.weights, kind="stable")
        self.order = order
        self.q, self.w, self.priced = ground.weights[order], below.weights[order], above.weights[order]
        self.ints: Any = np.zeros(15, dtype=np.int64)
        self.reals: Any = np.array([low, high, below.hidden, above.hidden, below.constant, above.constant])
        self.ints[loop.N], self.ints[loop.NEED] = len(order), ground.need
        self.ints[loop.DEPTH], self.ints[loop.STRICT] = self.depth, int(strict)
        self.ints[loop.PLAIN] = int(below is ground.plain)
        self.ints[loop.ROWS], self.ints[loop.INNER] = len(ground.rows), -1
        self.tables = self._tables()
        self.keep = 0
        self.begin_list(keep)

    def begin_list(self, keep: int) -> None:
        """Make an empty list for so many sets."""
        self.keep = keep
        room = 1 if keep == 1 else 2 * keep
        self.ints[loop.ROOM], self.ints[loop.FOUND] = room, 0
        if self.loops.words:
            self.out: Any = np.zeros(room * self.ground.need, dtype=np.int64)
            self.scores: Any = np.zeros(room)
        else:
            self.out, self.scores = [0] * (room * self.ground.need), [0.0] * room

    @property
    def low(self) -> float:
        """The threshold: all sets above it that were searched are in the list."""
        return float(self.reals[loop.LOW])

    @property
    def strict(self) -> bool:
        """Whether sets that score just that may be missing."""
        return bool(self.ints[loop.STRICT])

    @property
    def found(self) -> int:
        """Number of sets in the list."""
        return int(self.ints[loop.FOUND])

    @property
    def work(self) -> int:
        """Candidates looked at."""
        return int(self.ints[loop.WORK])

    def raise_low(self, low: float) -> None:
        """Look only for better sets than one that was found elsewhere."""
        if low > self.low or (low == self.low and not self.strict):
            self.reals[loop.LOW], self.ints[loop.STRICT] = low, 1

    def run(self, work: int) -> bool:
        """Search on for so much work; return whether the search is at its end."""
        self.ints[loop.LIMIT] = work
        while True:
            before = self.work
            why = self.loops.advance(self.ints, self.reals, *self.tables, self.out, self.scores)
            if why != loop.FULL:
                return why == loop.DONE
            self.shorten(self.keep)
            self.ints[loop.LIMIT] = max(self.ints[loop.LIMIT] - (self.work - before), 0)

    def shorten(self, keep: int) -> None:
        """Keep the best sets only, and look only for better ones than the last of them."""
        found = self.found
        if found >= keep:
            members, scores = self.listed()
            best = np.argpartition(-scores, keep - 1)[:keep]
            members, scores = members[best], scores[best]
            self.raise_low(float(scores.min()))
        elif keep < self.keep:
            members, scores = self.listed()
        else:
            return
        if keep < self.keep:
            self.begin_list(keep)
        size = len(scores)
        if self.loops.words:
            self.out[: size * self.ground.need] = members.ravel()
            self.scores[:size] = scores
        else:
            self.out[: size * self.ground.need] = members.ravel().tolist()
            self.scores[:size] = scores.tolist()
        self.ints[loop.FOUND] = size

    def listed(self) -> tuple[IntArray, FloatArray]:
        """Return the sets found, as places in `order`, and their scores."""
        found, need = self.found, self.ground.need
        members = np.array(self.out[: found * need], dtype=np.int64).reshape(found, need)
        return members, np.array(self.scores[:found], dtype=float)

    def chosen(self) -> tuple[IntArray, FloatArray]:
        """Return the sets as places among the ground's features."""
        members, scores = self.listed()
        return self.order[members], scores

    def _tables(self) -> tuple[Any, ...]:
        """Make what `loop.advance` takes between `reals` and the list."""
        ground, n, need = self.ground, len(self.order), self.ground.need
        earlier, ones = (
            words(ground.earlier[self.order]) if self.loops.words else longs(ground.earlier[self.order])
        )
        width = len(ones)
        most = int(ground.slack.max(initial=0))
        bits = max(1, most.bit_length())
        begun = most - ground.slack
        self.ints[loop.WORDS], self.ints[loop.PLANES], self.ints[loop.MOST] = width, bits, most
        kind: Any = np.uint64 if self.loops.words else object
        planes = np.zeros((need + 1, bits, width), dtype=kind)
        for b in range(bits):
            mask = ((begun >> b) & 1).astype(bool)[None, :]
            planes[0, b] = (words(mask) if self.loops.words else longs(mask))[0]
        full = np.zeros((need + 1, width), dtype=kind)
        cand = np.zeros((need + 1) * n, dtype=np.int64)
        cand[:n] = np.argsort(-self.priced, kind="stable") if self.depth else np.arange(n)
        ncand, pos = np.zeros(need + 1, dtype=np.int64), np.zeros(need + 1, dtype=np.int64)
        ncand[0] = n
        ahead, total, total_priced = np.zeros(need + 1), np.zeros(need + 1), np.zeros(need + 1)
        ahead[0] = (self.priced if self.depth else self.w)[cand[:need]].sum()
        high_part, low_part = np.zeros(need + 1), np.zeros(need + 1)
        high_part[0], low_part[0] = ground.constant
        rows = ground.rows[:, self.order]
        tails = ground.tails(self.order) if len(rows) else np.zeros((0, 1, 1))
        tables: list[Any] = [
            *(self.q, self.w, self.priced, earlier, ones, cand, ncand, pos, ahead),
            *(np.zeros(need + 1, dtype=np.int64), np.zeros(n, dtype=np.int64), planes.ravel(), full.ravel()),
            *(high_part, low_part, total, total_priced, rows.ravel(), ground.limits, tails.ravel()),
            *(np.zeros((need + 1) * len(rows)), ground.exact_rows.ravel()),
        ]
        if self.loops.words:
            return tuple(np.ascontiguousarray(table) for table in tables)
        self.ints, self.reals = self.ints.tolist(), self.reals.tolist()
        return tuple(table if isinstance(table, list) else table.tolist() for table in tables)


def words(member: BoolArray) -> tuple[Any, Any]:
    """Write rows of marks as words of 64 bits, flat; and the marks that a word has.

    Examples
    --------
    >>> words(np.array([[True, False], [True, True]]))[0].tolist()
    [1, 3]
    """
    count = member.shape[1]
    width = max(1, -(-count // 64))
    padded = np.zeros((len(member) + 1, 64 * width), dtype=bool)
    padded[:-1, :count] = member
    padded[-1, :count] = True
    table = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    return table[:-1].ravel(), table[-1]


def longs(member: BoolArray) -> tuple[list[int], list[int]]:
    """Write rows of marks as long integers; and one with all marks.

    Examples
    --------
    >>> longs(np.array([[True, False], [True, True]]))
    ([1, 3], [3])
    """
    packed = np.packbits(member, axis=1, bitorder="little")
    numbers = [int.from_bytes(row.tobytes(), "little") for row in packed]
    return numbers, [(1 << member.shape[1]) - 1]
