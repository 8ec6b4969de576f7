"""Branch and bound for one set under a quadratic form, by the bound of ``lagrangian_bound``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.rules.linear_rules import FEASIBLE
from altsel.exact.sources.quadratic.completions import completions, seconds_to_list
from altsel.exact.sources.quadratic.lagrangian_bound import Form, Node, Relaxation, propagated, root
from altsel.exact.sources.tree import explore
from altsel.results.stop import Stop
from altsel.runtime.clock import Clock, clock

ROOT_STEPS, NODE_STEPS = 600, 6
"""Most steps of the bound; more at the nodes save few nodes (wdbc, k = 10: 60 take 7 times as long)."""
CLOSE = 1e-10
"""Gap at which a branch is closed, relative to the value of the best set known."""
FAR, FAR_OF_MANY, MANY = 0.2, 0.15, 300
"""Gap at the root, relative to the terms of the best set, from which on trees are large: 2,000 nodes and more
where features share factors, where nearly independent ones take below 200. The second of more features than
the third: nearly independent ones leave .09 at most (1,000), and each node takes longer."""
AT_ONCE, AT_LAST, MOST_AT_LAST = 3e-4, 1e-4, 0.4
"""Seconds of a list of all sets of a node that no bound is worth; where others would take over, of a list
of all that are left, for each pair of features, at most so many."""


class TooManyError(Exception):
    """There are more sets than are to be listed."""


@dataclass(eq=False)
class Search:
    """A branch and bound under way.

    Parameters
    ----------
    score
        Value of a set given by its indices; -inf if it is not feasible.
    clock
        Says when to stop.
    best, value
        The best set known and its value.
    most_nodes
        Number of nodes after which to stop.
    most_if_far
        The same where the bound at the root leaves a gap of more than `FAR` of the terms of the best set.
    slack
        Gap at which a branch is closed where the values themselves are near 0, absolute.
    exact
        Close only branches that are surely no better, whatever rounding hides; ties are then all seen.

    Attributes
    ----------
    rounding
        What rounding may hide in the form that is searched.
    missed
        How much better than `value` a set may be that was cut off, rounding included.
    ceiling
        The first bound of the root: what a larger one says of a feature is not believed.
    """

    score: Callable[[IntArray], float]
    clock: Clock = field(default_factory=clock)
    best: IntArray | None = None
    value: float = -inf
    nodes: int = 0
    most_nodes: float = inf
    most_if_far: float = inf
    slack: float = 0.0
    exact: bool = False
    rounding: float = 0.0
    missed: float = 0.0
    ceiling: float = inf

    @property
    def close(self) -> float:
        """Gap at which a branch is closed."""
        if self.exact:
            return -self.rounding
        return max(CLOSE * abs(self.value), self.slack) if self.value > -inf else self.slack

    @property
    def too_coarse(self) -> bool:
        """Whether rounding hides what is to be told apart."""
        return False

    def run(self, form: Form) -> tuple[Stop, float]:
        """Search all sets of a form; return why it ended and the bound on what was not searched."""
        form = form.without_hopeless(self.value)
        self.rounding, self.ceiling = form.rounding, inf
        tree = _DepthFirst(self, form, [root(form)])
        stop = explore(tree, self)
        if stop is Stop.LIMIT and tree.soon_listed:
            tree.last, most, self.most_nodes = True, self.most_nodes, inf
            stop, self.most_nodes = explore(tree, self), most
        self.missed = max(self.missed, self.close + self.rounding)
        return stop, tree.bound + form.rounding if tree.left else -inf

    @property
    def spent(self) -> bool:
        """Whether more nodes than are allowed have been searched."""
        return self.nodes > self.most_nodes

    def is_far(self, form: Form, bound: float) -> bool:
        """Return whether a bound leaves so large a gap that trees are large."""
        if self.best is None or self.most_if_far == inf:
            return False
        far = FAR if len(form.linear) <= MANY else FAR_OF_MANY
        return bound - self.value > far * form.terms(self.best)

    def examine(self, node: Node, steps: int) -> tuple[Node, ...]:
        """Improve a node's bound until it is closed, or branch."""
        self.nodes += 1
        if node.bound <= self.value + self.close:
            return ()
        node.unfold()
        while propagated(node):
            if node.need <= 2 or len(node.indices) == node.need or seconds_to_list(node) <= AT_ONCE:
                self.finish(node)
                return ()
            relaxed = Relaxation(node)
            steps = self._improve(node, relaxed, steps)
            if node.bound <= self.value + self.close:
                return ()
            if not self._fix(node, relaxed):
                self.offer([*node.inside, *node.indices[relaxed.chosen].tolist()])
                return node.branches(int(relaxed.chosen[node.linear[relaxed.chosen].argmax()]))
        return ()

    def _improve(self, node: Node, relaxed: Relaxation, steps: int) -> int:
        """Take steps until the node is closed, a feature can be fixed, or they no longer help."""
        cutoff = self.value + self.close
        while True:
            relaxed.solve()
            steps -= 1
            self.ceiling = relaxed.bound if self.ceiling == inf else self.ceiling
            node.bound = min(node.bound, relaxed.bound)
            if node.bound <= cutoff or any(mask.any() for mask in self._decide(relaxed)):
                return steps
            if steps <= 0 or self.clock.over or not relaxed.step(self.value):
                relaxed.restore()
                return steps

    def _fix(self, node: Node, relaxed: Relaxation) -> bool:
        """Choose one feature that every better set has, or leave out those that none has."""
        needed, useless = self._decide(relaxed)
        if needed.any():
            node.include(int(needed.argmax()))
        elif useless.any():
            node.keep(~useless)
        return bool(needed.any() or useless.any())

    def _decide(self, relaxed: Relaxation) -> tuple[BoolArray, BoolArray]:
        """Return what every better set has, and what none has.

        A set without a feature that was chosen is worth the bound less what that brings, and the best of the
        others instead, at most; and the other way round. Whatever rounding may hide is in the bound, or in
        `close` and `missed`.
        """
        taken, cutoff = np.zeros(len(relaxed.worth), dtype=bool), self.value + self.close
        if relaxed.bound == -inf or relaxed.worth.min() == -inf:
            return taken, relaxed.worth == -inf  # too few partners that go with it
        if not relaxed.bound <= self.ceiling:
            return taken, taken
        taken[relaxed.chosen] = True
        needed = taken & (relaxed.worth >= relaxed.bound + relaxed.next - cutoff)
        return needed, ~taken & (relaxed.worth <= cutoff - relaxed.bound + relaxed.last)

    def finish(self, node: Node) -> None:
        """Evaluate all sets of a node that lacks few features."""
        if node.need == len(node.indices):
            if (node.rows.sum(axis=1) <= node.slack + FEASIBLE).all():
                self._take(node, np.arange(len(node.indices))[None, :])
        elif node.need == 1:
            self.best_of(node, node.linear[:, None], np.arange(len(node.indices))[:, None])
        else:
            for totals, choices in completions(node, lambda: self.value + self.close - node.value):
                self.best_of(node, totals[:, None], choices)
                if node.need > 2:  # a list is no single table
                    self.clock.check()

    def best_of(self, node: Node, totals: FloatArray, choices: IntArray) -> None:
        """Evaluate those completions of a node that keep its rows and are better by the form's own totals."""
        used = node.rows[:, choices].sum(axis=2)
        totals = np.where((used <= node.slack[:, None] + FEASIBLE).all(axis=0), totals[:, 0], -inf)
        better = np.flatnonzero(node.value + totals > self.value + self.close)
        self._take(node, choices[better[np.argsort(-totals[better], kind="stable")]])

    def _take(self, node: Node, choices: IntArray) -> None:
        """Evaluate completions of a node, the best first."""
        for choice in choices:
            before = self.value
            self.offer([*node.inside, *node.indices[choice].tolist()])
            if self.value > before and not self.exact:
                return  # the formula's order is the form's

    def offer(self, members: list[int]) -> None:
        """Take a set as the best if it is."""
        indices = np.sort(np.array(members, dtype=np.int64))
        value = self.score(indices)
        if value > self.value:
            self.best, self.value = indices, value

    def rise(self) -> tuple[Form, float] | None:
        """Return another form to go on with, and by how much less it is of every set; None for the same."""
        return None


