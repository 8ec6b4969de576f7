"""The fit of linear models: how much of the target's variance a set explains by least squares."""

from __future__ import annotations

from collections.abc import Collection
from math import inf, nextafter
from typing import Any

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.errors import ArgumentError, of_kind
from altsel.models.objective import Kind, SizedBy
from altsel.models.rows_of_sets import RowsOfSets
from altsel.runtime.clock import clock
from altsel.stats.blocks import added, exchanged
from altsel.stats.dependence import absolute_pearson
from altsel.stats.information_criteria import Penalty, penalty_of
from altsel.stats.least_squares import Design, design

ROUNDING = 1e-13
"""What rounding may take off a row, relative to the squared coefficients."""
CLEAR = 1e-4
"""Smallest eigenvalue of the products of columns from which they bound sets well."""
MANY_LEVELS = 50
"""Columns of a category up to which it is fitted again and again in seconds."""
CONDITION = 1e-4
"""Squared length left up to which exchanges are scored one by one."""


class LinearFit(RowsOfSets):
    """The ``R^2`` of least squares on a set: best-subset regression as a criterion.

    ``Q(S) = 1 - min_b (|y - X_S b|^2 + ridge |b|^2) / |y|^2``, where target and columns are centred (so that
    there is a constant always) and columns have length 1, so that neither units nor scales matter. Without
    ridge it is the ``R^2`` of ordinary least squares; ridge is relative to columns of length 1: for columns
    of variance 1 and m rows the usual penalty is ``m ridge``. Of a target of two classes, coded 0 and 1, it
    is that of the linear probability model. A column of which no more than a millionth of its length is
    outside the span of others in a set adds nothing: that is part of what Q is, in all searches.

    ``Q`` on the rows it was fitted to never falls when features are added, so with free sizes the largest
    wins; what sets are worth on other rows tells `altsel.performance`.

    With a `penalty` it is the worth of the model less a price for its coefficients, so that sizes may be
    free: adjusted ``R^2``, or minus AIC, BIC or Cp (`altsel.stats.information_criteria`); each rises with
    ``R^2`` for a given size, so that one search a size is exact.

    Encoding: for every w, and d with ``A - diag(d)`` positive semidefinite, where ``A = X'X + ridge I`` and
    ``b = X'y``,

    ``Q(S) <= w'(A - D) w + sum_{j in S} (b - (A - D) w)_j^2 / d_j``,

    linear in the selection, and tight at S for w its coefficients. The model begins with few such rows; that
    of a set found is added until its quality and the formula agree.

    Parameters
    ----------
    data
        Columns of numbers, of two values or categories; a target of numbers or two values. A category is one
        feature: columns for its levels but one enter together, orthogonal to each other with a ridge, so that
        it does not matter which.
    ridge
        At least 0.
    weights
        One a row, at least 0, or the name of the column that holds them, which is no feature then: centring,
        lengths and fit are weighted. They are no counts: the m of a penalty is the number of rows of positive
        weight.
    penalty
        ``"adjusted"``, ``"aic"``, ``"bic"``, ``"cp"``, or None: ``R^2`` itself. Each column of the set counts
        as a coefficient, copies too.
    given
        Names of features that are in every model, and not to choose from. They come without ridge; Q counts
        what they explain. Other columns have length 1 after the given ones have been projected
        out.

    Raises
    ------
    ArgumentError
        If it is no data set, the ridge is negative, a given name is no feature, or the penalty is none, or is
        wanted with a ridge, whose coefficients count for less than one.
    DataError
        If the target has more than two classes, or Cp no variance to compare with.

    Examples
    --------
    >>> columns = {"a": [1.0, 2.0, 3.0, 4.0, 5.0], "b": [1.0, 0.0, 0.0, 1.0, 0.5]}
    >>> data = Dataset(columns, [1.1, 2.0, 2.9, 4.2, 4.9])
    >>> quality = LinearFit(data)
    >>> round(quality.score(np.array([True, False])), 4), round(quality.score(np.array([True, True])), 4)
    (0.9934, 0.9975)
    """

    kind = Kind.LEAST_SQUARES
    fitted = "a linear fit"
    exchangeable = True
    of_data = True
    default_measure = absolute_pearson
    most_sets = 50_000
    """Admissible sets up to which all are evaluated: a search takes less than more of them."""

    def __init__(
        self,
        data: Dataset,
        ridge: float = 0.0,
        *,
        penalty: str | None = None,
        weights: Any = None,
        given: Collection[str] = (),
    ) -> None:
        of_kind("penalty", penalty, str | None, "the name of a criterion, such as 'bic'")
        self.design = design(data, ridge, weights, given)
        self.features = self.design.features
        self.ridge, self.given, self._weights = float(ridge), tuple(given), weights
        self.weighted = "" if weights is None else f"by {weights}" if isinstance(weights, str) else "rows"
        self.found: dict[int, Any] = {}
        held = {weights: "the weights of the rows"} if isinstance(weights, str) else {}
        self.describe(data, self.given, held)
        self.most = nextafter(min(self.design.whole + ROUNDING, 1.0), inf)
        self.penalty = None if penalty is None else self._checked(penalty)
        self.least, self.has_zero, self.rises = 0.0, penalty in {None, "adjusted"}, penalty is None
        if self.penalty:
            self.least, self.most = self._range()
        self.name = f"linear fit of {data.target}{self._variant()}"
        self.gram, self.along = self.design.products
        lengths = self.gram.diagonal()
        alone = np.where(lengths > 0, self.along**2 / np.where(lengths > 0, lengths, 1.0), 0.0)
        self.relevance = np.bincount(self.design.owner, alone).astype(float)

    def __repr__(self) -> str:
        return f"<LinearFit: {len(self.features)} features, target {self.target!r}{self._variant()}>"

    def _variant(self) -> str:
        parts = [self.penalty.title] if self.penalty else []
        parts += [f"ridge {self.ridge:g}"] if self.ridge else []
        parts += [f"weighted {self.weighted}"] if self.weighted else []
        parts += [f"given {', '.join(self.given)}"] if self.given else []
        return f" ({'; '.join(parts)})" if parts else ""

    @property
    def settings(self) -> dict[str, str]:
        """Its ridge, its penalty, the weights' column, and the columns always included."""
        told = {"ridge": repr(self.ridge)} if self.ridge else {}
        told.update({"penalty": self.penalty.name} if self.penalty else {})
        told.update({"weights": self.weighted.removeprefix("by ")} if self.weighted else {})
        return {**told, **({"given": ", ".join(self.given)} if self.given else {})}

    @property
    def sized_by(self) -> SizedBy:  # type: ignore[override]
        """Its penalty tells its size; without one, another fit's with a penalty does."""
        return SizedBy.ITSELF if self.penalty else SizedBy.PENALTY

    @property
    def quick_to_refit(self) -> bool:  # type: ignore[override]
        """Not with categories of very many levels."""
        return int(self.design.widths.max()) <= MANY_LEVELS

    @property
    def quick_for_noise(self) -> bool:
        """Not with columns that are given."""
        return self.quick_to_refit and not self.given

    def for_data(self, data: Dataset) -> LinearFit:
        """Return the same fit of other data.

        Raises
        ------
        ArgumentError
            If columns are given: a target that is dealt to other rows loses what they explain.
        """
        if self.given:
            raise ArgumentError(f"{self.name}: what the given columns explain would be shuffled too")
        return self._like(data, self.penalty.name if self.penalty else None, self.ridge)

    def penalised(self, data: Dataset) -> LinearFit:
        """Return the fit by BIC, which has a best size."""
        return self._like(data, "bic", 0.0)

    def _like(self, data: Dataset, penalty: str | None, ridge: float) -> LinearFit:
        return LinearFit(data, ridge, penalty=penalty, weights=self._weights, given=self.given)

    @property
    def least_squares(self) -> Design:
        """The standardised columns and target."""
        return self.design

    def worth_of(self, members: IntArray) -> float:
        """Evaluate the formula on a set."""
        inside = self.design.columns_of(members)
        return float(self._worth(self.design.explained(inside), len(inside)))

    def _worth(self, explained: Any, size: int) -> Any:
        return self.penalty.worth(explained, size) if self.penalty else explained

    def _checked(self, name: str) -> Penalty:
        if self.ridge:
            raise ArgumentError(
                f"penalty={name!r} counts coefficients, and with a ridge they are no full ones"
            )
        whole, rank = self.design.all_together() if name == "cp" else (self.design.whole, 0)
        return penalty_of(name, self.design.rows, self.design.parameters, 1.0 - whole, rank)

    def _range(self) -> tuple[float, float]:
        """Bound the worth of all sizes that have one."""
        sizes = range(min(len(self.design.columns), self.design.rows - self.design.parameters - 1) + 1)
        ends = [float(self._worth(explained, size)) for size in sizes for explained in (0.0, self.most)]
        hair = 1e-12 * max(map(abs, ends), default=0.0)
        return min(ends, default=0.0) - hair, max(ends, default=0.0) + hair

    def scores(self, members: IntArray) -> FloatArray:
        """Score many sets at once, given by the indices of their features, shape (sets, k)."""
        explained = self.design.explained_by_each(members)
        counts = self.design.widths[members].sum(axis=1)
        for count in np.unique(counts):
            explained[counts == count] = self._worth(explained[counts == count], int(count))
        return explained

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score all sets with one feature exchanged, shape (k, features)."""
        if self.design.has_categories:
            return self._categories_exchanged(members)
        inside = self.gram[np.ix_(members, members)]
        if np.linalg.eigvalsh(inside)[0] < CONDITION:
            return self._each_exchanged(members)
        inverse = np.linalg.inv(inside)
        spread = inverse @ self.gram[members]
        own = inverse @ self.along[members]
        left = self.gram.diagonal() - (self.gram[members] * spread).sum(axis=0)
        rest = self.along - self.along[members] @ spread
        apart = inverse.diagonal()[:, None]
        below = apart * left + spread**2
        usable = below > CONDITION
        gain = (apart * rest**2 + 2 * own[:, None] * spread * rest - own[:, None] ** 2 * left) / np.where(
            usable, below, 1.0
        )
        values = self.design.offset + float(own @ self.along[members]) + gain
        unsure = ~usable
        unsure[:, members] = False
        for i, j in np.argwhere(unsure):
            values[i, j] = self.design.explained(np.append(np.delete(members, i), j))
        return np.asarray(self._worth(values, len(members)))

    def grown(self, members: IntArray) -> FloatArray | None:
        """Score all sets with one feature more, shape (features,), if there are categories.

        Alone one of many levels always explains much. Minus infinity where products do not tell.
        """
        if not self.design.has_categories:
            return None
        found = added(self.design, members, CONDITION)
        values = np.full(len(self.features), -inf)
        if found is None:
            return values
        explained, unsure = found
        counts = self.design.widths[members].sum() + self.design.widths
        unsure[members] = True
        if self.penalty:
            unsure |= self.penalty.parameters + counts >= self.penalty.rows
        sure = np.flatnonzero(~unsure)
        values[sure] = self._worth(explained[sure], counts[sure])
        return values

    def _categories_exchanged(self, members: IntArray) -> FloatArray:
        """Do it by the products of the columns of each feature; sets that these do not tell one by one."""
        found = exchanged(self.design, members, CONDITION)
        if found is None:
            return self._each_exchanged(members)
        explained, unsure = found
        unsure[:, members] = False
        for i, j in np.argwhere(unsure):
            if clock().over:
                break
            inside = self.design.columns_of(np.append(np.delete(members, i), j))
            explained[i, j] = self.design.explained(inside)
        widths = self.design.widths
        counts = widths[members].sum() - widths[members][:, None] + widths
        values = np.full(explained.shape, -inf)
        others = np.setdiff1d(np.arange(len(self.features)), members)  # with a member twice it is no set
        values[:, others] = self._worth(explained[:, others], counts[:, others])
        return values

    def _each_exchanged(self, members: IntArray) -> FloatArray:
        k, n = len(members), len(self.features)
        sets = np.tile(members, (k, n, 1))
        for i in range(k):
            sets[i, :, i] = np.arange(n)
        others = np.setdiff1d(np.arange(n), members)  # a set with a member twice may have no worth
        values = np.full((k, n), -inf)
        values[:, others] = self.scores(sets[:, others].reshape(k * len(others), k)).reshape(k, -1)
        return values

    @property
    def begins_at(self) -> tuple[BoolArray, ...]:
        """No set and all features, where there is no penalty."""
        nothing = np.zeros(len(self.features), dtype=bool)
        return () if self.penalty else (nothing, ~nothing)

    def row_at(self, block: Any, mask: BoolArray) -> Any:
        """Return the row of a set; with a penalty, by which worth falls with the size, it is that of one."""
        return (
            self.row_of_one(block, mask) if self.penalty else self.row_of_sum(block, *self.bounding_row(mask))
        )

    def coefficients(self, mask: BoolArray) -> FloatArray:
        """Return the coefficients of the standardised columns of a set, 0 elsewhere, shape (columns,).

        Of categories those of orthogonal columns. Without the constant and the given columns; for those in
        units fit least squares to the columns of the set.
        """
        inside = self.design.columns_of(np.flatnonzero(mask))
        w = np.zeros(len(self.design.columns))
        found = np.linalg.lstsq(self.design.columns[inside].T, self.design.target, rcond=1e-7)
        w[inside] = found[0]
        return w

    def bounding_row(self, mask: BoolArray) -> tuple[float, FloatArray]:
        """Return constant and slopes of ``Q(S) <= constant + sum of the slopes of S``, tight at a set.

        Slopes are no larger than what all features together explain above the constant needs. Where features
        nearly depend on each other all d are 0, and the row says that Q does not fall: what a set explains,
        and as much as there is for every feature outside it.
        """
        d = self._uniform()
        if not d:
            constant = min(self.score(mask) + ROUNDING, self.most)
            return constant, np.where(mask, 0.0, self.most - constant)
        w = self.coefficients(mask)
        rest = self.along - self.gram @ w + d * w
        slack = ROUNDING * (1.0 + float(np.abs(w).sum())) ** 2
        constant = self.design.offset + float(w @ (self.along - rest)) + slack
        largest = max(self.most - constant, 0.0)
        slopes = np.bincount(self.design.owner, (np.abs(rest) + slack) ** 2 / d)
        return constant, np.minimum(slopes, largest)

    def _uniform(self) -> float:
        """Return one d for all features: the smallest eigenvalue, if rounding leaves it clear."""
        if self._d is None:
            least = float(np.linalg.eigvalsh(self.gram)[0])
            self._d = least * 0.999 if least > CLEAR else 0.0
        return self._d

    _d: float | None = None
