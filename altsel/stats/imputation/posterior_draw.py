"""A linear regression whose coefficients and variance are drawn from their posterior, for an imputer."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from altsel._types import FloatArray

RIDGE = 1e-5
"""Share of the squares that is added to them, so that copies of columns have a regression."""


class PosteriorDraw(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Draw a linear regression: what it predicts are the means of values, and their standard deviation.

    With q coefficients, n rows and residuals e, sigma^2 is ``e'e / chi^2(n - q)``, and the coefficients are
    ``N(b, sigma^2 (X'X)^-1)``. Drawn once for all rows: where each row draws by itself, as by scikit-learn's
    own Bayesian regressions, imputed tables differ by too little, and tests find too much.

    Parameters
    ----------
    seed
        Seed, beside the numbers themselves.

    References
    ----------
    Rubin, "Multiple imputation for nonresponse in surveys" (1987), p. 167: the method ``norm`` of mice.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, X: Any, y: Any) -> PosteriorDraw:
        """Draw variance and coefficients."""
        x, y = np.column_stack([np.ones(len(y)), X]), np.asarray(y, dtype=float)
        random = np.random.default_rng((self.seed, crc32(x.tobytes()), crc32(y.tobytes())))
        squares = x.T @ x
        squares[np.diag_indices_from(squares)] *= 1 + RIDGE
        inverse = np.linalg.inv(squares)
        best = inverse @ (x.T @ y)
        free = max(len(y) - x.shape[1], 1)
        left = y - x @ best
        self.sigma_ = float(np.sqrt(left @ left / random.chisquare(free)))
        root = np.linalg.cholesky((inverse + inverse.T) / 2)
        self.coefficients_ = best + self.sigma_ * root @ random.normal(size=len(best))
        return self

    def predict(self, X: Any, return_std: bool = False) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Predict by what was drawn, and with ``return_std`` the standard deviation of values."""
        mean = np.asarray(self.coefficients_[0] + np.asarray(X) @ self.coefficients_[1:])
        return (mean, np.full(len(mean), self.sigma_)) if return_std else mean