@dataclass(eq=False)
class _DepthFirst:
    """The open nodes of a search, the newest first; at last all their sets are listed."""

    search: Search
    form: Form
    stack: list[Node]
    steps: int = field(default_factory=lambda: ROOT_STEPS)
    last: bool = False

    @property
    def left(self) -> bool:
        return bool(self.stack)

    @property
    def bound(self) -> float:
        """The largest bound of an open node."""
        return max((node.bound for node in self.stack), default=-inf)

    @property
    def soon_listed(self) -> bool:
        """Whether all sets of open nodes are listed sooner than a form of so many features is rewritten."""
        seconds = sum(map(seconds_to_list, self.stack))
        return seconds <= min(MOST_AT_LAST, AT_LAST * len(self.form.linear) ** 2)

    def step(self) -> None:
        """Examine the newest node; the root takes more steps, and tells how large the tree will be."""
        search, at_root = self.search, self.steps == ROOT_STEPS
        if self.last:
            search.finish(self.stack[-1])  # it is open until that has ended
            self.stack.pop()
            return
        self.stack[-1:] = search.examine(self.stack[-1], self.steps)
        if at_root and search.is_far(self.form, self.bound):
            search.most_nodes = min(search.most_nodes, search.nodes + search.most_if_far)
        self.steps = NODE_STEPS

    def report(self) -> str:
        search = self.search
        return f"branch and bound: best {search.value:.6g}, bound {self.bound:.6g}, {search.nodes} nodes"
