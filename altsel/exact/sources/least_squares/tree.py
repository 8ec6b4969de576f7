"""One branch and bound for the fit of linear models: the best set of a size, or all above a value."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import comb, inf, sqrt

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels import fit_data
from altsel.exact.kernels.conditioning import (
    EPSILON,
    NOTHING,
    cleared,
    exact_basis,
    hidden,
    remainder,
    steepest,
)
from altsel.exact.kernels.fit_data import (
    Fit,
    Found,
    Levels,
    Listing,
    Portion,
    Rules,
    empty_found,
    empty_levels,
    empty_listing,
)
from altsel.exact.kernels.fit_list import LEAST_STEP
from altsel.exact.kernels.fit_tree import list_work
from altsel.exact.rules.limits import Limits
from altsel.exact.rules.linear_rules import loosen
from altsel.exact.sources.least_squares.compiled import LISTS, PLAIN, Kernels, for_list, for_tree
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
WHOLE_ROUNDING = 1e-12
"""What rounding may take off what all features explain."""
BOUND, ENTRY = 5e3, 7.0
"""Work to bound a node, and besides for each product of two columns; see `fit_data.WORK`."""
ROOT, ROOT_ENTRY = 1.3e7, 40.0
"""Work to find the root's bound, and besides for each number of a cube of n."""
AT_ONCE = 3.0
"""How much more work than that a list of all sets may be, to be made without the root's bound."""
AGAIN = 0.25
"""Share of the work done at a node, and below it, up to which its sets are listed."""
PLAIN_WORK, PLAIN_NODE_LIST, COMPILED_WORK = 2e-8, 3e-7, 1e-9
"""CPU seconds that a unit of a tree's work takes about without numba, one of a short list's, and one of
either with it."""
PLAIN_PATH, PLAIN_SET = 1e-4, 1.2e-8
"""CPU seconds that a list takes about without numba for each path to two missing columns, and each set."""
COPY = 1e-9
"""By how much less than 1 the cosine of two columns is, at most, that may be copies."""


