"""The choice of one set after another from a list, each that is compatible with those before it."""

from __future__ import annotations

from typing import Any


def greedy(  # noqa: PLR0913, PLR0917 (one loop, compiled)
    order: Any,
    out: Any,
    starts: Any,
    sizes: Any,
    features: int,
    shared: Any,
    most_size: int,
    fresh: Any,
    reserve: int,
    member: Any,
    taken: Any,
) -> int:
    """Take sets in their order, each that is compatible with all taken; return how many.

    Ends once less of the reserve (features marked as `fresh`) is left than a set may have.
    """
    count = 0
    for x in order:
        size = sizes[x]
        begin = starts[x]
        good = True
        for i in range(count):
            common = 0
            for z in range(size):
                common += member[i * features + out[begin + z]]
            if common > shared[sizes[taken[i]] * (most_size + 1) + size]:
                good = False
                break
        if not good:
            continue
        for z in range(size):
            j = out[begin + z]
            member[count * features + j] = 1
            if fresh[j]:
                fresh[j] = 0
                reserve -= 1
        taken[count] = x
        count += 1
        if count == len(taken) or reserve < most_size:
            break
    return count
