"""A plain sum bounds itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from altsel._types import FloatArray
from altsel.auditing.certificates.lines import Writer
from altsel.auditing.certificates.prices import Leaf
from altsel.auditing.certificates.tree import Linear


@dataclass(eq=False)
class SumBounds:
    """Bounds on ``sum of weights``; see `altsel.auditing.certificates.tree.Bounds`."""

    weights: FloatArray
    target: float

    rounding: ClassVar[float] = 1e-13
    each: ClassVar[int] = 100

    def state(self, writer: Writer) -> None:
        """Write nothing: a sum needs nothing besides."""

    def linear(self, leaf: Leaf, state: Any) -> Linear:
        """Return the sum itself."""
        del state
        order = np.argsort(-self.weights[leaf.free], kind="stable")
        shares = np.zeros(len(self.weights))
        shares[leaf.free[order[: leaf.count]]] = 1.0
        return Linear(float(self.weights[leaf.inside].sum()), self.weights, [], shares)
