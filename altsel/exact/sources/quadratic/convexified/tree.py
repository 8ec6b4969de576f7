"""The tree over a rewritten form: best bound first, with the search's own account of sets and nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.kernels import programs
from altsel.exact.kernels.climbs import Quadratic
from altsel.exact.kernels.programs import FAR, Program, Wanted
from altsel.exact.sources.quadratic.branch_and_bound import Search
from altsel.exact.sources.quadratic.convexified.compiled import LOOPS, WITHOUT_ROWS, Kernels
from altsel.exact.sources.quadratic.convexified.compiled_tree import CompiledTree
from altsel.exact.sources.quadratic.convexified.dual import Costs, Dual, Splitting
from altsel.exact.sources.quadratic.convexified.local_search import LocalSearch
from altsel.exact.sources.quadratic.convexified.open_nodes import OPEN, OpenNodes
from altsel.exact.sources.quadratic.convexified.propagation import decide, propagated
from altsel.exact.sources.quadratic.convexified.rewriting import Rewriting, rewritten
from altsel.exact.sources.quadratic.lagrangian_bound import Form, Node, root
from altsel.exact.sources.tree import explore
from altsel.results.stop import Stop, stopped
from altsel.runtime.threads import one_thread

ROUNDS, ROOT_ROUNDS, PRICINGS, ROOT_PRICINGS = 4, 100, 4, 60
SLOW, SLOW_AGAIN, LARGE = 0.12, 0.04, 500
"""Share of what is missing to the best set that some iterations of the dual must gain for more to be made, at
first; the same once the tree is known to be large, up to so many features: of more it grows faster than an
iteration (of 1,000 a half)."""
SMALL = 20
"""Nodes for each feature that a small tree has at most."""
AT_ONCE = 500
"""Nodes that compiled loops examine before the clock is looked at, and sets are evaluated."""
NODE, CLIMB = 1.3e-5, 1e-7
"""CPU seconds that numpy takes about: for a node a feature, for a set's descent a member and feature."""
TOLERANCE = 1e-7
"""Of the gradient, relative to the largest cost."""


