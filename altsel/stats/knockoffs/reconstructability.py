r"""How far knockoffs are from their features: the diagonal s of ``Cov(X, X~) = Sigma - diag(s)``.

Features and Gaussian knockoffs have the covariance

.. math:: G = \begin{pmatrix} \Sigma & \Sigma - S \\ \Sigma - S & \Sigma \end{pmatrix}, \qquad S = diag(s),

whose eigenvalues are those of S and of :math:`2 \Sigma - S`. All s that leave it positive definite make valid
knockoffs. Those that minimise :math:`tr(G^{-1}) = \sum_j 1 / s_j + tr((2 \Sigma - S)^{-1})` make it hardest
to reconstruct a feature from the rest: MVR, of Spector and Janson, Annals of Statistics 50 (2022).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altsel._types import FloatArray
from altsel.runtime.on_demand import OnDemand

optimize: Any = OnDemand("scipy.optimize")

SWEEPS = 100
"""Most sweeps through all coordinates."""
CLOSE = 1e-5
"""Largest change of an s in a sweep that ends them, of a correlation matrix."""


def mvr(correlation: FloatArray) -> FloatArray:
    r"""Minimise over each s in turn, until none changes.

    With :math:`D = 2 \Sigma - S`, :math:`a = (D^{-1})_{jj}` and :math:`b = \|D^{-1} e_j\|` a change d of
    :math:`s_j` alone leaves :math:`1 / (s_j + d) + b^2 d / (1 - a d)` and what does not depend on d: its
    minimum is at :math:`d = (1 - b s_j) / (a + b)`, within the bounds. The inverse follows by a change of
    rank 1, and is made anew every sweep.

    Parameters
    ----------
    correlation
        Positive definite, shape (features, features).

    Examples
    --------
    >>> mvr(np.eye(2)).round(6).tolist()
    [1.0, 1.0]
    """
    s = np.full(len(correlation), equal_mvr(np.asarray(np.linalg.eigvalsh(correlation), dtype=float)))
    for _ in range(SWEEPS):
        before, inverse = s.copy(), np.linalg.inv(2 * correlation - np.diag(s))
        for j in range(len(s)):
            column = inverse[:, j].copy()
            a, b = column[j], np.sqrt(column @ column)
            change = (1 - b * s[j]) / (a + b)
            s[j] += change
            inverse += np.outer(column * (change / (1 - a * change)), column)
        if np.abs(s - before).max() < CLOSE:
            break
    return s


def equal_mvr(eigenvalues: FloatArray) -> float:
    r"""Minimise the same where all s are equal: :math:`p / s + \sum_i 1 / (2 \lambda_i - s)`.

    Parameters
    ----------
    eigenvalues
        All p of the correlation matrix, above 0.

    Examples
    --------
    >>> round(equal_mvr(np.array([1.0, 1.0])), 6)
    1.0
    """
    most = 2 * float(eigenvalues.min())

    def slope(share: float) -> float:
        return float(
            -len(eigenvalues) / (share * most) ** 2 + (1 / (2 * eigenvalues - share * most) ** 2).sum()
        )

    edge = 0.5 / (1 + np.sqrt(len(eigenvalues)))
    return most * float(optimize.brentq(slope, edge / 2, 1 - edge))


def equicorrelated(eigenvalues: FloatArray) -> float:
    r"""Return :math:`\min(1, 2 \lambda_{min})`: as far as equal s can be (Barber and Candès, 2015).

    Examples
    --------
    >>> equicorrelated(np.array([0.25, 1.75]))
    0.5
    """
    return min(1.0, 2 * float(eigenvalues.min()))
