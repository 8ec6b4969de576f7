"""What loops over the tree of linear fits take: n columns of p numbers, sets of k, e rows as rules."""

from __future__ import annotations

from math import inf
from typing import Any, NamedTuple

import numpy as np


class Fit(NamedTuple):
    """What is fitted."""

    columns: Any
    """Shape (n, p), of length 1, or ``sqrt(1 + ridge)``, or 0."""
    target: Any
    """Shape (p,), of length 1 at most."""
    d: Any
    """Shape (n,): with ``A`` the columns' products, ``A - diag(d)`` is positive semidefinite."""
    same: Any
    """Shape (n,): the first of the columns that a column is a copy of."""
    whole: float
    """What no set explains more than."""
    steepest: float
    """What no coefficient of a set exceeds."""
    copied: float
    """What a copy adds at most, by rounding."""


class Rules(NamedTuple):
    """Rows ``R s <= h``, and what follows from them."""

    rows: Any
    """Shape (e, n)."""
    limits: Any
    """Shape (e,)."""
    loose: Any
    """Shape (e,): limits that rounding does not exceed; these leave features out."""
    group: Any
    """Shape (n,): which of g disjoint groups a feature is in; -1: none."""
    capacity: Any
    """Shape (g,): how many of a group may be chosen."""


class Levels(NamedTuple):
    """The path to a node: it has chosen ``members[:level]``, and its own rows at `level`."""

    members: Any
    """Shape (k,): indices of the columns chosen."""
    ids: Any
    """Shape (k + 1, n): the first `size` of a row are columns that may be chosen."""
    size: Any
    """Shape (k + 1,)."""
    a: Any
    """Shape (k + 1, n, n): products of the columns in `ids`, given those chosen."""
    b: Any
    """Shape (k + 1, n): their products with the target."""
    alive: Any
    """Shape (k + 1, n): whether a column is still to be chosen, not left out."""
    dead: Any
    """Shape (k + 1,): whether no set is left but those of the next level."""
    z: Any
    """Shape (k + 1, n): shares in the relaxation, from which a node's bound begins."""
    base: Any
    """Shape (k + 1,): what those chosen explain."""
    rounding: Any
    """Shape (k + 1,): of the products."""
    opened: Any
    """Shape (k + 1,): work that was done before a node was opened."""
    bounds: Any
    """Shape (k + 1,): on what sets explain that are not yet searched."""


class Left(NamedTuple):
    """The m columns that may be chosen at a node, given those chosen."""

    names: Any
    """Shape (m,): which columns they are."""
    a: Any
    """Shape (m, m): their products."""
    b: Any
    """Shape (m,): their products with the target."""
    d: Any
    """Shape (m,): as in `Fit`."""
    group: Any
    """Shape (m,): as in `Rules`."""
    room: Any
    """Shape (g,): how many more of a group may be chosen."""
    slack: Any
    """Shape (e,): what those chosen leave of the loose limits."""
    rounding: float
    """Of the products."""
    steepest: float
    """What no coefficient of a set exceeds."""


class Listing(NamedTuple):
    """A list of all sets of a node of m columns; its path goes on in the rows of `Levels` below the node.

    Rounding: if the products are ``A + E`` instead of A, ``|E| <= rounding``, an entry given the path is off
    by at most ``rounding growth_i growth_j``, growth being 1 and the sum of the sizes of a column's
    coefficients on the path: of ``a_j - f a_i`` at most ``growth_j + |f| growth_i``. The target is a column,
    too.
    """

    positions: Any
    """Shape (k,): at each depth the column that the path has chosen, of those in ``ids[START]``."""
    growth: Any
    """Shape (k + 1, n)."""
    target_growth: Any
    """Shape (k + 1,): the target's."""
    slack: Any
    """Shape (k + 1, e): what the path leaves of the loose limits."""
    least: Any
    """Shape (e, k + 1, n + 1): the least sum of a row of s of the first i columns."""
    same: Any
    """Shape (n,): as in `Fit`, by position."""
    own: Any
    """Shape (n,), memory: what is left of the columns."""
    first: Any
    """Shape (n (n - 1) / 2,), at least n: positions of pairs that may be good enough."""
    second: Any
    most: Any
    """What they explain at most, besides the path."""


