"""Ridge regressions of many columns on one basis, which is decomposed once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray

PENALTIES = np.logspace(-5, 3, 17)
"""Penalties tried, a row."""
NEGLIGIBLE = 1e-10
"""Directions of the basis with less than this share of the largest one's length are none."""
SLACK = 0.05
"""Of penalties whose cross-validation is worse by no more than this share, the smallest is taken: a penalty
leaves part of what the given features do to both residuals, which correlates them."""
MOST = 0.5
"""Share of the rows that a fit may have as degrees of freedom."""


@dataclass(frozen=True, eq=False)
class Fits:
    """Regressions of some responses.

    Attributes
    ----------
    means
        Of the responses, shape (responses,).
    scores
        Responses along the directions of the basis, shape (directions, responses).
    shrinkage
        Shares of the scores that are fitted, of the same shape.
    """

    means: FloatArray
    scores: FloatArray
    shrinkage: FloatArray


@dataclass(frozen=True, eq=False)
class Ridge:
    r"""A basis with the singular value decomposition of its centred columns, ``U diag(l) V'``.

    A response y is fitted by ``mean(y) + U diag(l^2 / (l^2 + n c)) U' y``. Its own penalty c is chosen by
    generalised cross-validation, ``n RSS / (n - df)^2`` (Craven and Wahba 1979): the smallest that is not
    worse than the best by more than a share.

    Attributes
    ----------
    centre
        Means of the columns, shape (columns,).
    directions
        U, shape (rows, directions).
    lengths
        Squares of l, shape (directions,).
    back
        ``V diag(1 / l)``, which makes directions of columns; shape (columns, directions).
    """

    centre: FloatArray
    directions: FloatArray
    lengths: FloatArray
    back: FloatArray

    @classmethod
    def of(cls, columns: FloatArray) -> Ridge:
        """Decompose a basis, shape (rows, columns); of long ones the matrix of sums of products."""
        rows, width = columns.shape
        centre = columns.mean(axis=0) if width else np.zeros(0)
        centred = columns - centre
        if width < rows:
            lengths, vectors = np.linalg.eigh(centred.T @ centred)
        else:
            _, singular, transposed = np.linalg.svd(centred, full_matrices=False)
            lengths, vectors = singular**2, transposed.T
        kept = lengths > NEGLIGIBLE * max(lengths.max(initial=0.0), 1e-300)
        back = vectors[:, kept] / np.sqrt(lengths[kept])
        return cls(centre, centred @ back, lengths[kept], back)

    def fit(self, responses: FloatArray, slack: float = SLACK) -> Fits:
        """Regress responses, shape (rows, responses), each with its penalty."""
        rows = len(responses)
        means = responses.mean(axis=0)
        scores = self.directions.T @ responses
        penalty = rows * PENALTIES[:, None]
        shrinkage = self.lengths / (self.lengths + penalty)
        left_over = ((responses - means) ** 2).sum(axis=0) - (scores**2).sum(axis=0)
        rss = np.maximum(left_over, 0.0) + (1 - shrinkage) ** 2 @ scores**2
        free = rows - 1 - shrinkage.sum(axis=1)
        allowed = free >= (1 - MOST) * rows
        allowed[-1] = True
        score = np.where(allowed[:, None], rss / np.maximum(free, 1.0)[:, None] ** 2, np.inf)
        good = score <= (1 + slack) * score.min(axis=0)
        return Fits(means, scores, shrinkage[good.argmax(axis=0)].T)

    def residuals(self, responses: FloatArray, fits: Fits) -> FloatArray:
        """Return what is left of responses in the rows of the basis."""
        return np.asarray(responses - fits.means - self.directions @ (fits.shrinkage * fits.scores))

    def predict(self, columns: FloatArray, fits: Fits) -> FloatArray:
        """Predict other rows from their columns of the basis."""
        coefficients = self.back @ (fits.shrinkage * fits.scores)
        return np.asarray(fits.means + (columns - self.centre) @ coefficients)
