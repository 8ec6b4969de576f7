"""Association: correlation of ranks, straight or curved, and of levels, made comparable by their p-values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.columns import codes
from altsel.data.dataset import Dataset
from altsel.data.scanning import Statistics
from altsel.data.schema import Kind
from altsel.errors import flags
from altsel.runtime.memory import require
from altsel.runtime.progress import counted
from altsel.stats.dependence.association_of_counts import forms_of
from altsel.stats.dependence.correlation import numeric_target
from altsel.stats.dependence.correlation_ratio import columns_of_numbers, prepared
from altsel.stats.dependence.evidence import Form, equal_evidence
from altsel.stats.dependence.in_parts import in_parts
from altsel.stats.dependence.rank_polynomials import Polynomials, largest, rank_polynomials
from altsel.stats.dependence.ratios import cramer

CELLS = 1 << 20
"""Pairs that are measured at once: some ten arrays of so many numbers."""
PER_CELL = 40
"""Bytes that a cell takes while ranks and their squares are made of it, to be kept; found by measuring."""
FEWER = "rank by information in bins (bins=2, --bins), or choose among fewer features first"


@dataclass(frozen=True)
class Association:
    r"""Association of two columns of any kinds, in [0, 1]: the squared correlation that has the same p-value.

    Each column has a few functions of mean 0 and variance 1: a number or ordered category its mid-ranks and
    their square, made orthogonal (for ``x`` and ``x^2``); a category one for each level. ``T``, the largest
    squared correlation of combinations of them, is Spearman's squared correlation or eta squared of ranks,
    with curved terms or without them; of two categories it is Pearson's ``chi^2 / n``. Under independence
    ``(n - 1) T`` is at most about chi-square with as many degrees of freedom as there are products of
    functions. Of the straight form and the curved ones the one with the smallest p counts, times their
    number, and the association is

    ``z^2 / (n - 1)``,   with z the normal quantile of that two-sided p.

    For two numbers in a straight relation that is Spearman's squared correlation (less what the choice among
    the forms costs), a share of variance explained. Of independent columns it is ``1 / (n - 1)`` in the mean,
    **however many levels they have**: a thousand need as much evidence as one coefficient. Curved relations,
    such as a U, are found.

    Of two categories with m + 1 levels or more, whose ``chi^2 / n`` is at most m, it is
    ``1 - (1 - z^2 / m(n - 1))^m``.

    Parameters
    ----------
    squared
        Whether it is squared, a scale on which independent contributions add up; if not, it is on the scale
        of a correlation.

    References
    ----------
    Spearman, American Journal of Psychology 15 (1904); Kruskal and Wallis, Journal of the American
    Statistical Association 47 (1952); Lancaster, Biometrika 44 (1957), on sums of squared correlations of
    orthogonal functions.

    Examples
    --------
    >>> from altsel.measures import association
    >>> x = np.arange(-50.0, 51)
    >>> round(association(x, x**3), 2), round(association(x, x**2), 2)
    (0.97, 0.86)
    >>> round(association(x, [f"case {i}" for i in range(101)]), 2)
    0.0
    """

    squared: bool = True
    by_level = True
    not_negative = True

    def __post_init__(self) -> None:
        flags(squared=self.squared)

    @property
    def name(self) -> str:
        """Name of the measure."""
        return "association" if self.squared else "association, not squared"

    def __call__(self, a: npt.ArrayLike, b: npt.ArrayLike) -> float:
        """Measure two columns; text and categories are classes."""
        (first, classes), (second, others) = sorted(prepared(a, b), key=lambda one: one[1])
        rows = len(first)
        if classes:
            return self._of_levels(first, second)
        ranks = rank_polynomials(first[:, None])
        if others:
            return float(self._of(_across(ranks, second), rows)[0])
        return float(self._of(_pairs(ranks, rank_polynomials(second[:, None])), rows)[0, 0])

    @in_parts
    def relevance(self, data: Dataset) -> FloatArray:
        """Measure each feature and the target."""
        names, nominal, rows = np.array(data.features, dtype=object), _nominal(data), len(data.X)
        result, ranks = np.zeros(len(nominal)), rank_polynomials(columns_of_numbers(data, ~nominal))
        if _classes(data):
            target = codes(data.y)
            result[~nominal] = self._of(_across(ranks, target), rows)
            for j in np.flatnonzero(nominal).tolist():
                result[j] = self._of_levels(codes(data.X[names[j]]), target)
            return result
        goal = rank_polynomials(numeric_target(data)[:, None])
        result[~nominal] = self._of(_pairs(ranks, goal), rows)[:, 0]
        for j in np.flatnonzero(nominal).tolist():
            result[j] = self._of(_across(goal, codes(data.X[names[j]])), rows)[0]
        return result

    def redundancy(self, data: Dataset) -> FloatArray:
        """Measure each pair of features."""
        nominal, rows = _nominal(data), len(data.X)
        rest, groupings = np.flatnonzero(~nominal), np.flatnonzero(nominal).tolist()
        ranks, result = (
            rank_polynomials(columns_of_numbers(data, ~nominal)),
            np.zeros((len(nominal), len(nominal))),
        )
        width = max(1, CELLS // max(len(rest), 1))
        parts = range(0, len(rest), width)
        for first in counted(parts, len(parts), "parts of the table of pairs"):
            some = slice(first, first + width)
            result[np.ix_(rest[some], rest)] = self._of(_pairs(ranks.part(some), ranks), rows)
        result = (result + result.T) / 2
        levels = {j: codes(data.X[data.features[j]]) for j in groupings}
        for place, j in enumerate(counted(groupings, len(groupings), "categorical features")):
            result[rest, j] = result[j, rest] = self._of(_across(ranks, levels[j]), rows)
            for other in groupings[: place + 1]:
                result[other, j] = result[j, other] = self._of_levels(levels[other], levels[j])
        return result

    def rows(self, data: Dataset) -> Callable[[int], FloatArray]:
        """Return what measures one feature and each, by its index, with the columns prepared once."""
        nominal, number = _nominal(data), len(data.X)
        what = f"ranks of {number:,} rows of {len(nominal):,} columns, and their squares,"
        require(PER_CELL * number * int((~nominal).sum()), what, FEWER)
        place, ranks = np.cumsum(~nominal) - 1, rank_polynomials(columns_of_numbers(data, ~nominal))
        levels = {j: codes(data.X[data.features[j]]) for j in np.flatnonzero(nominal).tolist()}

        def row(index: int) -> FloatArray:
            result = np.empty(len(nominal))
            if index in levels:
                result[~nominal] = self._of(_across(ranks, levels[index]), number)
                result[nominal] = [self._of_levels(one, levels[index]) for one in levels.values()]
                return result
            own = ranks.part(slice(place[index], place[index] + 1))
            result[~nominal] = self._of(_pairs(own, ranks), number)[0]
            result[nominal] = [self._of(_across(own, one), number)[0] for one in levels.values()]
            return result

        return row

    def name_of(self, statistics: Statistics) -> str:
        """Name of the measure."""
        del statistics
        return self.name

    def relevance_of(self, statistics: Statistics) -> FloatArray:
        """Measure each feature and the target by counts of levels; numbers that are not cut by moments."""
        goal = len(statistics.features)
        return np.array([self._counted(statistics, j, goal) for j in range(goal)])

    def redundancy_of(self, statistics: Statistics) -> FloatArray:
        """Measure each pair of features by counts of levels; numbers that are not cut by moments."""
        count = len(statistics.features)
        result = np.zeros((count, count))
        for i in range(count):
            for j in range(i + 1):
                result[i, j] = result[j, i] = self._counted(statistics, i, j)
        return result

    def _counted(self, statistics: Statistics, first: int, second: int) -> float:
        forms, dimensions = forms_of(statistics, first, second)
        return float(self._of(forms, statistics.rows, dimensions))

    def _of_levels(self, first: IntArray, second: IntArray) -> float:
        return float(self._of(*_levels(first, second)))

    def _of(self, forms: list[Form], rows: int, dimensions: int = 1) -> FloatArray:
        """Turn the forms of a relation into the association: arrays of the same shape."""
        share = equal_evidence(forms, rows, dimensions)
        return np.asarray(share if self.squared else np.sqrt(share))


def _pairs(first: Polynomials, second: Polynomials) -> list[Form]:
    """Straight, curved on either side, and curved on both: of all pairs of columns."""
    straight, left = first.linear.T @ second.linear, first.square.T @ second.linear
    right, both = first.linear.T @ second.square, first.square.T @ second.square
    a, b = first.curved[:, None].astype(float), second.curved[None].astype(float)
    one = (first.varied[:, None] & second.varied[None]).astype(float)
    return [
        (straight**2, one),
        (straight**2 + left**2, 2 * one * a),
        (straight**2 + right**2, 2 * one * b),
        (largest(straight, left, right, both), 4 * one * a * b),
    ]


def _across(ranks: Polynomials, classes: IntArray) -> list[Form]:
    """Straight and curved, of columns of numbers across classes."""
    free = float(classes.max())
    order, sizes = np.argsort(classes, kind="stable"), np.bincount(classes)
    starts = np.cumsum(sizes) - sizes
    linear, square = (
        np.add.reduceat(one[order], starts, axis=0) / np.sqrt(sizes)[:, None]
        for one in (ranks.linear, ranks.square)
    )
    straight, curve, both = (linear**2).sum(axis=0), (square**2).sum(axis=0), (linear * square).sum(axis=0)
    middle, half = (straight + curve) / 2, (straight - curve) / 2
    varied, curved = ranks.varied.astype(float), ranks.curved.astype(float)
    return [(straight, free * varied), (middle + np.hypot(half, both), 2 * free * curved)]


def _levels(first: IntArray, second: IntArray) -> tuple[list[Form], int, int]:
    """Of two categories: one form, the rows, and how many squared correlations it is the sum of."""
    a, b = int(first.max()), int(second.max())
    share = cramer(first, second) ** 2 * min(a, b)
    return [(np.array(share), np.array(float(a * b)))], len(first), max(1, min(a, b))


def _classes(data: Dataset) -> bool:
    return bool(data.discrete_target and data.target_kind is not Kind.ORDINAL)


def _nominal(data: Dataset) -> BoolArray:
    return np.array([kind is Kind.CATEGORICAL for kind in data.kinds.values()])


association = Association()
