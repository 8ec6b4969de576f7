"""Criteria of the user's own: a formula and a model, and what they declare besides; some wrong on purpose."""

from __future__ import annotations

from math import fsum, inf, sqrt
from random import Random
from typing import Any

import numpy as np
import pyomo.environ as pyo

from altsel.models import Kind, Objective
from benchmarks.exactness.criteria import name
from benchmarks.exactness.written.forms import NAMES

TAKEN = {"x", "size", "quality", "cardinality"}
"""Names of components that a set's block has when the model of a criterion is made, or must have then."""


class Own(Objective):
    """What the criteria here share.

    Parameters
    ----------
    rng
        Draws numbers.
    n
        Number of features.
    """

    fault = ""

    def __init__(self, rng: Random, n: int) -> None:
        self.features = tuple(name(i) for i in range(n))
        self.name = f"own {type(self).__name__}"
        self.q = np.array([rng.randint(-4, 12) / rng.choice([1, 2, 4, 10]) for _ in range(n)])
        self.labels = rng.sample([one for one in NAMES if one not in TAKEN], 8)
        self.pairs = [tuple(sorted(rng.sample(range(n), 2))) for _ in range(rng.randint(2, 6))]
        self.bonus = [rng.choice([-3, -1.5, -1, 1, 2, 2.5]) for _ in self.pairs]

    def inside(self, mask: Any) -> list[int]:
        """Return the indices of a set."""
        return [int(i) for i in np.flatnonzero(mask)]

    def attach(self, block: Any, place: int, component: Any) -> Any:
        """Put a component of the model on a block, under a name that altsel may use itself."""
        setattr(block, self.labels[place], component)
        return component

    def sum_of(self, block: Any) -> Any:
        """Return the plain sum of relevances."""
        return pyo.quicksum(float(q) * block.x[f] for f, q in zip(self.features, self.q, strict=True))


class Sum(Own):
    """A plain sum; wrong, its weights or its model say something else."""

    kind = Kind.SUM

    def score(self, mask: Any) -> float:
        return fsum(self.q[mask])

    @property
    def weights(self) -> Any:
        return self.q + (np.arange(len(self.q)) == 0) * 3.0 if self.fault == "weights" else self.q

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        more = 3 * block.x[self.features[1]] if self.fault == "express" else 0
        block.quality = pyo.Expression(expr=self.sum_of(block) + more)


class Pairs(Own):
    """A sum with bonuses and losses for pairs, by continuous or 0/1 variables."""

    def __init__(self, rng: Random, n: int) -> None:
        super().__init__(rng, n)
        self.domain = rng.choice([pyo.Reals, pyo.Binary])
        self.single = rng.random() < 0.3

    def score(self, mask: Any) -> float:
        pairs = zip(self.bonus, self.pairs, strict=True)
        return fsum([*self.q[mask], *(b for b, (i, j) in pairs if mask[i] and mask[j])])

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        both = self.attach(block, 0, pyo.Var(range(len(self.pairs)), domain=self.domain, bounds=(0, 1)))
        rows = self.attach(block, 1, pyo.ConstraintList())
        bonus = [0.0, *self.bonus[1:]] if self.fault == "express" else self.bonus
        for p, (i, j) in enumerate(self.pairs):
            one, other = block.x[self.features[i]], block.x[self.features[j]]
            rows.add(both[p] <= one)
            rows.add(both[p] <= other)
            rows.add(both[p] >= one + other - 1)
        total = pyo.quicksum(b * both[p] for p, b in enumerate(bonus))
        block.quality = pyo.Expression(expr=self.sum_of(block) + total)


class Products(Pairs):
    """The same, its model written with products."""

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        x = [block.x[f] for f in self.features]
        products = sum(b * x[i] * x[j] for b, (i, j) in zip(self.bonus, self.pairs, strict=True))
        block.quality = pyo.Expression(expr=self.sum_of(block) + products)


class Form(Pairs):
    """The same as a quadratic form that is declared."""

    kind = Kind.QUADRATIC

    def quadratic(self, k: int) -> tuple[Any, Any]:
        table = np.zeros((len(self.q), len(self.q)))
        for b, (i, j) in zip(self.bonus, self.pairs, strict=True):
            table[i, j] -= b
            table[j, i] -= b
        if self.fault == "quadratic":
            table[0, 1] = table[1, 0] = table[0, 1] - 2
        return self.q.copy(), table


class Coverage(Own):
    """Prices of the topics that a set covers, which never falls as features are added."""

    rises = True

    def __init__(self, rng: Random, n: int) -> None:
        super().__init__(rng, n)
        self.topics = [sorted(rng.sample(range(n), rng.randint(2, 4))) for _ in range(rng.randint(3, 6))]
        self.prices = [float(rng.randint(1, 6)) for _ in self.topics]

    def score(self, mask: Any) -> float:
        value = sum(p for p, topic in zip(self.prices, self.topics, strict=True) if mask[topic].any())
        return value - 1.5 * mask.sum() if self.fault == "rises" else value

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        covered = self.attach(block, 0, pyo.Var(range(len(self.topics)), bounds=(0, 1)))
        rows = self.attach(block, 1, pyo.ConstraintList())
        for t, topic in enumerate(self.topics):
            rows.add(covered[t] <= pyo.quicksum(block.x[self.features[i]] for i in topic))
        value = pyo.quicksum(p * covered[t] for t, p in enumerate(self.prices))
        block.quality = pyo.Expression(expr=value - 1.5 * block.size if self.fault == "rises" else value)


