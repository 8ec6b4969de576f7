"""Greedy selection by information-theoretic criteria: the filters of the unified view."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata

import numpy as np

from altsel._types import FloatArray
from altsel._version import __version__
from altsel.data.dataset import Dataset, checked_dataset
from altsel.data.scanning import Scan, Statistics
from altsel.errors import ArgumentError, checked_integer, flags
from altsel.results.effort import Effort
from altsel.results.feature_set import FeatureSet, Proof, Step
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.runtime.memory import peak
from altsel.runtime.phases import MEASURES, phase
from altsel.search.ranking.measured import MeasuredDependence, PairMeasure
from altsel.stats.discrete.information import Information, information_of
from altsel.stats.discrete.scanned import ScannedInformation
from altsel.stats.independence.cache import Memory
from altsel.stats.independence.protocol import rounded

REMEMBERED = 1 << 25
"""Features times selected ones of which arrays are kept, three of floats at most."""
NOISE = 1e-12
"""Scores nearer to 0 than this, in nats, are 0 but for rounding."""


@dataclass
class Known:
    """What a greedy search knows of every feature X after having selected F_1, …, F_j.

    Attributes
    ----------
    pairs
        What is known of pairs.
    selected
        Places of the selected features; a search only appends to them.
    """

    pairs: Information | ScannedInformation | MeasuredDependence
    selected: list[int] = field(default_factory=list)
    _totals: dict[Part, tuple[int, FloatArray]] = field(default_factory=dict)

    @property
    def information(self) -> Information | ScannedInformation:
        """What more than pairs share; an ArgumentError if pairs are known by a measure."""
        if isinstance(self.pairs, MeasuredDependence):
            raise ArgumentError(
                f"the criterion needs information given the target, not {self.pairs.name}: leave measure= out"
            )
        return self.pairs

    @property
    def relevance(self) -> FloatArray:
        """``I(X; C)``."""
        return self.pairs.relevance

    def redundancy(self) -> list[FloatArray]:
        """``I(X; F_i)``, one array for each selected feature."""
        return [self.redundancy_with(index) for index in self.selected]

    def conditional(self) -> list[FloatArray]:
        """``I(X; F_i | C)``."""
        return [self.conditional_with(index) for index in self.selected]

    def joint(self) -> list[FloatArray]:
        """``H(X, F_i, C)``."""
        return [self.joint_with(index) for index in self.selected]

    def redundancy_with(self, index: int) -> FloatArray:
        """``I(X; F)`` of one feature F."""

        def measured() -> FloatArray:
            triple = self._triples.get(index)
            with phase(MEASURES):
                return triple[0] if triple else self.pairs.with_feature(index)

        return self._pairs(index, measured)

    def conditional_with(self, index: int) -> FloatArray:
        """``I(X; F | C)``."""
        return self._triple(index)[1]

    def joint_with(self, index: int) -> FloatArray:
        """``H(X, F, C)``."""
        return self._triple(index)[2]

    def total(self, part: Part) -> FloatArray:
        """Sum a part over the selected features; only those selected since the last call are added.

        Examples
        --------
        ``known.total(Known.redundancy_with)`` is ``sum_i I(X; F_i)``.
        """
        added, total = self._totals.get(part, (0, np.zeros_like(self.relevance)))
        for index in self.selected[added:]:
            total = total + part(self, index)
        self._totals[part] = len(self.selected), total
        return total

    def _triple(self, index: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        def measured() -> tuple[FloatArray, FloatArray, FloatArray]:
            with phase(MEASURES):
                return self.information.with_feature_and_target(index)

        return self._triples(index, measured)

    @cached_property
    def _pairs(self) -> Memory[FloatArray]:
        return Memory(self._most)

    @cached_property
    def _triples(self) -> Memory[tuple[FloatArray, FloatArray, FloatArray]]:
        return Memory(self._most)

    @property
    def _most(self) -> int:
        """Of how many features arrays are kept: of many features those of the last ones only."""
        return max(1, REMEMBERED // len(self.relevance))


Part = Callable[[Known, int], FloatArray]
"""What one selected feature adds to the score of every feature."""

Criterion = Callable[[Known], FloatArray]
"""Scores every feature, given those selected; the largest score is selected next.

