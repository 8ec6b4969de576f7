"""What the compiled loop over open nodes takes, and what it leaves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.convex_nodes import Lines, Space
from altsel.exact.kernels.node_bound import empty
from altsel.exact.kernels.programs import Program
from altsel.exact.sources.quadratic.convexified.open_nodes import OpenNodes

SETS = 1000
"""Sets for which there is room."""


class CompiledTree:
    """Searches open nodes of a tree of n features, for sets of a size.

    Parameters
    ----------
    searched
        The loop, `altsel.exact.kernels.convex_tree.searched`.
    square
        Memory that may be filled, shape (n, n).
    size
        Number of features of a set.
    """

    def __init__(self, searched: Callable[..., tuple[int, int, int]], square: FloatArray, size: int) -> None:
        self.searched, n = searched, len(square)
        place, inside = np.empty((2, n), dtype=np.int32), np.empty((2, size), dtype=np.int64)
        x, alone, slope = np.empty((3, 2, n))
        taken, free = np.empty((2, 2), dtype=np.int64)
        age, constant, bound = np.empty((3, 2))
        self.lines = Lines(place, x, alone, slope, inside, taken, free, age, constant, bound)
        self.space = Space(empty(n, square), np.empty((4, n + 1)), np.empty((SETS, size), dtype=np.int64))

    def search(
        self, program: Program, nodes: OpenNodes, cut: float, most: int
    ) -> tuple[int, IntArray, np.ndarray | None]:
        """Search open nodes, which have no rows and no pairs that exclude each other.

        Parameters
        ----------
        program, nodes
            What all nodes have in common, and those that are open.
        cut
            Cost from which on a branch is closed.
        most
            Number of nodes after which to come back, about.

        Returns
        -------
        int
            Number of nodes.
        array of int
            Sets that may cost less than the cut, shape (sets, size).
        array or None
            What is decided at a node that has more sets than there is room for.
        """
        nodes.make_room(most)
        lines, space = self.lines, self.space
        count, found, left = self.searched(
            program, nodes.pool, lines.inside.shape[1], cut, most, lines, space
        )
        return count, space.sets[:found], None if left < 0 else nodes.release(left)
