"""What loops over nodes of a tree of convex programs take: costs to be minimised, n features, m rows."""

from __future__ import annotations

from typing import Any, NamedTuple


class Program(NamedTuple):
    """What all nodes of a tree have in common; costs are in the units of the form."""

    convex: Any
    """S, shape (n, n), positive semidefinite."""
    pairs: Any
    """N, shape (n, n): what is dropped between free features."""
    single: Any
    """Shape (n,): costs of single features, with the prices of rows at the root."""
    rows: Any
    """Shape (m, n)."""
    limits: Any
    """Shape (m,)."""
    constant: float
    """Cost of every set."""
    tolerance: float
    """Difference of two entries of the gradient that is none."""


class Node(NamedTuple):
    """A node, which its bound changes."""

    status: Any
    """Shape (n,): 1 of a feature inside, 0 of a free one, -1 of one left out."""
    x: Any
    """Shape (n,): the free features' parts, which sum to the need; becomes the last point."""
    prices: Any
    """Shape (m,): added to those at the root; become those of the best bound."""
    gradient: Any
    """Shape (n,): becomes the gradient at the best bound; `FAR` where features are not free."""


class Wanted(NamedTuple):
    """What is wanted of a node's bound."""

    need: int
    """Number of free features to take."""
    cut: float
    """Cost at which to stop."""
    rounds: int
    """Rounds with the prices fixed."""
    pricings: int
    """How often they change."""


class Bound(NamedTuple):
    """A bound on the costs of a node's sets, and the need-th and the next smallest entry of its gradient."""

    value: float
    last: float
    following: float


FAR = 1e300
"""Stands for infinity, which loops that numba compiles with these options may not meet."""
TINY = 1e-280
"""Curvature below which there is none, whatever the unit of the costs."""
NO_PART, WHOLE_PART = 1e-13, 1 - 1e-13
"""What is left of a part below which it is none; part above which it is all."""
NO_ROOM = 1e-12
"""Room below which there is none."""
PRICED = 16 * 2.0**-53
"""Rounding of one change of the prices, or of their products with eight rows, relative to them."""
NOISE = 1e-7
"""What a row is broken by, relative to its terms, below which its price stays: it may be rounding."""
