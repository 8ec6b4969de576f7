"""The tree of a claim: cases of features chosen and left out, down to leaves with a bound."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from math import comb, inf
from typing import Any, ClassVar, Protocol

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.lines import Writer
from altsel.auditing.certificates.prices import Leaf, NoProofError, Priced, best_prices, ruling_out, total
from altsel.auditing.certificates.rows import MOST_LISTED, Rows
from altsel.runtime.clock import clock

FRACTION = 1e-6
"""Distance to 0 and 1 of a share that is none of them."""


@dataclass(frozen=True, eq=False)
class Linear:
    """``value(inside and T) <= constant + sum of worth over T``, for all sets T of free features.

    Attributes
    ----------
    constant
        With those inside.
    worth
        Of all features; those of the free ones mean something.
    data
        What the checker finds the same by.
    shares
        By how much the relaxation takes each of all features: what is branched on.
    state
        What the nodes below begin with.
    split
        The feature to branch on; None: the one of which a share is taken that is farthest from none and all.
    """

    constant: float
    worth: FloatArray
    data: list[Any]
    shares: FloatArray
    state: Any = None
    split: int | None = None


class Bounds(Protocol):
    """What bounds a criterion at the nodes of a tree, for one size and one limit.

    Attributes
    ----------
    target
        What sets are to be bounded by, in units of its own.
    rounding
        By how much its floats may be off what the checker finds exactly, relative to its terms.
    """

    target: float
    rounding: ClassVar[float]

    @property
    def each(self) -> float:
        """Number of sets of a leaf up to which the checker looks at each."""
        ...

    def state(self, writer: Writer) -> None:
        """Write what all leaves refer to."""
        ...

    def linear(self, leaf: Leaf, state: Any) -> Linear:
        """Bound the sets of a leaf."""
        ...


@dataclass(frozen=True, eq=False)
class Node:
    """A node that is open."""

    leaf: Leaf
    prices: FloatArray
    state: Any = None


@dataclass(eq=False)
class Tree:
    """Writes the tree of the sets of one size: none is worth more than a limit, or there is none.

    Parameters
    ----------
    size, features
        Of the sets, and how many features there are.
    rows
        What sets keep.
    unit
        At most what a unit of the score is of what is bounded; 0: penalties are left out.
    bounds
        Of the criterion; None: there is no set at all.
    write
        Takes a node.
    besides
        Sets that may be better.
    most
        Number of leaves after which to give up.

    Attributes
    ----------
    leaves
        Number of leaves written.
    """

    size: int
    features: int
    rows: Rows
    bounds: Bounds | None
    write: Callable[[list[Any]], None]
    besides: Collection[frozenset[int]] = ()
    most: float = inf
    unit: float = 1.0
    leaves: int = field(default=0, init=False)

    def grow(self) -> None:
        """Write the tree, each node before those below it, those with the feature first.

        Raises
        ------
        NoProofError
            If a set is better than the limit, or there are too many leaves.
        """
        everything = np.arange(self.features)
        root = Leaf(everything[:0], everything, self.size)
        stack = [Node(root, np.zeros(len(self.rows)))]
        while stack:
            clock().check()
            node = stack.pop()
            written, below = self._settle(node)
            self.write(written)
            self.leaves += not below
            if self.leaves > self.most:
                raise NoProofError(f"its tree has more than {self.most:,.0f} leaves")
            stack += below

    def _settle(self, node: Node) -> tuple[list[Any], list[Node]]:
        """Close a node, or branch: what is written, and the nodes below in the order of a stack.

        1. Without sets it is closed. 2. Few sets are looked at by the checker. 3. A linear bound, alone or
        with prices of the rows. 4. Where no shares keep the rows, their prices rule the sets out.
        """
        leaf = node.leaf
        if leaf.empty or self._few(leaf):
            return ["none" if leaf.empty else "each", [], {}], []
        linear, rows = self._linear(node), self.rows.at(leaf.inside)
        priced = Priced(node.prices, linear.shares[leaf.free])
        trials = [np.zeros(len(rows)), *([node.prices] if node.prices.any() else [])]
        closing = next((prices for prices in trials if self._closes(leaf, linear, rows, prices)), None)
        if closing is None and len(rows) and not self._top_keeps_rows(leaf, linear, rows):
            better = best_prices(leaf, linear.worth, rows)
            out = ruling_out(leaf, rows) if better is None else None
            if out is not None:
                return ["none", [], self._named(out)], []
            if better is not None and self._closes(leaf, linear, rows, better.prices):
                closing = better.prices
            priced = better or priced
        if closing is None and leaf.decided and frozenset(leaf.only) in self.besides:
            closing = trials[0]
        if closing is not None:
            return ["bound", linear.data, self._named(closing) | self._charged()], []
        return self._branch(node, linear, priced)

    def _few(self, leaf: Leaf) -> bool:
        """Return whether the checker is to look at each set, also at one that breaks a row by its list."""
        sets = comb(len(leaf.free), leaf.count)
        if self.rows.listed and (self.bounds is None or not self.bounds.each):
            return sets <= MOST_LISTED if self.bounds is None else sets == 1 and not self.rows.kept(leaf.only)
        return sets <= (self.bounds.each if self.bounds is not None else 1)

    def _linear(self, node: Node) -> Linear:
        if self.bounds is None:
            return Linear(0.0, np.zeros(self.features), [], np.zeros(self.features))
        linear = self.bounds.linear(node.leaf, node.state)
        if self.rows.penalty is None:
            return linear
        paid = self.rows.penalty.at(node.leaf.inside)
        constant = linear.constant + self.unit * float(paid.limits[0])
        return replace(linear, constant=constant, worth=linear.worth - self.unit * paid.features[0])

    def _charged(self) -> dict[str, str]:
        """Return the price of the penalty."""
        return {} if self.rows.penalty is None else {self.rows.penalty.names[0]: self.unit.hex()}

    def _closes(self, leaf: Leaf, linear: Linear, rows: Rows, prices: FloatArray) -> bool:
        """Return whether a bound proves enough, rounding included."""
        if self.bounds is None:
            return False
        value = total(leaf, linear.constant, linear.worth, rows, prices)
        sizes = np.abs(rows.limits) + np.abs(rows.features).sum(axis=1)
        terms = abs(linear.constant) + abs(self.bounds.target) + float(prices @ sizes)
        terms += leaf.count * float(np.abs(linear.worth[leaf.free]).max(initial=0.0))
        return value <= self.bounds.target - self.bounds.rounding * terms

    def _top_keeps_rows(self, leaf: Leaf, linear: Linear, rows: Rows) -> bool:
        """Return whether the features of most worth keep all rows, so that prices cannot help."""
        if self.bounds is None:
            return False
        order = np.argsort(-linear.worth[leaf.free])[: leaf.count]
        one = np.append(leaf.inside, leaf.free[order])
        return bool((rows.features[:, one].sum(axis=1) <= rows.limits).all())

    def _named(self, prices: FloatArray) -> dict[str, str]:
        return {self.rows.names[i]: float(prices[i]).hex() for i in np.flatnonzero(prices)}

    def _branch(self, node: Node, linear: Linear, priced: Priced) -> tuple[list[Any], list[Node]]:
        leaf, shares = node.leaf, priced.shares
        apart = np.minimum(shares, 1.0 - shares)
        if leaf.decided:
            raise NoProofError(f"the set of features {sorted(leaf.only)} is not shown to be within the limit")
        at = int(np.argmax(apart + FRACTION * shares)) if apart.max() > FRACTION else int(np.argmax(shares))
        if linear.split is not None:
            at = int(np.searchsorted(leaf.free, linear.split))
        j, rest = int(leaf.free[at]), np.delete(leaf.free, at)
        without = replace(leaf, free=rest)
        within = replace(leaf, inside=np.append(leaf.inside, j), free=rest, count=leaf.count - 1)
        return ["branch", j], [Node(one, priced.prices, linear.state) for one in (without, within)]