class Poorest(Own):
    """The poorest feature of a set, and a little of the sum."""

    def score(self, mask: Any) -> float:
        return float(self.q[mask].min()) + fsum(self.q[mask]) / 8

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        top = float(self.q.max())
        low = self.attach(block, 0, pyo.Var(bounds=(float(self.q.min()), top)))
        rows = self.attach(block, 1, pyo.ConstraintList())
        for f, q in zip(self.features, self.q.tolist(), strict=True):
            if self.fault != "express" or f != self.features[0]:
                rows.add(low <= q + (top - q) * (1 - block.x[f]))
        block.quality = pyo.Expression(expr=low + self.sum_of(block) / 8)


class Root(Own):
    """A root of a sum, bounded by tangents that are added as sets are found; wrong, without them."""

    def __init__(self, rng: Random, n: int) -> None:
        super().__init__(rng, n)
        self.q = np.abs(self.q) + 0.25

    def score(self, mask: Any) -> float:
        return sqrt(fsum(self.q[mask])) - 0.25 * float(mask.sum())

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        total = self.attach(block, 0, pyo.Expression(expr=self.sum_of(block)))
        root = self.attach(block, 1, pyo.Var(bounds=(0, 20)))
        self.attach(block, 2, pyo.ConstraintList()).add(root <= total + 0.25)
        block.quality = pyo.Expression(expr=root - 0.25 * block.size)

    def add_cut(self, block: Any) -> bool:
        total, root, tangents = (getattr(block, one) for one in self.labels[:3])
        at = float(pyo.value(total))
        if self.fault == "add_cut" or pyo.value(root) <= sqrt(at) + 1e-9:
            return False
        tangents.add(root <= sqrt(at) / 2 + total / (2 * sqrt(at)))
        return True


class Sized(Own):
    """A sum less a price that rises with the square of the size."""

    def score(self, mask: Any) -> float:
        return fsum(self.q[mask]) - 0.5 * float(mask.sum()) ** 2

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        is_size = self.attach(block, 0, pyo.Var(range(sizes[0], sizes[1] + 1), domain=pyo.Binary))
        self.attach(block, 1, pyo.Constraint(expr=sum(is_size.values()) == 1))
        self.attach(block, 2, pyo.Constraint(expr=sum(m * z for m, z in is_size.items()) == block.size))
        price = sum((0.5 * m * m + (self.fault == "express") * m) * z for m, z in is_size.items())
        block.quality = pyo.Expression(expr=self.sum_of(block) - price)


class Conditional(Pairs):
    """A sum with pairs that exclude each other; declared as conflicts, as rows, or not at all."""

    def __init__(self, rng: Random, n: int) -> None:
        super().__init__(rng, n)
        self.excluded = [tuple(sorted(rng.sample(range(n), 2))) for _ in range(rng.randint(1, 3))]
        self.declared = rng.choice(["conflict", "rows", ""])
        if self.declared == "conflict":
            self.conflict = np.zeros((n, n), dtype=bool)
            for i, j in self.excluded:
                self.conflict[i, j] = self.conflict[j, i] = True

    def is_feasible(self, mask: Any) -> bool:
        return not any(mask[i] and mask[j] for i, j in self.excluded)

    @property
    def rows(self) -> Any:
        if self.declared != "rows":
            return None
        return [(np.isin(np.arange(len(self.q)), pair).astype(float), -inf, 1.0) for pair in self.excluded]

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        super().express(block, sizes)
        rows = self.attach(block, 2, pyo.ConstraintList())
        for i, j in self.excluded[1:] if self.fault == "lenient" else self.excluded:
            rows.add(block.x[self.features[i]] + block.x[self.features[j]] <= 1)
        if self.fault == "strict":
            rows.add(block.x[self.features[0]] <= 0)


class Exchanged(Sum):
    """A plain sum that scores many sets and exchanges at once."""

    exchangeable = True

    def __init__(self, rng: Random, n: int) -> None:
        super().__init__(rng, n)
        self.relevance = self.q
        self.most = float(np.sort(np.maximum(self.q, 0)).sum()) - (10.0 if self.fault == "most" else 0.0)

    def scores(self, members: Any) -> Any:
        return self.q[members].sum(axis=1) + (1.0 if self.fault == "scores" else 0.0)

    def exchanged(self, members: Any) -> Any:
        total = self.q[members].sum()
        table = total + self.q[None, :] - self.q[members][:, None]
        return table - 50 if self.fault == "exchanged" else table
