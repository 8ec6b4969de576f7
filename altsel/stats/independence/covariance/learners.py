"""Regressions that residuals are of: ridge regressions on a basis, or any estimator of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError, did_you_mean, listing
from altsel.runtime.clock import clock
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.covariance.ridge import SLACK, Ridge
from altsel.stats.independence.covariance.variables import LINEAR, Columns, splines, standardised

base: Any = OnDemand("sklearn.base")
ensemble: Any = OnDemand("sklearn.ensemble")

FOLDS = 5
"""Parts of the rows, each of which is predicted by an estimator that has seen the others."""
FEW_KNOTS = 5
"""Knots of the splines of what is left of a candidate."""
WAVES = 200
"""Random features of the kernel."""


@dataclass(frozen=True, eq=False)
class Residuals:
    """What regressions leave of some columns.

    Attributes
    ----------
    values
        Shape (rows, columns).
    kept
        Of linear smoothers with ``M = I - hat``: its eigenvalues in the directions of the basis, shape
        (directions, columns); no directions for others.
    """

    values: FloatArray
    kept: FloatArray

    def columns(self, chosen: slice) -> Residuals:
        """Return some columns."""
        return Residuals(self.values[:, chosen], self.kept[:, chosen])


class Smoother(Protocol):
    """Regressions on some variables, in some rows."""

    def residuals(self, responses: FloatArray) -> Residuals:
        """Return residuals of responses, shape (rows, columns)."""

    def predict(self, responses: FloatArray, rows: IntArray) -> FloatArray:
        """Fit responses, and predict some rows; shape (rows, columns)."""


class Learner(Protocol):
    """What makes regressions."""

    @property
    def name(self) -> str:
        """The regressions in words."""

    def smoother(self, columns: Columns, known: list[int], rows: IntArray) -> Smoother:
        """Prepare regressions on known variables, in some rows."""

    def with_candidate(
        self, columns: Columns, known: list[int], rows: IntArray, candidate: int, alone: Smoother
    ) -> Smoother:
        """Prepare regressions on a candidate, too; `alone` are those on the known variables."""


@dataclass(frozen=True)
class OnBasis:
    """Ridge regressions on a basis.

    Attributes
    ----------
    name
        In words.
    basis
        ``basis(columns, known)`` makes columns of known variables.
    extended
        ``extended(columns, known, candidate, left)`` makes those of a candidate, of which the known variables
        leave `left`, shape (rows, columns).
    """

    name: str
    basis: Callable[[Columns, list[int]], FloatArray]
    extended: Callable[[Columns, list[int], int, FloatArray], FloatArray]

    def smoother(self, columns: Columns, known: list[int], rows: IntArray) -> BasisSmoother:
        """Decompose the basis."""
        basis = self.basis(columns, known)
        return BasisSmoother(Ridge.of(basis[rows]), basis)

    def with_candidate(
        self, columns: Columns, known: list[int], rows: IntArray, candidate: int, alone: Smoother
    ) -> ExtendedSmoother:
        """Decompose what the known variables leave of the candidate's columns."""
        every = np.arange(columns.rows)
        unit = columns.response(candidate)
        left = unit - alone.predict(unit[rows], every)
        added = self.extended(columns, known, candidate, left)
        added = added - alone.predict(added[rows], every)
        return ExtendedSmoother(alone, BasisSmoother(Ridge.of(added[rows]), added, slack=0.0), rows)


@dataclass(frozen=True, eq=False)
class BasisSmoother:
    """A decomposed basis, its columns in all rows, and how much worse than the best penalties may be."""

    ridge: Ridge
    basis: FloatArray
    slack: float = SLACK

    def residuals(self, responses: FloatArray) -> Residuals:
        """Return residuals in the rows of the basis."""
        fits = self.ridge.fit(responses, self.slack)
        return Residuals(self.ridge.residuals(responses, fits), 1 - fits.shrinkage)

    def predict(self, responses: FloatArray, rows: IntArray) -> FloatArray:
        """Fit, and predict some rows."""
        return self.ridge.predict(self.basis[rows], self.ridge.fit(responses, self.slack))


