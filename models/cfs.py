"""CFS: relevance of the features over the root of their redundancy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import fsum, inf, sqrt
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataError, listing
from altsel.models.cfs_linearised import cut_ratio, express_ratio, set_ratio_helpers
from altsel.models.clipping import MARGIN
from altsel.models.objective import Kind, Objective, Rows, SizedBy, describe
from altsel.models.pair_criterion import PairCriterion, of_pairs
from altsel.models.pair_products import multiply, quadratic_form, set_products
from altsel.pyomo_on_demand import pyo
from altsel.stats.dependence import Dependence, association

ROUNDING = 1e-12
SMALLEST = 1e-100
"""Least size of the largest relevance, if there is any: levels are squared."""
ENCODINGS = ("parametric", "linearised")


@dataclass(frozen=True, init=False, eq=False)
class CFS(PairCriterion):
    """Correlation-based feature selection: ``Q = N / sqrt(D)`` (AFS eq. cfs, after Hall 1999).

    ``N = sum_i q_i s_i`` and ``D = sum_i s_i + sum_{i != j} r_ij s_i s_j``. Redundancies must not
    be negative, or D might be; sets with N < 0 are not feasible.

    Encodings:

    - ``"parametric"``: searches solve ``max N^2 - L^2 D``, linear in the products of pairs, for
      levels L that rise to the optimum (Dinkelbach 1967); see `parametric`. Used for one set and for the
      minimum over sets.
    - ``"linearised"``: one model with products scaled by ``u = 1 / D``, after Charnes and Cooper;
      see `altsel.models.cfs_linearised`. Used for the sum over sets, with rules on the quality, and by
      `formulate`.

    Parameters
    ----------
    dependence
        Relevance and redundancy, or a data set, whose association is used.
    encoding
        ``"parametric"`` or ``"linearised"``.

    Raises
    ------
    ArgumentError
        If the encoding is another.
    DataError
        If a redundancy is negative.

    Examples
    --------
    >>> import pandas as pd
    >>> q = pd.Series({"a": 0.5, "b": 0.4})
    >>> r = pd.DataFrame([[1, 0.2], [0.2, 1]], index=q.index, columns=q.index)
    >>> round(CFS(Dependence(q, r)).score(np.array([True, True])), 4)
    0.5809
    """

    kind = Kind.RATIO
    exchangeable = True
    sized_by = SizedBy.ITSELF
    default_measure = association

    features: tuple[str, ...]
    relevance: FloatArray = field(repr=False)
    encoding: str
    name: str
    target: str | None
    seed: int | None
    fingerprint: str | None

    def __init__(self, dependence: Dependence | Dataset, encoding: str = "parametric") -> None:
        dependence = of_pairs(type(self), dependence)
        if encoding not in ENCODINGS:
            raise ArgumentError(f"encoding={encoding!r}; use 'parametric' or 'linearised'")
        most = float(dependence.relevance.abs().max())
        if 0 < most < SMALLEST:
            raise DataError(f"relevances below {SMALLEST:g} cannot be squared; multiply all by one number")
        object.__setattr__(self, "relevance", dependence.relevance.to_numpy(dtype=float, copy=True))
        object.__setattr__(self, "encoding", encoding)
        self._take_pairs(dependence)
        describe(self, dependence, "CFS")

    def _checked(self, table: FloatArray, names: list[str]) -> FloatArray:
        table = (table + table.T) / 2
        np.fill_diagonal(table, 0.0)
        if (table < 0).any():
            bad = [f for f, row in zip(names, table, strict=True) if (row < 0).any()]
            raise DataError(f"CFS needs redundancies of at least 0; negative for {listing(bad)}")
        return table

    def score(self, mask: BoolArray) -> float:
        """Evaluate the formula; an empty set has score 0."""
        inside = np.flatnonzero(mask)
        above, below = self.fraction(inside)
        return above / sqrt(below) if len(inside) else 0.0

    def is_feasible(self, mask: BoolArray) -> bool:
        """Return whether the relevances of a set sum to 0 or more."""
        return self.fraction(np.flatnonzero(mask))[0] >= 0

    @property
    def conditional(self) -> bool:
        """Whether relevances may sum to less than 0."""
        return bool((self.relevance < 0).any())

    @property
    def rows(self) -> Rows:
        """Admit only sets whose relevances sum to 0 or more."""
        return [(self.relevance, 0.0, inf)] if self.conditional else []

    @property
    def settings(self) -> dict[str, str]:
        """Its encoding."""
        return {"encoding": self.encoding}

    def fraction(self, inside: IntArray) -> tuple[float, float]:
        """Return N and D of a set, by the indices of its features; an N of mere rounding is 0."""
        members = self.relevance[inside]
        total = float(_zero_rounding(fsum(members), np.abs(members).sum()))
        return total, len(inside) + float(self.redundancy_among(np.sort(inside)).sum())

    def scores(self, members: IntArray) -> FloatArray:
        """Score many sets at once, shape (sets, k); -inf for those not feasible."""
        below = np.full(len(members), float(members.shape[1]))
        for i, j in combinations(range(members.shape[1]), 2):
            below += 2 * self.redundancy[members[:, i], members[:, j]]
        q = self.relevance[members]
        above = _zero_rounding(q.sum(axis=1), np.abs(q).sum(axis=1))
        return np.where(above >= 0, above / np.sqrt(below), -np.inf)

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score all sets with one feature exchanged, shape (k, features)."""
        above, below = self.fraction(members)
        total_redundancy = self.redundancy[members].sum(axis=0)
        after = below + 2 * (
            total_redundancy[None, :] - self.redundancy[members] - total_redundancy[members][:, None]
        )
        size = np.abs(self.relevance)
        own = size[members].sum() + size[None, :] - size[members][:, None]
        gain = _zero_rounding(above + self.relevance[None, :] - self.relevance[members][:, None], own)
        return np.where(gain >= 0, gain / np.sqrt(np.maximum(after, 1.0)), -np.inf)

    def clipped(self, level: float, sizes: tuple[int, int]) -> CFS:
        """Reduce redundancies that keep a set below a level to what that takes.

        A set with ``r_ij >= ((N_max / level)^2 - k) / 2`` has ``Q <= N_max / sqrt(k + 2 r_ij) < level``.
        """
        most = float(np.maximum(np.sort(self.relevance)[::-1][: sizes[1]], 0.0).sum())
        if level <= 0 or not most:
            return self
        enough = (1 + MARGIN) * (most / level) ** 2
        relevance = np.maximum(self.relevance, -(1 + MARGIN) * most)
        if (self.redundancy <= enough).all() and (relevance == self.relevance).all():
            return self
        return self.with_redundancy(relevance, np.minimum(self.redundancy, enough))

    @property
    def by_levels(self) -> bool:
        """Whether the encoding is parametric."""
        return self.encoding == "parametric"

    def parametric(self, level: float) -> Excess:
        """Return the parametric problem ``max N^2 - level^2 D``: above 0 if and only if Q > level."""
        return Excess(self, level)

    def bound_from_excess(self, level: float, excess: float, sizes: tuple[int, int]) -> float:
        """Bound Q where ``N^2 - level^2 D <= excess`` for all sets: ``sqrt(level^2 + excess / D)``."""
        smallest, _ = self.denominators(sizes)
        return sqrt(level * level + max(excess, 0.0) / smallest)

    def denominators(self, sizes: tuple[int, int]) -> tuple[float, float]:
        """Bound D over all sets of the given sizes."""
        ordered = np.sort(self.redundancy[np.triu_indices(len(self.features), 1)])
        low, high = (m * (m - 1) // 2 for m in sizes)
        least = sizes[0] + 2 * float(ordered[:low].sum())
        return least, sizes[1] + 2 * float(ordered[len(ordered) - high :].sum())

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add the linearised ratio to the block."""
        require_relevance(block, self.features, self.relevance)
        if sizes[1] == 1:
            linear = zip(self.features, self.relevance.tolist(), strict=True)
            block.quality = pyo.Expression(expr=pyo.quicksum(q * block.x[f] for f, q in linear))
        else:
            express_ratio(block, self, sizes)

    def add_cut(self, block: Any) -> bool:
        """Add the row that makes the quality right at the block's set; return whether it was not."""
        return cut_ratio(block, self)

    def set_helper_values(self, block: Any) -> None:
        """Set the model's own variables to the values that follow from those of ``x``."""
        set_ratio_helpers(block, self)


def _zero_rounding(total: Any, size: Any) -> Any:
    """Take sums of mere rounding for 0; `size` are the sums of absolute terms."""
    return np.where(np.abs(total) <= ROUNDING * size, 0.0, total)


@dataclass(frozen=True)
class Excess(Objective):
    """How far sets exceed a level of CFS: ``N^2 - level^2 D``, a quadratic form of the selection.

    ``N^2 - L^2 D = sum_i (q_i^2 - L^2) s_i + 2 sum_{i<j} (q_i q_j - L^2 r_ij) s_i s_j``.
    """

    kind = Kind.QUADRATIC

    ratio: CFS
    level: float
    name: str = field(default="excess over a level of CFS", init=False)
    features: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", self.ratio.features)

    def score(self, mask: BoolArray) -> float:
        """Evaluate the form; -inf if the set is not feasible."""
        above, below = self.ratio.fraction(np.flatnonzero(mask))
        return above * above - self.level**2 * below if above >= 0 else -inf

    @property
    def slack(self) -> float:
        """Excess that may be missed: it raises the ratio by 1e-10 of the level at most."""
        return 2e-10 * self.level**2  # as no denominator is below 1

    @property
    def rows(self) -> Rows:
        """Admit only sets whose relevances sum to 0 or more."""
        return self.ratio.rows

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write the form as ``sum_i a_i s_i - sum_{i<j} b_ij s_i s_j``, for sets of any size."""
        del k
        q, square = self.ratio.relevance, self.level**2
        pairs = 2 * (square * self.ratio.redundancy - np.outer(q, q))
        np.fill_diagonal(pairs, 0.0)
        return q * q - square, pairs

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add the form to the block."""
        linear, pairs = self.quadratic(sizes[1])
        require_relevance(block, self.features, self.ratio.relevance)
        multiply(block, self.features, sizes, upper=pairs < 0)
        block.quality = pyo.Expression(expr=quadratic_form(block, self.features, linear, -pairs))

    def set_helper_values(self, block: Any) -> None:
        """Set the values of the products."""
        set_products(block, self.features)


def require_relevance(block: Any, features: Sequence[str], relevance: FloatArray) -> None:
    """Admit only sets whose relevances sum to 0 or more: a row, if any is negative."""
    if (relevance < 0).any():
        total = pyo.quicksum(q * block.x[f] for f, q in zip(features, relevance.tolist(), strict=True))
        block.relevant = pyo.Constraint(expr=total >= 0)
