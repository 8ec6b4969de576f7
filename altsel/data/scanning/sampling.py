"""Some rows of a scan, drawn at random, as a data set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altsel._types import IntArray
from altsel.data.dataset import Dataset, of_columns
from altsel.data.scanning.decoding import Batch, Labelled, Values
from altsel.data.scanning.scan import Scan
from altsel.errors import checked_integer


def sampled(scan: Scan, n: int, random_state: int) -> Dataset:
    """Draw rows without replacement, each set of n equally likely; they keep their order."""
    checked_integer("n", n, 2)
    checked_integer("random_state", random_state, 0)
    random = np.random.default_rng(random_state)
    chosen = np.sort(random.choice(scan.rows, min(n, scan.rows), replace=False, shuffle=False))
    names = scan.layout.names
    pieces: dict[str, list[Any]] = {name: [] for name in names}
    first = 0
    for part, rows in zip(scan.partitions, scan.counted_rows, strict=True):
        last = first + rows
        if np.searchsorted(chosen, first) < np.searchsorted(chosen, last):
            for batch in scan.columns.batches(part, names):
                _take(batch, chosen, first, pieces)
                first += batch.rows
        first = last
    table = pd.DataFrame({name: _column(parts) for name, parts in pieces.items()})
    constant = {name for name in names if not (table[name] != table[name].iloc[0]).any()}
    kinds = {name: kind for name, kind in scan.layout.declared_kinds.items() if name not in constant}
    return of_columns(table.drop(columns=scan.target), table[scan.target], scan.task, kinds)


def _take(batch: Batch, chosen: IntArray, first: int, pieces: dict[str, list[Any]]) -> None:
    low, high = np.searchsorted(chosen, [first, first + batch.rows])
    if low < high:
        here = chosen[low:high] - first
        for name, parts in pieces.items():
            parts.append(_rows(batch.values[name], here))


def _rows(values: Values, here: IntArray) -> Any:
    if not isinstance(values, Labelled):
        return values[here]
    labels = np.empty(len(values.labels), dtype=object)
    labels[:] = values.labels
    return pd.Series(labels[values.indices[here]], dtype=object)


def _column(parts: list[Any]) -> Any:
    if isinstance(parts[0], pd.Series):
        return pd.concat(parts, ignore_index=True).astype("category")
    return np.concatenate(parts)
