"""Design matrices: columns of numbers for features of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import linalg

from altsel._types import FloatArray, IntArray
from altsel.data.columns import Kind, codes, moderate, numbers
from altsel.stats.discrete.counts import ranges

RANK = 1e-9
"""A column of which others leave no more than this share (of its length) adds nothing to them."""


@dataclass(frozen=True, eq=False)
class Design:
    """One block of columns for each variable: a number as it is (scaled), categories by indicators.

    Attributes
    ----------
    matrix
        All blocks beside each other, centred and scaled; shape (rows, columns).
    starts, widths
        Where each variable's block begins, and how many columns it has.
    """

    matrix: FloatArray
    starts: IntArray
    widths: IntArray

    @classmethod
    def of(cls, table: pd.DataFrame, kinds: Sequence[Kind]) -> Design:
        """Make the blocks of a table's columns."""
        blocks = [_block(table[name], kind) for name, kind in zip(table, kinds, strict=True)]
        widths = np.array([block.shape[1] for block in blocks], dtype=np.int64)
        return cls(np.asfortranarray(np.hstack(blocks)), np.cumsum(widths) - widths, widths)

    def given(self, indices: Sequence[int]) -> FloatArray:
        """Put an intercept and the blocks of some variables together, without what is redundant."""
        design = np.hstack([np.ones((len(self.matrix), 1)), self.matrix[:, self.columns(indices)]])
        if not len(indices):
            return design
        _, triangle, order = linalg.qr(design, mode="economic", pivoting=True)
        size = np.abs(np.diag(triangle))
        return design[:, np.sort(order[: int((size > RANK * size[0]).sum())])]

    def columns(self, indices: Sequence[int] | IntArray) -> IntArray:
        """Return which columns are the blocks of some variables."""
        chosen = np.array(indices, dtype=np.int64)
        return ranges(self.starts[chosen], self.widths[chosen]) if len(chosen) else chosen

    def blocks(self, indices: IntArray) -> FloatArray:
        """Return the blocks of variables that are equally wide; shape (rows, variables, columns)."""
        width = int(self.widths[indices[0]])
        return self.matrix[:, self.columns(indices)].reshape(len(self.matrix), len(indices), width)


def _block(column: pd.Series[float], kind: Kind) -> FloatArray:
    if kind is Kind.CATEGORICAL:
        code = codes(column)
        block = np.asarray(code[:, None] == np.arange(1, code.max() + 1), dtype=float)
    elif kind is Kind.BINARY:
        block = codes(column).astype(float)[:, None]
    else:
        block = moderate(numbers(column)[:, None])
    block = block - block.mean(axis=0)
    return np.asarray(block / np.sqrt((block**2).mean(axis=0)))
