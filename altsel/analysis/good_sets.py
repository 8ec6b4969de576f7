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


class GoodSets:
    """A list of good sets, and how far it is known to have all of them."""

    def __init__(self, found: Solutions) -> None:
        self.found = found
        self.scores = np.array([one.score for one in found])
        self.best = float(self.scores.max())
        self.held = membership([one.features for one in found], found.universe)
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

    def feature_range(self, place: int) -> FeatureRange:
        """Return what the list says of a feature."""
        has, name = self.held[:, place], self.found.universe[place]
        kind = RangeClass.CORE if has.all() else RangeClass.SOMETIMES if has.any() else RangeClass.NEVER
        best_without, without, most_without = self._losses(~has)
        best_with, holding, most_holding = self._losses(has)
        return FeatureRange(
            name,
            self.found.members.get(name, (name,)),
            int(has.sum()),
            float(has.mean()),
            kind,
            best_without,
            best_with,
            without,
            holding,
            most_without,
            most_holding,
        )

    def _losses(self, rows: BoolArray) -> tuple[float | None, LeastLoss, float | None]:
        """Return score of the best of some sets, what the best such set of all loses, and their largest loss.

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
