"""What loops over the tree of linear fits take: n columns of p numbers, sets of k, e rows as rules."""

from __future__ import annotations

from typing import Any, NamedTuple


class Fit(NamedTuple):
    """What is fitted."""

    columns: Any
    """Shape (n, p), of length 1, or ``sqrt(1 + ridge)``, or 0."""
    target: Any
    """Shape (p,), of length 1 at most."""
    d: Any
    """Shape (n,): with ``A`` the columns' products, ``A - diag(d)`` is positive semidefinite."""
    whole: float
    """What no set explains more than."""
    steepest: float
    """What no coefficient of a set exceeds."""


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
    rounding: float
    """Of the products."""
    steepest: float
    """What no coefficient of a set exceeds."""


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


CUTOFF, CLOSE, VALUE, LEAST = 0, 1, 2, 3
"""Numbers: what a set must explain to be looked for; by how much more, relative, than the best; what that
explains; the floor of a list, or minus infinity."""
NODES, FOUND, FULL, LEVEL, HAS_BEST, DONE = 0, 1, 2, 3, 4, 5
"""Counters: nodes; sets listed; whether there is no room for more; the level of the next node; whether there
is a best set; sets listed by nodes that are done with, as one that found no room begins again."""