class Portion(NamedTuple):
    """How much of a search is done at once."""

    nodes: int
    work: float
    """As `WORK`."""
    rounds: int
    """Weightings of a node at most."""
    bound: float
    """Work to bound a node,"""
    entry: float
    """and besides for each product of two columns."""
    again: float
    """Share of the work done at a node, and below it, up to which all its sets are listed."""


class Found(NamedTuple):
    """What has been found, and how far the search is."""

    sets: Any
    """Shape (room, k): the best set, or all above the floor."""
    values: Any
    """Shape (room,): what they explain."""
    numbers: Any
    """Of `CUTOFF` and the following."""
    counters: Any
    """Of `NODES` and the following."""


CUTOFF, CLOSE, VALUE, LEAST, WORK, AT_ONCE = 0, 1, 2, 3, 4, 5
"""Numbers: what a set must explain to be looked for; by how much more, relative, than the best; what that
explains; the floor of a list, or minus infinity; work done: 1 is to bound a set in a pair, in a nanosecond or
so; work up to which a node is listed without a bound."""
NODES, FOUND, FULL, LEVEL, HAS_BEST, DONE, START, DEPTH, COUNT = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Counters: nodes; sets found; whether there is no room for more; the level of the next node; whether there
is a best set; sets found by paths that are done with, as one that found no room begins again; the level of
the node that is listed, or -1; how deep its path is; sets that follow it and may be good enough."""
UNCLEAR = 100.0
"""What of a column is left, in roundings, up to which its products do not tell it; above, these are a
hundredth of it, and what follows from them in second order is in `INFLATED`."""
INFLATED = 1.1
"""Times the rounding of first order."""
EXCESS, LOOSE = 1.0 + 3.0 / UNCLEAR, 3.0
"""Above what the condition without a division needs, so that second order does not count."""


def empty_levels(n: int, k: int) -> Levels:
    """Build the path of a search of sets of k of n columns."""
    return Levels(
        members=np.zeros(k, dtype=np.int64),
        ids=np.zeros((k + 1, n), dtype=np.int64),
        size=np.zeros(k + 1, dtype=np.int64),
        a=np.zeros((k + 1, n, n)),
        b=np.zeros((k + 1, n)),
        alive=np.zeros((k + 1, n), dtype=bool),
        dead=np.zeros(k + 1, dtype=bool),
        z=np.zeros((k + 1, n)),
        base=np.zeros(k + 1),
        rounding=np.zeros(k + 1),
        opened=np.zeros(k + 1),
        bounds=np.full(k + 1, inf),
    )


def empty_listing(n: int, k: int, rows: int) -> Listing:
    """Build a list's path, and its memory."""
    pairs = max(n * (n - 1) // 2, n)
    return Listing(
        positions=np.zeros(k, dtype=np.int64),
        growth=np.zeros((k + 1, n)),
        target_growth=np.zeros(k + 1),
        slack=np.zeros((k + 1, rows)),
        least=np.zeros((rows, k + 1, n + 1)),
        same=np.zeros(n, dtype=np.int64),
        own=np.zeros(n),
        first=np.zeros(pairs, dtype=np.int64),
        second=np.zeros(pairs, dtype=np.int64),
        most=np.zeros(pairs),
    )


def empty_found(room: int, k: int) -> Found:
    """Allocate room for so many sets of k columns."""
    sets, counters = np.zeros((room, k), dtype=np.int64), np.zeros(9, dtype=np.int64)
    found = Found(sets, np.zeros(room), np.zeros(6), counters)
    found.numbers[[CUTOFF, VALUE, LEAST]] = -inf
    found.counters[START] = -1
    return found
