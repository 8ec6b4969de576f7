"""One tree on several cores: processes search shares of the open nodes, and come together every few seconds.

Each round deals the best open nodes to the workers. A worker searches its share, the best bound first, from
the best set known to all, and gives back what it found and what is still open. Which node is closed depends
on bound and value alone, so that optimum and proof are those of one process, whatever the number. Which of
several sets of the same value is found is not: that is the first one met.
"""

from __future__ import annotations

import heapq
import logging
import time
from contextlib import closing, suppress
from copy import copy
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from altsel._types import IntArray
from altsel.errors import ArgumentError, WorkerError
from altsel.exact.branch_and_bound import Search, TooManyError
from altsel.exact.convexified.open_nodes import Nodes
from altsel.exact.convexified.rewriting import Rewriting
from altsel.exact.lagrangian_bound import Form
from altsel.parallel import each, number_of_workers
from altsel.results.stop import Stop, stopped
from altsel.runtime.clock import Clock

if TYPE_CHECKING:
    from altsel.exact.convexified.tree import Tree

log = logging.getLogger("altsel.search")
PAYS, LEFT = 3.0, 10.0
"""Seconds that one process searches before others begin, which take one or two to start; least left then."""
FIRST, LONGEST, LONGER = 1.0, 4.0, 1.5
"""Seconds of the first round, of the longest, and by how much each is longer than the one before."""
SHARE, SMALLEST = 500, 20
"""Nodes that a worker begins with, doubled whenever one has run out of them; fewest that are shared."""


def explored(tree: Tree) -> Stop:
    """Search what is open of a tree, after some seconds by as many processes as are in force.

    Parameters
    ----------
    tree
        Its open nodes, the form as it was rewritten, and the search that keeps what is found.

    Returns
    -------
    Stop
        Why it ended; the tree holds what was not searched.
    """
    began = time.perf_counter()
    while (stop := tree.explore(began + PAYS)) is None:
        try:
            workers = number_of_workers() if tree.search.clock.left > LEFT else 1
            if workers > 1 and len(tree.nodes.heap) >= SMALLEST * workers:
                return _Rounds(tree, workers).run()
        except (WorkerError, ArgumentError) as fault:
            log.info("the rest of the tree is searched by one process: %s", fault)
            workers = 1
        if workers == 1:
            stop = tree.explore()
            break
        began = time.perf_counter()
    assert stop is not None
    return stop


@dataclass(frozen=True, eq=False)
class _Share:
    """What a worker begins with, the best value known, and how many nodes, seconds and bytes it may take."""

    nodes: Nodes
    value: float
    most_nodes: float
    seconds: float
    most_open: int


@dataclass(frozen=True, eq=False)
class _Explore:
    """Searches a share of the nodes in another process."""

    search: Search
    form: Form
    indices: IntArray
    made: Rewriting

    def __call__(self, share: _Share) -> tuple[Search, Nodes | None]:
        from altsel.exact.convexified.tree import Tree  # noqa: PLC0415  (which imports this file)

        search = copy(self.search)
        search.begin_part(share.value, share.most_nodes)
        tree = Tree(search, self.form, self.indices, most_open=share.most_open)
        tree.made = _writable(self.made)
        for node in share.nodes:
            tree.nodes.open(*node)
        search.clock = Clock(time.perf_counter() + share.seconds)
        with suppress(TooManyError):  # the whole search says so, too
            tree.explore()
        search.end_part()
        return search, Nodes.of(tree.nodes.heap) if tree.nodes.heap else None


def _writable(made: Rewriting) -> Rewriting:
    """Copy what was mapped into memory to be read: for that the loops would be compiled once more."""
    return replace(made, single=made.single.copy(), convex=made.convex.copy(), pairs=made.pairs.copy())


class _Rounds:
    """Rounds of several processes over one tree."""

    def __init__(self, tree: Tree, workers: int) -> None:
        self.tree, self.search, self.workers = tree, tree.search, workers
        part = copy(tree.search)
        part.begin_part(-inf, inf)
        self.explore = _Explore(part, tree.form, tree.indices, tree.made)
        self.seconds, self.share = FIRST, SHARE

    def run(self) -> Stop:
        """Search until nothing is open; what is under way counts as open until it is done."""
        tree, search = self.tree, self.search
        while tree.nodes.left(tree.cut):
            if search.clock.over or search.nodes > search.most_nodes:
                return Stop.LIMIT if not search.clock.over else stopped(search.clock)
            tree.nodes.under_way = tree.nodes.bound
            self._round()
            tree.nodes.done()
            self.seconds = min(LONGER * self.seconds, LONGEST)
        tree.nodes.clear()
        return Stop.EXHAUSTED

    def _round(self) -> None:
        """Deal the best open nodes to the workers, and take in what they found and left open."""
        heap, search = self.tree.nodes.heap, self.search
        limits = (
            (search.most_nodes - search.nodes) / self.workers,
            min(self.seconds, search.clock.left),
            0 if self.tree.nodes.full else self.tree.most_open // self.workers,
        )
        dealt = [heapq.heappop(heap) for _ in range(min(self.share * self.workers, len(heap)))]
        shares = {str(i): dealt[i :: self.workers] for i in range(min(self.workers, len(dealt)))}
        tasks = [(key, _Share(Nodes.of(one), search.value, *limits)) for key, one in shares.items()]
        try:
            with closing(each(self.explore, tasks, self.workers, "part of the tree")) as results:
                for key, (part, left) in results:
                    del shares[key]
                    for node in left or ():
                        self.tree.nodes.open(*node)
                    search.join(part)
                    if left is None:
                        self.share *= 2
        except (WorkerError, ArgumentError):
            for one in shares.values():
                self.tree.nodes.reopen(one)
            raise
        log.info(
            "%d workers: best %.6g, bound %.6g, %d nodes, %d open",
            self.workers,
            search.value,
            -heap[0][0] if heap else search.value,
            search.nodes,
            len(heap),
        )
