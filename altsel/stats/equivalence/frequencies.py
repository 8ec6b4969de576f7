"""Frequencies of the target's classes in the cells of discrete feature sets."""

from __future__ import annotations

import numpy as np

from altsel.columns import codes
from altsel.dataset import Dataset
from altsel.errors import DataError, listing
from altsel.stats.equivalence.models import FloatArray, Names, Remembered, known_features
from altsel.stats.independence.answers import IntArray

ROWS_PER_CELL = 5
"""Rows for each cell of some features, from which on they may determine another one."""


class Frequencies:
    """The saturated model of classes by discrete features: ``p(t | s) = n(t, s) / n(s)``.

    The loss of a row is its deviance ``-2 log p(t | s)``, on the rows counted.

    Parameters
    ----------
    data
        Discrete features and a target of classes.

    Raises
    ------
    DataError
        If a feature or the target is not discrete.

    Examples
    --------
    >>> import altsel
    >>> models = Frequencies(altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 0, 1, 0]))
    >>> models.predictions(["a"]).tolist()
    [0.0, 0.0, 0.5, 0.5]
    """

    def __init__(self, data: Dataset) -> None:
        bad = [name for name, ok in zip(data.features, data.discrete(), strict=True) if not ok]
        bad += [] if data.discrete_target else [data.target]
        if bad:
            raise DataError(
                f"frequencies need discrete columns; {listing(bad)} hold numbers: see altsel.binned"
            )
        self.data = data
        self._codes = {name: codes(data.X[name]) for name in data.features}
        self._target = codes(data.y)
        self._shares = Remembered(self._count)

    @property
    def name(self) -> str:
        """The models in words."""
        return "frequencies"

    def losses(self, features: Names) -> FloatArray:
        """Give deviances."""
        own = np.take_along_axis(self._shares(features), self._target[:, None], axis=1)[:, 0]
        return np.asarray(-2 * np.log(own))

    def predictions(self, features: Names) -> FloatArray:
        """Give the share of the second of two classes in the row's cell, or of the row's own class."""
        shares = self._shares(features)
        if shares.shape[1] == 2:
            return np.asarray(shares[:, 1])
        return np.asarray(np.take_along_axis(shares, self._target[:, None], axis=1)[:, 0])

    def truth(self) -> FloatArray:
        """Give the numbers of the classes."""
        return self._target.astype(float)

    def determined(self, feature: str, given: Names) -> bool:
        """Tell whether a feature is a function of others, as far as the rows tell.

        It is if some of the others leave it one value in each of their cells, and there are five rows for
        each cell; with fewer, cells of one row would make it a function of anything.
        """
        known_features([feature, *given], self._codes)
        needed = list(given)
        if not self._function(feature, needed):
            return False
        for name in list(needed):
            rest = [one for one in needed if one != name]
            if self._function(feature, rest):
                needed = rest
        return bool(len(self._target) >= ROWS_PER_CELL * (self._cells(needed).max() + 1))

    def _function(self, feature: str, given: Names) -> bool:
        return bool(self._cells(given).max() == self._cells([*given, feature]).max())

    def _cells(self, features: Names) -> IntArray:
        """Give every row the number of its combination of values."""
        cell = np.zeros(len(self._target), dtype=np.int64)
        for name in features:
            column = self._codes[name]
            cell = np.unique(cell * (column.max() + 1) + column, return_inverse=True)[1].ravel()
        return cell

    def _count(self, features: tuple[str, ...]) -> FloatArray:
        known_features(features, self._codes)
        cell = self._cells(features)
        classes = int(self._target.max()) + 1
        counts = np.bincount(cell * classes + self._target, minlength=(cell.max() + 1) * classes)
        table = counts.reshape(-1, classes).astype(float)
        return np.asarray((table / table.sum(axis=1, keepdims=True))[cell])