@dataclass(eq=False)
class Known:
    """What searches of a size of some data leave to those after them.

    Attributes
    ----------
    root
        The root's bound, which holds whatever the rules and the known sets.
    listed
        Work of lists at once; minus infinity: a tree has been tried, and a list would have been sooner.
    """

    root: Root | None = None
    listed: float = 0.0


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
    known
        What earlier searches of this size of the same data have found.
    using
        The loops; default: those of numpy, and compiled ones once that pays.

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
    known: Known = field(default_factory=Known)
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
        state = self._make_state()
        found, before = state.found, -inf
        found.numbers[fit_data.CLOSE] = close
        if self.best is not None:  # perhaps of another size
            before = self.value - self.design.offset
            found.counters[fit_data.HAS_BEST] = 1
            found.numbers[[fit_data.VALUE, fit_data.CUTOFF]] = (
                before,
                before + max(close * before, LEAST_STEP),
            )
        stop = self._run(state, most_nodes)
        if found.numbers[fit_data.VALUE] > before:
            self.best = np.sort(found.sets[0])
            self.value = self.design.explained(self.best)
        return stop, self.open_bound(state)

    def listed(self, floor: float, most: int, most_nodes: float = inf) -> tuple[Stop, IntArray, FloatArray]:
        """List the sets of at least a value; return why it ended, the sets, one a row, and their values."""
        state = self._make_state(ROOM)
        state.found.numbers[[fit_data.LEAST, fit_data.CUTOFF]] = max(floor - self.design.offset, -1.0)
        state.found.numbers[fit_data.CUTOFF] -= self._rounding_of_values()
        parts, values, count = [np.zeros((0, self.k), dtype=np.int64)], [np.zeros(0)], 0
        while True:
            stop = self._run(state, most_nodes)
            found = state.found
            filled, again = int(found.counters[fit_data.FOUND]), bool(found.counters[fit_data.FULL])
            if again and count + filled <= most:  # a node without room begins again, perhaps in other loops
                filled = int(found.counters[fit_data.DONE])
            parts.append(np.sort(found.sets[:filled].copy(), axis=1))
            values.append(found.values[:filled].copy())
            count += filled
            if not again or count > most:
                break
            state.clear(2 * len(found.sets) if filled == 0 else len(found.sets))
        sets, index = np.unique(np.concatenate(parts), axis=0, return_index=True)
        stop = Stop.LIMIT if count > most else stop
        return stop, sets, np.concatenate(values)[index] + self.design.offset

    def _run(self, state: State, most_nodes: float) -> Stop:
        """Run the loops until nothing is open, or something ends them."""
        try:
            portions = _Portions(self, state, most_nodes)
            return explore(portions, portions)
        finally:
            self.nodes = int(state.found.counters[fit_data.NODES])
            work = float(state.found.numbers[fit_data.WORK])
            if state.found.numbers[fit_data.AT_ONCE] > 0:
                self.known.listed += work
            elif work > list_work(len(self.design.columns), self.k):
                self.known.listed = -inf

    def _rounding_of_values(self) -> float:
        """Bound what rounding may add to the value of a set, more where columns nearly depend."""
        columns = self.design.columns
        least = float(np.linalg.eigvalsh(columns @ columns.T)[0])
        return max(1e-12, 4 * self.k * EPSILON / max(sqrt(max(least, 0.0)), DEPENDENT))

    def open_bound(self, state: State) -> float:
        """Bound the sets that were not looked at."""
        level, levels = int(state.found.counters[fit_data.LEVEL]), state.levels
        if level < 0:
            return -inf
        open_ones = levels.bounds[: level + 1][~levels.dead[: level + 1]]
        return min(self.design.whole, self.design.offset + float(open_ones.max(initial=-inf)))

    def _make_state(self, room: int = 1) -> State:
        """Build the tables of a search that is to begin; the root's bound, unless all sets are less work."""
        columns, target, n, k = self.design.columns, self.design.target, len(self.design.columns), self.k
        limits, effort, known = self.conditions, ROOT + ROOT_ENTRY * n**3, self.known
        work, seconds = list_work(n, k), plain_list_seconds(n, k)
        loops = self.using or for_list(seconds, count=False)
        share = PLAIN_WORK * work / seconds if loops is PLAIN else _list_share(loops)
        at_once = work + known.listed <= AT_ONCE * effort * share
        relaxed, found = Root(inf, np.zeros(n), np.full(n, min(k / n, 1.0))), empty_found(room, k)
        if not at_once:
            found.numbers[fit_data.WORK] = effort if known.root is None else 0.0
            relaxed = known.root or root(columns, target, k, ROUNDING)
            known.root = None if clock().over else relaxed
        a, largest, whole = columns @ columns.T, steepest(k), self.design.whole - self.design.offset
        same, copied = copies(columns, a, largest)
        fit = Fit(columns, target, relaxed.d, same, whole + WHOLE_ROUNDING, largest, copied)
        loose = loosen(limits.rows, limits.limits, k)
        rules = Rules(limits.rows, limits.limits, loose, *limits.groups(k))
        levels, listing = empty_levels(n, k), empty_listing(n, k, len(loose))
        levels.ids[0], levels.size[0], levels.alive[0], levels.z[0] = np.arange(n), n, True, relaxed.z
        levels.a[0], levels.b[0], levels.rounding[0] = a, columns @ target, ROUNDING
        levels.bounds[0] = whole
        cleared(levels.a[0], levels.b[0], levels.ids[0], columns, levels.members[:0], ROUNDING, largest)
        found.numbers[fit_data.AT_ONCE] = work if at_once else 0.0
        return State(fit, rules, levels, listing, found)


