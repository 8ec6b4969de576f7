"""One search of the sets of one size above a threshold, that can be stopped and taken up again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.kernels import listing
from altsel.exact.sources.plain_sum.compiled import Loops
from altsel.exact.sources.plain_sum.ground import Bounding, Ground


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
        depth = min(way.depth, ground.need - 1)
        below = ground.ruled if way.ruled else ground.plain
        above = ground.priced if depth else below
        self.order = np.argsort(-below.weights, kind="stable")
        self.counters: Any = self._flat(np.array([0, 0, strict, -1, 0, 0], dtype=np.int64))
        self.bounds = listing.Bounds(
            self._flat(np.array([low], dtype=float)),
            *map(float, (high, below.constant, below.hidden, above.constant, above.hidden)),
        )
        self.shape, self.tables = self._tables(depth, below, above)
        self.keep = 0
        self.begin_list(keep)

    def begin_list(self, keep: int) -> None:
        """Build an empty list for so many sets."""
        self.keep = keep
        room, need = 1 if keep == 1 else 2 * keep, self.ground.need
        self.shape = self.shape._replace(room=room)
        self.list = listing.Listed(self._zeros(room * need, np.int64), self._zeros(room))
        self.counters[listing.FOUND] = 0

    @property
    def low(self) -> float:
        """The threshold: all sets above it that were searched are in the list."""
        return float(self.bounds.threshold[0])

    @property
    def strict(self) -> bool:
        """Whether sets that score just that may be missing."""
        return bool(self.counters[listing.STRICT])

    @property
    def found(self) -> int:
        """Number of sets in the list."""
        return int(self.counters[listing.FOUND])

    @property
    def work(self) -> int:
        """Candidates looked at."""
        return int(self.counters[listing.WORK])

    def raise_low(self, low: float) -> None:
        """Look only for better sets than one that was found elsewhere."""
        if low > self.low or (low == self.low and not self.strict):
            self.bounds.threshold[0], self.counters[listing.STRICT] = low, 1

    def run(self, work: int) -> bool:
        """Search on for so much work; return whether the search is at its end."""
        self.counters[listing.LIMIT] = work
        while True:
            before = self.work
            why = self.loops.advance(self.shape, self.bounds, *self.tables, self.list, self.counters)
            if why != listing.FULL:
                return bool(why == listing.DONE)
            self.shorten(self.keep)
            left = self.counters[listing.LIMIT] - (self.work - before)
            self.counters[listing.LIMIT] = max(left, 0)

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
        self.list.members[: size * self.ground.need] = self._flat(members)
        self.list.scores[:size] = self._flat(scores)
        self.counters[listing.FOUND] = size

    def listed(self) -> tuple[IntArray, FloatArray]:
        """Return the sets found, as places in `order`, and their scores."""
        found, need = self.found, self.ground.need
        members = np.array(self.list.members[: found * need], dtype=np.int64).reshape(found, need)
        return members, np.array(self.list.scores[:found], dtype=float)

    def chosen(self) -> tuple[IntArray, FloatArray]:
        """Return the sets as places among the ground's features."""
        members, scores = self.listed()
        return self.order[members], scores

    def _tables(
        self, depth: int, below: Bounding, above: Bounding
    ) -> tuple[listing.Shape, tuple[listing.Features, listing.Rules, listing.Path]]:
        """Build what `listing.advance` takes: at the root all features are candidates."""
        ground, order, flat, zeros = self.ground, self.order, self._flat, self._zeros
        n, need, count = len(order), ground.need, len(ground.rows)
        write, kind = (words, np.uint64) if self.loops.words else (longs, object)
        earlier, every = write(ground.earlier[order])
        most = int(ground.slack.max(initial=0))
        bits = max(1, most.bit_length())
        shape = listing.Shape(
            n, need, len(every), bits, most, count, depth, exact=below is ground.plain, room=1
        )
        weight, priced = below.weights[order], above.weights[order]
        features = listing.Features(
            flat(ground.weights[order]), flat(weight), flat(priced), flat(earlier), flat(every)
        )
        rows = ground.rows[:, order]
        tails = ground.tails(order) if count else np.zeros((0, 1, 1))
        rules = listing.Rules(flat(rows), flat(ground.limits), flat(tails), flat(ground.exact_rows))
        candidates = np.zeros((need + 1, n), dtype=np.int64)
        candidates[0] = np.argsort(-priced, kind="stable") if depth else np.arange(n)
        overlap = np.zeros((need + 1, bits, len(every)), dtype=kind)
        for b in range(bits):
            overlap[0, b] = write((((most - ground.slack) >> b) & 1).astype(bool)[None, :])[0]
        path = listing.Path(
            candidates=flat(candidates),
            count=zeros(need + 1, np.int64),
            position=zeros(need + 1, np.int64),
            ahead=zeros(need + 1),
            chosen=zeros(need + 1, np.int64),
            total=zeros(need + 1),
            error=zeros(need + 1),
            weight=zeros(need + 1),
            priced=zeros(need + 1),
            overlap=flat(overlap),
            full=flat(np.zeros((need + 1, len(every)), dtype=kind)),
            used=zeros((need + 1) * count),
            marked=zeros(n, np.int64),
        )
        path.count[0], (path.total[0], path.error[0]) = n, ground.constant
        path.ahead[0] = float((priced if depth else weight)[candidates[0, :need]].sum())
        return shape, (features, rules, path)

    def _flat(self, table: Any) -> Any:
        """Write a table as the loops take it: an array of one axis, or a list."""
        if self.loops.words:
            return np.ascontiguousarray(table).ravel()
        return table if isinstance(table, list) else table.ravel().tolist()

    def _zeros(self, size: int, kind: Any = float) -> Any:
        return self._flat(np.zeros(size, dtype=kind))


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
