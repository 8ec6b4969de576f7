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

BEAM = 10
"""Sets of a size that the search for a first card goes on from."""


@dataclass(eq=False)
class CardTree(Tree):
    """A search of the cards of one size.

    The model of a set with free coefficients is at least as good as any card of it, so bounds of sets are
    bounds of cards: nodes are closed by the best *card*. Signs of points are those of coefficients there. A
    set whose model is better gets the best points, before the next one is looked at.

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

    @property
    def signs(self) -> IntArray | None:
        """The signs that points must have."""
        return self.rules.signs if self.rules.signs.any() else None

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
        """Settle sets of a beam search, each improved by exchanges, until time is up."""
        met = set[bytes]()
        try:
            for members in self._beam():
                best = np.sort(self._exchanged(members))
                if best.tobytes() not in met:
                    met.add(best.tobytes())
                    self.settle(best)
        except STOPPED as fault:
            clock().note(fault)

    def _beam(self) -> IntArray:
        """Add one feature after another to the best sets so far, `BEAM` of each size; shape (sets, k)."""
        sets = np.zeros((1, 0), dtype=np.int64)
        while sets.shape[1] < self.k and len(sets):
            clock().check()
            more = [np.append(one, j) for one in sets for j in self._allowed(one)]
            grown = np.unique(np.sort(np.array(more, dtype=np.int64), axis=1), axis=0) if more else sets[:0]
            sets = grown[np.argsort(fit_sets(self.models.model, grown).loss, kind="stable")[:BEAM]]
            if not more:
                return np.zeros((0, self.k), dtype=np.int64)
        rows, limits = self.conditions.rows, self.conditions.limits
        return sets[[keeps(rows, limits, one) for one in sets]]

    def _allowed(self, members: IntArray) -> list[int]:
        """Return which features may come next: those that limits leave, and a rule needs that is not kept."""
        rows, limits = self.conditions.rows, self.conditions.limits
        upper, used = (rows >= 0).all(axis=1), rows[:, members].sum(axis=1)
        allowed = (used[upper, None] + rows[upper] <= limits[upper, None]).all(axis=0)
        for needed in np.flatnonzero(~upper & (used > limits)).tolist()[:1]:
            allowed &= rows[needed] < 0
        allowed[members] = False
        return np.flatnonzero(allowed).tolist()

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
