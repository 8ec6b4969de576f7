"""A bound on the best set under a quadratic form, by Lagrangian relaxation.

``max a's - 1/2 s'Bs`` over sets of m features. With ``t_ij = s_i s_j`` every chosen feature has
exactly m - 1 partners: ``sum_j t_ij = (m - 1) s_i``, ``t_ij = t_ji`` (the level-1
reformulation-linearisation of Adams and Sherali 1986). Drop the symmetry and split every pair's
``B_ij`` into ``C_ij + C_ji``: each feature then takes its m - 1 cheapest partners, the m features
worth most are taken, and their sum is a bound, whatever the split. Subgradient steps improve the
split. Side rows ``G s <= h`` enter with multipliers in the same way. (The same idea for quadratic
assignment: Hahn and Grant 1998.)
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isfinite

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.exact.rules.linear_rules import FEASIBLE, loosen

PATIENCE = 8
"""Steps without progress before they are shortened."""
SHORTER, SHORTEST = 0.6, 0.02
UNIT = 2.0**-53
"""Relative error of one rounding."""
MATTERS = 1e-12
"""Rounding, relative to a value, above which numbers too large to matter are looked for."""
TINY = 1e-200
COMPACT = 500
"""Features up to which a node has pairs of its own, which are nearer in memory."""
BLOCK = 256
"""Rows of a table that are looked at at a time."""
SURE = 1e-6
"""Relative margin by which they are too large."""
ENTRY = 4.0
"""What every entry of a row is below: rows then weigh as much as pairs in a step, and a tenth fewer nodes are
searched than with entries up to 1."""
NOISE = 1e-7
"""Slack of a row, relative to its reach, below which no step is made for it: it may be rounding."""
STEEPEST = 1e6
"""Largest multiplier, relative to the largest number of the form: larger ones make bounds of rounding."""


@dataclass(frozen=True, eq=False)
class Form:
    """``max linear @ s - s @ pairs @ s / 2`` over sets of `size`, subject to ``rows @ s <= limits``.

    `pairs` is symmetric; an infinite entry excludes a pair.
    """

    linear: FloatArray
    pairs: FloatArray
    size: int
    rows: FloatArray
    limits: FloatArray

    @cached_property
    def scale(self) -> float:
        """Largest term, the measure of rounding; never 0."""
        single = self.linear[np.isfinite(self.linear)]
        double = [_largest(self.pairs[first : first + BLOCK]) for first in range(0, len(self.pairs), BLOCK)]
        return float(max(np.abs(single).max(initial=TINY), *double, 0.0))

    @cached_property
    def even_rows(self) -> tuple[FloatArray, FloatArray]:
        """The rows, the largest entry of each at least half of `ENTRY`, and limits that no set kept breaks.

        They are divided by powers of 2, which leave integers exact.
        """
        largest = np.abs(self.rows).max(axis=1, initial=0.0)
        scale = np.exp2(np.floor(np.log2(np.where(largest > 0, 2 * largest / ENTRY, 1.0))))
        limits = loosen(self.rows, self.limits, self.size)
        return np.ascontiguousarray(self.rows / scale[:, None]), limits / scale

    @property
    def rounding(self) -> float:
        """How far rounding may put a bound off: each sums some m (m + rows) terms.

        What multipliers, and halves of pairs that steps have moved, come to is charged by `Relaxation`.
        """
        terms = self.size * (self.size + len(self.limits))
        return 4 * UNIT * terms * self.scale if self.scale > TINY else 0.0

    def terms(self, members: IntArray) -> float:
        """Sum the absolute terms of a set: the measure of the rounding of its own value."""
        inside = self.pairs[np.ix_(members, members)]
        return float(np.abs(self.linear[members]).sum() + np.abs(inside[np.isfinite(inside)]).sum() / 2)

    def without_hopeless(self, value: float) -> Form:
        """Exclude features and pairs with which no set reaches a value.

        Where a number stands for "never", such as a redundancy of 1e9, all sums would otherwise be
        rounded to it.
        """
        m = self.size
        ordinary = self.rounding <= MATTERS * abs(value)
        if value == -inf or ordinary or m < 2 or len(self.linear) <= m:
            return self
        gain = np.maximum(-self.pairs, 0.0)
        np.fill_diagonal(gain, 0.0)
        helped = self.linear + (np.partition(gain, 1 - m, axis=1)[:, 1 - m :].sum(axis=1) / 2)
        best = np.sort(helped)[-m:]
        most, rest = float(best.sum()), float(best[1:].sum())
        hidden = SURE * abs(value) + self.rounding
        pairs = np.where(self.pairs > most - value + SURE * abs(most) + hidden, inf, self.pairs)
        worst = value - rest - SURE * abs(rest) - hidden
        return replace(self, linear=np.where(helped < worst, -inf, self.linear), pairs=pairs)


@dataclass(eq=False)
class Node:
    """What is left to choose: `need` of `indices`; `split` has an infinite diagonal, `pairs` one not read.

    Nodes of more than `COMPACT` features share `pairs`; `places` are their features in it. While such a node
    waits, `split` is empty, and `moved` holds what is no half of a pair: first, second, and the part.
    `reach` is what a row's terms and limit come to at most, `steepest` the largest multiplier, and `drift`
    how far steps may have moved a half, added up.
    """

    inside: list[int]
    indices: IntArray
    linear: FloatArray
    pairs: FloatArray
    places: IntArray
    split: FloatArray
    rows: FloatArray
    slack: FloatArray
    multipliers: FloatArray
    need: int
    value: float = 0.0
    bound: float = inf
    reach: FloatArray = field(default_factory=lambda: np.empty(0))
    steepest: float = inf
    drift: float = 0.0
    moved: tuple[IntArray, IntArray, FloatArray] | None = None

    def keep(self, mask: BoolArray) -> None:
        """Leave features out."""
        if mask.all():
            return
        self.indices, self.linear, self.rows = self.indices[mask], self.linear[mask], self.rows[:, mask]
        self.places = self.places[mask]
        if self.moved is None:
            self.split = self.split[np.ix_(mask, mask)]
        else:
            i, j, part = self.moved
            both, new = mask[i] & mask[j], np.cumsum(mask) - 1
            self.moved = new[i[both]], new[j[both]], part[both]
        if len(self.places) <= COMPACT:
            self.pairs = self.pairs[np.ix_(self.places, self.places)]
            self.places = np.arange(len(self.places))

    def include(self, j: int) -> None:
        """Choose a feature, and leave out those that exclude it."""
        self.inside = [*self.inside, int(self.indices[j])]
        self.value += float(self.linear[j])
        self.slack = self.slack - self.rows[:, j]
        self.linear = self.linear - self.pairs[self.places[j], self.places]
        self.linear[j] = -inf
        self.need -= 1
        self.keep(self.linear > -inf)

    def shift(self, i: IntArray, j: IntArray, step: float) -> None:
        """Move a part of pairs from j to i; both parts always add up to the pair, without drift."""
        part = self.split[i, j] + step  # finite: no partner that is excluded is among the cheapest
        self.split[i, j] = part
        self.split[j, i] = self.pairs[self.places[i], self.places[j]] - part
        self.drift += abs(step)

    def inner_pairs(self) -> FloatArray:
        """Return the pairs of its features; of all that the table has, the table itself."""
        whole = len(self.places) == len(self.pairs)
        return self.pairs if whole else self.pairs[np.ix_(self.places, self.places)]

    def fold(self) -> None:
        """Hold no table while the node waits, if that would be large."""
        if len(self.places) <= COMPACT:
            return
        found = []
        for start in range(0, len(self.places), BLOCK):
            part = self.split[start : start + BLOCK]
            halves = self.pairs[np.ix_(self.places[start : start + BLOCK], self.places)] / 2
            i, j = np.nonzero(part != halves)
            found.append((i + start, j, part[i, j]))
        i, j, parts = (np.concatenate(one) for one in zip(*found, strict=True))
        self.moved, self.split = (i, j, parts), np.empty((0, 0))

    def unfold(self) -> None:
        """Rebuild the table."""
        if self.moved is not None:
            i, j, parts = self.moved
            self.split = self.inner_pairs() / 2
            self.split[i, j] = parts
            self.moved = None

    def branches(self, j: int) -> tuple[Node, Node]:
        """Build the nodes without and with a feature."""
        without = copy(self)  # they share arrays until `keep`, which both call, makes new ones
        without.fold()
        without.keep(np.arange(len(self.indices)) != j)
        self.include(j)
        return without, self


def root(form: Form) -> Node:
    """Start with nothing chosen, every pair split into halves."""
    split = form.pairs / 2
    np.fill_diagonal(split, inf)
    rows, limits = form.even_rows
    node = Node(
        [],
        np.arange(len(form.linear)),
        form.linear,
        form.pairs,  # no copy: of thousands of features it would be gigabytes
        np.arange(len(form.linear)),
        split,
        rows,
        limits,
        np.zeros(len(limits)),
        form.size,
        reach=np.abs(limits) + ENTRY * form.size,
        steepest=STEEPEST * form.scale,
    )
    node.keep(form.linear > -inf)
    return node


def root_bound(form: Form) -> float:
    """Bound all sets of a form, without a step: every feature with its cheapest partners."""
    m, n = form.size, len(form.linear)
    if n < m:
        return -inf
    worth = form.linear.copy()
    if m > 1:
        split = form.pairs / 2
        np.fill_diagonal(split, inf)
        worth -= np.partition(split, m - 2, axis=1)[:, : m - 1].sum(axis=1)
    return float(np.partition(worth, n - m)[n - m :].sum()) + form.rounding


def _largest(block: FloatArray) -> float:
    """Return the largest absolute value of those that are finite."""
    low, high = float(block.min(initial=0)), float(block.max(initial=0))
    if isfinite(low) and isfinite(high):
        return max(-low, high)
    return float(np.abs(block[np.isfinite(block)]).max(initial=0))


def propagated(node: Node) -> bool:
    """Leave out features with which some row cannot be kept; False if no set is left."""
    m = node.need
    if len(node.indices) < m or m == 0 or not len(node.rows):
        return len(node.indices) >= m and (m > 0 or bool((node.slack >= -FEASIBLE).all()))
    ordered = np.sort(node.rows, axis=1)
    others = ordered[:, : m - 1].sum(axis=1, keepdims=True)
    least = np.where(node.rows <= ordered[:, [m - 1]], others + ordered[:, [m - 1]], others + node.rows)
    fits = (least <= node.slack[:, None] + FEASIBLE).all(axis=0)
    if not fits.all():
        node.keep(fits)
    return bool(fits.sum() >= m)


class Relaxation:
    """The bound of one node, improved step by step.

    What rounding may hide is added by the numbers used: with m features of R rows there are ``m R`` products
    and ``m + R`` sums of each multiplier, none of more than it times the row's reach, and m of each half of a
    pair, as in `Form.rounding`.

    Attributes
    ----------
    bound
        Bound on the best set of the node, but for `Form.rounding`.
    worth
        What each feature brings with its cheapest partners, shape (indices,).
    chosen
        The `need` indices of most worth; `last` is the least worth among them, `next` the most
        among the others.
    """

    def __init__(self, node: Node) -> None:
        self.node = node
        m = len(node.inside) + node.need
        self.charged = node.slack + 4 * UNIT * (m + len(node.slack) + 4) * node.reach
        self.moving, self.noise = 4 * UNIT * m * m, NOISE * node.reach
        self.length, self.stall, self.best = 1.0, 0, inf
        self.used = np.empty(len(node.indices))
        self.changed = np.arange(len(node.indices))
        self.moves: list[tuple[IntArray, IntArray, float]] = []  # since the best bound
        self.multipliers = node.multipliers

    def solve(self) -> None:
        """Compute the bound for the present split and multipliers."""
        node, m = self.node, self.node.need
        cheapest = np.partition(node.split[self.changed], m - 2, axis=1)[:, : m - 1]
        self.used[self.changed] = cheapest.sum(axis=1)
        self.worth = node.linear - self.used - node.multipliers @ node.rows
        order = np.argpartition(-self.worth, (m - 1, m))
        self.chosen = order[:m]
        self.last, self.next = float(self.worth[order[m - 1]]), float(self.worth[order[m]])
        self.bound = node.value + float(self.worth[self.chosen].sum() + node.multipliers @ self.charged)
        self.bound += self.moving * node.drift

    def step(self, target: float) -> bool:
        """Move split and multipliers towards a lower bound; False if that has stopped to help."""
        if self.bound < self.best:
            self.stall = 0 if self.best - self.bound > 1e-4 * (self.best - target) else self.stall + 1
            self.best, self.multipliers = self.bound, self.node.multipliers
            self.moves.clear()
        else:
            self.stall += 1
        if self.stall >= PATIENCE:
            self.length, self.stall = self.length * SHORTER, 0
            self.restore()
            if self.length < SHORTEST:
                return False
            self.solve()
        return self._move(target if isfinite(target) else self.bound - 0.1 * abs(self.bound) - 1e-3)

    def restore(self) -> None:
        """Go back to the best split and multipliers found."""
        touched = np.zeros(len(self.node.indices), dtype=bool)
        for i, j, step in reversed(self.moves):
            self.node.shift(i, j, -step)
            touched[i] = touched[j] = True
        self.moves.clear()
        self.changed = np.flatnonzero(touched)
        if self.best < inf:
            self.node.multipliers = self.multipliers

    def _move(self, target: float) -> bool:
        node, n = self.node, len(self.node.indices)
        m = len(self.chosen)
        partners = np.argpartition(node.split[self.chosen], m - 2, axis=1)[:, : m - 1]
        taken = np.zeros((m, n), dtype=bool)
        taken[np.arange(m)[:, None], partners] = True
        both = taken[:, self.chosen]
        taken[:, self.chosen] = both & ~both.T  # i takes j, but j does not take i
        i, j = np.nonzero(taken)
        i = self.chosen[i]
        slack = node.slack - node.rows[:, self.chosen].sum(axis=1)
        below, above = slack < -self.noise, (slack > self.noise) & (node.multipliers > 0)
        slack = np.where(below | above, slack, 0.0)
        norm = len(i) + float(slack @ slack)
        if norm == 0:
            return False
        step = self.length * (self.bound - target) / norm
        node.shift(i, j, step)
        self.moves.append((i, j, step))
        node.multipliers = np.minimum(np.maximum(node.multipliers - step * slack, 0.0), node.steepest)
        touched = np.zeros(n, dtype=bool)
        touched[i] = touched[j] = True
        self.changed = np.flatnonzero(touched)
        return True
