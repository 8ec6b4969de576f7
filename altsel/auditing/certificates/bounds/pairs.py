"""Bounds on quadratic forms, and ratios at a level: tangents of a convex form below the costs of pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, log2
from typing import Any, ClassVar

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.lines import POINT, Writer, point
from altsel.auditing.certificates.prices import Leaf, NoProofError
from altsel.auditing.certificates.rows import Rows
from altsel.auditing.certificates.tree import Linear
from altsel.exact.kernels.programs import Node, Program, Wanted
from altsel.exact.sources.quadratic.convexified.compiled import LOOPS
from altsel.exact.sources.quadratic.convexified.dual import Costs, Splitting
from altsel.exact.sources.quadratic.convexified.rewriting import rewritten

LARGEST = 2.0**52
"""Integers below it are floats without rounding."""
DIGITS = 46
"""Bits of the largest entry of a form."""
ROUNDS, PRICINGS, SLOW = 6, 4, 0.04
"""Rounds of a node, changes of prices, and what iterations of the dual must gain; see the tree of convex
programs."""
COARSE = 1 << 24
"""Parts of a point are multiples of 1 / COARSE."""
MARGIN = 4e-15
"""Share of the largest diagonal entry, times n^1.5, that is added to the diagonal: so much is off a factor
found in floating point, by which it is proved positive semidefinite."""


@dataclass(eq=False)
class PairsBounds:
    """Bounds on ``single's - sum over pairs of b_ij`` of sets of a size; see `tree.Bounds`.

    A form is a positive semidefinite S, shares u and N >= 0. With
    ``e_ij = b_ij - 2 S_ij - N_ij - u_i - u_j`` and m_i the sum of the size - 1 smallest e_ij, the pairs of a
    set cost at least ``s'Ss``, N of its pairs, and ``m_i / 2 + (size - 1) u_i - S_ii`` of each feature.
    Leaves hold the tangent of ``s'Ss``.

    Parameters
    ----------
    single, pairs
        Shapes (n,) and (n, n); finite, pairs symmetric with diagonal 0.
    size
        Of the sets.
    target
        What they are to be bounded by.
    rows
        What they keep.
    name
        Of the form.
    """

    single: FloatArray
    pairs: FloatArray
    size: int
    target: float
    rows: Rows
    name: str
    rounding: ClassVar[float] = 1e-13
    each: ClassVar[int] = 200
    unit: int = field(init=False)
    convex: FloatArray = field(init=False)
    rest: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        """Find the form by the dual of the doubly nonnegative relaxation, and round it."""
        table, limits = self.rows.features, self.rows.limits
        costs = Costs(-self.single, self.pairs / 2, self.size, table, limits)
        dual = Splitting(costs).solve(-self.target, SLOW)
        assert dual is not None
        form = rewritten(costs, dual)
        largest = max(float(np.abs(form.convex).max()), float(form.pairs.max()), 1e-300)
        self.unit = DIGITS - ceil(log2(largest))
        scale = 2.0**self.unit
        convex = np.round(form.convex * scale)
        convex[np.diag_indices_from(convex)] += np.ceil(
            MARGIN * len(convex) ** 1.5 * convex.diagonal().max() + len(convex)
        )
        self.convex, self.rest = convex / scale, np.floor(np.maximum(2 * form.pairs, 0.0) * scale) / scale
        shares = 2 * dual.shares if self.size > 1 else np.zeros(len(self.single))  # of one there are no pairs
        if np.abs(shares).max() * scale >= LARGEST:
            raise NoProofError("numbers of pairs range too widely")
        self.shares = np.round(shares * scale) / scale
        left = self.pairs - 2 * self.convex - self.rest - self.shares[:, None] - self.shares
        np.fill_diagonal(left, np.inf)
        charged = np.sort(left, axis=1)[:, : self.size - 1].sum(axis=1)
        self.alone = self.single + self.convex.diagonal() - charged / 2 - (self.size - 1) * self.shares
        self.halves = self.rest / 2
        close = 1e-9 * max(float(np.abs(self.alone).max()), 1e-300)
        self.program = Program(self.convex, self.halves, -self.alone, table, limits, 0.0, close)
        self.space = np.empty_like(convex)
        self.root = dual.point, dual.prices

    def state(self, writer: Writer) -> None:
        """Write the form."""
        scale = 2.0**self.unit
        convex, rest = ((table * scale).astype(np.int64).tolist() for table in (self.convex, self.rest))
        writer.write(
            {
                "form": self.name,
                "unit": self.unit,
                "shares": (self.shares * scale).astype(np.int64).tolist(),
                "convex": [row[: i + 1] for i, row in enumerate(convex)],
                "rest": [row[:i] for i, row in enumerate(rest)],
            }
        )

    def linear(self, leaf: Leaf, state: Any) -> Linear:
        """Return the tangent at a point of the relaxation."""
        x, prices = state if state is not None else self.root
        x, prices = _feasible(x, leaf), prices.copy()
        status = np.full(len(x), -1, dtype=np.int8)
        status[leaf.inside], status[leaf.free] = 1, 0
        node = Node(status, x, prices, np.zeros(len(x)))
        wanted = Wanted(leaf.count, -self.target, ROUNDS, PRICINGS if len(prices) else 0)
        loops = LOOPS.after(1e-4)
        loops.relaxed(self.program, node, wanted, self.space)
        split = loops.branching(self.convex, self.halves, status, x)
        parts = np.round(x * COARSE) / COARSE  # any point will do: a coarse one is shorter
        data = point({int(j): float(parts[j]) for j in leaf.free[parts[leaf.free] > 0]})
        z = np.zeros(len(x))
        z[data[::2]] = np.array(data[1::2]) / (1 << POINT)
        z[leaf.inside] = 1.0
        along, inner = self.convex @ z, self.rest[:, leaf.inside].sum(axis=1)
        worth = self.alone - 2 * along - inner
        own = (self.alone - 2 * along - inner / 2)[leaf.inside]
        constant = float(z @ along + own.sum())
        return Linear(constant, worth, [self.name, *data], x.copy(), (x, prices), int(split))


def _feasible(x: FloatArray, leaf: Leaf) -> FloatArray:
    """Return shares of the free features that sum to their count, as near to those of the node above."""
    result = np.zeros(len(x))
    own = np.clip(x[leaf.free], 0.0, 1.0)
    missing = leaf.count - own.sum()
    if missing < 0:
        own *= leaf.count / own.sum()
    elif missing > 0:
        own += (1.0 - own) * (missing / max(float((1.0 - own).sum()), 1e-300))
    result[leaf.free] = np.clip(own, 0.0, 1.0)
    return result
