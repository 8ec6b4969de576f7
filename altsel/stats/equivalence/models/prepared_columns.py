"""Columns scaled and coded by the rows of a fold, once for all sets that have them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.data.dataset import Dataset
from altsel.data.schema import Kind
from altsel.runtime.on_demand import OnDemand
from altsel.stats.independence.cache import Memory

base: Any = OnDemand("sklearn.base")

Pair = tuple[FloatArray, FloatArray]
MOST_BYTES = 200_000_000
"""Of columns that are kept."""


class PreparedColumns:
    """What transformers that treat each column by itself make of the columns of sets, fold by fold.

    They are applied one by one, not by a `ColumnTransformer`: that gives each column to joblib's workers,
    and one that takes a millisecond costs a cluster twenty.

    Parameters
    ----------
    data
        The rows.
    coder, scaler
        Of categories and of numbers.
    """

    def __init__(self, data: Dataset, coder: Any, scaler: Any) -> None:
        self._data, self._coder, self._scaler = data, coder, scaler
        table = data.X
        coded = {name for name, kind in data.kinds.items() if kind is Kind.CATEGORICAL}
        coded |= {name for name in data.features if table[name].dtype == "category"}
        self._order = {name: (name not in coded, j) for j, name in enumerate(data.features)}
        widest = max((table[name].nunique() for name in coded), default=1)
        self._known = Memory[Pair](max(1, MOST_BYTES // (8 * len(table) * widest)))

    def of(self, fold: int, train: IntArray, test: IntArray, names: Sequence[str]) -> Pair:
        """Return the columns of a set for the rows learned from and judged: codes first, then numbers."""
        ordered = sorted(names, key=self._order.__getitem__)
        pairs = [self._known((fold, name), partial(self._prepared, train, test, name)) for name in ordered]
        learned, seen = (np.hstack(columns) for columns in zip(*pairs, strict=True))
        return learned, seen

    def _prepared(self, train: IntArray, test: IntArray, name: str) -> Pair:
        number, _ = self._order[name]
        one, column = base.clone(self._scaler if number else self._coder), self._data.X[name]
        learned, seen = (column.iloc[rows].to_numpy()[:, None] for rows in (train, test))
        return np.asarray(one.fit_transform(learned)), np.asarray(one.transform(seen))
