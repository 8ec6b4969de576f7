"""Values of one column drawn given others: numbers by a linear regression, levels by a logistic one."""

from __future__ import annotations

import warnings
from importlib import import_module

import numpy as np

from altsel._types import FloatArray

RIDGE = 1e-5
"""Share of the squares that is added to them, so that copies of columns have a regression."""


def drawn_numbers(x: FloatArray, y: FloatArray, at: FloatArray, random: np.random.Generator) -> FloatArray:
    """Draw numbers at some rows by a linear regression that is itself drawn from its posterior.

    With q coefficients, n rows and residuals e, sigma^2 is ``e'e / chi^2(n - q)``, the coefficients are
    ``N(b, sigma^2 (X'X)^-1)``, and a value is ``N(x'b, sigma^2)``. Drawn once for all rows: where each row
    draws coefficients by itself, imputed tables differ by too little, and tests find too much.

    Parameters
    ----------
    x, y
        Rows where the number is known, shape (n, columns), and the number.
    at
        The others, shape (m, columns).
    random
        What draws.

    References
    ----------
    Rubin, "Multiple imputation for nonresponse in surveys" (1987), p. 167: the method ``norm`` of mice.
    """
    x = np.column_stack([np.ones(len(x)), x])
    squares = x.T @ x
    own = squares.diagonal()  # of a column of zeros any would do
    squares[np.diag_indices_from(squares)] = np.where(own > 0, own * (1 + RIDGE), 1.0)
    inverse = np.linalg.inv(squares)
    best = inverse @ (x.T @ y)
    left = y - x @ best
    sigma = np.sqrt(left @ left / random.chisquare(max(len(y) - x.shape[1], 1)))
    root = np.linalg.cholesky((inverse + inverse.T) / 2)
    drawn = best + sigma * root @ random.normal(size=len(best))
    return np.asarray(drawn[0] + at @ drawn[1:] + sigma * random.normal(size=len(at)))


def drawn_levels(x: FloatArray, y: FloatArray, at: FloatArray, random: np.random.Generator) -> FloatArray:
    """Draw levels at some rows by a logistic regression of a bootstrap sample; arguments as above.

    The sample stands for the posterior of the coefficients. A ridge as of one row more keeps coefficients
    finite where levels are told apart without error.

    References
    ----------
    van Buuren, "Flexible imputation of missing data" (2018), sections 3.6.1 and 3.6.3: the method
    ``logreg.boot`` of mice; for several levels by a multinomial regression.
    """
    rows = random.integers(0, len(y), len(y))
    levels = np.unique(y[rows])
    if len(levels) == 1:
        return np.full(len(at), levels[0])
    model = import_module("sklearn.linear_model").LogisticRegression()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fit that is not quite at its end draws as well
        shares = model.fit(x[rows], y[rows]).predict_proba(at)
    index = (shares.cumsum(axis=1) < random.random((len(at), 1))).sum(axis=1)
    return np.asarray(model.classes_[np.minimum(index, len(levels) - 1)])
