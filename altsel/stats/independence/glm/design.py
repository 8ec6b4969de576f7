"""Design matrices: columns of numbers for features of any kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np
import pandas as pd
from scipy import linalg

from altsel._types import FloatArray, IntArray
from altsel.data.columns import codes, is_discrete, moderate, numbers
from altsel.data.schema import Kind
from altsel.stats.discrete.counts import ranges
from altsel.stats.independence.glm.levels import Levels

MANY = 24
"""Columns of a category from which its levels are kept as such, if that is wanted."""
RANK = 1e-9
"""A column of which others leave no more than this share (of its squared length) adds nothing to them."""

PLAIN = 1e-6
"""Where sums of products show that others leave more than this share of a column, rounding is far less."""


@dataclass(frozen=True, eq=False)
class Design:
    """One block of columns for each variable: a number as it is (scaled), categories by indicators.

    An ordinal variable is tested by its scores alone, one column, so that a trend is found with one
    degree of freedom. Where it is given, its block has indicators of its values too, so that what is
    adjusted for need not be linear in the scores.

    Attributes
    ----------
    matrix
        All blocks beside each other, centred and scaled; shape (rows, columns).
    starts, widths
        Where each variable's block begins, and how many columns are tested.
    given_widths
        How many columns it has where it is given.
    counts
        How often each row counts, shape (rows,); None: once. Blocks are then the same as of repeated rows.
    levels
        The categories of many levels, which have no columns in the matrix, by their places.
    """

    matrix: FloatArray
    starts: IntArray
    widths: IntArray
    given_widths: IntArray
    counts: FloatArray | None = None
    levels: Mapping[int, Levels] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        table: pd.DataFrame,
        kinds: Sequence[Kind],
        counts: FloatArray | None = None,
        *,
        many: float = inf,
    ) -> Design:
        """Build the blocks of a table's columns; categories of `many` columns and more get none."""
        levels = {
            j: Levels(codes(table[name]).astype(np.int64))
            for j, (name, kind) in enumerate(zip(table, kinds, strict=True))
            if kind is Kind.CATEGORICAL
        }
        levels = {j: one for j, one in levels.items() if one.number > many}
        blocks = [
            np.empty((len(table), 0)) if j in levels else _block(table[name], kind, counts)
            for j, (name, kind) in enumerate(zip(table, kinds, strict=True))
        ]
        held = np.array([block.shape[1] for block in blocks], dtype=np.int64)
        whole = held.copy()
        for j, one in levels.items():
            whole[j] = one.number - 1
        widths = np.where([kind is Kind.ORDINAL for kind in kinds], 1, whole)
        matrix = np.asfortranarray(np.hstack(blocks))
        return cls(matrix, np.cumsum(held) - held, widths, whole, counts, levels)

    def given(self, indices: Sequence[int]) -> FloatArray:
        """Join an intercept and the blocks of some variables, without what is redundant."""
        ones = np.ones((len(self.matrix), 1))
        blocks = [self._whole(index) for index in indices]
        design = np.hstack([ones, *blocks])
        return design[:, independent(design, self.counts)] if len(indices) else design

    def further(self, indices: Sequence[int]) -> FloatArray:
        """Join the blocks of some variables side by side; shape (rows, columns)."""
        return np.hstack([self.matrix[:, :0], *(self._whole(index) for index in indices)])

    def columns(self, indices: Sequence[int] | IntArray) -> IntArray:
        """Return which columns are tested for some variables."""
        return self._columns(indices, self.widths)

    def columns_given(self, indices: Sequence[int] | IntArray) -> IntArray:
        """Return which columns some variables have where they are given."""
        return self._columns(indices, self.given_widths)

    def _whole(self, index: int) -> FloatArray:
        """Return the columns that a variable has where it is given."""
        if index in self.levels:
            return standardised(self.levels[index].indicators(), self.counts)
        return self.matrix[:, self.columns_given([index])]

    def _columns(self, indices: Sequence[int] | IntArray, widths: IntArray) -> IntArray:
        chosen = np.array(indices, dtype=np.int64)
        return ranges(self.starts[chosen], widths[chosen]) if len(chosen) else chosen

    def blocks(self, indices: IntArray) -> FloatArray:
        """Return the blocks of variables that are equally wide; shape (rows, variables, columns)."""
        if any(index in self.levels for index in indices.tolist()):
            return np.stack([self._whole(index) for index in indices.tolist()], axis=1)
        width = int(self.widths[indices[0]])
        return self.matrix[:, self.columns(indices)].reshape(len(self.matrix), len(indices), width)


def _block(column: pd.Series[float], kind: Kind, counts: FloatArray | None) -> FloatArray:
    if kind is Kind.CATEGORICAL:
        block = _indicators(column)
    elif kind is Kind.ORDINAL and is_discrete(column, kind):
        block = np.hstack([moderate(numbers(column)[:, None]), _indicators(column)])
    elif kind is Kind.BINARY:
        block = codes(column).astype(float)[:, None]
    else:
        block = moderate(numbers(column)[:, None])
    return standardised(block, counts)


def standardised(block: FloatArray, counts: FloatArray | None) -> FloatArray:
    """Centre columns, and scale them to a mean square of 1."""
    block = block - np.average(block, axis=0, weights=counts)
    return np.asarray(block / np.sqrt(np.average(block**2, axis=0, weights=counts)))


def independent(columns: FloatArray, counts: FloatArray | None) -> IntArray:
    """Return the places of columns that do not determine each other; mean squares are 1 at most."""
    if not columns.shape[1]:
        return np.empty(0, dtype=np.int64)
    rows = len(columns) if counts is None else float(counts.sum())
    squares = (columns.T if counts is None else columns.T * counts) @ columns / rows
    if np.linalg.eigvalsh(squares)[0] > PLAIN:
        return np.arange(columns.shape[1])
    weighted = columns if counts is None else columns * np.sqrt(counts)[:, None]
    _, triangle, order = linalg.qr(weighted, mode="economic", pivoting=True)
    return np.sort(order[: int((np.diag(triangle) ** 2 > RANK * rows).sum())])


def _indicators(column: pd.Series[float]) -> FloatArray:
    code = codes(column)
    return np.asarray(code[:, None] == np.arange(1, code.max() + 1), dtype=float)