@dataclass(eq=False)
class Tree:
    """A branch and bound for one form, on behalf of a search, which keeps what is found.

    Parameters
    ----------
    search
        Its value, its gap at which a branch is closed, its clock and its sets; of sets listed it wants all.
    form
        What is maximised, of features that each have a finite number.
    indices
        What the search calls these features.
    using
        The loops; default: those of numpy for the first second of work, then compiled ones if there are.
    most_open
        Bytes that open nodes may take, about; then the best one is searched whole before the next.
    """

    search: Search
    form: Form
    indices: IntArray
    using: Kernels | None = None
    most_open: int = field(default_factory=lambda: OPEN)
    root_bound: float = -inf
    made: Rewriting = field(init=False)

    def __post_init__(self) -> None:
        self.dual: Dual | None = None
        self.small, self.grown = inf, 0.0
        n = len(self.form.linear)
        self.space, self.rounds, self.pricings = np.empty((n, n)), ROOT_ROUNDS, ROOT_PRICINGS
        self.compiled: CompiledTree | None = None
        self.state(self.form)
        self.nodes = OpenNodes(n, self.costs.size, len(self.costs.limits), self.most_open)

    def state(self, form: Form) -> None:
        """State what is maximised."""
        self.form = form
        clash = np.isinf(self.form.pairs)
        np.fill_diagonal(clash, False)
        self.clash: BoolArray | None = clash if clash.any() else None
        self.rivals = np.zeros((0, 0), dtype=bool) if self.clash is None else clash
        finite = np.where(np.isinf(self.form.pairs), 0.0, self.form.pairs)
        if self.clash is not None:
            finite = np.where(clash, max(float(finite.max()), 0.0), finite)
        np.fill_diagonal(finite, 0.0)
        self.costs = Costs(-self.form.linear, finite / 2, self.form.size, *self.form.even_rows)

    def loops(self, seconds: float) -> Kernels:
        """Return the loops for a piece of work that numpy does in so many seconds."""
        bare = not len(self.costs.limits) and self.clash is None
        return self.using or (WITHOUT_ROWS if bare else LOOPS).after(seconds)

    @property
    def cut(self) -> float:
        """Costs from which on a branch is closed."""
        value = self.search.value + self.search.close
        return -value if value > -inf else FAR

    @property
    def left(self) -> bool:
        """Whether a node is open that may hold a better set."""
        return self.nodes.left(self.cut)

    def run(self) -> tuple[Stop, float]:
        """Search all sets; return why it ended, and the bound on what was not searched."""
        try:
            with one_thread():
                stop = self._open_root() or explore(self, self.search)
        except KeyboardInterrupt as fault:
            self.search.clock.note(fault)
            stop = Stop.INTERRUPT
        self.search.missed = max(self.search.missed, self.search.close + self.search.rounding)
        if stop is Stop.EXHAUSTED:
            return stop, -inf
        left = self.nodes.bound
        bound = max(left, self.root_bound) if left < inf else self.root_bound
        return stop, -bound + self.search.rounding

    def _open_root(self) -> Stop | None:
        """Rewrite the form, and push the root; return why the search ends if it ends here."""
        self.climb()
        self._risen()
        self.splitting, self.grown, self.rounding = Splitting(self.costs), 0.0, self.search.rounding
        dual = self.splitting.solve(self.cut, SLOW)
        if dual is None:
            return stopped(self.search.clock)
        self._rewrite(dual)
        if self.search.too_coarse:
            return Stop.LIMIT
        self.climb(dual.point + 1e-3, 1)
        self._risen()
        status, prices = np.zeros(len(dual.point), dtype=np.int8), np.zeros(len(self.costs.limits))
        self.nodes.push(self.root_bound, status, dual.point, prices)
        self.small = self.search.nodes + SMALL * len(status)
        return None

    def _rewrite(self, dual: Dual) -> None:
        """Go on with the form that a dual solution makes."""
        self.dual, self.made = dual, rewritten(self.costs, dual)
        rounding = max(self.rounding, self.form.rounding) + self.made.rounding
        self.search.rounding = max(self.search.rounding, rounding)
        self.root_bound = max(self.root_bound, self.made.bound)

    def _refine(self) -> None:
        """Solve the dual further, as the tree is large; bounds of what is open hold as before."""
        self.small, n = inf, len(self.form.linear)
        dual = self.splitting.solve(self.cut - self.grown, SLOW_AGAIN * min(1.0, LARGE / n))
        before, rounding = self.made, self.search.rounding
        if dual is None:
            return
        self._rewrite(replace(dual, bound=dual.bound + self.grown))
        if self.search.too_coarse:
            self.made, self.search.rounding = before, rounding
        self.climb(dual.point + 1e-3, 2)

    def _risen(self) -> None:
        """Go on with another form, if the search has one: all costs have grown, and so have all bounds."""
        risen = self.search.rise()
        if risen is None:
            return
        form, grown = risen
        self.state(_part(form, self.indices, self.clash))
        self.root_bound += grown
        self.nodes.raise_all(grown)
        self.grown += grown
        if self.dual is not None:
            self._rewrite(replace(self.dual, bound=self.dual.bound + grown))

    def step(self) -> None:
        """Examine the open node with the best bound, or some if there is a loop for them."""
        loops = self.loops(NODE * len(self.form.linear))
        if loops.searched and self.rounds == ROUNDS and not len(self.costs.limits) and self.clash is None:
            self._examine_some(loops.searched)
        else:
            bound, status, x, prices = self.nodes.take()
            if bound < self.cut:
                self._examine(bound, status, x, prices, loops)
            self.nodes.mark_searched()
        self.rounds, self.pricings = ROUNDS, PRICINGS
        if self.search.nodes > self.small and self.left:
            self._refine()
        self._risen()

    def report(self) -> str:
        """Return how far it is."""
        search, bound = self.search, -self.nodes.bound
        open_ones = f"{search.nodes} nodes, {len(self.nodes)} open"
        return f"convexified: best {search.value:.6g}, bound {bound:.6g}, {open_ones}"

    @property
    def program(self) -> Program:
        """What all nodes have in common."""
        made, costs = self.made, self.costs
        return Program(
            made.convex,
            made.pairs,
            made.single,
            costs.rows,
            costs.limits,
            float(made.constant),
            float(TOLERANCE * self.form.scale),
        )

    def _examine_some(self, searched: Callable[..., tuple[int, int, int]]) -> None:
        """Examine nodes in a compiled loop; no set is lost if evaluating them is interrupted."""
        compiled = self.compiled = self.compiled or CompiledTree(searched, self.space, self.costs.size)
        most, self.nodes.held = min(AT_ONCE, self.search.most_nodes + 1 - self.search.nodes), self.nodes.bound
        nodes, sets, left = compiled.search(self.program, self.nodes, float(self.cut), int(max(most, 1)))
        self.search.nodes += nodes
        if len(sets):
            self._take(sets)
        if left is not None:
            self._finish(left, self.costs.size - int(np.count_nonzero(left == 1)))
        self.nodes.held = inf

    def _examine(
        self, bound: float, status: np.ndarray, x: FloatArray, prices: FloatArray, loops: Kernels
    ) -> None:
        """Bound a node, decide what its bound decides, and branch."""
        self.search.nodes += 1
        cut, taken, rounds, pricings = float(self.cut), 1, self.rounds, self.pricings
        node, program = programs.Node(status, x, prices, np.empty(len(x))), self.program
        while taken:
            need = propagated(status, self.costs, self.clash)
            if need < 0 or self._finish(status, need):
                return
            loops.fitted(x, status, need)
            found = loops.relaxed(program, node, Wanted(need, cut, rounds, pricings), self.space)
            bound = max(bound, found.value)
            if bound >= cut:
                return
            taken = loops.decided(status, node.gradient, found, cut, self.rivals)
            rounds, pricings = ROUNDS, PRICINGS
        self._branch(bound, status, x, prices, loops)

    def _take(self, sets: IntArray) -> None:
        """Evaluate sets of no rows, shape (sets, size)."""
        linear, pairs, limits = self.form.linear, self.form.pairs, self.costs.limits
        totals = linear[sets].sum(axis=1) - pairs[sets[:, :, None], sets[:, None, :]].sum(axis=(1, 2)) / 2
        every, rows = np.arange(len(linear)), self.costs.rows
        none = Node([], self.indices, linear, pairs, every, pairs, rows, limits, limits, self.costs.size)
        self.search.best_of(none, totals[:, None], sets)

    def _branch(
        self, bound: float, status: np.ndarray, x: FloatArray, prices: FloatArray, loops: Kernels
    ) -> None:
        """Branch on the feature that would cost most if its part became a whole."""
        need = propagated(status, self.costs, self.clash)
        if need < 0 or self._finish(status, need):
            return
        x[status != 0] = 0.0
        feature = loops.branching(self.made.convex, self.made.pairs, status, x)
        for side in (-1, 1):
            one = status.copy()
            decide(one, np.array([feature]), side, self.clash)
            self.nodes.push(bound, one, x, prices)

    def _finish(self, status: np.ndarray, need: int) -> bool:
        """Evaluate all sets of a node where two or fewer features are missing, or all others are needed."""
        if need > 2 and len(status) - int(np.count_nonzero(status)) > need:
            return False
        inside = np.flatnonzero(status == 1)
        free = np.flatnonzero(status == 0) if need else np.empty(0, dtype=np.int64)
        slack = self.costs.limits - self.costs.rows[:, inside].sum(axis=1)
        pairs = self.form.pairs[np.ix_(free, free)]
        np.fill_diagonal(pairs, inf)
        within = self.form.pairs[np.ix_(inside, inside)]
        value = float(self.form.linear[inside].sum() - within.sum() / 2)
        node = Node(
            self.indices[inside].tolist(),
            self.indices[free],
            self.form.linear[free] - self.form.pairs[inside][:, free].sum(axis=0),
            pairs,
            np.arange(len(free)),
            pairs,
            self.costs.rows[:, free],
            slack,
            slack,
            need,
            value,
        )
        self.search.finish(node)
        return True

    def climb(self, chances: FloatArray | None = None, seed: int = 0) -> None:
        """Offer good sets to the search; with chances of the features it is worth a longer look."""
        known = LocalSearch(self.costs, self.clash, self._climb, self._offer)
        known.begin(np.ones(len(self.costs.single)) if chances is None else chances, seed)
        if chances is not None:
            known.go_on(chances, seed)

    def _climb(self, costs: Quadratic, members: IntArray, values: FloatArray) -> None:
        self.loops(CLIMB * members.size * len(costs.single)).climbed(costs, members, values)

    def _offer(self, members: IntArray) -> None:
        self.search.offer(self.indices[members].tolist())


