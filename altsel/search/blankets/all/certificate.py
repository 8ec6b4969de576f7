"""The proof that all blankets were found: failed removals, confirmed by tests, and attempts to refute it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from altsel.models.rule import title_of
from altsel.results.dual import Dual, Evidence, FailedRemoval, minimal
from altsel.results.stop import Stop
from altsel.search.blankets.all.admissible import Within
from altsel.search.blankets.all.confirmation import is_blanket
from altsel.search.blankets.all.sufficiency import Sufficiency
from altsel.search.blankets.blanket_search import BlanketSearch
from altsel.stats.independence.base import may_suffice

SEED = 0
"""Of the attempts to refute a claim: the same search makes the same."""

Names = frozenset[str]


@dataclass
class Certificate:
    """What proves, or refutes, that a search which has ended by itself found all blankets.

    Parameters
    ----------
    sufficiency
        Searches among some of the features.
    """

    sufficiency: Sufficiency

    def __post_init__(self) -> None:
        self.search, self.family = self.sufficiency.search, self.sufficiency.family
        self.complete, self.reference_confirmed, self.attempts, self.withdrawn = False, False, 0, 0
        self.draws, self.runs, self.uniform = 0, 0, True  # of sets that could be blankets
        self._confirmed: dict[Names, FailedRemoval] = {}
        self._reference_tested = False
        self._failed: list[Names] | None = None  # known once the search has ended
        self._free = self.sufficiency.free
        self._before = (0, 0)  # tests and solves of the search itself
        self._listed: int | None = None  # blankets of a search that is meant to find all
        self._random = np.random.default_rng(SEED)

    def work(self) -> None:
        """Prove that there is no other blanket, try to refute that, and confirm what the proof rests on."""
        self.begin()
        self._listed = len(self.family.kept)
        if not self._listed:
            self._shrink()
        self.complete = self._closed()
        if not self.stands():
            self.complete = self.family.admission.find(self.unknown()) is None

    def begin(self) -> None:
        """Take over the failed removals of the search; what is done from now on is part of the proof."""
        family = self.family
        self._before = (self.search.budget.tests, family.admission.solves)
        self._failed = minimal([*family.failed, *family.implied])
        self.withdraw()

    def _shrink(self) -> None:
        """Where rules leave no blanket, make failed removals as small as they can be: they tell why."""
        shorter = []
        for removal in self.removals:
            failed = removal in self.family.failed or self.sufficiency.without(removal) is None
            shorter += [self.sufficiency.shrunk(removal)] if failed else []
        self._failed = minimal(shorter)
        self.withdraw()

    def stands(self) -> bool:
        """Confirm by tests what failed removals rest on, and try to refute them; return whether all stand."""
        self.confirm()
        self._try_to_refute()
        return not self.withdraw()

    def holds_blanket(self, one: Names) -> bool:
        """Return whether a search inside a set finds a blanket; if not, what is outside is a failed removal.

        Features of it are given back as long as there is still no blanket.
        """
        hidden = frozenset(self._free) - one
        if self.sufficiency.without(hidden) is not None:
            return True
        self._failed = minimal([*self.removals, self.sufficiency.shrunk(hidden)])
        return False

    @property
    def removals(self) -> Sequence[Names]:
        """The failed removals that are known."""
        return self._failed or ()

    @property
    def missed(self) -> int:
        """Blankets found since a search that was meant to find all had ended."""
        return 0 if self._listed is None else len(self.family.kept) - self._listed

    def dual(self) -> Dual:
        """Return what is shown, as far as the work has come."""
        tests, solves = self._before
        known = self.family.blankets()
        stated = minimal(self.family.failed) if self._failed is None else self._failed
        failed = self.family.standing(stated)  # a limit may have ended the search before the others left
        began = self._failed is not None
        names, forced = self.search.test.features, set(self.search.forced)
        used = forced.union(self._free)
        return Dual(
            failed=tuple(self._confirmed.get(one) or self._told(one) for one in failed),
            complete=self.complete and len(failed) == len(stated),
            reference_confirmed=self.reference_confirmed,
            missed=self.missed,
            withdrawn=self.withdrawn + len(stated) - len(failed),
            nested=len(known) - len(minimal(known)),
            attempts=self.attempts,
            tests=self.search.budget.tests - tests if began else 0,
            solves=self.family.admission.solves - solves if began else 0,
            forced=tuple(name for name in names if name in forced),
            left_out=tuple(name for name in names if name not in used),
            rules=tuple(map(title_of, self.family.limits.subject_to)),
            draws=self.draws,
            runs=self.runs,
            uniform=self.uniform,
        )

    def _closed(self) -> bool:
        """Return whether a solver proves that no other set could be a blanket; learn in those that could.

        1. Find a set that keeps the rules, meets all failed removals and contains no known blanket.
        2. If there is none, the family is complete. Otherwise search for a blanket inside the set.
        3. One that is found there had been missed. If there is none, the features outside are a removal that
           failed: give features back as long as there is still no blanket, and go on with those left.
        """
        most = self.family.states + 2 * len(self._free) + 100
        while (one := self.family.admission.find(self.unknown())) is not None:
            if self.family.states > 2 * most:
                return False
            if self.holds_blanket(one) and self.missed > self.family.limits.attempts:
                return False  # the search misses blankets: whatever is found, more may be missed
        return True

    def unknown(self) -> Within:
        """Return which sets could be blankets that are not known, as far as the failed removals tell."""
        return replace(self.family.unknown(), met=self.removals, avoided=self.family.blankets())

    def withdraw(self) -> bool:
        """Drop removals without which a blanket is known; return whether there are any."""
        standing = self.family.standing(self.removals)
        dropped = len(self.removals) - len(standing)
        self._failed, self.withdrawn = standing, self.withdrawn + dropped
        return dropped > 0

    def _try_to_refute(self) -> None:
        """Search without more than a failed removal, drawn at random; every other time by random candidates.

        What is needed given all others cannot be left out; only the other removals can be refuted.
        """
        open_ = [one for one, told in self._confirmed.items() if told.evidence is not Evidence.NEEDED]
        for number in range(self.family.limits.attempts if open_ else 0):
            self.attempts += 1
            removal = open_[int(self._random.integers(len(open_)))]
            more = self._random.random(len(self._free)) < self._random.uniform(0, 0.5)
            hidden = removal.union(np.array(self._free, dtype=object)[more].tolist())
            self.sufficiency.without(hidden, self._any_of if number % 2 else None)

    def _any_of(self, names: Sequence[str]) -> str:
        return names[int(self._random.integers(len(names)))]

    def confirm(self) -> None:
        """Test what the proof rests on, and was not tested before: the reference, and each failed removal."""
        if not self._reference_tested:
            self.search.at(self.family.reference or (), self._free)
            self.reference_confirmed, self._reference_tested = is_blanket(self.search), True
        for removal in self.removals:
            if removal not in self._confirmed:
                self._confirmed[removal] = self._tested(removal)

    def _tested(self, removal: Names) -> FailedRemoval:
        """Test whether a removal left no blanket: by what it took away, else by what it left."""
        search, told = self.search, self._told(removal)
        rest = [name for name in self._free if name not in removal]
        others = [*search.forced, *rest]
        able = [name for name in told.removed if may_suffice(search.test, name, others)]
        answers = search.results(able, others) if able else None
        if answers is not None and answers.tested.any():
            first = int(answers.order()[0])
            told = replace(told, feature=able[first], log_p=float(answers.log_p[first]))
            if answers.dependent(search.alpha / len(told.removed)).any():
                return replace(told, evidence=Evidence.NEEDED)
        search.at(told.left, rest)
        return replace(told, evidence=Evidence.NOT_EQUIVALENT) if is_blanket(search) else told

    def _told(self, removal: Names) -> FailedRemoval:
        """Return a removal with what the search was left with, in the order of the data."""
        left = self.family.failed.get(removal) or self.family.implied.get(removal, ())
        names = self.search.test.features
        return FailedRemoval(
            tuple(name for name in names if name in removal), tuple(name for name in names if name in left)
        )


def conclude(search: BlanketSearch, dual: Dual, *, sure: bool, found: int) -> None:
    """Report how a search ended that nothing cut short: by a proof, or by a method that guarantees nothing.

    Parameters
    ----------
    search
        The search.
    dual
        What proves the claim.
    sure
        Whether the method finds all blankets where nothing casts doubt on that.
    found
        How many were found: if there are none, no blanket keeps the rules.
    """
    if search.stop is Stop.COUNT:
        proved = Stop.EXHAUSTED if found else Stop.INFEASIBLE
        search.stop = proved if sure and dual.complete and not dual.doubts() else Stop.HEURISTIC
