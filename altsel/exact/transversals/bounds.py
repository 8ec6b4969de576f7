"""How many minimal transversals there are at least and at most, where the diagram of all is too large."""

from __future__ import annotations

from collections.abc import Collection
from math import comb

from altsel.exact.transversals.construction import LOOK, order_features
from altsel.exact.transversals.hypergraph import Sets
from altsel.exact.transversals.residual import (
    Residual,
    first_feature,
    leave_out,
    start,
    support_of,
    take,
)
from altsel.runtime.clock import clock

WIDTH = 2_000
"""Nodes of one level that are followed."""
NEAR = 16
"""Sets among which the other one of a pair is looked for."""


def bounds(removals: Sets, width: int = WIDTH) -> tuple[int, int]:
    """Return a lower and an upper bound on the number of minimal transversals; equal where they are exact.

    The diagram is built level by level, with the number of paths to each node. Where a level has more
    nodes than are followed, those with the most sets are, by paths and `most_transversals`; each other
    node has no fewer than none and no more than that. What ends at ``UNIT`` was counted.

    Parameters
    ----------
    removals
        The sets to be met.
    width
        Nodes of one level that are followed.

    Examples
    --------
    >>> bounds([["a", "b"], ["b", "c"], ["c", "d"]])
    (3, 3)
    """
    order, sets = order_features(removals)
    return _bounds_below(start(sets), len(order), width)


def shares(removals: Sets, width: int = WIDTH) -> dict[str, tuple[float, float]]:
    """Return a lower and an upper bound on the share of minimal transversals that have each feature.

    With ``w`` sets that have a feature and ``o`` that have not, each within `bounds` of what is left once it
    is in or out, the share is between ``w_low / (w_low + o_high)`` and ``w_high / (w_high + o_low)``.
    Features of the same removals are in equally many.

    Examples
    --------
    >>> shares([["a", "b"], ["b", "c"], ["d"]])["b"]
    (0.5, 0.5)
    """
    order, sets = order_features(removals)
    root, levels = start(sets), len(order)
    known: dict[tuple[int, ...], tuple[float, float]] = {}
    found = {}
    for level, name in enumerate(order):
        bit = 1 << level
        signature = tuple(number for number, one in enumerate(sets) if one & bit)
        if root is not None and signature not in known:
            low, high = _bounds_below(take(root, bit), levels, width)
            least, most = _bounds_below(leave_out(root, bit), levels, width)
            known[signature] = (low / (low + most) if most else 1.0, high / (high + least) if high else 0.0)
        found[name] = known.get(signature, (0.0, 0.0))
    return found


def _bounds_below(root: Residual | None, levels: int, width: int) -> tuple[int, int]:
    """Return bounds on the number of minimal transversals of a problem, over so many levels."""
    waiting: list[dict[Residual, int]] = [{} for _ in range(levels)]
    counted = _arrive(waiting, root, 1)
    beyond = 0
    for level, states in enumerate(waiting):
        kept, dropped = _widest(states, width)
        beyond += dropped
        for seen, state in enumerate(kept):
            if seen % LOOK == 0:
                clock().check()
            for branch in (leave_out(state, 1 << level), take(state, 1 << level)):
                counted += _arrive(waiting, branch, states[state])
        states.clear()
    return counted, counted + beyond


def _arrive(waiting: list[dict[Residual, int]], state: Residual | None, paths: int) -> int:
    """Add paths to a problem that waits for its first feature; return them where nothing is left to meet."""
    if state is None:
        return 0
    if not state[0]:
        return paths
    level = waiting[first_feature(state)]
    level[state] = level.get(state, 0) + paths
    return 0


def _widest(states: dict[Residual, int], width: int) -> tuple[list[Residual], int]:
    """Return the nodes with the most sets, and how many sets the others have at most."""
    if len(states) <= width:
        return list(states), 0
    most = {state: paths * most_transversals(state) for state, paths in states.items()}
    largest = sorted(most, key=most.__getitem__, reverse=True)
    return largest[:width], sum(most[state] for state in largest[width:])


def most_transversals(state: Residual) -> int:
    """Return a bound on the number of minimal transversals of a problem: the smaller one of two.

    - If the sets are dealt to groups, a minimal transversal is the union of minimal transversals of the
      groups, as each of its features alone meets some set, and so is in every transversal of that set's group
      that it contains. So there are at most as many as the product over groups; a pair of sets A and B has
      ``|A & B| + |A - B| |B - A|``.
    - They are no parts of each other, and have at most as many features as there are sets: at most
      ``C(n, min(m, n // 2))`` of n features by m sets (Sperner; Lubell, Yamamoto, Meshalkin).

    Examples
    --------
    >>> most_transversals((frozenset({0b011, 0b110}), frozenset()))
    2
    """
    features = support_of(state).bit_count()
    return min(_by_pairs(state[0]), comb(features, min(len(state[0]), features // 2)))


def _by_pairs(unmet: Collection[int]) -> int:
    """Return the product over pairs of sets that have much in common, looked for among the next ones."""
    left = sorted(unmet)
    product = 1
    while left:
        one = left.pop()
        near = range(max(0, len(left) - NEAR), len(left))
        if not near:
            return product * one.bit_count()
        other = left.pop(max(near, key=lambda j: (one & left[j]).bit_count() / left[j].bit_count()))
        both = one & other
        product *= both.bit_count() + (one ^ both).bit_count() * (other ^ both).bit_count()
    return product
