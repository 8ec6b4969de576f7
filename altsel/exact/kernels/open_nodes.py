"""Open nodes in arrays, the best bound first: as they are, and compiled into loops."""

from __future__ import annotations

from typing import Any, NamedTuple

HEAP, STACK, VACANT = 0, 1, 2
"""Which of the counts."""


class Pool(NamedTuple):
    """Open nodes, each in a slot.

    A heap by bounds holds those to be searched; where there is no more room the best one is searched whole,
    its newest nodes first, which a stack holds.
    """

    status: Any
    """Shape (room, n): 1 of a feature inside, 0 of a free one, -1 of one left out."""
    feature: Any
    """Shape (room, p): features with a part of the node's point, -1 after the last."""
    part: Any
    """Their parts."""
    prices: Any
    """Shape (room, m): of rows, added to those at the root."""
    bound: Any
    """Shape (room,): on the costs of the node's sets."""
    fresh: Any
    """Shape (room,): whether that is only the bound of the node above."""
    heap: Any
    """Slots; entry i costs no more than entries 2 i + 1 and 2 i + 2."""
    stack: Any
    """Slots, the newest last."""
    vacant: Any
    """Slots that hold nothing, the next to be used last."""
    counts: Any
    """Shape (3,): how many entries of the three count."""
    under_way: Any
    """Shape (1,): bound of the node whose subtree is searched whole."""


def take(pool: Pool) -> int:
    """Take the node that is searched next out of the open ones; its slot stays as it is until vacated."""
    bound, heap, counts = pool.bound, pool.heap, pool.counts
    if counts[STACK]:
        counts[STACK] -= 1
        return int(pool.stack[counts[STACK]])
    slot = heap[0]
    pool.under_way[0] = bound[slot]  # first: an interrupt may end the rest
    counts[HEAP] -= 1
    # the last entry goes down from the top until none below it costs less
    size, at, last = counts[HEAP], 0, heap[counts[HEAP]]
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and bound[heap[below + 1]] < bound[heap[below]]:
            below += 1
        if bound[heap[below]] >= bound[last]:
            break
        heap[at] = heap[below]
        at = below
    heap[at] = last
    return int(slot)


def vacate(pool: Pool, slot: int) -> None:
    """Give a slot back."""
    pool.vacant[pool.counts[VACANT]] = slot
    pool.counts[VACANT] += 1


def add(pool: Pool, bound: float, fresh: bool) -> int:
    """Open a node; return its slot, which the caller fills."""
    counts, heap = pool.counts, pool.heap
    counts[VACANT] -= 1
    slot = pool.vacant[counts[VACANT]]
    pool.bound[slot], pool.fresh[slot] = bound, fresh
    if counts[STACK] or counts[VACANT] < pool.status.shape[1] + 2:  # what a subtree's stack may need
        pool.stack[counts[STACK]] = slot
        counts[STACK] += 1
        return int(slot)
    at = counts[HEAP]
    heap[at] = slot
    counts[HEAP] += 1
    while at > 0 and pool.bound[heap[(at - 1) // 2]] > bound:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = slot
    return int(slot)