def search_form(search: Search, form: Form) -> tuple[Stop, float]:
    """Search all sets of a form by convex programs, as `Search.run` does by partners.

    Parameters
    ----------
    search
        Keeps what is found; its clock and its number of nodes end the search.
    form
        What is maximised, and the rows.

    Returns
    -------
    Stop
        Why it ended.
    float
        Bound on the sets that were not searched; -inf if there are none.
    """
    form = form.without_hopeless(search.value)
    search.rounding = form.rounding
    tree = make_tree(search, form)
    if tree is not None:
        return tree.run()
    node = root(form)
    if len(node.indices) >= form.size:
        search.finish(node)
    search.missed = max(search.missed, search.close + search.rounding)
    return Stop.EXHAUSTED, -inf


def make_tree(search: Search, form: Form) -> Tree | None:
    """Build the tree of a form; None if its sets are evaluated sooner than bounded."""
    kept = np.flatnonzero(form.linear > -inf)
    if form.size <= 2 or len(kept) <= form.size:
        return None
    return Tree(search, _part(form, kept, None), kept)


def _part(form: Form, kept: IntArray, clash: BoolArray | None) -> Form:
    """Return the form of some features; pairs that are known to exclude each other do so."""
    pairs = form.pairs[np.ix_(kept, kept)]
    np.fill_diagonal(pairs, 0.0)
    if clash is not None:
        pairs[clash] = inf
    return Form(form.linear[kept], pairs, form.size, form.rows[:, kept], form.limits)