@dataclass(frozen=True, eq=False)
class ExtendedSmoother:
    """Regressions on known variables and then, of what they leave, on the columns of a candidate."""

    alone: Smoother
    added: BasisSmoother
    rows: IntArray

    def residuals(self, responses: FloatArray) -> Residuals:
        """Return residuals of both."""
        left = responses - self.alone.predict(responses, self.rows)
        return self.added.residuals(left)

    def predict(self, responses: FloatArray, rows: IntArray) -> FloatArray:
        """Fit both, and predict some rows."""
        left = responses - self.alone.predict(responses, self.rows)
        return self.alone.predict(responses, rows) + self.added.predict(left, rows)


def straight(columns: Columns, known: list[int]) -> FloatArray:
    """Return numbers as they are and indicators of categories."""
    return np.hstack([columns.values[:, :0], *(columns.straight(j) for j in known)])


def what_is_left(columns: Columns, known: list[int], candidate: int, left: FloatArray) -> FloatArray:
    """Return what is left of a candidate."""
    return standardised(left)


def curves(columns: Columns, known: list[int]) -> FloatArray:
    """Return cubic splines of each number, indicators of categories, and products of each two variables."""
    blocks = [columns.curve(j) for j in known]
    plain = [standardised(columns.straight(j)) for j in known]
    products = [product(plain[a], plain[b]) for a in range(len(known)) for b in range(a + 1, len(known))]
    return np.hstack([columns.values[:, :0], *blocks, *products])


def curves_of_what_is_left(
    columns: Columns, known: list[int], candidate: int, left: FloatArray
) -> FloatArray:
    """Return splines of a candidate and of what is left of it, and products of that with known variables."""
    left = standardised(left)
    blocks = [LINEAR * left]
    if left.shape[1] == 1:
        blocks += [splines(left, FEW_KNOTS), columns.curve(candidate)]
    return np.hstack([*blocks, *(product(left, standardised(columns.straight(j))) for j in known)])


