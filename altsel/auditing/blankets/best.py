"""What a file claims of the best blankets: costs, their order, bounds, and that no other one costs less."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from altsel.auditing.blankets.case import Case
from altsel.auditing.blankets.completeness import Completeness
from altsel.exact.transversals.by_model import cheapest, read_set
from altsel.exact.verification.verifier import Check
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.stop import Stop

Test = Callable[[Collection[str]], bool]

FORGOTTEN = " at 1 for each feature; were costs forgotten? BlanketProblem(test, costs=…)"
"""What is said of wrong costs where none were given."""
ROUNDS = 100
"""Blankets that a file need not name, which are set aside before a claim on costs is left open."""
ORDER = (Proof.OPTIMAL, Proof.HEURISTIC, Proof.FEASIBLE)
"""In which order proofs of the best come."""


@dataclass(frozen=True)
class Best:
    """The best blankets of a file. All costs are compared as exact fractions.

    Parameters
    ----------
    case
        The audit.
    completeness
        What proves that there are no others.
    """

    case: Case
    completeness: Completeness

    def figures(self) -> Iterator[Check]:
        """Check what the sets show by themselves: costs, bounds, gaps, proofs, order, and their number."""
        case, found = self.case, self.case.found
        for number, one in enumerate(found):
            cost = case.costs.first(one.features)
            good = one.score == 0.0 - cost
            hint = FORGOTTEN if case.problem.costs is None else ""
            found_out = "" if good else f"it is {cost!r}{hint}"
            yield Check(f"set {number}: cost {-one.score:.12g}", good, found_out)
            yield from self._bound(f"set {number}", one)
        own = [case.costs.of(one.features) for one in found]
        yield Check("the cheapest first", all(a <= b for a, b in pairwise(own)))
        proofs = [one.proof for one in found]
        known = all(proof in ORDER for proof in proofs)
        yield Check(
            "what is proved comes first",
            known and all(ORDER.index(a) <= ORDER.index(b) for a, b in pairwise(proofs)),
        )
        yield self._number()

    def _bound(self, title: str, one: FeatureSet) -> Iterator[Check]:
        """Check that bound and gap go with the score and what is said to be proved."""
        if one.bound is None:
            wanted = one.proof is Proof.OPTIMAL or one.gap is not None
            yield Check(f"{title}: no bound, and no gap", not wanted, "a bound is missing" if wanted else "")
            return
        claim = f"{title}: bound {one.bound:.12g}"
        if one.proof is Proof.HEURISTIC:
            yield Check(claim, False, "by what guarantees nothing there is none")
            return
        if one.proof is Proof.OPTIMAL:
            yield Check(claim, one.bound == one.score, "" if one.bound == one.score else "not the score")
        else:
            above = one.bound >= one.score
            yield Check(claim, above, "" if above else f"it is below the score, {one.score!r}")
        gap = (one.bound - one.score) / abs(one.score) if one.score else None
        yield Check(f"{title}: its gap", one.gap == gap, "" if one.gap == gap else f"it is {gap!r}")

    def _number(self) -> Check:
        """Check that how the search ended goes with the number of sets."""
        wanted, stop, there = self.case.number or 0, self.case.found.stop, len(self.case.found)
        claim = f"{wanted} blankets wanted"
        proved = sum(one.proof is not Proof.FEASIBLE for one in self.case.found)
        fits = {Stop.COUNT: proved == wanted, Stop.EXHAUSTED: proved == there < wanted}
        good = there <= wanted and fits.get(stop, True)
        return Check(claim, good, "" if good else f"{there} there, stop: {stop.value}")

    def proofs(self) -> Iterator[Check]:
        """Check that no other blanket costs less than those called optimal, or than the bound."""
        case, completeness = self.case, self.completeness
        optimal = [one for one in case.found if one.proof is Proof.OPTIMAL]
        bounds = [one.bound for one in case.found if one.proof is Proof.FEASIBLE and one.bound is not None]
        if optimal:
            doubts = case.dual.doubts()
            yield Check("tests confirm what the optimum rests on", not doubts, "; ".join(doubts))
        if case.dual.complete:
            return  # then there is no other one at all
        if optimal:
            claim = f"no other blanket costs less than {0.0 - optimal[-1].score:.12g}"
            limit = case.costs.of(optimal[-1].features)
            yield from self._proved(claim, lambda one: case.costs.of(one) < limit)
        if bounds:
            least = max(-bound for bound in bounds)
            yield from self._proved(
                f"no other blanket costs less than the bound, {least:.12g}", self._below(least)
            )
        if not optimal and not bounds and case.found.sets and case.found.stop is not Stop.HEURISTIC:
            completeness.unproved.append(
                "whether another blanket costs less, which the file does not claim to know"
            )

    def _below(self, least: float) -> Test:
        """Return what says whether a set costs less than a bound by the first of the costs."""
        first = self.case.costs.each[0]
        return lambda one: Fraction(sum(first[name] for name in one), first.per_unit) < Fraction(least)

    def _proved(self, claim: str, is_cheaper: Test) -> Iterator[Check]:
        """Let a solver prove that no set that could be another blanket is cheaper.

        Blankets inside such sets that are not are none that a file of the best need name.
        """

        def check(claim: str, solve: Any) -> Check:
            known = [one.names for one in self.case.known]
            for _ in range(ROUNDS):
                if not all(known):  # all other sets contain the empty one
                    return Check(claim, True, "the empty set is a blanket")
                model = self.completeness.model(known)
                cost = cheapest(solve, model, model.blanket.x, self.case.costs.units)
                if cost is None or not is_cheaper(one := read_set(model.blanket.x)):
                    return Check(claim, True, f"by {solve.name}")
                blanket = self.case.blanket_inside(one)
                if blanket is None or is_cheaper(blanket):
                    return self.completeness.witness(claim, one)
                known.append(frozenset(blanket))
            return Check(claim, None, f"{ROUNDS} sets were tried")

        return self.completeness.by_solver(claim, check)
