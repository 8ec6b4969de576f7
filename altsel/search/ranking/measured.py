"""Relevances and redundancies by a measure of dependence, for criteria that need no more than pairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from altsel._types import FloatArray
from altsel.data.dataset import Dataset
from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError
from altsel.stats.dependence import Association, Dependence, Measure, association, dependence

PairMeasure = Measure | Callable[[FloatArray, FloatArray], float]
"""A measure, or a function of two arrays."""


class MeasuredDependence:
    """Dependence of features on the target, and of all on one, found when it is needed.

    Parameters
    ----------
    data
        The table.
    measure
        The measure.
    """

    def __init__(self, data: Dataset | Scan, measure: PairMeasure) -> None:
        self._data, self._measure = data, measure
        self._found: Dependence = dependence(data, measure)
        self.relevance: FloatArray = np.asarray(self._found.relevance, dtype=float)

    @property
    def name(self) -> str:
        """Name of the measure."""
        return self._found.measure

    def with_feature(self, index: int) -> FloatArray:
        """Return the dependence of every feature on one feature."""
        return self._of_one(index)

    @cached_property
    def _of_one(self) -> Callable[[int], FloatArray]:
        """One feature at a time by association; other measures know all pairs at once."""
        if isinstance(self._measure, Association) and not isinstance(self._data, (Scan, Statistics)):
            return self._measure.rows(self._data)
        table = self._found.redundancy.to_numpy()
        return lambda index: np.asarray(table[index], dtype=float)


def chosen_measure(measure: PairMeasure | None, bins: int | None, debiased: bool) -> PairMeasure | None:
    """Return the measure of a ranking: association by default, or None, information, if bins are given.

    Raises
    ------
    ArgumentError
        If a measure and bins are given, or plain estimates are wanted of a measure.
    """
    if measure is not None and bins is not None:
        raise ArgumentError(
            "measure= and bins= are given; bins are those of information: leave out one of them"
        )
    if bins is None and not debiased:
        raise ArgumentError(
            "debiased=False is of information in bins, such as bins=5; measures say it themselves, as "
            "MutualInformation(debiased=False)"
        )
    return association if measure is None and bins is None else measure
