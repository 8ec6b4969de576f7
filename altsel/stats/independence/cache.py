"""What a test remembers of its last conditioning sets."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from altsel._types import FloatArray

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """The values used last, each made once.

    Parameters
    ----------
    most
        How many are kept.

    Examples
    --------
    >>> squares = Memory[int](2)
    >>> squares(3, lambda: 9), squares(3, lambda: 0)
    (9, 9)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Value] = OrderedDict()

    def forget(self) -> None:
        """Drop all values."""
        self._values.clear()

    def get(self, key: Hashable) -> Value | None:
        """Return the value of a key if it is known."""
        return self._values.get(key)

    def __call__(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the value of a key, made if it is not known."""
        if key not in self._values:
            self._values[key] = make()
            if len(self._values) > self._most:
                self._values.popitem(last=False)
        self._values.move_to_end(key)
        return self._values[key]


@dataclass(frozen=True, eq=False)
class Cached:
    """Statistics of all variables given one set, NaN where they were not computed yet.

    Attributes
    ----------
    columns, outputs
        Columns of the model's design, and linear predictors.
    left_over
        Residual sum of squares of a linear model.
    score, rank
        Score statistics, and columns that each variable adds.
    least, plain, ratio
        What the corrected ratio is at least, the ratio as it is, and the corrected one.
    """

    columns: int
    outputs: int
    left_over: float | None
    score: FloatArray
    rank: FloatArray
    least: FloatArray
    plain: FloatArray
    ratio: FloatArray
