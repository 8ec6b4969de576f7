"""Score cards by the branch and bound of regularised models: sets that it meets get integer points."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from altsel._types import FloatArray, IntArray
from altsel.exact.kernels.fit_rules import keeps
from altsel.exact.sources.generalised.integer_points import Card, PointRules, PointSearch, Table
from altsel.exact.sources.generalised.tree import Tree
from altsel.runtime.clock import STOPPED, clock
from altsel.stats.generalised.fit import fit_sets


@dataclass(eq=False)
class CardTree(Tree):
    """A search of the cards of one size.

    The model of a set with free coefficients is at least as good as any card of it, so bounds of sets are
    bounds of cards: nodes are closed by the best *card*. A set whose model is better gets the best points,
    before the next one is looked at.

    Attributes
    ----------
    table, rules
        What points are searched in, and what they may be.
    card
        The best card met.
    settled
        Number of sets whose points were searched.
    """

    table: Table = field(kw_only=True)
    rules: PointRules = field(kw_only=True)
    card: Card | None = None
    settled: int = 0

    def settle(self, members: IntArray) -> None:
        """Search the points of a set, for a card that is better than the best."""
        self.settled += 1
        found = PointSearch(self.table, self.rules, members, self.close)
        try:
            found.below(self.cost)
        finally:  # also where time is up
            if found.best is not None:
                self.card, self.cost = found.best, found.best.loss

    def start(self) -> None:
        """Settle a set that is chosen greedily and improved by exchanges, if it keeps the rules."""
        try:
            members = self._greedy()
            if members is not None:
                self.settle(np.sort(self._exchanged(members)))
        except STOPPED as fault:
            clock().note(fault)

    def _greedy(self) -> IntArray | None:
        """Add the feature whose model is best, one after another; those that rules need first."""
        rows, limits = self.conditions.rows, self.conditions.limits
        upper = (rows >= 0).all(axis=1)
        members = np.zeros(0, dtype=np.int64)
        while len(members) < self.k:
            used = rows[upper][:, members].sum(axis=1)[:, None] + rows[upper]
            allowed = (used <= limits[upper][:, None]).all(axis=0)
            for needed in np.flatnonzero(~upper & (rows[:, members].sum(axis=1) > limits)).tolist()[:1]:
                allowed &= rows[needed] < 0
            allowed[members] = False
            others = np.flatnonzero(allowed)
            if not len(others):
                return None
            clock().check()
            sets = np.hstack([np.tile(members, (len(others), 1)), others[:, None]])
            members = sets[int(fit_sets(self.models.model, sets).loss.argmin())]
        return members if keeps(rows, limits, members) else None

    def _exchanged(self, members: IntArray) -> IntArray:
        """Exchange one feature for another while that makes the model better."""
        rows, limits = self.conditions.rows, self.conditions.limits
        loss = float(fit_sets(self.models.model, members[None]).loss[0])
        others = np.setdiff1d(np.arange(rows.shape[1]), members)
        while len(others):
            clock().check()
            sets = np.tile(members, (self.k * len(others), 1))
            sets[np.arange(len(sets)), np.repeat(np.arange(self.k), len(others))] = np.tile(others, self.k)
            kept = (rows[:, sets].sum(axis=2) <= limits[:, None]).all(axis=0)
            if not kept.any():
                break
            fits = fit_sets(self.models.model, sets[kept], loss - self.close)
            at = int(fits.loss.argmin())
            if not fits.loss[at] < loss - self.close:
                break
            members, loss = sets[kept][at], float(fits.loss[at])
            others = np.setdiff1d(np.arange(rows.shape[1]), members)
        return members

    def _fit(self, sets: IntArray, start: FloatArray | None) -> None:
        """Settle the sets whose models are better than the best card, the best first."""
        fits = fit_sets(self.models.model, sets, self.cutoff, start)
        for at in np.argsort(fits.loss, kind="stable").tolist():
            if fits.loss[at] >= self.cutoff:
                break
            self.settle(np.sort(sets[at]))
