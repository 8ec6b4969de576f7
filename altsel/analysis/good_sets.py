"""A list of good sets: what it says of a feature, and of losses of sets that are not in it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from altsel._types import BoolArray
from altsel.results.feature_set import Proof
from altsel.results.importance_range import FeatureRange, RangeClass
from altsel.results.least_loss import Known, LeastLoss
from altsel.results.solutions import PART, Solutions
from altsel.results.stop import Stop
from altsel.stats.stability import membership

Losses = tuple[float | None, LeastLoss, float | None]
"""Score of the best of some sets, what the best such set loses, and the largest loss of the list."""


class GoodSets:
    """A list of good sets, and how far it is known to have all of them."""

    def __init__(self, found: Solutions) -> None:
        self.found = found
        self.scores = np.array([one.score for one in found])
        self.best = float(self.scores.max())
        used = set().union(*(one.features for one in found))
        self.used = tuple(name for name in found.universe if name in used)
        self.held = membership([one.features for one in found], self.used)
        self.column = {name: j for j, name in enumerate(self.used)}
        whole = not found.request.get(PART)
        diversity = found.request.get("diversity") or {}
        every = whole and not (diversity.get("tau") or 0) > 0
        self.complete = every and found.stop is Stop.EXHAUSTED
        self.cut = every and found.stop is Stop.COUNT and found.proved
        proved = found[int(self.scores.argmax())].proof is Proof.OPTIMAL
        self.best_is_proved = self.complete or (whole and proved)

    @cached_property
    def tolerance(self) -> float | None:
        """Loss down to which every set is in the list; None if that is not known."""
        within = self.found.request.get("within") or {}
        if self.complete and within.get("kind") == "AbsoluteLoss":
            return float(within["amount"])
        if self.complete and within.get("kind") == "RelativeLoss":
            return float(within["share"]) * abs(self.best)
        return self.best - float(self.scores.min()) if self.complete or self.cut else None

    def feature_range(self, name: str) -> FeatureRange:
        """Return what the list says of a feature."""
        place = self.column.get(name)
        if place is None:
            return self._never(name)
        has = self.held[:, place]
        return self._range(name, int(has.sum()), self._losses(~has), self._losses(has))

    def _never(self, name: str) -> FeatureRange:
        """Return what the list says of a feature that is in none of its sets; there may be very many."""
        return self._range(name, 0, self._whole, (None, self.beyond, None))

    def _range(self, name: str, sets: int, lacking: Losses, having: Losses) -> FeatureRange:
        count = len(self.found)
        kind = RangeClass.CORE if sets == count else RangeClass.SOMETIMES if sets else RangeClass.NEVER
        (best_without, without, most_without), (best_with, holding, most_holding) = lacking, having
        names = self.found.members.get(name, (name,))
        return FeatureRange(
            feature=name,
            names=names,
            sets=sets,
            share=sets / count,
            range_class=kind,
            best_without=best_without,
            best_with=best_with,
            without=without,
            holding=holding,
            most_without=most_without,
            most_holding=most_holding,
        )

    @cached_property
    def _whole(self) -> Losses:
        return self._losses(np.ones(len(self.found), dtype=bool))

    def _losses(self, rows: BoolArray) -> Losses:
        """Return what some of the sets say.

        A set of the list shows the least loss exactly where the list has all sets that lose as little. Else
        it bounds it from above, if the best of all is known.
        """
        if not rows.any():
            return None, self.beyond, None
        scores = self.scores[rows]
        score, worst = float(scores.max()), float(scores.min())
        if self.tolerance is None and not self.best_is_proved:
            known = Known.NOTHING
        else:
            known = Known.EXACTLY if self.tolerance is not None or score == self.best else Known.AT_MOST
        value = None if known is Known.NOTHING else self.best - score
        return score, LeastLoss(known, value), self.best - worst

    @cached_property
    def beyond(self) -> LeastLoss:
        """What a set loses that is not in the list."""
        if self.tolerance is None:
            return LeastLoss(Known.NOTHING)
        return LeastLoss(Known.MORE_THAN if self.complete else Known.AT_LEAST, self.tolerance)
