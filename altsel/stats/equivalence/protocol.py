"""Models that two feature sets are compared by: what each predicts, and what it loses."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

from altsel._types import FloatArray, IntArray
from altsel.errors import ArgumentError, DataError, list_of_names, listing
from altsel.stats.independence.cache import Memory

Names = Sequence[str]


@runtime_checkable
class Models(Protocol):
    """Models of the target by feature sets, on the same rows."""

    @property
    def name(self) -> str:
        """The models in words."""

    def losses(self, features: Names) -> FloatArray:
        """Return the loss of every row by the model of a set; shape (rows,)."""

    def predictions(self, features: Names) -> FloatArray:
        """Return a number for every row: the expected value, or the probability of a class; shape (rows,).

        The class is the second one of two; of more, the one that the row has.
        """

    def truth(self) -> FloatArray:
        """Return the target as numbers, classes as 0, 1, …; shape (rows,)."""


@runtime_checkable
class KnowsLosses(Protocol):
    """An estimator that says what its rows lose, and is fitted without features too."""

    @property
    def title(self) -> str:
        """The models in words."""

    @property
    def scored(self) -> str:
        """Their score in words."""

    @property
    def lost(self) -> str:
        """Their loss of a row in words."""

    def numbers(self, data: Any) -> Any:
        """Return the target of a data set as the numbers that it is fitted to."""

    def losses(self, X: Any, y: Any) -> FloatArray:
        """Return the loss of every row by the fitted model; shape (rows,)."""

    def resampled(self, X: Any, y: Any, draws: Iterable[IntArray]) -> FloatArray:
        """Return the score of rows drawn with repetition, by their places; one a draw."""

    def strata(self, X: Any, y: Any) -> Any:
        """Return what folds should hold alike, one a row; None: nothing."""


def checked_models(models: object, *methods: str, such_as: str = "GLMModels(data)") -> None:
    """Raise an ArgumentError unless a test of equivalence is given models, or what has one of the methods."""
    if not any(hasattr(models, method) for method in methods or ("losses", "predictions")):
        kind = type(models).__name__
        raise ArgumentError(f"models is a {kind}; give models of sets, such as altsel.comparison.{such_as}")


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
        self._compute, self._values = compute, Memory[Any](most)

    def __call__(self, features: Names) -> Any:
        """Return the value of a set."""
        key = tuple(sorted(set(list_of_names("features", features))))
        return self._values(key, lambda: self._compute(key))


def known_features(features: Collection[str], known: Collection[str]) -> None:
    """Raise a DataError that names the features which the data lack."""
    absent = [name for name in features if name not in known]
    if absent:
        raise DataError(f"the data lack the features {listing(absent)}")
