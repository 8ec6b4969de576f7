"""What tests on the data say again: of the reference, of every blanket, and of every failed removal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import log
from typing import TypeVar

import numpy as np

from altsel.auditing.blankets.case import Case, Known, removal_text, write_set
from altsel.exact.verification.verifier import Check
from altsel.results.comparison import Comparison, Discarded
from altsel.results.dual import Evidence, FailedRemoval
from altsel.results.feature_set import FeatureSet, Verdict
from altsel.search.blankets.all.collection import INADMISSIBLE, NOT_EQUIVALENT
from altsel.search.blankets.all.confirmation import is_blanket
from altsel.stats.independence.base import may_suffice

NEAR = 1e-6
"""Relative difference of figures that is put down to rounding: searches update what is computed anew here."""

CORRECTED = "p of members, which is corrected for the number of candidates that are tested at once"
"""What is said of figures that one test by itself does not give."""

One = TypeVar("One")


@dataclass
class Retests:
    """Tests made again, of all that a file names or of a sample.

    Parameters
    ----------
    case
        The audit.
    most
        Blankets, and failed removals, that are tested again; None: all.
    """

    case: Case
    most: int | None = None
    unproved: list[str] = field(default_factory=list)

    def checks(self) -> Iterator[Check]:
        """Test the reference, blankets and failed removals again."""
        case = self.case
        if not case.found.sets and not case.dual.failed:
            return
        yield self._reference()
        self.unproved += [] if self._comparable else [CORRECTED]
        for known in self._drawn(case.known, "blankets"):
            yield self._equivalent(known)
            yield from self._members(known)
        for stated in self._drawn(case.dual.failed, "failed removals"):
            yield self._failed(stated)
            yield self._evidence(stated)
            yield from self._left(stated)
        for out in self._drawn(case.found.discarded, "discarded sets"):
            yield self._discarded(out)

    @property
    def _comparable(self) -> bool:
        """Whether p of a feature does not depend on how many are tested at once."""
        return bool(getattr(self.case.problem.test, "separable", True))

    def _drawn(self, several: Sequence[One], what: str) -> Sequence[One]:
        """Draw a sample, not to be known beforehand, in its order."""
        if self.most is None or len(several) <= self.most:
            return several
        self.unproved.append(f"tests of {len(several) - self.most} of {len(several)} {what}")
        places = np.random.default_rng().choice(len(several), self.most, replace=False)
        return [several[j] for j in sorted(places.tolist())]

    def _reference(self) -> Check:
        case, claim = self.case, "the reference makes all other features superfluous"
        case.search.at(case.reference, case.free)
        good = is_blanket(case.search)
        if case.dual.reference_confirmed:
            return Check(claim, good, "" if good else "tests say that they do not")
        if not case.found.stop.finished:
            return Check("the file does not say that the reference is a blanket", True)
        return Check("the reference is no blanket by the tests, as the file says", not good)

    def _equivalent(self, one: Known) -> Check:
        """Judge a set by the reference, and compare what the file says of that."""
        claim = f"{one.title}: equivalent to the reference"
        judged = self.case.judged(one.features)
        if not judged.equivalent:
            p = ", ".join(f"{part.test}: p = {part.p:.3g}" for part in judged.comparisons)
            return Check(claim, False, p or "it is not")
        same = _all_alike(judged.comparisons, one.comparisons)
        return Check(claim, same, "" if same else "the tests have other figures than the file")

    def _members(self, one: Known) -> Iterator[Check]:
        """Check that no member is superfluous: the learner inside the set keeps all, or each is needed."""
        case, search = self.case, self.case.search
        claim = f"{one.title}: none of its features is superfluous"
        inside = case.learned(one.names.difference(search.forced))
        search.at(one.features, ())
        search.members.sort(key=lambda name: name not in search.forced)
        answers = search.each_given_the_others() if one.names.difference(search.forced) else None
        log_p = {} if answers is None else dict(zip(answers.candidates, answers.log_p.tolist(), strict=True))
        if frozenset(inside) == one.names:
            yield Check(claim, True)
        else:
            idle = [name for name, p in log_p.items() if p > log(search.alpha)]
            words = f"{write_set(idle)} tells nothing given the others" if idle else "each tells something"
            found = f"the learner among them finds {write_set(inside)}; {words}"
            yield Check(claim, False if idle and not set(idle) & set(inside) else None, found)
        if one.listed is not None and self._comparable:
            yield self._figures(one.title, one.listed, log_p)
        if one.listed is not None and not case.is_best:
            yield self._score(one.title, one.listed)

    def _figures(self, title: str, one: FeatureSet, log_p: dict[str, float]) -> Check:
        """Compare p of features given what the file names, of members else all others, or nothing.

        A file leaves out what was given where it is all others.
        """
        wrong = [verdict.feature for verdict in one.verdicts if not self._same_p(one, verdict, log_p)]
        claim = f"{title}: p of its features"
        return Check(claim, not wrong, f"other for {write_set(wrong)}" if wrong else "")

    def _same_p(self, one: FeatureSet, verdict: Verdict, log_p: dict[str, float]) -> bool:
        others = {*one.features} - {verdict.feature}
        if not verdict.given or set(verdict.given) == others:
            p = log_p.get(verdict.feature) if verdict.feature in one else None
            if p is not None and _close(p, verdict.log_p):
                return True
        search = self.case.search
        if verdict.log_p is None:  # none was needed, or the rows suffice for none
            return verdict.feature in search.forced or not search.results([verdict.feature], others).tested[0]
        known = set(verdict.given) <= set(search.test.features) - {verdict.feature}
        return known and _close(
            float(search.results([verdict.feature], verdict.given).log_p[0]), verdict.log_p
        )

    def _score(self, title: str, one: FeatureSet) -> Check:
        """Compare the score with the largest p of a member."""
        held = [verdict.log_p or 0.0 for verdict in one.verdicts if verdict.feature in one]
        score = 0.0 - max(held) / log(10) if held else 0.0
        good = _close(score, one.score)
        words = "" if good else f"the largest p of a member gives {score:.9g}"
        return Check(f"{title}: score {one.score:.9g}", good, words)

    def _discarded(self, one: Discarded) -> Check:
        """Judge a set again that was found and not returned; one that breaks rules is a blanket."""
        claim = f"discarded {write_set(one.features)}: {one.reason}"
        if one.reason == INADMISSIBLE:
            return Check(claim, True)  # among the blankets
        judged = self.case.judged(one.features)
        tested = all(part.tested for part in judged.comparisons)
        if judged.equivalent or tested is not (one.reason == NOT_EQUIVALENT):
            return Check(claim, False, "it is equivalent" if judged.equivalent else "for another reason")
        same = _all_alike(judged.comparisons, one.comparisons)
        return Check(claim, same, "" if same else "the tests have other figures than the file")

    def _left(self, stated: FailedRemoval) -> Iterator[Check]:
        """Check that a search without the removed features can end with what the file says.

        The learner does, or tests find nothing superfluous in it and all else superfluous. If neither is so,
        it is open; where the file says that tests do not confirm the removal, it is named as not checked.
        """
        case, search = self.case, self.case.search
        claim = f"{removal_text(stated)}: what is left is {write_set(stated.left)}"
        rest = [name for name in case.free if name not in set(stated.removed)]
        if set(case.learned(rest)) == set(stated.left):
            yield Check(claim, True)
            return
        if case.judged(stated.left).equivalent:
            yield Check(claim, False, "it is a blanket")
            return
        search.at(stated.left, rest)
        answers = search.each_given_the_others() if stated.left else None
        if (answers is None or answers.dependent(search.alpha).all()) and is_blanket(search):
            yield Check(claim, True)
        elif stated.confirmed:
            yield Check(claim, None, "neither the learner nor tests tell why")
        else:
            self.unproved.append(claim)

    def _failed(self, stated: FailedRemoval) -> Check:
        """Search for a blanket without the removed features."""
        case = self.case
        inside = case.learned([name for name in case.free if name not in set(stated.removed)])
        if not case.judged(inside).equivalent:
            return Check(removal_text(stated), True)
        if self._tested(stated)[0] is Evidence.NEEDED:
            words = f"a removed feature is needed, yet {write_set(inside)} is judged equivalent"
            return Check(removal_text(stated), None, f"tests disagree: {words}")
        return Check(removal_text(stated), False, f"{write_set(inside)} is one")

    def _evidence(self, stated: FailedRemoval) -> Check:
        """Compare what confirms a removal with what the file says of it."""
        evidence, feature, log_p = self._tested(stated)
        claim = f"{removal_text(stated)}: {stated.evidence.value}"
        cut_short = not self.case.found.stop.finished
        if cut_short and (stated.evidence, stated.log_p) == (Evidence.UNCONFIRMED, None):
            return Check(claim, True, "the search was cut short before")
        if evidence is not stated.evidence:
            return Check(claim, False, f"by the tests {evidence.value}")
        known = log_p is not None and stated.log_p is not None
        same = feature == stated.feature and (_close(log_p, stated.log_p) if known else log_p is stated.log_p)
        return Check(claim, same, "" if same else "the test has another p than the file")

    def _tested(self, stated: FailedRemoval) -> tuple[Evidence, str | None, float | None]:
        """Test whether a removed feature tells something given all others, else what was left.

        The smallest p, times their number (Bonferroni), must be at most alpha; a test counts where the rows
        suffice for it by its own rule.
        """
        case, search, removed = self.case, self.case.search, set(stated.removed)
        rest = [name for name in case.free if name not in removed]
        others = [*search.forced, *rest]
        reliable = [name for name in stated.removed if may_suffice(search.test, name, others)]
        answers = search.results(reliable, others) if reliable else None
        feature, log_p = None, None
        if answers is not None and answers.tested.any():
            first = int(answers.order()[0])
            feature, log_p = reliable[first], float(answers.log_p[first])
            if answers.log_p[answers.tested].min() <= log(search.alpha / len(removed)):
                return Evidence.NEEDED, feature, log_p
        search.at(stated.left, rest)
        settled = is_blanket(search) and not case.judged(stated.left).equivalent
        return Evidence.NOT_EQUIVALENT if settled else Evidence.UNCONFIRMED, feature, log_p


def _all_alike(some: Sequence[Comparison], others: Sequence[Comparison]) -> bool:
    return len(some) == len(others) and all(map(_alike, some, others))


def _alike(one: Comparison, other: Comparison) -> bool:
    same = (one.test, one.definition, one.tested, one.shows) == (
        other.test,
        other.definition,
        other.tested,
        other.shows,
    )
    figures = [(one.p, other.p), (one.statistic, other.statistic), (one.difference, other.difference)]
    return same and all(_close(*pair) for pair in figures)


def _close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or abs(one - other) <= NEAR * max(1.0, abs(one), abs(other))
