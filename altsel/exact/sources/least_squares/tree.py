"""One branch and bound for the fit of linear models: the best set of a size, or all above a value."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import inf, sqrt

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.rules.linear_rules import loosened
from altsel.exact.sources.least_squares import kernel
from altsel.exact.sources.least_squares.compiled import PLAIN, Kernels, kernels, patience
from altsel.exact.sources.least_squares.conditioning import EPSILON, cleared, steepest
from altsel.exact.sources.least_squares.diagonal import Root, root
from altsel.exact.sources.tree import explore
from altsel.results.stop import Stop
from altsel.runtime.clock import Clock, clock
from altsel.stats.least_squares import DEPENDENT, Design

ROUNDING = 4e-15
"""Of the products of columns of length 1."""
ROUNDS = 12
"""Weightings of a node at most."""
PACE = 0.05
"""Seconds between two looks at the clock."""
ROOM = 4096
"""Sets found that the loops may hold, at first."""


@dataclass(frozen=True, eq=False)
class Limits:
    """Rules as rows ``R s <= h`` over the features."""

    rows: FloatArray
    limits: FloatArray

    def groups(self, k: int) -> tuple[IntArray, IntArray]:
        """Return disjoint groups of features, and how many of each may be chosen."""
        group, most = np.full(self.rows.shape[1], -1), list[int]()
        for row, limit in zip(self.rows, loosened(self.rows, self.limits, k), strict=True):
            members = np.flatnonzero(row)
            if not np.isin(row[members], 1.0).all():
                continue
            members = members[group[members] < 0]
            if 0 <= limit < min(k, len(members)):
                group[members] = len(most)
                most.append(int(limit))
        return group, np.array(most, dtype=np.int64)


@dataclass(eq=False)
class Tree:
    """A search of the sets of one size.

    Parameters
    ----------
    design
        The standardised data.
    k
        Number of features.
    conditions
        Rules as rows.
    relaxed
        The root's bound for this size, if it is known.
    using
        The loops; default: those of numpy for the first moments, then compiled ones if there are.

    Attributes
    ----------
    best, value
        The best set met, and its ``R^2``.
    nodes
        Number of nodes looked at.
    """

    design: Design
    k: int
    conditions: Limits
    relaxed: Root | None = None
    using: Kernels | None = None
    best: IntArray | None = None
    value: float = -inf
    nodes: int = 0

    def search(self, close: float, most_nodes: float = inf) -> tuple[Stop, float]:
        """Search the best set; return why it ended, and the bound on sets that were not looked at.

        Parameters
        ----------
        close
            How much better than the best one a set may be that is not looked for, relative.
        most_nodes
            Number of nodes after which to stop.
        """
        state = self._planted()
        state.numbers[kernel.CLOSE] = close
        before = -inf
        if self.best is not None:  # perhaps of another size
            before = self.value - self.design.offset
            state.counters[kernel.HAS_BEST] = 1
            state.numbers[[kernel.VALUE, kernel.CUTOFF]] = before, before + max(close * before, 1e-13)
        stop = self._run(state, most_nodes)
        if state.numbers[kernel.VALUE] > before:
            self.best = np.sort(state.found[0])
            self.value = self.design.explained(self.best)
        return stop, self.open_bound(state)

    def listed(self, floor: float, most: int, most_nodes: float = inf) -> tuple[Stop, IntArray, FloatArray]:
        """List the sets of at least a value; return why it ended, the sets, one a row, and their values."""
        state = self._planted(ROOM)
        state.numbers[[kernel.LEAST, kernel.CUTOFF]] = max(floor - self.design.offset, -1.0)
        state.numbers[kernel.CUTOFF] -= self._rounding_of_values()
        parts, values, count = [np.zeros((0, self.k), dtype=np.int64)], [np.zeros(0)], 0
        while True:
            stop = self._run(state, most_nodes)
            filled, again = int(state.counters[kernel.FOUND]), bool(state.counters[kernel.FULL])
            if again and count + filled <= most:  # a node without room begins again, perhaps in other loops
                filled = int(state.counters[kernel.DONE])
            parts.append(np.sort(state.found[:filled].copy(), axis=1))
            values.append(state.values[:filled].copy())
            count += filled
            if not again or count > most:
                break
            state.clear(2 * len(state.found) if filled == 0 else len(state.found))
        sets, index = np.unique(np.concatenate(parts), axis=0, return_index=True)
        stop = Stop.LIMIT if count > most else stop
        return stop, sets, np.concatenate(values)[index] + self.design.offset

    def _run(self, state: State, most_nodes: float) -> Stop:
        """Run the loops until nothing is open, or something ends them."""
        try:
            portions = _Portions(self, state, most_nodes)
            return explore(portions, portions)
        finally:
            self.nodes = int(state.counters[kernel.NODES])

    def _rounding_of_values(self) -> float:
        """Bound what rounding may add to the value of a set, more where columns nearly depend."""
        columns = self.design.columns
        least = float(np.linalg.eigvalsh(columns @ columns.T)[0])
        return max(1e-12, 4 * self.k * EPSILON / max(sqrt(max(least, 0.0)), DEPENDENT))

    def open_bound(self, state: State) -> float:
        """Bound the sets that were not looked at."""
        level = int(state.counters[kernel.LEVEL])
        if level < 0:
            return -inf
        open_ones = state.bounds[: level + 1][~state.dead[: level + 1]]
        return min(self.design.whole, self.design.offset + float(open_ones.max(initial=-inf)))

    def _planted(self, room: int = 1) -> State:
        """Make the tables of a search that is to begin."""
        columns, target, n, k = self.design.columns, self.design.target, len(self.design.columns), self.k
        if self.relaxed is None:
            self.relaxed = root(columns, target, k, ROUNDING)
        (group, capacity), rules = self.conditions.groups(k), self.conditions
        state = State(
            columns, target, self.relaxed.d, rules.rows, rules.limits, loosened(rules.rows, rules.limits, k),
            group, capacity, np.zeros((k + 1, n), dtype=np.int64), np.zeros(k + 1, dtype=np.int64),
            np.zeros((k + 1, n, n)), np.zeros((k + 1, n)),
            np.zeros((k + 1, n), dtype=bool), np.zeros(k + 1, dtype=bool), np.zeros((k + 1, n)),
            np.zeros(k + 1), np.zeros(k + 1), np.zeros(k, dtype=np.int64),
            np.zeros((room, k), dtype=np.int64), np.zeros(room),
            np.full(k + 1, inf), np.array([-inf, 0.0, -inf, -inf, inf, inf]), np.zeros(6, dtype=np.int64),
        )  # fmt: skip
        state.ids[0], state.size[0], state.alive[0], state.z[0] = np.arange(n), n, True, self.relaxed.z
        state.a[0], state.b[0], state.rounding[0] = columns @ columns.T, columns @ target, ROUNDING
        state.bounds[0] = self.design.whole - self.design.offset
        state.numbers[[kernel.WHOLE, kernel.STEEPEST]] = state.bounds[0] + 1e-12, steepest(k)
        cleared(state.a[0], state.b[0], state.ids[0], columns, state.members[:0], ROUNDING, steepest(k))
        return state


@dataclass(eq=False)
class _Portions:
    """The loops in portions of about `PACE` seconds, so that the clock and the user are heard."""

    tree: Tree
    state: State
    most_nodes: float
    clock: Clock = field(default_factory=clock)
    portion: int = 8
    plainly: float = 0.0

    @property
    def spent(self) -> bool:
        return self._nodes_left <= 0

    @property
    def left(self) -> bool:
        counters = self.state.counters
        return bool(counters[kernel.LEVEL] >= 0 and not counters[kernel.FULL])

    @property
    def _nodes_left(self) -> float:
        return self.most_nodes - float(self.state.counters[kernel.NODES])

    def step(self) -> None:
        """Search a portion of nodes, by plain loops at first."""
        began = time.process_time()
        plain = self.plainly < patience(self.clock.left)
        loops = self.tree.using or (PLAIN if plain else kernels())
        loops.searched(*self.state.arguments(), int(min(self.portion, self._nodes_left)), ROUNDS)
        spent = time.process_time() - began
        self.plainly += spent
        most = self.portion * PACE / max(spent, 1e-6)
        self.portion = int(np.clip(most, max(self.portion // 4, 1), 4 * self.portion))

    def report(self) -> str:
        tree, nodes = self.tree, self.state.counters[kernel.NODES]
        value = tree.design.offset + self.state.numbers[kernel.VALUE]
        bound = tree.open_bound(self.state)
        return f"least squares, {tree.k} columns: best R2 {value:.6g}, bound {bound:.6g}, {nodes} nodes"


@dataclass(eq=False)
class State:
    """The tables of the loops, in the order of the arguments of `kernel.searched`."""

    columns: FloatArray
    target: FloatArray
    d: FloatArray
    rows: FloatArray
    limits: FloatArray
    loose: FloatArray
    group: IntArray
    capacity: IntArray
    ids: IntArray
    size: IntArray
    a: FloatArray
    b: FloatArray
    alive: BoolArray
    dead: BoolArray
    z: FloatArray
    base: FloatArray
    rounding: FloatArray
    members: IntArray
    found: IntArray
    values: FloatArray
    bounds: FloatArray
    numbers: FloatArray
    counters: IntArray

    def clear(self, room: int) -> None:
        """Make room for so many sets found."""
        self.counters[[kernel.FOUND, kernel.FULL, kernel.DONE]] = 0
        if room > len(self.found):
            self.found = np.zeros((room, self.found.shape[1]), dtype=np.int64)
            self.values = np.zeros(room)

    def arguments(self) -> tuple[object, ...]:
        """Return the tables in order."""
        return tuple(vars(self).values())
