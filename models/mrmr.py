"""mRMR: high relevance of the features, low redundancy among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import fsum
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, DataWarning, RangeError, listing
from altsel.models.clipping import needed_loss, power_of_two
from altsel.models.objective import Kind, SizedBy, describe
from altsel.models.pair_criterion import PairCriterion, of_pairs
from altsel.models.pair_products import multiply, quadratic_form, set_products
from altsel.pyomo_on_demand import pyo
from altsel.runtime.caller import warn_caller
from altsel.stats.dependence import Dependence

CANCELLED = 1e-5
"""Value, relative to its terms, below which it is computed exactly."""
WIDEST = 1e6
"""Largest ratio of the worst and the best value for which the model of free sizes is made."""
ROUNDING = 1e-12
"""Size, relative to the largest number, below which a number is what rounding left of nought."""
DENOMINATORS = ("k(k-1)", "k^2")


def _diagonal_is_no_number(features: tuple[str, ...]) -> None:
    warn_caller(
        "MRMR(denominator='k^2') charges each feature its information of itself, which for numbers is "
        f"infinite; its estimate for {listing(features)} tells the number of rows, and decides. Use "
        "denominator='k(k-1)' (--objective mrmr), or altsel.measures.symmetric_uncertainty",
        DataWarning,
    )


@dataclass(frozen=True, init=False, eq=False)
class MRMR(PairCriterion):
    """Minimal redundancy, maximal relevance: ``Q = 1/k sum_i q_i s_i - 1/d sum_ij r_ij s_i s_j``.

    ``denominator="k(k-1)"``: d = k (k - 1) and i = j is left out, the mean redundancy of the pairs, as
    in alfese; a single feature has redundancy 0. ``"k^2"``: d = k^2 and the sum includes i = j, as
    AFS eq. mrmr and Peng et al. (2005) print it. The two have different optima. The second also charges each
    feature its own entropy, which for numbers is infinite: estimated by neighbours, it tells the number of
    rows, and decides which set is best.

    Encoding, k fixed: ``t_ij >= s_i + s_j - 1`` for i < j and the products' sums
    ``sum_j t_ij = (k - 1) s_i`` (the reformulation-linearisation rows that make the bound
    strong); together they make t the product of integer s, whatever the sign of r. k free: one
    binary a size chooses which of the formulas bounds Q.

    Parameters
    ----------
    dependence
        Relevance and redundancy, or a data set, whose association is used.
    denominator
        ``"k(k-1)"`` or ``"k^2"``.

    Raises
    ------
    ArgumentError
        If the denominator is another.

    Examples
    --------
    >>> import pandas as pd
    >>> q = pd.Series({"a": 0.5, "b": 0.4})
    >>> r = pd.DataFrame([[1, 0.2], [0.2, 1]], index=q.index, columns=q.index)
    >>> both = np.array([True, True])
    >>> [round(MRMR(Dependence(q, r), d).score(both), 3) for d in ("k^2", "k(k-1)")]
    [-0.15, 0.25]
    """

    kind = Kind.QUADRATIC
    exchangeable = True
    sized_by = SizedBy.PATH

    features: tuple[str, ...]
    relevance: FloatArray = field(repr=False)
    denominator: str
    name: str
    target: str | None
    seed: int | None
    fingerprint: str | None

    def __init__(self, dependence: Dependence | Dataset, denominator: str = "k(k-1)") -> None:
        squared = denominator == "k^2"
        dependence = of_pairs(type(self), dependence, whole=squared)
        if denominator not in DENOMINATORS:
            raise ArgumentError(f"denominator={denominator!r}; use 'k(k-1)' or 'k^2'")
        if squared and dependence.caveats.without_bound:
            _diagonal_is_no_number(dependence.caveats.without_bound)
        object.__setattr__(self, "relevance", dependence.relevance.to_numpy(dtype=float, copy=True))
        object.__setattr__(self, "denominator", denominator)
        self._take_pairs(dependence, whole=squared)
        describe(self, dependence, f"mRMR ({denominator})")

    def score(self, mask: BoolArray) -> float:
        """Evaluate the formula; an empty set has score 0."""
        inside = np.flatnonzero(mask)
        if not len(inside):
            return 0.0
        k, q = len(inside), self.relevance[inside]
        r = self.redundancy_among(inside)
        below = k * k if self.denominator == "k^2" else max(k * (k - 1), 1)
        if self.denominator != "k^2":
            np.fill_diagonal(r, 0.0)
        value = float(q.sum() / k - r.sum() / below)
        if abs(value) > CANCELLED * (np.abs(q).sum() / k + np.abs(r).sum() / below):
            return value
        return float(Fraction(fsum(q)) / k - Fraction(fsum(r.ravel())) / below)

    def scores(self, members: IntArray) -> FloatArray:
        """Score many sets at once, given by the indices of their features, shape (sets, k)."""
        linear, pairs = self.quadratic(members.shape[1])
        total = linear[members].sum(axis=1)
        for i, j in combinations(range(members.shape[1]), 2):
            total -= pairs[members[:, i], members[:, j]]
        return np.asarray(total)

    def quadratic(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Write Q for sets of k as ``sum_i a_i s_i - sum_{i<j} b_ij s_i s_j``; b has diagonal 0."""
        squared = self.denominator == "k^2"
        below = k * k if squared else max(k * (k - 1), 1)
        linear = self.relevance / k - (np.diag(self.redundancy) / below if squared else 0.0)
        pairs = 2 * self.redundancy
        pairs /= below
        np.fill_diagonal(pairs, 0.0)
        return linear, pairs

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score all sets with one feature exchanged, shape (k, features)."""
        k, r, squared = len(members), self.redundancy, self.denominator == "k^2"
        own = np.diag(r)
        total_redundancy = r[members].sum(axis=0)
        inner = total_redundancy[members] - own[members]
        cross = inner.sum() + 2 * (total_redundancy[None, :] - r[members] - inner[:, None])
        if squared:
            cross = cross + own[members].sum() + own[None, :] - own[members][:, None]
        above = self.relevance[members].sum() + self.relevance[None, :] - self.relevance[members][:, None]
        return np.asarray(above / k - cross / (k * k if squared else max(k * (k - 1), 1)))

    def clipped(self, level: float, sizes: tuple[int, int]) -> MRMR:
        """Reduce numbers that keep a set below a level to what that takes; see `needed_loss`."""
        if self.redundancy.min() < 0:
            return self  # what a feature loses by itself it may gain by others
        pairs_below, own_below, single_below = 0.0, 0.0, 0.0
        for m in range(sizes[0], sizes[1] + 1):
            below = m * m if self.denominator == "k^2" else max(m * (m - 1), 1)
            own = np.maximum(-np.diag(self.redundancy), 0.0) / below if self.denominator == "k^2" else 0.0
            needed = needed_loss(self.relevance / m + own, np.zeros((1, 1)), m, level)  # no pair gains
            pairs_below, own_below = max(pairs_below, needed * below / 2), max(own_below, needed * below)
            single_below = max(single_below, needed * m)
        largest, own = self.redundancy.max(), np.diag(self.redundancy)
        if largest <= pairs_below and own.max() <= own_below and self.relevance.min() >= -single_below:
            return self
        relevance, redundancy = self.relevance.copy(), self.redundancy.copy()
        own = np.minimum(own, own_below)
        redundancy = np.minimum(redundancy, pairs_below)
        np.fill_diagonal(redundancy, own)
        relevance = np.maximum(relevance, -single_below)
        if (redundancy == self.redundancy).all() and (relevance == self.relevance).all():
            return self
        return self.with_redundancy(relevance, redundancy)

    def express(self, block: Any, sizes: tuple[int, int]) -> None:
        """Add products of all pairs and the formula to the block."""
        low, high = sizes
        if high == 1:
            linear, _ = self.quadratic(1)
            pairs = zip(self.features, linear.tolist(), strict=True)
            block.quality = pyo.Expression(expr=pyo.quicksum(a * block.x[f] for f, a in pairs))
            return
        multiply(block, self.features, sizes, upper=self.redundancy < 0)
        if low == high:
            block.quality = pyo.Expression(expr=self._formula(block, low))
        else:
            self._any_size(block, range(low, high + 1))

    def set_helper_values(self, block: Any) -> None:
        """Set the model's own variables to the values that follow from those of ``x``."""
        if block.component("t") is not None:
            set_products(block, self.features)
        if block.component("is_size") is not None:
            inside = np.array([block.x[f].value > 0.5 for f in self.features])
            for m, chosen in block.is_size.items():
                chosen.set_value(int(m == inside.sum()), skip_validation=True)
            block.value.set_value(self.score(inside) / block.unit, skip_validation=True)

    @property
    def settings(self) -> dict[str, str]:
        """Its denominator."""
        return {"denominator": self.denominator}

    def _formula(self, block: Any, k: int, unit: float = 1.0) -> Any:
        linear, pairs = self.quadratic(k)
        return quadratic_form(block, self.features, linear / unit, -pairs / unit)

    def _any_size(self, block: Any, sizes: range) -> None:
        block.is_size = pyo.Var(sizes, domain=pyo.Binary)
        block.one_size = pyo.Constraint(expr=pyo.quicksum(block.is_size.values()) == 1)
        block.sized = pyo.Constraint(expr=pyo.quicksum(m * z for m, z in block.is_size.items()) == block.size)
        reach = {m: self._range(m, sizes[-1]) for m in sizes}
        lowest, most = min(low for low, _ in reach.values()), max(high for _, high in reach.values())
        if abs(lowest) > WIDEST * max(abs(most), self._usual()):
            raise RangeError(
                f"the numbers range too widely for a model of free sizes: a set could have {lowest:.3g}, and "
                f"{most:.3g} at most; fix k, or limit what stands for 'never'"
            )
        block.unit = unit = power_of_two(max(abs(lowest), abs(most)))
        block.value = pyo.Var(bounds=(lowest / unit, most / unit))
        block.formula = pyo.ConstraintList()
        for m in sizes:
            slack = (most - reach[m][0]) / unit * (1 - block.is_size[m])
            block.formula.add(block.value <= self._formula(block, m, unit) + slack)
        block.quality = pyo.Expression(expr=unit * block.value)

    def _usual(self) -> float:
        """Size of the numbers that decide between sets: redundancies where no relevance does."""
        usual = float(np.median(np.abs(self.relevance)))
        if usual > 0:
            return usual
        sizes = np.abs(np.concatenate([self.relevance, self.redundancy.ravel()]))
        message = sizes[sizes > ROUNDING * sizes.max()]
        return float(message.min()) if len(message) else 0.0

    def _range(self, m: int, largest: int) -> tuple[float, float]:
        """Bound the formula of size m over all sets of at most `largest` features."""
        linear, pairs = self.quadratic(m)
        single, double = np.sort(linear), np.sort(pairs[np.triu_indices(len(linear), 1)])
        count = largest * (largest - 1) // 2
        low = np.minimum(single[:largest], 0).sum() - np.maximum(double[::-1][:count], 0).sum()
        high = np.maximum(single[::-1][:largest], 0).sum() - np.minimum(double[:count], 0).sum()
        return float(low), float(high)
