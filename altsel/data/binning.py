"""Numbers cut into bins of equal frequency."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data.columns import numbers
from altsel.data.dataset import Dataset, checked_dataset, derived, of_columns
from altsel.errors import checked_integer, list_of_names


def cut(values: FloatArray, bins: int) -> IntArray:
    """Cut numbers into bins of equal frequency; equal numbers share a bin.

    Examples
    --------
    >>> cut(np.array([1.0, 2, 3, 4, 5, 6]), 3).tolist()
    [0, 0, 1, 1, 2, 2]
    """
    bins = min(bins, max(len(values), 2))  # as many as rows tell any two values apart
    edges = np.unique(np.quantile(values, np.linspace(0, 1, bins + 1)[1:-1]))
    return np.unique(np.searchsorted(edges, values, side="left"), return_inverse=True)[1].astype(np.int64)


def binned(data: Dataset, bins: int = 5, *, keep: Collection[str] = ()) -> Dataset:
    """Cut every column of numbers into bins of equal frequency, so that tests of tables apply.

    Parameters
    ----------
    data
        The table; a target of numbers is cut too.
    bins
        Number of bins, at least 2; equal numbers share a bin, so there may be fewer.
    keep
        Names of features that stay as they are, such as weights.

    Returns
    -------
    Dataset
        Discrete columns; those that fall into one bin are left out as constant.

    Examples
    --------
    >>> import altsel
    >>> binned(altsel.Dataset({"a": [0.5, 1.5, 2.5, 4.5]}, [0, 0, 1, 1]), 2).X["a"].tolist()
    [0, 0, 1, 1]
    """
    checked_dataset("binned", data)
    checked_integer("bins", bins, 2)
    keep = list_of_names("keep", keep)
    flat = dict(zip(data.features, data.discrete(), strict=True))
    table = data.X.copy()
    for name in data.features:
        if not flat[name] and name not in keep:
            table[name] = cut(numbers(data.X[name]), bins)
    target = data.y if data.discrete_target else pd.Series(cut(numbers(data.y), bins), name=data.target)
    kept = {name for name in data.features if flat[name] or name in keep}
    if data.discrete_target:
        kept.add(data.target)
    kinds = {name: kind for name, kind in data.declared_kinds.items() if name in kept}
    return derived(of_columns(table, target, None, kinds).with_members(data.members), data)
