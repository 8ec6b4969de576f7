"""Branch and bound for the fit of linear models where features have several columns: categories.

A feature is chosen, or left out, with all its columns. Nodes with many columns left are taken best bound
first, and branch on the widest feature, as bounds tell little until that is decided; those with few are
searched depth first. Sets of several sizes are searched at once where nothing depends on the size.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.fit_rules import keeps, propagated
from altsel.exact.rules.limits import Limits
from altsel.exact.rules.linear_rules import loosen
from altsel.exact.sources.least_squares.category_bound import (
    SLACK,
    Choice,
    Demand,
    bounded,
    diagonal,
    hanging,
)
from altsel.exact.sources.tree import explore
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED, Clock, clock
from altsel.stats.blocks import Blocks

WIDE = 250
"""Columns left from which a node is taken by its bound, and branches on the widest feature."""
FEWER = 0.8
"""Share of the columns at which the diagonal is found anew."""
SURE = 1e-4
"""Squared length left of a direction up to which a pair of features is evaluated itself."""
NOTHING = -1.0
"""What any set explains more than."""


@dataclass(eq=False)
class Node:
    """A part of the search.

    Attributes
    ----------
    chosen, free
        Indices of the features chosen, and of those that may be.
    bound
        What its sets are worth at most.
    above
        What was left of the features at the node above, where the last one may not have been chosen; None: it
        is found again.
    clear
        Whether products tell what the chosen features explain; if not, all sets are evaluated.
    new
        Whether the chosen features have not yet been evaluated as a set.
    d, z, price, columns
        The diagonal, the shares of the features and their prices, of the features of the node above; and for
        how many columns it was found.
    """

    chosen: tuple[int, ...]
    free: IntArray
    bound: float
    above: Blocks | None = None
    clear: bool = True
    new: bool = False
    d: FloatArray | None = None
    z: FloatArray | None = None
    price: FloatArray | None = None
    columns: int = 0

    def __lt__(self, other: Node) -> bool:
        return self.bound > other.bound


@dataclass(eq=False)
class CategoryTree:
    """A search of the sets of some sizes.

    Parameters
    ----------
    objective
        The fit of linear models, with its penalty.
    sizes
        Least and most features of a set.
    conditions
        Rules as rows over the features; with any the sizes are one.

    Attributes
    ----------
    best, value
        Indices of the best set met, and its worth.
    nodes
        Number of nodes looked at.
    found
        Sets and their worths, where they are listed.
    """

    objective: Any
    sizes: tuple[int, int]
    conditions: Limits
    best: IntArray | None = None
    value: float = -inf
    nodes: int = 0
    found: dict[tuple[int, ...], float] | None = None
    _cutoff: float = -inf
    _close: float = 0.0

    def __post_init__(self) -> None:
        self.design, self.penalty = self.objective.least_squares, self.objective.penalty
        rules, high = self.conditions, self.sizes[1]
        group, capacity = rules.groups(high)
        self._few, self._capacity = group == 0, int(capacity[0]) if len(capacity) else 0
        self._loose = loosen(rules.rows, rules.limits, high)
        self._widths = self.design.widths if self.penalty else np.zeros_like(self.design.widths)
        self._demand: tuple[float, Demand] | None = None

    def search(self, close: float, most_nodes: float = inf) -> tuple[Stop, float]:
        """Search the best set; return why it ended, and a bound on the worth of sets that were not looked at.

        Parameters
        ----------
        close
            How much better than the best one a set may be that is not looked for, relative to its worth.
        most_nodes
            Number of nodes after which to stop.
        """
        self._close = close
        if self.best is not None:
            self._raise()
        return self._run(most_nodes, inf)

    def listed(self, floor: float, most: int) -> tuple[Stop, list[IntArray], FloatArray]:
        """List the sets worth at least so much; return why it ended, the sets, and their worths."""
        self.found, self._cutoff = {}, floor
        stop, _ = self._run(inf, most)
        stop = Stop.LIMIT if len(self.found) > most else stop
        sets = [np.array(one, dtype=np.int64) for one in self.found]
        return stop, sets, np.array(list(self.found.values()))

    def _raise(self) -> None:
        scale = max(abs(self.value), 1.0) if self.penalty else abs(self.value)
        self._cutoff = self.value + max(self._close * scale, 1e-13)

    def _run(self, most_nodes: float, most_sets: float) -> tuple[Stop, float]:
        """Search until nothing is open, or something ends it; return that, and a bound on what is open."""
        nodes = _OpenNodes(self, most_nodes, most_sets)
        stop = explore(nodes, nodes)
        if not nodes.left or nodes.bound == -inf:
            return Stop.EXHAUSTED, -inf
        return stop, min(nodes.bound, self.objective.most)

    def columns_of(self, node: Node) -> int:
        """Count the columns that are free at a node."""
        return int(self.design.widths[node.free].sum())

    def children(self, node: Node) -> Iterator[Node]:
        """Look at a node.

        1. Leave out what rules forbid. 2. Where products do not tell what the chosen ones explain, branch
        until sets can be evaluated. 3. Evaluate the chosen ones, and each with one feature more where no
        further fits. 4. Bound the node, and leave out features that no better set has. 5. Evaluate all pairs
        where two features are left to choose, else branch.
        """
        self.nodes += 1
        done, (low, high) = len(node.chosen), self.sizes
        fewest, most = max(low - done, 0), high - done
        free = self._free_by_rules(node, most)
        if free is None or len(free) < fewest:
            return
        if not node.clear:
            yield from self._unclear(node, free, fewest, most)
            return
        blocks = self._blocks(node, free)
        if node.new and not fewest and self._may_be_worth(blocks.base, self._spent(node)):
            self._offer(node.chosen)
        if most == 1:
            self._offer_best(node, blocks, np.arange(len(free))[:, None], self._gains(blocks))
        elif blocks.unclear.any():
            yield from self._branch(node, free, int(free[blocks.unclear.argmax()]), blocks, clear=False)
        elif most and len(free):
            yield from self._bounded_children(node, blocks, max(fewest, 1), most)

    def _unclear(self, node: Node, free: IntArray, fewest: int, most: int) -> Iterator[Node]:
        """Evaluate the sets of a node whose chosen features nearly depend on each other, or branch."""
        if node.new and not fewest:
            self._offer(node.chosen)
        if most == 1:
            for j in free:
                self._offer((*node.chosen, int(j)))
        elif most and len(free):
            yield from self._branch(node, free, int(free[0]), None, clear=False)

    def _bounded_children(self, node: Node, blocks: Blocks, fewest: int, most: int) -> Iterator[Node]:
        """Bound a node, and branch if that does not close it."""
        known = self._bound(node, blocks, fewest, most)
        if known is None:
            return
        blocks = blocks.kept(np.isin(blocks.features, known.free))
        if most > 2:
            yield from self._branch(known, known.free, self._pick(known, blocks), blocks)
            return
        if fewest <= 1:
            self._offer_best(known, blocks, np.arange(len(known.free))[:, None], self._gains(blocks))
        self._offer_best(known, blocks, *_pairs(blocks))

    def _free_by_rules(self, node: Node, most: int) -> IntArray | None:
        """Return the free features that rules allow; None if no set keeps them."""
        rows = self.conditions.rows
        if not len(rows):
            return node.free
        alive, forced = np.ones(len(node.free), dtype=bool), np.zeros(len(node.free), dtype=bool)
        slack = self._loose - rows[:, list(node.chosen)].sum(axis=1)
        if most == 0:
            return node.free[:0]
        return node.free[alive] if propagated(alive, forced, node.free, most, rows, slack) else None

    @cached_property
    def _root(self) -> Blocks:
        return Blocks.of(self.design)

    def _blocks(self, node: Node, free: IntArray) -> Blocks:
        """Return what is left of the free features."""
        above = node.above or self._root
        blocks = above.kept(np.isin(above.features, [*node.chosen, *free]))
        for j in node.chosen[len(blocks.chosen) :]:
            clock().check()
            blocks = blocks.given(int(np.searchsorted(blocks.features, j)))
        return blocks

    def _spent(self, node: Node) -> int:
        return int(self._widths[list(node.chosen)].sum())

    @property
    def demand(self) -> Demand:
        """What sets must explain to be looked for."""
        if self._demand is None or self._demand[0] != self._cutoff:
            self._demand = self._cutoff, self._new_demand()
        return self._demand[1]

    def _new_demand(self) -> Demand:
        if not self.penalty:
            return Demand(np.array([max(self._cutoff, NOTHING)]), lambda explained, _: explained)
        most = int(np.sort(self._widths)[-self.sizes[1] :].sum())
        counts = range(min(most, self.penalty.rows - self.penalty.parameters - 1) + 1)
        if self._cutoff == -inf:
            return Demand(np.full(len(counts), NOTHING), self.penalty.worth)
        needed = [self.penalty.needed(self._cutoff, size) for size in counts]
        return Demand(np.array(needed), self.penalty.worth)

    def _may_be_worth(self, explained: float, columns: int) -> bool:
        return bool(self.design.offset + explained + SLACK > self.demand.needed[columns])

    def _bound(self, node: Node, blocks: Blocks, fewest: int, most: int) -> Node | None:
        """Return the node with its bound and the features that are of use; None if none are."""
        d, columns, free = node.d, node.columns, blocks.features
        z = np.full(len(free), min(most / len(free), 1.0))
        if node.z is not None and node.above is not None:
            place = np.searchsorted(node.above.features, free)
            d, z = None if d is None else d[place], np.clip(node.z[place], 1e-6, 1.0)
        if d is None or len(blocks.along) < FEWER * columns:
            d, columns = diagonal(blocks, self._pull(blocks), d), len(blocks.along)
        room = self._capacity - int(self._few[list(node.chosen)].sum())
        choice = Choice(fewest, most, self._widths[free], self._spent(node), self._few[free], room)
        found = bounded(blocks, d, z, choice, self.demand)
        if (kept := ~found.useless).sum() < fewest:
            return None
        d, bound = None if d is None else d[kept], min(node.bound, found.worth)
        z, price = found.z[kept], found.price[kept]
        return replace(node, free=free[kept], bound=bound, d=d, z=z, price=price, columns=columns)

    @staticmethod
    def _pull(blocks: Blocks) -> FloatArray:
        """Return what the share of a feature counts for: about what it explains alone, and all a little."""
        gains = blocks.gains
        return np.asarray(gains / max(gains.mean(), 1e-300) + 0.1)

    def _pick(self, node: Node, blocks: Blocks) -> int:
        """Choose the feature to branch on: while columns depend on each other, one of those that do."""
        if node.d is None and len(among := hanging(blocks)):
            return int(node.free[among[0]])
        if len(blocks.along) > WIDE:
            return int(node.free[blocks.widths.argmax()])
        assert node.z is not None
        assert node.price is not None
        worth = node.price * (1.02 - node.z) * np.minimum(1.0, node.z + 0.02)
        return int(node.free[worth.argmax()])

    def _branch(
        self, node: Node, free: IntArray, pick: int, blocks: Blocks | None, clear: bool = True
    ) -> Iterator[Node]:
        """Yield the sets without a feature, and then, to be looked at first, those with it."""
        rest = free[free != pick]
        known = replace(node, free=rest, above=blocks, new=False)
        if not clear:  # it has not been bounded
            known = replace(known, d=None, z=None)
        yield known
        yield replace(known, chosen=(*node.chosen, pick), clear=node.clear and clear, new=True)

    @staticmethod
    def _gains(blocks: Blocks) -> FloatArray:
        return np.where(blocks.unclear, inf, blocks.gains)

    def _offer_best(self, node: Node, blocks: Blocks, more: IntArray, gains: FloatArray) -> None:
        """Evaluate the sets with one or two features more that may be good enough, the best first."""
        counts = self._spent(node) + self._widths[blocks.features[more]].sum(axis=1)
        explained = self.design.offset + blocks.base + gains + SLACK + 1e5 * blocks.rounding
        inside = counts < len(self.demand.needed)
        more, counts, explained = more[inside], counts[inside], explained[inside]
        good = np.flatnonzero(explained > self.demand.needed[counts])
        order = good[np.argsort(-(explained - self.demand.needed[counts])[good])]
        for e in order:
            if explained[e] > self.demand.needed[counts[e]]:
                clock().check()
                self._offer((*node.chosen, *blocks.features[more[e]].tolist()))

    def _offer(self, chosen: tuple[int, ...]) -> None:
        """Evaluate a set; keep it if it is above the floor, or better than the best."""
        members = np.sort(np.array(chosen, dtype=np.int64))
        if not keeps(self.conditions.rows, self.conditions.limits, members):
            return
        if self._widths[members].sum() >= len(self.demand.needed):
            return
        mask = np.zeros(len(self.design.features), dtype=bool)
        mask[members] = True
        value = self.objective.score(mask)
        if self.found is not None:
            if value >= self._cutoff:
                self.found[tuple(members.tolist())] = value
        elif value > self.value or self.best is None:
            self.best, self.value = members, value
            self._raise()


@dataclass(eq=False)
class _OpenNodes:
    """Open nodes: those with many columns by their bound; what the best of them leads to depth first."""

    tree: CategoryTree
    most_nodes: float
    most_sets: float
    clock: Clock = field(default_factory=clock)
    heap: list[Node] = field(init=False)
    stack: list[Node] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.heap = [Node((), np.arange(len(self.tree.design.features)), inf)]

    @property
    def spent(self) -> bool:
        return self.tree.nodes >= self.most_nodes or len(self.tree.found or ()) > self.most_sets

    @property
    def left(self) -> bool:
        return bool(self.heap or self.stack)

    @property
    def bound(self) -> float:
        """The largest bound of an open node."""
        return max((node.bound for node in (*self.heap, *self.stack)), default=-inf)

    def step(self) -> None:
        """Search a node; one that is not searched to its end stays open."""
        node = self.stack.pop() if self.stack else heapq.heappop(self.heap)
        try:
            children = list(self.tree.children(node))
        except STOPPED:
            heapq.heappush(self.heap, node)
            raise
        for child in children:
            if child.clear and self.tree.columns_of(child) > WIDE:
                heapq.heappush(self.heap, replace(child, above=None, d=None, z=None))
            else:
                self.stack.append(child)

    def report(self) -> str:
        tree, bound = self.tree, min(self.bound, self.tree.objective.most)
        return f"least squares: best {tree.value:.6g}, bound {bound:.6g}, {tree.nodes} nodes"


def _pairs(blocks: Blocks) -> tuple[IntArray, FloatArray]:
    """Return all pairs of features, and what they add to what the chosen ones explain; infinity if unsure."""
    order = np.argsort(blocks.widths, kind="stable")  # the narrower one is conditioned on
    ends, pairs, values = np.append(blocks.first, len(blocks.along)), [], []
    columns = np.concatenate([np.arange(ends[g], ends[g + 1]) for g in order])
    a, b = blocks.products[np.ix_(columns, columns)], blocks.along[columns]
    starts = np.append(0, np.cumsum(blocks.widths[order]))
    for i, g in enumerate(order[:-1].tolist()):
        own, begin = slice(starts[i], starts[i + 1]), starts[i + 1]
        spread, first = a[begin:, own], starts[i + 1 : -1] - begin
        rest = b[begin:] - spread @ b[own]
        along = np.add.reduceat(spread * rest[:, None], first, axis=0)
        crossed = np.array(
            [part.T @ part for part in np.split(spread, first[1:])]
            if spread.shape[1] > 1
            else np.add.reduceat(spread * spread, first, axis=0)[:, :, None]
        )
        left = np.eye(spread.shape[1]) - crossed
        unsure = np.linalg.eigvalsh(left)[:, 0] < SURE if spread.shape[1] > 1 else left[:, 0, 0] < SURE
        left[unsure] = np.eye(spread.shape[1])
        solved = np.linalg.solve(left, along[:, :, None])[:, :, 0]
        added = np.add.reduceat(rest * rest, first) + (along * solved).sum(axis=1)
        values.append(np.where(unsure, inf, float(b[own] @ b[own]) + added))
        pairs.append(np.column_stack([np.full(len(added), g), order[i + 1 :]]))
    if not pairs:
        return np.zeros((0, 2), dtype=np.int64), np.zeros(0)
    return np.concatenate(pairs), np.concatenate(values)
