"""One branch and bound for the fit of regularised models: the best set of a size, or all below a cost."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, inf

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.fit_rules import keeps, propagated
from altsel.exact.rules.limits import Limits
from altsel.exact.rules.linear_rules import loosen
from altsel.exact.sources.generalised.node_bound import Choice, Relaxed, bounded
from altsel.exact.sources.generalised.pairs import hopeful_pairs
from altsel.exact.sources.tree import explore
from altsel.results.stop import Stop
from altsel.runtime.clock import Clock, clock
from altsel.stats.generalised.fit import extended, fit_sets
from altsel.stats.generalised.worth import FittedModels

LAST = 2
"""Features left to choose at which a node's sets are listed."""
PORTION = 5_000
"""Sets that are fitted between two looks at the clock."""
ALL = 10
"""Sets of a node up to which they are listed, however many features are left to choose."""
UNFINISHED = 1e-6
"""Gap of a fit that ended without a proof, relative to the loss without features."""


@dataclass(eq=False)
class Node:
    """A part of the search.

    Attributes
    ----------
    chosen, free
        Indices of the features chosen, and of those that may be.
    cost
        No set of it costs less.
    start
        Where the relaxation begins.
    """

    chosen: IntArray
    free: IntArray
    cost: float
    start: Relaxed

    def __lt__(self, other: Node) -> bool:
        return self.cost < other.cost


