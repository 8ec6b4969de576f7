"""The fit of models of classes, counts and times: how much of the deviance a set explains."""

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
from altsel.stats.dependence import absolute_pearson
from altsel.stats.generalised.design import regularised_model
from altsel.stats.generalised.fit import extended, fit_sets
from altsel.stats.generalised.targets import ROLES, RowColumns
from altsel.stats.generalised.worth import FittedModels

PORTION = 2_000
"""Sets that are fitted between two looks at the clock."""
SMALL = 20_000
"""Numbers of a table up to which it is fitted again and again in seconds."""
HAIR = 1e-9
"""Relative slack of the ends of all scores."""


class ModelFit(RowsOfSets):
    """The share of the deviance that a regularised model of a set explains, or AIC, BIC, EBIC.

    ``Q(S) = 1 - F(S) / F(nothing)`` with ``F(S) = min_b,c L(X_S b + c) + ridge/2 |b|^2``: L is half the
    deviance of the family, for classes minus the log-likelihood; columns have mean 0 and variance 1; the
    constant c is free of the ridge. Without the ridge it is McFadden's R2. The fit is that of scikit-learn's
    ``LogisticRegression(C=1/ridge)`` on standardised columns. The ridge keeps coefficients finite where
    features separate the classes.

    On the rows it was fitted to Q never falls when features are added, so with free sizes the largest wins,
    unless coefficients have a price: `penalty`.

    Of any linear predictors u, with the slopes g of the loss there,
    ``F(S) >= L(u) - <g, u> - sum_{j in S} (x_j'g)^2 / (2 ridge)``,
    equal for u the predictors of S: rows of the model, and the bound of the exact search.

    Parameters
    ----------
    data
        Columns of any kind: a category enters with all its levels, as one feature.
    family
        ``"logistic"`` (two classes), ``"multinomial"``, ``"poisson"`` (counts), ``"cox"`` (times, ties by
        Breslow) or ``"ordinal"`` (proportional odds).
    ridge
        Above 0.
    penalty
        ``"aic"``, ``"bic"`` or ``"ebic"``: minus twice the loss, less a price for each coefficient; None: the
        share. See `altsel.stats.generalised.worth.FittedModels`.
    weights
        One a row, at least 0, or the name of the column that holds them, which is no feature then: as often
        as a row counts, as scikit-learn's ``sample_weight``.
    given
        Names of features that are in every model, and not to choose from.
    offset
        Added to the linear predictor, one number a row, or the name of its column; such as the log of an
        exposure.
    event
        For ``"cox"``: whether the event was seen at that time, one a row, or the name of the column.
    expand
        ``"spline"``: each number enters as a natural cubic spline of three columns; None: as it is.

    Raises
    ------
    ArgumentError
        If an argument is none of these.
    DataError
        If the family does not take the target.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> x = random.normal(size=(60, 3))
    >>> data = Dataset({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2]}, x[:, 0] + random.normal(size=60) > 0)
    >>> quality = ModelFit(data)
    >>> [round(quality.score(np.arange(3) == j), 3) for j in range(3)]
    [0.241, 0.027, 0.045]
    """

    kind = Kind.MODEL_FIT
    exchangeable = True
    of_data = True
    fitted = "a regularised model"
    default_measure = absolute_pearson
    most_sets = 300
    """Admissible sets up to which all are evaluated."""

    def __init__(  # noqa: PLR0913 (options)
        self,
        data: Dataset,
        family: str = "logistic",
        ridge: float = 1.0,
        *,
        penalty: str | None = None,
        weights: Any = None,
        given: Collection[str] = (),
        offset: Any = None,
        event: Any = None,
        expand: str | None = None,
    ) -> None:
        of_kind("penalty", penalty, str | None, "the name of a criterion, such as 'bic'")
        self.family, self.ridge, self.given, self.expand = family, ridge, tuple(given), expand
        self.rows_hold = RowColumns(weights, offset, event)
        model = regularised_model(data, family, ridge, self.rows_hold, given, expand)
        self._models, self.penalty = FittedModels(model, penalty), penalty
        self.features = model.features
        self.describe(data, self.given, self.rows_hold.held)
        self.has_zero, self.rises = penalty is None, penalty is None
        self.least, self.most = self._range()
        self.name = f"{model.family.name} of {data.target} ({'; '.join(self._variant())})"
        alone = np.arange(len(self.features))[:, None]
        self.relevance = np.maximum(1.0 - fit_sets(model, alone).loss / model.null, 0.0)

    def __repr__(self) -> str:
        return f"<ModelFit: {self.name}, {len(self.features)} features>"

    def _variant(self) -> list[str]:
        parts = [self._models.title] if self.penalty else []
        parts += [f"ridge {self.ridge:g}"]
        parts += ["every event seen"] if self.family == "cox" and self.rows_hold.event is None else []
        for name in ROLES:
            given = getattr(self.rows_hold, name)
            parts += [] if given is None else [f"{name} {given if isinstance(given, str) else 'of the rows'}"]
        parts += [f"given {', '.join(self.given)}"] if self.given else []
        return parts + (["splines"] if self.expand else [])

    @property
    def settings(self) -> dict[str, str]:
        """Its family, ridge, penalty, what rows hold besides, and the columns always included."""
        told = {"family": self.family, "ridge": repr(float(self.ridge))}
        told.update({"penalty": self.penalty} if self.penalty else {})
        for name in ROLES:
            given = getattr(self.rows_hold, name)
            told.update({} if given is None else {name: given if isinstance(given, str) else "rows"})
        told.update({"expand": self.expand} if self.expand else {})
        return {**told, **({"given": ", ".join(self.given)} if self.given else {})}

    @property
    def sized_by(self) -> SizedBy:  # type: ignore[override]
        """Its penalty tells its size; without one, another fit's with a penalty does."""
        return SizedBy.ITSELF if self.penalty else SizedBy.PENALTY

    @property
    def quick_to_refit(self) -> bool:  # type: ignore[override]
        """Not of large tables."""
        return self._models.model.columns.size <= SMALL

    @property
    def quick_for_noise(self) -> bool:
        """Not where columns are given, or rows hold what belongs to their target."""
        return self.quick_to_refit and not self.given and not self._of_rows

    @property
    def _of_rows(self) -> list[str]:
        """Names of what rows hold that belongs to their target."""
        return [name for name in ("offset", "event") if getattr(self.rows_hold, name) is not None]

    def for_data(self, data: Dataset) -> ModelFit:
        """Return the same fit of other data.

        Raises
        ------
        ArgumentError
            If columns are given, or an offset or events: a target that is dealt to other rows loses them.
        """
        if self.given:
            raise ArgumentError(f"{self.name}: what the given columns explain would be shuffled too")
        if self._of_rows:
            raise ArgumentError(f"{self.name}: the {self._of_rows[0]} of a row belongs to its target")
        return self._like(data, self.penalty)

    def penalised(self, data: Dataset) -> ModelFit:
        """Return the fit by BIC, which has a best size."""
        return self._like(data, "bic")

    def _like(self, data: Dataset, penalty: str | None) -> ModelFit:
        return ModelFit(
            data,
            self.family,
            self.ridge,
            penalty=penalty,
            given=self.given,
            expand=self.expand,
            **vars(self.rows_hold),
        )

    @property
    def model_fit(self) -> FittedModels:
        """The models of all sets, and what they are worth."""
        return self._models

    def worth_of(self, members: IntArray) -> float:
        """Evaluate the formula on a set."""
        return float(self._worth(members[None])[0])

    def scores(self, members: IntArray) -> FloatArray:
        """Score many sets at once, given by the indices of their features, shape (sets, k)."""
        values = np.empty(len(members))
        for first in range(0, len(members), PORTION):
            clock().check()
            some = slice(first, first + PORTION)
            values[some] = self._worth(members[some])
        return values

    def _worth(self, members: IntArray, start: FloatArray | None = None) -> FloatArray:
        """Score sets; the fit of each begins at the same parameters if wanted."""
        begin = None if start is None else np.tile(start, (len(members), 1))
        cost = self._models.cost(fit_sets(self._models.model, members, start=begin).loss, members)
        return np.asarray(self._models.worth(cost, members.shape[1]))

    def exchanged(self, members: IntArray) -> FloatArray:
        """Score all sets with one feature exchanged, shape (k, features); some of them, where time is up."""
        k, n = len(members), len(self.features)
        others = np.setdiff1d(np.arange(n), members)
        values = np.full((k, n), -inf)
        for i in range(k):
            if clock().over:
                break
            left = np.delete(members, i)
            values[i, others] = self._with_each(left, others)
        return values

    def grown(self, members: IntArray) -> FloatArray | None:
        """Score all sets with one feature more, shape (features,)."""
        values = np.full(len(self.features), -inf)
        others = np.setdiff1d(np.arange(len(self.features)), members)
        values[others] = self._with_each(members, others)
        return values

    def _with_each(self, members: IntArray, others: IntArray) -> FloatArray:
        """Score a set with each of some features, from the model of the set."""
        sets = np.hstack([np.tile(members, (len(others), 1)), others[:, None]])
        return self._worth(sets, extended(self._models.model, members, 1))

    def coefficients(self, mask: BoolArray) -> tuple[FloatArray, FloatArray]:
        """Return the constants and the coefficients of the standardised columns of a set.

        Returns
        -------
        array
            The constants, or thresholds, shape (T,); none for ``"cox"``.
        array
            Of each predictor, shape (K, columns), 0 outside the set.
        """
        model, members = self._models.model, np.flatnonzero(mask)[None]
        constants, own = model.split(fit_sets(model, members).parameters[0])
        b = np.zeros((model.family.channels, len(model.columns)))
        b[:, model.columns_of(members)[0]] = own
        return constants, b[:, :-1]

    def _range(self) -> tuple[float, float]:
        """Bound the scores of all sets."""
        models, widest = self._models, float(self._models.prices.sum())
        sizes = range(len(self.features) + 1) if self.penalty else (0,)
        ends = [models.worth(cost, k) for k in sizes for cost in (models.lowest, models.model.null + widest)]
        hair = HAIR * max(map(abs, ends))
        return min(ends) - hair, nextafter(max(ends) + hair, inf)

    def row_at(self, block: Any, mask: BoolArray) -> Any:
        """Return the row of a set; where worth depends on more than a sum over the set, it is that of one."""
        if self.penalty == "ebic":
            return self.row_of_one(block, mask)
        return self.row_of_sum(block, *self.bounding_row(mask))

    @property
    def begins_at(self) -> tuple[BoolArray, ...]:
        """The row of no set, where rows are sums."""
        nothing = np.zeros(len(self.features), dtype=bool)
        return () if self.penalty == "ebic" else (nothing,)

    def bounding_row(self, mask: BoolArray) -> tuple[float, FloatArray]:
        """Return constant and slopes of ``Q(S) <= constant + sum of the slopes of S``, tight at a set."""
        clock().check()
        models, model = self._models, self._models.model
        constants, b = self.coefficients(mask)
        constant, prices = model.bounding_row(b @ model.columns[:-1], constants)
        prices = np.minimum(prices, max(constant - models.lowest, 0.0))
        steep = (models.worth(0.0, 0) - models.worth(1.0, 0)) if models.penalty is None else 2.0
        return float(models.worth(constant, 0)), steep * (prices - models.prices)
