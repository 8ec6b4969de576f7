"""Frequencies of the target's classes in the cells of discrete feature sets."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altsel._types import FloatArray
from altsel.data.dataset import Dataset, checked_dataset
from altsel.stats.discrete.counts import Columns, compact
from altsel.stats.equivalence.protocol import Names, Remembered, known_features
from altsel.stats.independence.g_square import coded

ROWS_PER_CELL = 5
"""Rows for each cell of some features, from which on they may determine another one."""


class FrequencyModels:
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
    >>> models = FrequencyModels(altsel.Dataset({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 0, 1, 0]))
    >>> models.predictions(["a"]).tolist()
    [0.0, 0.0, 0.5, 0.5]
    """

    def __init__(self, data: Dataset) -> None:
        checked_dataset("FrequencyModels", data)
        codes = coded(data, "a model of frequencies", "GLMModels")
        self.data, self._target = data, codes[-1]
        self._columns = Columns(codes)
        self._place = {name: j for j, name in enumerate(data.features)}
        self._shares = Remembered(self._count)

    @property
    def name(self) -> str:
        """The models in words."""
        return "frequencies"

    def losses(self, features: Names) -> FloatArray:
        """Return deviances."""
        return np.asarray(-2 * np.log(self._own(self._shares(features))))

    def predictions(self, features: Names) -> FloatArray:
        """Return the share of the second of two classes in the row's cell, or of the row's own class."""
        shares: FloatArray = self._shares(features)
        if shares.shape[1] == 2:
            return np.asarray(shares[:, 1])
        return self._own(shares)

    def truth(self) -> FloatArray:
        """Return the numbers of the classes."""
        return np.asarray(self._target, dtype=float)

    def determined(self, feature: str, given: Names) -> bool:
        """Return whether a feature is a function of others, as far as the rows tell.

        It is if some of the others leave it one value in each of their cells, and there are five rows for
        each cell; with fewer, cells of one row would make it a function of anything.
        """
        known_features([feature, *given], self._place)
        needed = list(given)
        if not self._function(feature, needed):
            return False
        for name in list(needed):
            rest = [other for other in needed if other != name]
            if self._function(feature, rest):
                needed = rest
        return bool(len(self._target) >= ROWS_PER_CELL * self._cells(needed)[1])

    def _function(self, feature: str, given: Names) -> bool:
        return self._cells(given)[1] == self._cells([*given, feature])[1]

    def _cells(self, features: Names) -> tuple[npt.NDArray[np.signedinteger], int]:
        """Return every row the number of its combination of values; also how many combinations occur."""
        return compact(*self._columns.strata([self._place[name] for name in features]))

    def _own(self, shares: FloatArray) -> FloatArray:
        return np.asarray(np.take_along_axis(shares, self._target[:, None], axis=1)[:, 0])

    def _count(self, features: tuple[str, ...]) -> FloatArray:
        known_features(features, self._place)
        cell, number = self._cells(features)
        classes = int(self._target.max()) + 1
        counts = np.bincount(cell * classes + self._target, minlength=number * classes)
        table = counts.reshape(-1, classes).astype(float)
        return np.asarray((table / table.sum(axis=1, keepdims=True))[cell])