@dataclass(eq=False)
class Tree:
    """A search of the sets of one size.

    Parameters
    ----------
    models
        The models, and the prices of features.
    k
        Number of features.
    conditions
        Rules as rows.
    close
        How much less a set must cost than the best one to be looked for, absolute.

    Attributes
    ----------
    best, cost
        The best set met, and its cost.
    nodes
        Number of nodes looked at.
    listed
        Sets met, and their costs, where all below a cost are wanted.
    unproved
        What sets cost at least whose fits ended unfinished; infinite if there are none.
    """

    models: FittedModels
    k: int
    conditions: Limits
    close: float
    best: IntArray | None = None
    cost: float = inf
    nodes: int = 0
    listed: list[tuple[IntArray, FloatArray]] = field(default_factory=list)
    count: int = 0
    unproved: float = inf
    _floor: float | None = None
    _open: list[Node] = field(default_factory=list)
    _now: Node | None = None

    def search(self, most_nodes: float = inf) -> tuple[Stop, float]:
        """Search the best set; return why it ended, and the least cost of sets that were not looked at."""
        stop = self._run(most_nodes, inf)
        return stop, min(self.open_cost, self.unproved)

    def list_below(self, cost: float, most: int, most_nodes: float = inf) -> Stop:
        """List all sets of at most a cost in `listed`; return why it ended."""
        self._floor = cost
        return self._run(most_nodes, most)

    @property
    def signs(self) -> IntArray | None:
        """Signs that coefficients must have, as of `Choice`; None: any."""
        return None

    @property
    def open_cost(self) -> float:
        """No set that was not looked at costs less; infinite if all were."""
        left = [node.cost for node in self._open[:1]] + ([self._now.cost] if self._now else [])
        return min(left, default=inf)

    @property
    def cutoff(self) -> float:
        """The cost from which a set is not looked for."""
        return self.cost - self.close if self._floor is None else self._floor + self.close

    def _run(self, most_nodes: float, most_sets: float) -> Stop:
        n, model = len(self.models.prices), self.models.model
        self._loose = loosen(self.conditions.rows, self.conditions.limits, self.k)
        none = np.zeros(0, dtype=np.int64)
        nothing = Relaxed(none, np.zeros((model.family.channels, 0)), model.nothing[0][0])
        root = Node(none, np.arange(n), self.models.lowest, nothing)
        self._open = [root]
        portions = _Portions(self, most_nodes, most_sets)
        stop = explore(portions, portions)
        return Stop.LIMIT if stop is Stop.EXHAUSTED and self.unproved < self.cutoff else stop

    def step(self) -> None:
        """Take the node of the least bound, look at it, and branch on the feature of most weight."""
        node = self._now = heapq.heappop(self._open)
        for child in self._looked_at(node):
            heapq.heappush(self._open, child)
        self._now = None

    def _looked_at(self, node: Node) -> list[Node]:
        """Fix features while bounds allow; list the sets of small nodes; return two nodes of others."""
        while node.cost < self.cutoff and (reduced := self._by_rules(node)) is not None:
            node, q = reduced, self.k - len(reduced.chosen)
            if q <= LAST or comb(len(node.free), q) <= ALL or q == len(node.free):
                self._list(node, q)
                return []
            self.nodes += 1
            choice = Choice(q, self.cutoff, node.start, self.signs)
            found = bounded(self.models.model, self.models.prices, node.chosen, node.free, choice)
            node.cost, node.start = max(node.cost, found.cost), found.relaxed
            self._now = node
            if node.cost >= self.cutoff:
                break
            if not (found.within.any() or found.without.any()):
                return self._branched(node)
            node = self._fixed(node, node.free[found.within], node.free[found.without])
        return []

    def _fixed(self, node: Node, within: IntArray, without: IntArray) -> Node:
        free = node.free[~np.isin(node.free, np.append(within, without))]
        start = node.start.without(self.models.model, without) if len(without) else node.start
        return Node(np.append(node.chosen, within), free, node.cost, start)

    def _branched(self, node: Node) -> list[Node]:
        j = node.free[[int(node.start.lengths(self.models.model)[node.free].argmax())]]
        none = np.zeros(0, dtype=np.int64)
        return [self._fixed(node, j, none), self._fixed(node, none, j)]

    def _by_rules(self, node: Node) -> Node | None:
        """Fix what rules leave no choice of; None if no set of the node keeps them."""
        q = self.k - len(node.chosen)
        if q < 0 or len(node.free) < q:
            return None
        if not len(self._loose):
            return node
        slack = self._loose - self.conditions.rows[:, node.chosen].sum(axis=1)
        if q == 0:
            return node if (slack >= 0).all() else None
        alive, forced = np.ones(len(node.free), dtype=bool), np.zeros(len(node.free), dtype=bool)
        kept = propagated(alive, forced, node.free, q, self.conditions.rows, slack)
        forced &= alive
        if not kept or forced.sum() > q:
            return None
        if alive.all() and not forced.any():
            return node
        return self._by_rules(self._fixed(node, node.free[forced], node.free[~alive]))

    def _list(self, node: Node, q: int) -> None:
        """Fit all sets of a node that may be below the cutoff, and keep the rules."""
        sets, start = self._sets(node, q)
        if len(self._loose) and len(sets):
            rows, limits = self.conditions.rows, self.conditions.limits
            kept = [keeps(rows, limits, one) for one in sets]
            sets, start = sets[kept], None if start is None else start[kept]
        for first in range(0, len(sets), PORTION):
            clock().check()
            some = slice(first, first + PORTION)
            self._fit(sets[some], None if start is None else start[some])

    def _fit(self, sets: IntArray, start: FloatArray | None) -> None:
        """Fit sets, and keep the best, or those that are listed."""
        fits = fit_sets(self.models.model, sets, self.cutoff - self.models.prices[sets].sum(axis=1), start)
        costs = self.models.cost(fits.loss, sets)
        unfinished = fits.gap > UNFINISHED * self.models.model.null
        if unfinished.any():
            least = self.models.cost(np.maximum(fits.lower, self.models.lowest), sets)
            least = np.where(unfinished, least, inf)
            self.unproved = min(self.unproved, float(least.min()))
        if self._floor is None:
            at = int(costs.argmin())
            if costs[at] < self.cutoff:
                self.best, self.cost = np.sort(sets[at]), float(costs[at])
            return
        below = costs <= self.cutoff
        self.listed.append((np.sort(sets[below], axis=1), costs[below]))
        self.count += int(below.sum())

    def _sets(self, node: Node, q: int) -> tuple[IntArray, FloatArray | None]:
        """Return the sets of a node, shape (sets, k), and parameters to begin with.

        Of two features left only those that may be good enough.
        """
        found = hopeful_pairs(self.models, node.chosen, node.free, self.cutoff) if q == LAST else None
        if found is not None:
            rest, start = found
            return np.hstack([np.tile(node.chosen, (len(rest), 1)), rest]), start
        rest = np.array(list(combinations(node.free.tolist(), q)), dtype=np.int64)
        rest = rest.reshape(comb(len(node.free), q), q)
        sets = np.hstack([np.tile(node.chosen, (len(rest), 1)), rest])
        return sets, np.tile(extended(self.models.model, node.chosen, q), (len(sets), 1))

    def report(self) -> str:
        """Report how far it is."""
        found = f"best cost {self.cost:.6g}, bound {self.open_cost:.6g}"
        return f"regularised models, {self.k} features: {found}, {self.nodes} nodes"


@dataclass(eq=False)
class _Portions:
    """The tree as a loop of open nodes sees it."""

    tree: Tree
    most_nodes: float
    most_sets: float
    clock: Clock = field(default_factory=clock)

    @property
    def spent(self) -> bool:
        return self.tree.nodes >= self.most_nodes or self.tree.count > self.most_sets

    @property
    def left(self) -> bool:
        return self.tree.open_cost < self.tree.cutoff

    def step(self) -> None:
        self.tree.step()

    def report(self) -> str:
        return self.tree.report()
