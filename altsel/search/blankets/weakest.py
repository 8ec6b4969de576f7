"""The weakest association of each feature over many tests, most of which need not be done in full."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from altsel._types import BoolArray
from altsel.runtime.clock import STOPPED
from altsel.stats.independence.protocol import Independence, TestResults, rounded

Weight = tuple[float, float]
"""Of a test: log p and minus the statistic, both rounded; the larger, the weaker."""

NEVER: Weight = (-float("inf"), 0.0)


class LastWord(NamedTuple):
    """Logarithm of p of a feature's last test, None if it was not tested, and what was given."""

    log_p: float | None
    given: tuple[str, ...]


class _Known(NamedTuple):
    """A test that was done in full; of tests of equal weight the first one, by number, is the weaker."""

    weight: Weight
    before: int  # minus its number
    word: LastWord


NOTHING = _Known(NEVER, 0, LastWord(None, ()))


@dataclass
class Weakest:
    """The largest p of each feature of all its tests.

    Of a test that could decide without p, p is known from above. It is found, when the largest one is
    wanted, where it may be that.

    Parameters
    ----------
    test
        The test, bound to a target.
    """

    test: Independence
    _known: dict[str, _Known] = field(default_factory=dict)
    # heaps of minus the largest log p, minus the number, and what was given
    _open: dict[str, list[tuple[float, int, tuple[str, ...]]]] = field(default_factory=dict)
    _number: int = 0

    def add(self, answers: TestResults, given: tuple[str, ...], full: BoolArray) -> list[str]:
        """Take note of answers given one set; return of which features the weakest test may be another."""
        self._number += 1
        log_p, statistic = rounded(answers.log_p).tolist(), rounded(-np.abs(answers.statistic)).tolist()
        exact, changed = answers.log_p.tolist(), []
        for j in np.flatnonzero(answers.tested).tolist():
            name, weight = answers.candidates[j], (log_p[j], statistic[j])
            known = self._known.get(name, NOTHING).weight
            if not full[j] and weight[0] >= known[0]:
                heappush(self._open.setdefault(name, []), (-weight[0], -self._number, given))
                changed.append(name)
            elif full[j] and weight > known:
                self._known[name] = _Known(weight, -self._number, LastWord(exact[j], given))
                changed.append(name)
        return changed

    def at_most(self, name: str) -> float:
        """Return what the largest log p of a feature is at most."""
        known, left = self._known.get(name, NOTHING).weight[0], self._open.get(name)
        return max(known, -left[0][0]) if left else known

    def of(self, name: str) -> Weight:
        """Return the weight of a feature's weakest test."""
        return self._settled(name).weight

    def word(self, name: str) -> LastWord:
        """Return what that test said; where time is up, the weakest one that was done in full."""
        try:
            return self._settled(name).word
        except STOPPED:
            return self._known.get(name, NOTHING).word

    def copy(self) -> Weakest:
        """Return the same, to be continued in another way."""
        left = {name: list(tests) for name, tests in self._open.items()}
        return Weakest(self.test, dict(self._known), left, self._number)

    def _settled(self, name: str) -> _Known:
        """Do the tests of a feature that may be the weakest, those first that most probably are."""
        known, left = self._known.get(name, NOTHING), self._open.get(name, [])
        while left and -left[0][0] >= known.weight[0]:
            _, before, given = left[0]
            answer = self.test([name], given)
            weight = float(rounded(answer.log_p)[0]), float(rounded(-np.abs(answer.statistic))[0])
            known = max(known, _Known(weight, before, LastWord(float(answer.log_p[0]), given)))
            self._known[name] = known
            heappop(left)
        self._open.pop(name, None)
        return known
