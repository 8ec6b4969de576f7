"""What draws knockoffs, and a user's own function as such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.errors import DataError

Draw = Callable[[np.random.Generator], FloatArray]
"""Draws one table of knockoffs, shape (rows, features), coded as ``Dataset.matrix`` codes features."""


class Knockoffs(Protocol):
    """A way to draw knockoffs of the features of a table, without a look at its target."""

    @property
    def name(self) -> str:
        """It in words."""
        ...

    def fitted(self, data: Dataset) -> Draw:
        """Learn the distribution of the features, and return what draws from it."""
        ...


@dataclass(frozen=True)
class OwnSampler:
    """A user's function as `Knockoffs`.

    Parameters
    ----------
    function
        ``function(X, rng)``: takes the features as a DataFrame and a generator of numpy, and returns
        knockoffs: a DataFrame with the same columns, or an array of that shape, categories by their codes.

    Examples
    --------
    >>> data = Dataset({"a": [1.5, 2.5, 4.0]}, [0, 1, 0])
    >>> draw = OwnSampler(lambda X, rng: rng.permuted(X, axis=0)).fitted(data)
    >>> sorted(draw(np.random.default_rng(0))[:, 0].tolist())
    [1.5, 2.5, 4.0]
    """

    function: Callable[[pd.DataFrame, np.random.Generator], Any]

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", type(self.function).__name__))

    def fitted(self, data: Dataset) -> Draw:
        """Return what calls the function, and checks what it returns."""
        return _OwnDraw(self, data)


@dataclass(frozen=True, eq=False)
class _OwnDraw:
    sampler: OwnSampler
    data: Dataset

    def __call__(self, rng: np.random.Generator) -> FloatArray:
        return _checked(self.sampler.function(self.data.X.copy(), rng), self.data, self.sampler.name)


def _checked(drawn: Any, data: Dataset, name: str) -> FloatArray:
    if isinstance(drawn, pd.DataFrame):
        absent = [one for one in data.features if one not in drawn]
        if absent:
            raise DataError(f"knockoffs by {name} lack the column {absent[0]!r}; return one for each feature")
        drawn = np.column_stack([_coded(drawn[one], data.X[one]) for one in data.features])
    try:
        values = np.asarray(drawn, dtype=float)
    except (TypeError, ValueError) as fault:
        raise DataError(
            f"knockoffs by {name} are no numbers: {fault}; return a DataFrame with the columns of X, or an "
            "array in which categories are codes"
        ) from fault
    if values.shape != data.X.shape:
        raise DataError(f"knockoffs by {name} have shape {values.shape}; the features have {data.X.shape}")
    wrong = np.flatnonzero(~np.isfinite(values).all(axis=0))
    if len(wrong):
        raise DataError(f"knockoffs by {name} of {data.features[wrong[0]]!r} are missing or infinite")
    return values


def _coded(drawn: pd.Series[Any], original: pd.Series[Any]) -> Any:
    """Return a column as numbers: categories by the codes of the original, missing if there is no such."""
    if not isinstance(original.dtype, pd.CategoricalDtype):
        return drawn.to_numpy()
    codes = original.cat.categories.get_indexer(pd.Index(drawn.to_numpy())).astype(float)
    return np.where(codes < 0, np.nan, codes)
