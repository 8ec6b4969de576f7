"""Bounds on what linear fits explain: each feature's share of the products of the columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.lines import POINT, Writer, hexadecimal, point
from altsel.auditing.certificates.prices import Leaf, NoProofError, top
from altsel.auditing.certificates.tree import Linear
from altsel.exact.sources.generalised.shares import shares
from altsel.exact.sources.least_squares.diagonal import Root
from altsel.stats.least_squares import Design

ROUNDS = 6
WORTHWHILE = 0.05
"""Share of the distance to the target that a further round must gain."""
LEAST = 1e-10
"""Least share: of less, columns may lie in the span of others but for rounding, which counts as nothing."""
EACH = 60
"""Sets that the checker looks at in the time of a bound, about."""
MARGIN = 4e-15
"""As that of forms: what is taken off each feature's share."""


@dataclass(eq=False)
class LeastSquaresBounds:
    """Bounds on ``offset + b's^-1 b``; see `altsel.auditing.certificates.tree.Bounds`.

    With D a diagonal above 0 and G - D positive semidefinite, for every w a set explains at most
    ``offset + w'(G - D)w + sum over the set of (b - (G - D)w)_j^2 / D_j``; the best w for shares z is
    ``(G - D + D/z)^-1 b``.

    Parameters
    ----------
    design
        The standardised data; a category has several columns.
    root
        The diagonal for the size of the sets, and the shares of columns at the root.
    target
        What they are to be bounded by.
    name
        Of the diagonal.
    """

    design: Design
    root: Root
    target: float
    name: str
    rounding: ClassVar[float] = 1e-11
    d: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        products, self.along = self.design.products
        products = (products + products.T) / 2
        self.d = self.root.d - MARGIN * len(products) ** 1.5 * float(products.diagonal().max())
        if self.d.min() < LEAST:
            raise NoProofError("columns depend on each other")
        self.rest = products - np.diag(self.d)
        self.z = np.bincount(self.design.owner, self.root.z) / np.maximum(self.design.widths, 1)

    @property
    def each(self) -> int:
        """As many sets as one further feature makes: to look at each costs less than to branch."""
        return max(EACH, len(self.z))

    def state(self, writer: Writer) -> None:
        """Write the diagonal."""
        writer.write({"diagonal": self.name, "values": hexadecimal(self.d)})

    def linear(self, leaf: Leaf, state: Any) -> Linear:
        """Return the bound at the shares found last."""
        z = self.z if state is None else state
        open_ = self.design.columns_of(np.append(leaf.inside, leaf.free))
        rest, owner, best, kept = self.rest[np.ix_(open_, open_)], self.design.owner[open_], np.inf, None
        own = np.zeros(len(z))
        own[leaf.inside], own[leaf.free] = 1.0, _filled(z[leaf.free], leaf.count)
        for _ in range(ROUNDS):
            w = np.linalg.solve(rest + np.diag(self.d[open_] / own[owner]), self.along[open_])
            data = point({int(j): float(x) for j, x in zip(open_, w, strict=True)})
            linear = self._at(data, leaf)
            free = linear.worth[leaf.free]
            value = linear.constant + top(free, leaf.count)
            gained, best_before = best - value, best
            if value < best:
                best, kept = value, (linear, own.copy())
            if best <= self.target or (best_before < np.inf and gained < WORTHWHILE * (best - self.target)):
                break
            if leaf.decided:
                break
            lengths = own[leaf.free] * np.sqrt(np.maximum(free, 0.0))
            own[leaf.free] = np.maximum(shares(lengths, leaf.count), 1e-6)
        assert kept is not None
        linear, shared = kept
        shared[leaf.inside] = 0.0
        return Linear(linear.constant, linear.worth, linear.data, shared, shared)

    def _at(self, data: list[int], leaf: Leaf) -> Linear:
        w = np.zeros(len(self.d))
        w[data[::2]] = np.array(data[1::2]) / (1 << POINT)
        spread = self.rest @ w
        prices = (self.along - spread) ** 2 / self.d
        worth = np.bincount(self.design.owner, prices, minlength=len(self.z)).astype(float)
        constant = self.design.offset + float(w @ spread) + float(worth[leaf.inside].sum())
        return Linear(constant, worth, [self.name, *data], w)


def _filled(z: FloatArray, count: int) -> FloatArray:
    """Return shares that sum to a count, none of them 0."""
    z = np.clip(z, 1e-3, 1.0)
    return np.clip(z * (count / z.sum()), 1e-6, 1.0) if len(z) else z
