"""A data set whose target tells nothing: its values dealt to the rows at random."""

from __future__ import annotations

import warnings

import numpy as np

from altsel.data.dataset import Dataset, of_columns
from altsel.errors import DataWarning


def permuted(data: Dataset, seed: tuple[int, ...]) -> Dataset:
    """Return the data with the values of the target dealt to the rows at random; all else stays."""
    order = np.random.default_rng(seed).permutation(len(data.y))
    target = data.y.iloc[order].reset_index(drop=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        other = of_columns(data.X, target, data.task, data.declared_kinds)
    return other.with_members(data.members)
