"""Unpruned decision trees; of one feature they are known without being grown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.predictive.table import (
    Change,
    Response,
    Single,
    Table,
    aligned,
    copies_of,
    groups,
    number_of_copies,
)

sklearn: Any = OnDemand("sklearn")
trees: Any = OnDemand("sklearn.tree")

MODERATE = 1e3
"""Means of so many times the largest deviation, and the inverse for deviations, are too much for trees."""
HUGE = 1e100
"""Numbers beyond which sums of squares are no floats."""


@dataclass(frozen=True)
class UnprunedTree:
    """Decision trees grown until their leaves are pure; categories go in as codes.

    Parameters
    ----------
    seed
        By which equally good splits are chosen.
    """

    seed: int = 0

    name = "unpruned decision tree"

    def fit(self, table: Table, columns: Sequence[int], response: Response, rows: IntArray) -> TreeModel:
        """Grow a tree; of one feature compute what it would predict."""
        truth, unit = response.values[rows], Unit(0.0, 0)
        if not response.classes:
            unit = Unit.of(truth)
            truth = unit.divided(truth)
        if len(columns) == 1:
            nearest = Nearest.of(table.single[rows, columns[0]], truth, response.classes)
            return TreeModel(tuple(columns), nearest, unit)
        kind = trees.DecisionTreeClassifier if response.classes else trees.DecisionTreeRegressor
        with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
            values = table.single[rows][:, np.array(columns)]
            grown = kind(random_state=self.seed).fit(values, truth, check_input=False)
        return TreeModel(tuple(columns), Grown(grown, response.classes), unit)


@dataclass(frozen=True)
class Unit:
    """A zero point and a power of two in which numbers are of moderate size; 0 and 0 where they are already.

    Attributes
    ----------
    zero, power
        ``(x - zero) / 2^power`` is of moderate size.
    """

    zero: float
    power: int

    @classmethod
    def of(cls, values: FloatArray) -> Unit:
        """Choose them: scikit-learn's trees take nodes of a variance below 2e-16 for pure."""
        zero = float(values.mean())
        largest = float(np.abs(values - zero).max())
        far = abs(zero) > MODERATE * largest
        size = largest < 1 / MODERATE or largest > HUGE
        return cls(zero if far else 0.0, int(np.frexp(largest)[1]) if size and largest else 0)

    def divided(self, values: FloatArray) -> FloatArray:
        """Bring numbers to these units."""
        return np.asarray(np.ldexp(values - self.zero, -self.power)) if self.power or self.zero else values

    def multiplied(self, values: FloatArray) -> FloatArray:
        """Bring numbers back."""
        return np.asarray(np.ldexp(values, self.power) + self.zero) if self.power or self.zero else values


@dataclass(frozen=True, eq=False)
class TreeModel:
    """A tree, and the variables it was grown of."""

    columns: tuple[int, ...]
    tree: Nearest | Grown
    unit: Unit

    def uses(self, variable: int) -> bool:
        """Return whether the tree is split by a variable."""
        return isinstance(self.tree, Nearest) or self.tree.splits_by(self.columns.index(variable))

    def predict(self, table: Table, rows: IntArray, changes: Sequence[Change] = ()) -> Any:
        """Predict rows as they are, then with every change."""
        base = table.single[rows][:, np.array(self.columns)]
        stack = np.broadcast_to(base, (number_of_copies(changes), *base.shape)).copy()
        for variable, values, copies in copies_of(changes):
            stack[copies, :, self.columns.index(variable)] = table.as_single(variable, values)
        flat = self.tree.predict(stack.reshape(-1, len(self.columns)))
        return self.unit.multiplied(flat).reshape(*stack.shape[:2], *flat.shape[1:])


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree of scikit-learn."""

    tree: Any
    classes: int

    def splits_by(self, column: int) -> bool:
        """Return whether any node divides rows by a column."""
        return bool((self.tree.tree_.feature == column).any())

    def predict(self, values: Single) -> FloatArray:
        """Return shares of all classes, or means."""
        with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
            if not self.classes:
                return np.asarray(self.tree.predict(values, check_input=False))
            known = self.tree.predict_proba(values, check_input=False)
        return aligned(known, self.tree.classes_, self.classes)


@dataclass(frozen=True, eq=False)
class Nearest:
    """What an unpruned tree of one feature predicts: shares or mean of the rows with the nearest value.

    Attributes
    ----------
    middles
        Numbers half way between neighbouring values; a row with such a number goes to the left.
    predicted
        Shares of classes, or the mean, for every value.
    """

    middles: FloatArray
    predicted: FloatArray

    @classmethod
    def of(cls, values: Single, truth: Any, classes: int) -> Nearest:
        """Tabulate the training rows."""
        distinct, place = np.unique(values, return_inverse=True)
        group = groups(distinct)
        leaf, leaves = group[place], int(group[-1]) + 1
        sizes = np.bincount(leaf, minlength=leaves)
        if classes:
            counts = np.bincount(leaf * classes + truth, minlength=leaves * classes)
            predicted = counts.reshape(leaves, classes) / sizes[:, None]
        else:
            predicted = np.bincount(leaf, truth, minlength=leaves) / sizes
        apart = np.diff(group) > 0
        left, right = distinct[:-1][apart].astype(float), distinct[1:][apart].astype(float)
        return cls(left / 2 + right / 2, predicted)

    def predict(self, values: Single) -> FloatArray:
        """Look rows up."""
        return np.asarray(self.predicted[np.searchsorted(self.middles, values[:, 0].astype(float))])