def copies(columns: FloatArray, products: FloatArray, largest: float) -> tuple[IntArray, float]:
    """Return the first column that each is a copy of, and what a copy adds at most, by rounding."""
    lengths, same, copied = np.sqrt(products.diagonal()), np.arange(len(columns)), 0.0
    alike = np.abs(products) > (1.0 - COPY) * np.outer(lengths, lengths)
    for i, j in np.argwhere(np.triu(alike & (lengths > 0), 1)):
        if same[i] == i and same[j] == j:
            basis, low, _ = exact_basis(columns, np.array([i]), largest)
            adds = hidden(remainder(columns[j], basis, low, 1)[2], largest)
            if adds <= NOTHING:
                same[j], copied = i, max(copied, adds)
    return same, copied


def plain_list_seconds(n: int, k: int) -> float:
    """Return how many CPU seconds the list of the sets of k of n columns takes about without numba."""
    return PLAIN_PATH * comb(n, max(k - 2, 0)) + PLAIN_SET * comb(n, k)


def _list_share(loops: Kernels) -> float:
    """Return how much sooner loops do a unit of work of a node's list than one of its tree."""
    if loops is PLAIN:
        return PLAIN_WORK / PLAIN_NODE_LIST
    return PLAIN_WORK / COMPILED_WORK if loops is LISTS.ready() else 1.0


@dataclass(eq=False)
class _Portions:
    """The loops in portions of about `PACE` seconds, so that the clock and the user are heard."""

    tree: Tree
    state: State
    most_nodes: float
    clock: Clock = field(default_factory=clock)
    portion: float = 2e5

    @property
    def spent(self) -> bool:
        return self._nodes_left <= 0

    @property
    def left(self) -> bool:
        counters = self.state.found.counters
        return bool(counters[fit_data.LEVEL] >= 0 and not counters[fit_data.FULL])

    @property
    def _nodes_left(self) -> float:
        return self.most_nodes - float(self.state.found.counters[fit_data.NODES])

    def step(self) -> None:
        """Do a portion of the work."""
        state, most = self.state, int(min(self.portion, self._nodes_left))
        numbers = state.found.numbers
        listed = min(self.portion, max(numbers[fit_data.AT_ONCE] - numbers[fit_data.WORK], 0.0))
        loops = self.tree.using or self._loops(listed)
        share = AGAIN * _list_share(loops)
        began, done = time.process_time(), numbers[fit_data.WORK]
        loops.searched(*vars(state).values(), Portion(most, self.portion, ROUNDS, BOUND, ENTRY, share))
        spent, done = time.process_time() - began, numbers[fit_data.WORK] - done
        fits = done * PACE / max(spent, 1e-6)
        self.portion = float(np.clip(fits, self.portion / 4, 4 * self.portion))

    def _loops(self, listed: float) -> Kernels:
        """Return the loops for a portion of which so much work is a list of all sets."""
        if not listed:
            return for_tree(self.portion * PLAIN_WORK)
        n, k = len(self.tree.design.columns), self.tree.k
        return for_list(listed * plain_list_seconds(n, k) / list_work(n, k))

    def report(self) -> str:
        tree, found = self.tree, self.state.found
        nodes = found.counters[fit_data.NODES]
        value = tree.design.offset + found.numbers[fit_data.VALUE]
        bound = tree.open_bound(self.state)
        return f"least squares, {tree.k} columns: best R2 {value:.6g}, bound {bound:.6g}, {nodes} nodes"


@dataclass(eq=False)
class State:
    """What the loops take."""

    fit: Fit
    rules: Rules
    levels: Levels
    listing: Listing
    found: Found

    def clear(self, room: int) -> None:
        """Allocate room for so many sets found."""
        found = self.found
        found.counters[[fit_data.FOUND, fit_data.FULL, fit_data.DONE]] = 0
        if room > len(found.sets):
            sets = np.zeros((room, found.sets.shape[1]), dtype=np.int64)
            self.found = found._replace(sets=sets, values=np.zeros(room))
