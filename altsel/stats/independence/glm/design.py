"""Design matrices: columns of numbers for features of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import linalg

from altsel._types import FloatArray, IntArray
from altsel.data.columns import Kind, codes, is_discrete, moderate, numbers
from altsel.stats.discrete.counts import ranges

RANK = 1e-9
"""A column of which others leave no more than this share (of its squared length) adds nothing to them."""


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
    """

    matrix: FloatArray
    starts: IntArray
    widths: IntArray
    given_widths: IntArray
    counts: FloatArray | None = None

    @classmethod
    def of(cls, table: pd.DataFrame, kinds: Sequence[Kind], counts: FloatArray | None = None) -> Design:
        """Make the blocks of a table's columns."""
        blocks = [_block(table[name], kind, counts) for name, kind in zip(table, kinds, strict=True)]
        whole = np.array([block.shape[1] for block in blocks], dtype=np.int64)
        widths = np.where([kind is Kind.ORDINAL for kind in kinds], 1, whole)
        return cls(np.asfortranarray(np.hstack(blocks)), np.cumsum(whole) - whole, widths, whole, counts)

    def given(self, indices: Sequence[int]) -> FloatArray:
        """Put an intercept and the blocks of some variables together, without what is redundant."""
        design = np.hstack([np.ones((len(self.matrix), 1)), self.matrix[:, self.columns_given(indices)]])
        if not len(indices):
            return design
        weighted = design if self.counts is None else design * np.sqrt(self.counts)[:, None]
        _, triangle, order = linalg.qr(weighted, mode="economic", pivoting=True)
        size = np.abs(np.diag(triangle))
        return design[:, np.sort(order[: int((size**2 > RANK * size[0] ** 2).sum())])]

    def columns(self, indices: Sequence[int] | IntArray) -> IntArray:
        """Return which columns are tested for some variables."""
        return self._columns(indices, self.widths)

    def columns_given(self, indices: Sequence[int] | IntArray) -> IntArray:
        """Return which columns some variables have where they are given."""
        return self._columns(indices, self.given_widths)

    def _columns(self, indices: Sequence[int] | IntArray, widths: IntArray) -> IntArray:
        chosen = np.array(indices, dtype=np.int64)
        return ranges(self.starts[chosen], widths[chosen]) if len(chosen) else chosen

    def blocks(self, indices: IntArray) -> FloatArray:
        """Return the blocks of variables that are equally wide; shape (rows, variables, columns)."""
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
    block = block - np.average(block, axis=0, weights=counts)
    return np.asarray(block / np.sqrt(np.average(block**2, axis=0, weights=counts)))


def _indicators(column: pd.Series[float]) -> FloatArray:
    code = codes(column)
    return np.asarray(code[:, None] == np.arange(1, code.max() + 1), dtype=float)
