"""The criterion of CMIM, evaluated only as far as the next feature depends on it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.search.ranking.greedy import Known, ranks

BATCH = 1 << 17
"""Rows counted at once, summed over pairs of features."""
STRIDE = 4
"""So many selected features are added to a candidate's minimum at a time."""


@dataclass
class ConditionalMinimum:
    """``min_i I(X; C | F_i) = I(X; C) - max_i (I(X; F_i) - I(X; F_i | C))`` (UV eq. 39).

    A minimum over some of the selected features is never below that over all. So candidates are
    evaluated from the largest such bound down, and only until one with all selected features in its
    minimum leads; the others keep their bounds (Fleuret 2004, section 3.3.2).

    Parameters
    ----------
    capped
        Take ``I(X; C)`` into the minimum.
    """

    capped: bool = False
    _known: Known | None = field(default=None, repr=False)
    _bounds: FloatArray = field(default_factory=lambda: np.empty(0), repr=False)
    _seen: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64), repr=False)

    def __call__(self, known: Known) -> FloatArray:
        """Score the best feature, and bound the scores of the others below it."""
        if not known.selected:
            return known.relevance
        if known is not self._known:
            self._begin(known)
        while len(candidates := self._undecided(known)):
            self._advance(known, candidates)
        return self._bounds.copy()

    def _begin(self, known: Known) -> None:
        self._known = known
        self._seen = np.full(len(known.relevance), 0 if self.capped else 1)
        self._bounds = known.relevance.copy()
        if not self.capped:
            shared, given, _ = known.information.with_feature_and_target(known.selected[0])
            self._bounds -= shared - given

    def _undecided(self, known: Known) -> IntArray:
        """Return the candidates with the largest bounds, largest first; none if the first is exact."""
        bounds = ranks(self._bounds, known.selected)
        size = len(known.selected)
        if self._seen[np.argmax(bounds)] == size:
            return np.empty(0, dtype=np.int64)
        exact = self._seen == size
        open_ = np.flatnonzero(~exact & (bounds >= np.max(bounds[exact], initial=-np.inf)))
        wanted = max(2, BATCH // (STRIDE * known.information.columns.rows))
        if len(open_) > wanted:
            open_ = open_[np.argpartition(-bounds[open_], wanted)[:wanted]]
        return open_

    def _advance(self, known: Known, candidates: IntArray) -> None:
        """Take the next selected features into the minima of some candidates."""
        seen = self._seen[candidates]
        number = np.minimum(len(known.selected) - seen, STRIDE)
        first = np.repeat(candidates, number)
        starts = np.cumsum(number) - number
        next_ = np.arange(len(first)) - np.repeat(starts - seen, number)
        shared, given = known.information.of_pairs(first, np.array(known.selected)[next_])
        scores = known.relevance[first] - (shared - given)
        self._bounds[candidates] = np.minimum(self._bounds[candidates], np.minimum.reduceat(scores, starts))
        self._seen[candidates] += number