def product(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the products of each two columns, of mean square 1."""
    return standardised((first[:, :, None] * second[:, None, :]).reshape(len(first), -1))


def waves(columns: Columns, known: list[int]) -> FloatArray:
    """Return numbers and indicators, and random Fourier features of a Gaussian kernel of all of them.

    The kernel's variance is the number of columns. Rahimi and Recht, Advances in Neural Information
    Processing Systems 20 (2007), algorithm 1.
    """
    linear = straight(columns, known)
    return np.hstack([linear, features(standardised(linear))]) if known else linear


def waves_of_what_is_left(columns: Columns, known: list[int], candidate: int, left: FloatArray) -> FloatArray:
    """Return what is left of a candidate, and random features of it and of the known variables."""
    left = standardised(left)
    return np.hstack([LINEAR * left, features(np.hstack([standardised(straight(columns, known)), left]))])


def features(columns: FloatArray) -> FloatArray:
    """Return cosines of random projections."""
    random = np.random.default_rng(5)
    projected = columns @ random.normal(size=(columns.shape[1], WAVES)) / np.sqrt(columns.shape[1])
    return standardised(np.cos(projected + random.uniform(0, 2 * np.pi, WAVES)))


@dataclass(frozen=True, eq=False)
class Estimators:
    """Clones of estimators of scikit-learn, which get numbers as they are and categories as indicators.

    Residuals are those of rows that a clone has not seen (cross-fitting), so that no estimator is too
    flexible.

    Attributes
    ----------
    classifier
        Of columns of 0 and 1, by its probabilities; None: as numbers.
    regressor
        Of numbers.
    seed
        Of the parts, and of estimators that have none.
    """

    classifier: Any
    regressor: Any
    seed: int

    @property
    def name(self) -> str:
        """Names of the classes."""
        used = [type(one).__name__ for one in (self.classifier, self.regressor) if one is not None]
        return " and ".join(dict.fromkeys(used))

    def smoother(self, columns: Columns, known: list[int], rows: IntArray) -> EstimatorSmoother:
        """Collect the variables."""
        return EstimatorSmoother(self, columns.numbers(known), rows)

    def with_candidate(
        self, columns: Columns, known: list[int], rows: IntArray, candidate: int, alone: Smoother
    ) -> EstimatorSmoother:
        """Collect the variables and the candidate."""
        return EstimatorSmoother(self, columns.numbers([*known, candidate]), rows)

    def fitted(self, X: FloatArray, y: FloatArray) -> Callable[[FloatArray], FloatArray]:
        """Fit a clone to a response, and return what predicts.

        Raises
        ------
        ArgumentError
            If it fails.
        """
        mean = float(y.mean())
        if not X.shape[1] or y.min() == y.max():
            return lambda new: np.full(len(new), mean)
        classes = self.classifier is not None and set(np.unique(y)) == {0.0, 1.0}
        model = base.clone(self.classifier if classes else self._regressor())
        unset = [name for name, value in model.get_params().items() if _seedless(name, value)]
        model.set_params(**dict.fromkeys(unset, self.seed))
        try:
            model.fit(X, y.astype(int) if classes else y)
        except Exception as fault:
            raise ArgumentError(f"{type(model).__name__} cannot be fitted: {fault}") from fault
        if classes:
            return lambda new: np.asarray(model.predict_proba(new)[:, 1], dtype=float)
        return lambda new: np.asarray(model.predict(new), dtype=float).reshape(len(new))

    def _regressor(self) -> Any:
        if self.regressor is None:
            raise ArgumentError(
                f"learner={self.name} is a classifier, and some variables are numbers: give a pair "
                "(classifier, regressor)"
            )
        return self.regressor


def _seedless(name: str, value: object) -> bool:
    return name.rsplit("__", maxsplit=1)[-1] == "random_state" and value is None


@dataclass(frozen=True, eq=False)
class EstimatorSmoother:
    """Estimators on some variables: their numbers in all rows, and the rows to fit in."""

    learner: Estimators
    numbers: FloatArray
    rows: IntArray

    def residuals(self, responses: FloatArray) -> Residuals:
        """Predict each part of the rows by what was fitted to the others."""
        X, parts = self.numbers[self.rows], self._parts()
        left = np.empty_like(responses)
        for k in range(responses.shape[1]):
            for part in range(FOLDS):
                clock().check()
                test = parts == part
                predict = self.learner.fitted(X[~test], responses[~test, k])
                left[test, k] = responses[test, k] - predict(X[test])
        return Residuals(left, np.empty((0, responses.shape[1])))

    def predict(self, responses: FloatArray, rows: IntArray) -> FloatArray:
        """Fit to all rows, and predict some."""
        clock().check()
        X, new = self.numbers[self.rows], self.numbers[rows]
        return np.stack([self.learner.fitted(X, response)(new) for response in responses.T], axis=1)

    def _parts(self) -> IntArray:
        return np.random.default_rng(self.learner.seed).permutation(len(self.rows)) % FOLDS


ON_BASES = {
    "linear": OnBasis("linear ridge regression", straight, what_is_left),
    "splines": OnBasis("ridge regression on splines", curves, curves_of_what_is_left),
    "kernel": OnBasis("ridge regression on random features", waves, waves_of_what_is_left),
}


def chosen_learner(learner: Any, seed: int) -> Learner:
    """Return a learner by its name, or of an estimator or a pair (classifier, regressor).

    Raises
    ------
    ArgumentError
        If it is none of these.
    """
    if isinstance(learner, str):
        if learner == "forest":
            return Estimators(None, ensemble.RandomForestRegressor(100, min_samples_leaf=5), seed)
        if learner not in ON_BASES:
            names = [*ON_BASES, "forest"]
            hint = did_you_mean(learner, names)
            raise ArgumentError(f"learner={learner!r}; use one of {listing(names)}, or an estimator{hint}")
        return ON_BASES[learner]
    parts = learner if isinstance(learner, tuple) else (learner,)
    if len(parts) > 2 or not parts or not all(_estimator(one) for one in parts):
        raise ArgumentError(
            f"learner={learner!r}; give 'linear', 'splines', 'kernel', 'forest', an estimator of "
            "scikit-learn or a pair (classifier, regressor)"
        )
    if len(parts) == 2:
        if not base.is_classifier(parts[0]) or base.is_classifier(parts[1]):
            raise ArgumentError("learner: a pair is (classifier, regressor), in this order")
        return Estimators(parts[0], parts[1], seed)
    if base.is_classifier(parts[0]):
        return Estimators(parts[0], None, seed)
    return Estimators(None, parts[0], seed)


def _estimator(one: object) -> bool:
    return not isinstance(one, type) and all(hasattr(one, name) for name in ("fit", "predict", "get_params"))