Only the largest score needs to be exact; for the others, bounds above their scores and below it do.
"""


@dataclass(frozen=True)
class Linear:
    """``I(X; C) - beta sum_i I(X; F_i) + gamma sum_i I(X; F_i | C)`` (UV eq. 37).

    Parameters
    ----------
    beta, gamma
        Weights of redundancy and of conditional redundancy; None: 1 over the number selected.
    """

    beta: float | None
    gamma: float | None

    def __call__(self, known: Known) -> FloatArray:
        """Score every feature."""
        if not known.selected:
            return known.relevance
        share = 1 / len(known.selected)
        beta = share if self.beta is None else self.beta
        gamma = share if self.gamma is None else self.gamma
        scores = known.relevance
        if gamma:
            scores = scores + gamma * known.total(Known.conditional_with)
        if beta:
            scores = scores - beta * known.total(Known.redundancy_with)
        return scores


def ranks(scores: FloatArray, selected: Sequence[int]) -> FloatArray:
    """Round scores so that equal ones are equal; those of selected features are lowest."""
    ranks_ = rounded(np.where(np.abs(scores) < NOISE, 0.0, scores))
    ranks_[list(selected)] = -np.inf
    return ranks_


def greedy(
    data: Dataset | Scan,
    criterion: Criterion,
    k: int,
    *,
    name: str = "",
    bins: int | None = None,
    debiased: bool = True,
    measure: PairMeasure | None = None,
) -> Solutions:
    """Select the feature with the largest score, k times.

    Informations are plug-in estimates less what chance gives (the mean if the rows of one feature are
    permuted, in the strata of what is given), so that no number of levels is rewarded; those of noise are
    0 in the mean, and may be negative.

    Parameters
    ----------
    data
        The table; numbers are cut into bins of equal frequency. Or a scan, with ``bins=`` if it has numbers.
    criterion
        Scores every feature, given those selected.
    k
        Number of features.
    name
        The criterion in words.
    bins
        Number of bins; default: 5, or those of a scan.
    debiased
        Whether what chance gives is subtracted; if not, informations are plug-in estimates, as in papers.
    measure
        A measure of dependence instead of information, for criteria that need no information given the
        target.

    Returns
    -------
    Solutions
        One set, ``proof=HEURISTIC``; its ``path`` has the features in the order of selection
        with their scores, in nats of information, and its score is their sum. Of equal scores (10 digits) the
        first in the order of the data is selected.

    Raises
    ------
    ArgumentError
        If k is larger than the number of features, or an argument is out of its range.

    Examples
    --------
    >>> import altsel
    >>> columns = {"a": [0, 0, 1, 1] * 3, "copy": [1, 1, 1, 0] * 3, "b": [0, 1, 0, 1] * 3}
    >>> data = altsel.Dataset(columns, [0, 1, 2, 3] * 3)
    >>> [step.feature for step in greedy(data, Linear(beta=1.0, gamma=0.0), k=2)[0].path]
    ['a', 'b']
    """
    began = time.perf_counter()
    if not isinstance(data, (Scan, Statistics)):
        checked_dataset("a ranking", data)
    if checked_integer("k", k, 1) > len(data.features):
        raise ArgumentError(f"k={k}, but there are only {len(data.features)} usable features")
    flags(debiased=debiased)
    by = information_of(data, bins, debiased) if measure is None else MeasuredDependence(data, measure)
    known = Known(by)
    path: list[Step] = []
    while len(path) < k:
        scores = criterion(known)
        best = int(np.argmax(ranks(scores, known.selected)))
        path.append(Step(data.features[best], float(scores[best])))
        if len(path) < k:
            known.selected.append(best)
    label = name or getattr(criterion, "__name__", type(criterion).__name__)
    what = by.name if isinstance(by, MeasuredDependence) else f"information{', debiased' * debiased}"
    return solutions(data, path, Stop.COUNT, f"{label}, k={k}, {what}", began)


def solutions(data: Dataset | Scan, path: list[Step], stop: Stop, search: str, began: float) -> Solutions:
    """Build the result of a greedy search."""
    chosen = {step.feature for step in path}
    seconds = time.perf_counter() - began
    found = FeatureSet(
        tuple(name for name in data.features if name in chosen),
        sum(step.score for step in path),
        Proof.HEURISTIC,
        seconds=seconds,
        path=tuple(path),
    )
    return Solutions(
        (found,),
        stop,
        universe=data.features,
        criterion=f"greedy {search.split(',', maxsplit=1)[0]}",
        target=data.target,
        search=search,
        effort=Effort(seconds=seconds, peak_memory=peak()),
        versions={"altsel": __version__, "numpy": metadata.version("numpy")},
        members=data.members,
    )
