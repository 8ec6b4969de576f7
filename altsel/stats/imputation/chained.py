"""Chained equations: each column with gaps is drawn given the others, in turn, numbers and categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import BoolArray, FloatArray
from altsel.data.columns import numbers
from altsel.stats.imputation.draws import drawn_levels, drawn_numbers

ROUNDS = 10
"""Rounds over all columns with gaps."""
PREDICTORS = 20
"""Columns that a value is drawn from, besides the target, or a tenth of the rows where these are more."""


def chained(table: pd.DataFrame, target: pd.Series[Any], seed: int) -> pd.DataFrame:
    """Fill the gaps of a table by draws from chained equations.

    Gaps begin with values drawn from those there are. Then, ten times, the column with the fewest gaps and so
    on: a regression on the target and the other columns as they are now is drawn, and the gaps by it; linear
    for numbers, logistic for categories and numbers of two values.

    Parameters
    ----------
    table
        Columns of normal types: numbers with NaN, categories with missing values.
    target
        A number or class of each row.
    seed
        Seed of the draws.

    References
    ----------
    van Buuren, "Flexible imputation of missing data" (2018), section 4.5 (algorithm 4.3) and 6.3.2 (that the
    target and at most some 25 other columns take part).

    Examples
    --------
    >>> table = pd.DataFrame({"a": [1.0, 2.0, np.nan, 4.0], "b": pd.Categorical(["u", None, "v", "u"])})
    >>> made = chained(table, pd.Series([0.5, 1.0, 2.0, 1.5]), 0)
    >>> int(made.isna().sum().sum()), made["a"].tolist()[:2], made["b"].dtype == table["b"].dtype
    (0, [1.0, 2.0], True)
    """
    random = np.random.default_rng(seed)
    columns = [_Column.of(table.iloc[:, j]) for j in range(table.shape[1])]
    goal = _Column.of(target).coded()
    gappy = sorted(
        (j for j, one in enumerate(columns) if one.gaps.any()), key=lambda j: columns[j].gaps.sum()
    )
    chosen = {j: _nearest(columns, j) for j in gappy}
    for j in gappy:
        columns[j].start(random)
    for _ in range(ROUNDS if len(gappy) > 1 else 1):  # given columns without gaps one round tells all
        for j in gappy:
            columns[j].draw(np.column_stack([goal, *(columns[i].coded() for i in chosen[j])]), random)
    made = table.copy()
    for j in gappy:
        made.isetitem(j, columns[j].as_in(table.iloc[:, j]))
    return made


@dataclass(eq=False)
class _Column:
    """Numbers, or codes of levels where there are any; which were missing."""

    values: FloatArray
    gaps: BoolArray
    levels: FloatArray | None

    @classmethod
    def of(cls, column: pd.Series[Any]) -> _Column:
        values, gaps = numbers(column).copy(), column.isna().to_numpy()
        held = np.unique(values[~gaps])
        of_levels = isinstance(column.dtype, pd.CategoricalDtype) or len(held) <= 2
        return cls(values, gaps, held if of_levels else None)

    def coded(self) -> FloatArray:
        """Return columns of a regression: one of mean 0 and variance 1, or one a level but the first."""
        if self.levels is not None:
            return np.asarray(self.values[:, None] == self.levels[1:], dtype=float)
        known = self.values[~self.gaps]
        return np.asarray((self.values - known.mean()) / (known.std() or 1.0))[:, None]

    def start(self, random: np.random.Generator) -> None:
        """Fill the gaps with values drawn from those there are."""
        self.values[self.gaps] = random.choice(self.values[~self.gaps], int(self.gaps.sum()))

    def draw(self, others: FloatArray, random: np.random.Generator) -> None:
        """Draw the gaps again, given other columns."""
        how = drawn_numbers if self.levels is None else drawn_levels
        known = ~self.gaps
        self.values[self.gaps] = how(others[known], self.values[known], others[self.gaps], random)

    def as_in(self, column: pd.Series[Any]) -> Any:
        """Return it as a column of the type that it came from."""
        if not isinstance(column.dtype, pd.CategoricalDtype):
            return pd.Series(self.values, column.index, name=column.name)
        codes = self.values.astype(np.int64)
        return pd.Series(pd.Categorical.from_codes(codes, dtype=column.dtype), column.index, name=column.name)


def _nearest(columns: Sequence[_Column], j: int) -> list[int]:
    """Return the other columns, or where these are many those that correlate most with it."""
    rows = int((~columns[j].gaps).sum())
    most = max(1, min(max(PREDICTORS, rows // 10), rows // 3))
    others = [i for i in range(len(columns)) if i != j]
    if len(others) <= most:
        return others
    own = columns[j].coded()
    nearest = sorted(others, key=lambda i: -_correlation(columns[i], columns[j].gaps, own))
    return sorted(nearest[:most])


def _correlation(other: _Column, gaps: BoolArray, own: FloatArray) -> float:
    """Return the largest correlation of the parts of two columns, in the rows that have both."""
    both = ~(gaps | other.gaps)
    if both.sum() < 3:
        return 0.0
    first, second = (part[both] - part[both].mean(axis=0) for part in (other.coded(), own))
    sizes = np.outer(np.linalg.norm(first, axis=0), np.linalg.norm(second, axis=0))
    return float(np.max(np.abs(first.T @ second) / np.maximum(sizes, 1e-12), initial=0.0))
