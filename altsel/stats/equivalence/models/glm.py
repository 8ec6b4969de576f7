"""Generalised linear models of the target by feature sets, fitted and judged on the same rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, special
from scipy.linalg import lapack

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.errors import ArgumentError
from altsel.stats.equivalence.protocol import Names, Remembered, known_features
from altsel.stats.independence.glm.design import RANK, Design
from altsel.stats.independence.glm.families import Categorical, Gaussian, GLMFamily, Poisson
from altsel.stats.independence.glm.newton import fit

FEW = 2000
"""Columns up to which the products of all pairs are computed once."""


@dataclass(frozen=True, eq=False)
class Fit:
    """One fitted model.

    Attributes
    ----------
    eta
        Linear predictors, shape (predictors, rows).
    log_likelihood
        Of all rows.
    columns
        Columns of its design that do not determine each other, with the intercept.
    left_over
        For a linear model the share of the target's variance it leaves unexplained.
    """

    eta: FloatArray
    log_likelihood: float
    columns: int
    left_over: float = 1.0


class GLMModels:
    """Linear, logistic, multinomial or Poisson regression, without any penalty.

    The loss of a row is its squared error for numbers (in the target's unit, squared), otherwise
    its deviance ``-2 log p(t)``. It is the loss on the rows fitted to: of nested sets the larger one
    never loses more.

    Parameters
    ----------
    data
        The rows.
    family
        Model of the target: classes, numbers or Poisson counts; default by its task.

    Raises
    ------
    ArgumentError
        If it is another one.

    Examples
    --------
    >>> import altsel
    >>> data = altsel.Dataset({"a": [0.0, 1, 2, 3], "b": [1.0, 0, 0, 1]}, [0.1, 1.1, 2.1, 3.1])
    >>> models = GLMModels(data)
    >>> models.losses(["a"]).round(6).tolist(), models.losses(["b"]).round(4).tolist()
    ([0.0, 0.0, 0.0, 0.0], [2.25, 0.25, 0.25, 2.25])
    """

    FAMILIES = (Categorical, Gaussian, Poisson)

    def __init__(self, data: Dataset, family: GLMFamily | None = None) -> None:
        checked_dataset("GLMModels", data)
        if family is not None and not isinstance(family, self.FAMILIES):
            raise ArgumentError(f"family={family!r}; use Categorical(), Gaussian() or Poisson()")
        self.data = data
        self.family = family or (Categorical() if data.discrete_target else Gaussian())
        self.response = self.family.response(data.y)
        self._place = {name: j for j, name in enumerate(data.features)}
        self._design = Design.of(data.X, list(data.kinds.values()))
        self._gram: FloatArray | None = None
        self._fits = Remembered(self._fit)

    @property
    def name(self) -> str:
        """The models in words."""
        return f"{self.family.name} regression"

    def fit(self, features: Names) -> Fit:
        """Fit the model of a set."""
        found: Fit = self._fits(features)
        return found

    def design(self, features: Names) -> FloatArray:
        """Return intercept and columns of a set, without those that others determine."""
        return self._design.given(self._places(features))

    def log_likelihoods(self, features: Names) -> FloatArray:
        """Return the log-likelihood of every row, a linear model with its variance at the estimate."""
        found = self.fit(features)
        if isinstance(self.family, Gaussian):
            error = self.response[0] - found.eta[0]
            variance = max(float(np.mean(error**2)), np.finfo(float).tiny)
            return np.asarray(-0.5 * (np.log(2 * np.pi * variance) + error**2 / variance))
        if isinstance(self.family, Poisson):
            counts = self.response[0]
            return np.asarray(
                counts * found.eta[0] - self.family.mean(found.eta)[0] - special.gammaln(counts + 1)
            )
        return np.asarray(np.log(np.maximum(self._of_own_class(found), np.finfo(float).tiny)))

    def losses(self, features: Names) -> FloatArray:
        """Return squared errors, or deviances."""
        if isinstance(self.family, Gaussian):
            return np.asarray((self.truth() - self.predictions(features)) ** 2)
        return -2 * self.log_likelihoods(features)

    def predictions(self, features: Names) -> FloatArray:
        """Return expected values, or probabilities of the second of two classes or of the rows' classes."""
        found = self.fit(features)
        if isinstance(self.family, Gaussian):
            y = self.truth()
            return np.asarray(y.mean() + y.std() * found.eta[0])
        if isinstance(self.family, Poisson) or len(self.response) == 1:
            return np.asarray(self.family.mean(found.eta)[0])
        return self._of_own_class(found)

    def truth(self) -> FloatArray:
        """Return the target as numbers."""
        return self.data.target_values()

    def _of_own_class(self, found: Fit) -> FloatArray:
        mean = self.family.mean(found.eta)
        first = 1 - self.response.sum(axis=0)
        return np.asarray((self.response * mean).sum(axis=0) + first * (1 - mean.sum(axis=0)))

    def _fit(self, features: tuple[str, ...]) -> Fit:
        if isinstance(self.family, Gaussian):
            return self._least_squares(features)
        design = self.design(features)
        fitted = fit(self.family, self.response, design)
        return Fit(fitted.eta, fitted.log_likelihood, design.shape[1])

    def _least_squares(self, features: tuple[str, ...]) -> Fit:
        """Solve the normal equations of scaled columns, by a pivoted Cholesky factor that tells the rank."""
        chosen = self._design.columns_given(self._places(features))
        rows, y = len(self._design.matrix), self.response[0]
        if not len(chosen):
            return Fit(np.zeros((1, rows)), 0.0, 1)
        gram, target = self._products(chosen)
        _, order, rank, _ = lapack.dpstrf(gram, tol=RANK)
        free = np.sort(order[:rank] - 1)
        weights = linalg.solve(gram[np.ix_(free, free)], target[free], assume_a="pos")
        eta = self._design.matrix[:, chosen[free]] @ weights
        left = max(float(np.mean((y - eta) ** 2)), np.finfo(float).tiny)
        return Fit(eta[None], -rows / 2 * np.log(left), 1 + int(rank), left)

    def _products(self, chosen: IntArray) -> tuple[FloatArray, FloatArray]:
        """Mean products of columns with each other and with the target; of few columns all are kept."""
        matrix, y = self._design.matrix, self.response[0]
        if matrix.shape[1] > FEW:
            part = matrix[:, chosen]
            return part.T @ part / len(y), part.T @ y / len(y)
        if self._gram is None:
            self._gram = matrix.T @ np.column_stack([matrix, y]) / len(y)
        return self._gram[np.ix_(chosen, chosen)], self._gram[chosen, -1]

    def _places(self, features: Names) -> list[int]:
        known_features(features, self._place)
        return sorted(self._place[name] for name in set(features))
