"""Partial correlations from a Cholesky factor that grows and shrinks with the conditioning set."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.columns import moderate
from altsel.stats.independence.unit_columns import UnitColumns

DETERMINED = 1e-10
"""A variable of which the given ones leave no more than this share of variance is determined by them."""
TRUSTED = 1e6
"""Largest diagonal of an inverse that is used: a variable keeps a millionth of its variance."""


class Factors:
    """Correlations of all variables, and a stack of Cholesky rows for one conditioning set at a time.

    With ``R = L L'`` for the given variables S, row k of ``V = L^-1 R[S, all]`` is found from
    the rows before it; ``R - V' V`` are the residual covariances. The next set keeps the rows
    of the prefix it shares with the last one.

    Parameters
    ----------
    matrix
        Shape (rows, variables); no column is constant.
    counts
        How often each row counts; None: once.
    """

    def __init__(self, matrix: FloatArray, counts: FloatArray | None = None) -> None:
        self.rows: float = len(matrix) if counts is None else float(counts.sum())
        matrix = moderate(matrix)
        if counts is None:
            centred = matrix - matrix.mean(axis=0)
        else:
            centred = (matrix - counts @ matrix / self.rows) * np.sqrt(counts)[:, None]
        scale = np.sqrt((centred**2).sum(axis=0))
        unit = np.asfortranarray(centred / scale)
        self._correlated: Callable[[int], FloatArray] = lambda index: unit[:, index] @ unit
        self._columns: dict[int, FloatArray] = {}
        self._begin(matrix.shape[1])

    @classmethod
    def from_columns(cls, columns: UnitColumns, rows: float) -> Factors:
        """Take columns of length 1, and the number of rows."""
        made = cls.__new__(cls)
        made.rows = float(rows)
        made._correlated, made._columns = columns.products, {}
        made._begin(columns.width)
        return made

    @classmethod
    def from_correlations(cls, correlations: FloatArray, rows: float) -> Factors:
        """Take the correlations of all variables, shape (variables, variables), and the number of rows."""
        made = cls.__new__(cls)
        made.rows = float(rows)
        made._columns = dict(enumerate(np.ascontiguousarray(correlations)))
        made._begin(len(correlations))
        return made

    def _begin(self, variables: int) -> None:
        self._given: list[int] = []
        self._stack = np.zeros((8, variables))
        self._left = [np.ones(variables)]

    def correlations(self, index: int) -> FloatArray:
        """Correlate one variable with all."""
        if index not in self._columns:
            self._columns[index] = self._correlated(index)
        return self._columns[index]

    def partial(self, indices: IntArray, target: int, given: Sequence[int]) -> tuple[FloatArray, int]:
        """Correlate candidates with the target given others; also return the rank of the given ones."""
        self._condition(given)
        rows = self._stack[: len(self._given)]
        left = self._left[-1]
        covariance = self.correlations(target)[indices] - rows[:, target] @ rows[:, indices]
        scale = left[indices] * left[target]
        free = (left[indices] > DETERMINED) & (left[target] > DETERMINED)
        partial = np.divide(covariance, np.sqrt(scale), out=np.zeros(len(indices)), where=free)
        return np.clip(partial, -1, 1), int((rows.any(axis=1)).sum())

    def each_given_others(self, indices: IntArray, target: int) -> FloatArray | None:
        """Correlate each variable with the target given all others.

        With ``P`` the inverse of their correlations, ``r_j = -P_jt / sqrt(P_jj P_tt)``.

        Returns
        -------
        array or None
            None where the inverse is not to be trusted: one variable is all but determined by others.
        """
        both = np.append(indices, target)
        gram = np.array([self.correlations(index)[both] for index in both.tolist()])
        try:
            inverse = np.linalg.inv(gram)
        except np.linalg.LinAlgError:
            return None
        diagonal = np.diag(inverse)
        if not (diagonal > 0).all() or diagonal.max() > TRUSTED:
            return None
        return np.asarray(np.clip(-inverse[:-1, -1] / np.sqrt(diagonal[:-1] * diagonal[-1]), -1, 1))

    def forget(self) -> None:
        """Drop the rows of the last set."""
        self._given.clear()
        del self._left[1:]

    def _condition(self, given: Sequence[int]) -> None:
        shared = 0
        while shared < min(len(given), len(self._given)) and given[shared] == self._given[shared]:
            shared += 1
        del self._given[shared:], self._left[shared + 1 :]
        for index in given[shared:]:
            self._push(index)

    def _push(self, index: int) -> None:
        """Add the row of one more given variable; of zeros if those before determine it."""
        depth = len(self._given)
        if depth == len(self._stack):
            self._stack = np.concatenate([self._stack, np.zeros_like(self._stack)])
        rows, left = self._stack[:depth], self._left[-1]
        row = np.zeros(len(left))
        if left[index] > DETERMINED:
            row = (self.correlations(index) - rows[:, index] @ rows) / np.sqrt(left[index])
        self._stack[depth] = row
        self._left.append(np.maximum(left - row**2, 0.0))
        self._given.append(index)
