"""All completions of a node that lacks few features: the last two are chosen in closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.sources.quadratic.lagrangian_bound import Node

PER_TABLE, PER_SET = 1.2e-5, 2e-9
"""CPU seconds of a table of pairs, and of each set in it."""


def seconds_to_list(node: Node) -> float:
    """Predict the CPU seconds that all completions of a node take."""
    m, need = len(node.indices), node.need
    return comb(m, max(need - 2, 0)) * PER_TABLE + comb(m, need) * PER_SET


@dataclass(frozen=True, eq=False)
class _Begun:
    """Completions that begin with `chosen`; the rest are among the features after them.

    Attributes
    ----------
    chosen
        Places in the node's features.
    value
        What they add to the node's value.
    linear, pairs
        Of the features after the last one, as far as these can be added.
    """

    chosen: tuple[int, ...]
    value: float
    linear: FloatArray
    pairs: FloatArray

    def with_feature(self, i: int, first: int) -> _Begun:
        """Choose one more, and leave those before it; `first` is the place of the first of those left."""
        return _Begun(
            (*self.chosen, first + i),
            self.value + float(self.linear[i]),
            self.linear[i + 1 :] - self.pairs[i, i + 1 :],
            self.pairs[i + 1 :, i + 1 :],
        )


def completions(node: Node, cutoff: Callable[[], float]) -> Iterator[tuple[FloatArray, IntArray]]:
    """Yield what completions add to a node of two missing features or more, where it is above a cutoff.

    1. All but two features are chosen in every way, in the order of what they add by themselves.
    2. Of those left all pairs are one table ``a_i + a_j - B_ij``.
    3. Where no pair adds anything, what is left is skipped if even the best features without their pairs do
       not pass.

    Parameters
    ----------
    node
        The node; side rows are left to the caller.
    cutoff
        What is passed by those wanted, now.

    Yields
    ------
    array
        What each adds, shape (completions,).
    array
        Places in the node's features, shape (completions, missing features).
    """
    order = np.argsort(-node.linear, kind="stable")
    pairs = node.inner_pairs()[np.ix_(order, order)]
    np.fill_diagonal(pairs, np.inf)
    alone = bool(pairs.min(initial=0.0) >= 0)
    stack = [_Begun((), 0.0, node.linear[order], pairs)]
    while stack:
        begun = stack.pop()
        missing, first = node.need - len(begun.chosen), len(order) - len(begun.linear)
        least = cutoff() - begun.value
        if alone and missing * begun.linear.max(initial=-np.inf) <= least:
            continue
        if missing > 2:
            stack.extend(begun.with_feature(i, first) for i in range(len(begun.linear) - missing, -1, -1))
            continue
        totals = begun.linear[:, None] + begun.linear[None, :] - begun.pairs
        if totals.max(initial=-np.inf) <= least:
            continue
        i, j = np.nonzero(np.triu(totals > least, 1))
        places = np.empty((len(i), node.need), dtype=np.int64)
        places[:, :-2], places[:, -2], places[:, -1] = begun.chosen, first + i, first + j
        yield begun.value + totals[i, j], order[places]
