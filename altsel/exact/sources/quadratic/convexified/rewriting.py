"""A quadratic form as a convex part and pairs that only cost, safe against rounding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altsel._types import FloatArray
from altsel.exact.sources.quadratic.convexified.dual import Costs, Dual

UNIT = 2.0**-53
"""Relative error of one rounding."""
WIDER = 8.0
"""Factor by which the diagonal's shift is raised where the certificate fails."""


@dataclass(frozen=True, eq=False)
class Rewriting:
    """``single's + s'Ss + s'Ns``, at most the costs of every set that keeps the rows, but for rounding.

    Attributes
    ----------
    single
        Costs of single features, with the prices of rows.
    convex
        S: positive semidefinite, certified.
    pairs
        N; no entry is below 0.
    constant
        What the prices of rows give back.
    bound
        The dual's bound on the costs of every set, less what its eigenvalue may be off.
    rounding
        By how much rounding may put a value of the form off, in all that is computed with it.
    """

    single: FloatArray
    convex: FloatArray
    pairs: FloatArray
    constant: float
    bound: float
    rounding: float


def rewritten(costs: Costs, dual: Dual) -> Rewriting:
    """Rewrite costs by a dual solution, whatever it is: only how tight the form is depends on it.

    With ``N_ij = W_ij - S_ij - u_i - u_j`` the costs of a set of k are those of
    ``single_i + 2 (k - 1) u_i - S_ii`` and of S and N. A negative N_ij is taken as 0, and each feature
    charged its k - 1 most negative ones. S gets a small multiple of the identity, which the single costs
    give back.

    The dual's bound takes the largest eigenvalue from floating point. What S lacks to be positive
    semidefinite is at most the shift c of the certificate; as S is 0 on ``(k, -1, ..., -1)`` but for that,
    a set's bound is at most ``c |s + 1/k|^2 = c (k + 2 + n / k^2)`` too high.

    Parameters
    ----------
    costs
        What is rewritten.
    dual
        A solution of `altsel.exact.sources.quadratic.convexified.dual.Splitting`.
    """
    k, n = costs.size, len(costs.single)
    convex, shift = certify(dual.convex)
    pairs = costs.double - dual.convex - dual.shares[:, None] - dual.shares[None, :]
    np.fill_diagonal(pairs, 0.0)
    below = np.minimum(pairs, 0.0)
    charged = np.partition(below, k - 2, axis=1)[:, : k - 1].sum(axis=1) if k > 1 else np.zeros(n)
    single = costs.single + dual.prices @ costs.rows - np.diag(dual.convex) - shift
    single = single + 2 * (k - 1) * dual.shares + charged
    N = np.maximum(pairs, 0.0)
    largest = float(np.abs(costs.double).max() + np.abs(convex).max() + 2 * np.abs(dual.shares).max())
    alone = float((np.abs(single) + np.abs(costs.single) + dual.prices @ np.abs(costs.rows)).max())
    terms = k * alone + 4 * k * k * largest + float(np.abs(dual.prices) @ np.abs(costs.limits))
    eigenvalue = shift * (k + 2 + n / k**2) + 8 * (n + 2) * UNIT * (k + 1) * float(np.trace(np.abs(convex)))
    return Rewriting(
        single,
        convex,
        N,
        -float(dual.prices @ costs.limits),
        dual.bound - eigenvalue,
        16 * UNIT * (n + 100 + 2 * k) * terms,
    )


def certify(matrix: FloatArray) -> tuple[FloatArray, float]:
    """Add the least multiple of the identity tried with which a matrix surely is positive semidefinite.

    That the Cholesky factorisation of ``A - c I`` runs to its end in floating point is a proof for A, where
    ``c >= (n + 2) u trace(A) / (1 - (n + 2) u)`` (Rump 2006); twice that is asked for.

    Returns
    -------
    array
        The matrix.
    float
        What was added to its diagonal.
    """
    n, shift = len(matrix), 0.0
    trace = float(np.abs(np.diag(matrix)).sum()) + 1e-300
    while True:
        margin = 2 * (n + 2) * UNIT * (trace + n * shift)
        shift = max(WIDER * shift, 2 * margin)
        raised, checked = matrix.copy(), matrix.copy()
        raised[np.diag_indices(n)] += shift
        checked[np.diag_indices(n)] += shift - 2 * (n + 2) * UNIT * (trace + n * shift)
        try:
            np.linalg.cholesky(checked)
        except np.linalg.LinAlgError:
            continue
        return raised, shift
