"""Models that two feature sets are compared by: what each predicts, and what it loses."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from altsel.errors import DataError, listing

FloatArray = npt.NDArray[np.float64]
Names = Sequence[str]
Value = TypeVar("Value")


@runtime_checkable
class Models(Protocol):
    """Models of the target by feature sets, on the same rows."""

    @property
    def name(self) -> str:
        """The models in words."""

    def losses(self, features: Names) -> FloatArray:
        """Give the loss of every row by the model of a set; shape (rows,)."""

    def predictions(self, features: Names) -> FloatArray:
        """Give a number for every row: the expected value, or the probability of a class; shape (rows,).

        The class is the second one of two; of more, the one that the row has.
        """

    def truth(self) -> FloatArray:
        """Give the target as numbers, classes as 0, 1, …; shape (rows,)."""


class Remembered:
    """The last values of a function of feature sets: the reference is compared again and again.

    Parameters
    ----------
    compute
        The function; the order of the features must not matter.
    most
        How many values are kept.
    """

    def __init__(self, compute: Callable[[tuple[str, ...]], Any], most: int = 32) -> None:
        self._compute, self._most = compute, most
        self._values: OrderedDict[Hashable, Any] = OrderedDict()

    def __call__(self, features: Names) -> Any:
        """Give the value of a set."""
        key = tuple(sorted(set(features)))
        if key not in self._values:
            self._values[key] = self._compute(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
        self._values.move_to_end(key)
        return self._values[key]


def known_features(features: Collection[str], known: Collection[str]) -> None:
    """Raise a DataError that names the features which the data lack."""
    absent = [name for name in features if name not in known]
    if absent:
        raise DataError(f"the data lack the features {listing(absent)}")
