"""Whether some features hold a blanket: by those that are known, else by a search among them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from altsel.results.feature_set import FeatureSet
from altsel.search.blankets.all.collection import BlanketFamily
from altsel.search.blankets.blanket_search import BlanketSearch

Names = frozenset[str]
Choose = Callable[[Sequence[str]], str]
"""Takes one of the candidates that could be selected."""
Learn = Callable[[Collection[str], Choose | None], FeatureSet]
"""Finds one set among some features, equivalent to the reference or not."""


@dataclass
class Sufficiency:
    """Searches for blankets among some of the features; what they leave out is hidden.

    Parameters
    ----------
    search
        The search, whose candidates may be hidden.
    family
        Where blankets and failed removals are kept.
    learn
        Finds one set.
    reuse
        Whether a known blanket is taken for an answer, without a search.
    """

    search: BlanketSearch
    family: BlanketFamily
    learn: Learn
    reuse: bool = True

    def __post_init__(self) -> None:
        self.free = tuple(self.search.candidates)

    def without(self, hidden: Names, choose: Choose | None = None) -> Names | None:
        """Return a blanket that has no hidden feature, if a search finds one; else the removal has failed."""
        known = (
            next((one for one in self.family.blankets() if not one & hidden), None) if self.reuse else None
        )
        if known is not None:
            return known
        self.family.enter()
        among = [name for name in self.free if name not in hidden]
        return self.family.learned(hidden, self.learn(among, choose))

    def shrunk(self, hidden: Names) -> Names:
        """Take features out of a failed removal as long as there is still no blanket.

        1. Those that tell nothing given what the search was left with: it would be left with the same (TMFBS,
           lemma 1).
        2. Halves of the others, quarters, …, single ones, each by a search.
        """
        told = self._telling(hidden)
        left = [name for name in self.free if name in told]
        size = max(1, len(left) // 2)
        while True:
            start = 0
            while start < len(left):
                fewer = left[:start] + left[start + size :]
                if fewer and self.without(frozenset(fewer)) is None:
                    left = fewer
                else:
                    start += size
            if size == 1:
                return frozenset(left)
            size //= 2

    def _telling(self, hidden: Names) -> Names:
        """Return the features of a failed removal that depend on the target given what was left."""
        left = self.family.failed[hidden]
        answers = self.search.results(sorted(hidden), left)
        some = answers.dependent(self.search.alpha)
        telling = frozenset(name for name, depends in zip(answers.candidates, some, strict=True) if depends)
        if not telling or not self.family.standing([telling]):
            return hidden  # features tell something together only: composition, which lemma 1 needs, fails
        self.family.implied[telling] = left
        return telling
