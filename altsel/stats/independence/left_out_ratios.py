"""Likelihood ratios of each of some features given the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from altsel._types import BoolArray, FloatArray, IntArray
from altsel.stats.independence.glm.bartlett import MOST
from altsel.stats.independence.glm.left_out import LeftOut, OneByOne
from altsel.stats.independence.glm.newton import Fitted
from altsel.stats.independence.protocol import TestResults
from altsel.stats.log_p import log_chi_square

ROUNDING = 1e-9
"""Differences of log p that are none."""


@dataclass(frozen=True, eq=False)
class RatiosLeftOut:
    """Ratios of a model of some features to those without each of them.

    Attributes
    ----------
    features
        Their names.
    full, models
        The model of all, and those without each.
    widths
        Columns of each feature.
    rows
        Number of rows.
    needed
        Least rows for each column.
    bartlett
        Whether ratios are corrected for few rows.
    """

    features: tuple[str, ...]
    full: Fitted
    models: LeftOut | OneByOne
    widths: IntArray
    rows: float
    needed: float
    bartlett: bool

    @cached_property
    def _added(self) -> list[FloatArray]:
        return [self.models.added(j) for j in range(len(self.features))]

    @cached_property
    def _dof(self) -> FloatArray:
        widths = [added.shape[1] for added in self._added]
        return np.array(widths, dtype=float) * len(self.full.response)

    @cached_property
    def _plain(self) -> FloatArray:
        gain = 2 * (self.full.log_likelihood - self.models.log_likelihoods)
        return np.where(self._dof > 0, np.maximum(gain, 0.0), 0.0)

    @cached_property
    def _tested(self) -> BoolArray:
        outputs = len(self.full.response)
        columns = self.full.columns - self._dof / outputs
        return np.asarray(self.rows >= self.needed * (columns + self.widths))

    @cached_property
    def _factors(self) -> dict[int, float]:
        return {}

    def corrected(self, some: Iterable[int]) -> TestResults:
        """Answer for some of the features, by their places."""
        places = list(some)
        statistic, dof, tested = self._plain[places], self._dof[places], self._tested[places]
        if self.bartlett:
            statistic = statistic / self._corrections(places)
        log_p = np.where(tested, log_chi_square(statistic, dof), 0.0)
        names = tuple(self.features[j] for j in places)
        return TestResults(names, log_p, statistic, dof, statistic / (2 * self.rows), tested)

    def least_dependent(self) -> list[int]:
        """Name the places of the features that may have the largest p, whatever the factors are."""
        highest = np.where(self._tested, log_chi_square(self._plain / MOST, self._dof), 0.0)
        best, found = -np.inf, []
        for j in np.argsort(-highest, kind="stable").tolist():
            if highest[j] < best - ROUNDING:
                break
            if self._tested[j]:
                best = max(best, float(self.corrected([j]).log_p[0]))
            found.append(j)
        return sorted(found)

    def _corrections(self, places: list[int]) -> FloatArray:
        """Return Bartlett's factors, those not known yet computed together."""
        missing = [j for j in places if j not in self._factors and self._dof[j]]
        self._factors.update(zip(missing, self.models.factors(missing), strict=True))
        return np.array([self._factors.get(j, 1.0) for j in places])
