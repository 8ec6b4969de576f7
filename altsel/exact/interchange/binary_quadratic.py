"""A question as a binary quadratic problem without constraints: what annealers and QUBO solvers take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray
from altsel.errors import ArgumentError


@dataclass(frozen=True, eq=False)
class BinaryQuadratic:
    """``minimise E(x) = offset + sum_i a_i x_i + sum_{i<j} b_ij x_i x_j`` over all 0/1 vectors x.

    Attributes
    ----------
    names
        Of the variables: those of the features first, in their order, then those of slacks.
    features
        Number of variables that are features.
    linear
        The a, shape (variables,).
    quadratic
        The b that are not 0, by pairs i < j.
    offset
        So that E of a set that keeps all is minus its score.
    penalty
        Least that a vector pays that is no set, or breaks a rule.
    none_above
        If the least energy of all is above, no set keeps all.
    criterion
        What E is minus of, in words.

    Examples
    --------
    >>> small = BinaryQuadratic(("a", "b"), 2, np.array([-1.0, 0.0]), {(0, 1): 2.0}, 0.5, 3.0, 9.0, "worth")
    >>> small.energies(np.array([[1, 0], [1, 1]])).tolist()
    [-0.5, 1.5]
    """

    names: tuple[str, ...]
    features: int
    linear: FloatArray
    quadratic: Mapping[tuple[int, int], float]
    offset: float
    penalty: float
    none_above: float
    criterion: str

    def energies(self, points: npt.ArrayLike) -> FloatArray:
        """Return E of many vectors, shape (vectors, variables)."""
        x = np.asarray(points, dtype=float)
        if x.ndim != 2 or x.shape[1] != len(self.names):
            raise ArgumentError(
                f"points of shape {x.shape}; use a column for each of {len(self.names)} variables"
            )
        total = self.offset + x @ self.linear
        if self.quadratic:
            index = np.array(list(self.quadratic), dtype=np.int64)
            total = total + (x[:, index[:, 0]] * x[:, index[:, 1]]) @ np.array(list(self.quadratic.values()))
        return np.asarray(total)

    def chosen(self, point: Sequence[int]) -> tuple[str, ...]:
        """Return the features of a vector."""
        return tuple(name for name, inside in zip(self.names[: self.features], point, strict=False) if inside)


class Sum:
    """A quadratic form that terms are added to."""

    def __init__(self, variables: int) -> None:
        self.linear = np.zeros(variables)
        self.quadratic: dict[tuple[int, int], float] = {}
        self.offset = 0.0

    def add_pair(self, i: int, j: int, weight: float) -> None:
        """Add ``weight x_i x_j``; a square is the variable itself."""
        if i == j:
            self.linear[i] += weight
        else:
            pair = (min(i, j), max(i, j))
            self.quadratic[pair] = self.quadratic.get(pair, 0.0) + weight

    def add_square(self, terms: Mapping[int, int], constant: int, weight: float) -> None:
        """Add ``weight (sum_i c_i x_i + constant)^2``: integers, so that only the last product is rounded."""
        self.offset += weight * (constant * constant)
        items = list(terms.items())
        for position, (i, c) in enumerate(items):
            self.linear[i] += weight * (c * c + 2 * c * constant)
            for j, d in items[position + 1 :]:
                self.add_pair(i, j, weight * (2 * c * d))
