"""A data set whose target tells nothing: its values dealt to the rows at random."""

from __future__ import annotations

from copy import copy
from functools import cached_property

import numpy as np

from altsel.data.dataset import Dataset


def permuted(data: Dataset, seed: tuple[int, ...]) -> Dataset:
    """Return the data with the values of the target dealt to the rows at random; all else stays."""
    order = np.random.default_rng(seed).permutation(len(data.y))
    other = copy(data)
    for name in [*other.__dict__]:
        if isinstance(getattr(Dataset, name, None), cached_property):
            del other.__dict__[name]
    object.__setattr__(other, "y", data.y.iloc[order].set_axis(data.y.index))
    return other
