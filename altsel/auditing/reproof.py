"""Claims of optimality, and of there being no further set, proved again by another solver."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from altsel.errors import SolverError, listing
from altsel.exact.auto_solver import SolverLike
from altsel.exact.verification.verifier import CLOSE, Check
from altsel.models.problem import Problem
from altsel.models.soft_diversity import DISTINCT, penalty_paid
from altsel.results.feature_set import FeatureSet, Proof
from altsel.results.rounded_sum import sum_rounded_up
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.alternatives.sequential import sequential
from altsel.search.alternatives.simultaneous import simultaneous

Names = Collection[str]


def proofs(solutions: Solutions, problem: Problem, diversity: Any, prover: SolverLike) -> Iterator[Check]:
    """Prove every claim of an answer again, as far as a single question each can.

    Parameters
    ----------
    solutions, problem, diversity
        As in `altsel.audit`.
    prover
        The solver; another than the one that answered.
    """
    case = _Prover(solutions, problem, diversity, prover)
    try:
        if case.search == "simultaneous":
            yield from case.total_again()
        elif case.search in {"sequential", "near_optimal"}:
            for number, subset in enumerate(solutions):
                if subset.proof is Proof.OPTIMAL or subset.bound is not None:
                    yield case.best_again(number, subset)
            yield from case.end_again()
        else:
            message = "altsel audit only checks its conditions"
            yield from (Check(f"{claim} ({case.search})", None, message) for claim in claims(solutions))
    except SolverError as fault:
        yield Check("proved again", None, str(fault))


def claims(solutions: Solutions) -> Iterator[str]:
    """Return what an answer claims beyond what can be computed again."""
    optimal = [str(number) for number, subset in enumerate(solutions) if subset.proof is Proof.OPTIMAL]
    bounded = [
        str(number)
        for number, subset in enumerate(solutions)
        if subset.proof is not Proof.OPTIMAL and subset.bound is not None
    ]
    if optimal:
        yield f"sets {listing(optimal)} called optimal"
    if bounded:
        yield f"bounds of sets {listing(bounded)}"
    if solutions.stop in {Stop.INFEASIBLE, Stop.EXHAUSTED}:
        yield f"stop: {solutions.stop}"


def total_of(
    problem: Problem, diversity: Any, request: Mapping[str, Any], sets: Sequence[Sequence[str]]
) -> float:
    """Sum the scores of sets, or take their minimum, less what they pay for being similar."""
    scores = [problem.objective.evaluated_score(problem.mask(subset)) for subset in sets]
    pairs = [(a, b) for i, a in enumerate(sets) for b in sets[:i]]
    return (sum(scores) if request.get("total") == "sum" else min(scores)) - penalty_paid(diversity, pairs)


def floor_of(within: Mapping[str, Any], best: float) -> float:
    """Return the least quality within a loss, given as plain data."""
    share = within.get("share")
    return float(best - (within["amount"] if share is None else share * abs(best)))


@dataclass(frozen=True)
class _Prover:
    """One answer, and the solver that is to prove it again."""

    solutions: Solutions
    problem: Problem
    diversity: Any
    prover: SolverLike

    @property
    def search(self) -> str:
        return str(self.solutions.request.get("search", "sequential"))

    def best_again(self, number: int, one: FeatureSet) -> Check:
        """Prove a set optimal given those before it."""
        before = self._before(number)
        value = one.score - penalty_paid(self.diversity, [(other, one.features) for other in before])

        def worth(best: Solutions) -> float:
            return best[0].score - penalty_paid(
                self.diversity, [(other, best[0].features) for other in before]
            )

        again = self._next(before)
        if one.proof is Proof.OPTIMAL:
            return _compared(f"set {number} is optimal given those before", value, again, worth)
        bound = one.score if one.bound is None else one.bound
        most = sum_rounded_up([value, bound, -one.score])
        return _compared(f"bound of set {number}, given those before", most, again, worth)

    def total_again(self) -> Iterator[Check]:
        """Prove the total of sets found at once optimal, or that there are none."""
        request = self.solutions.request
        again = simultaneous(
            self.problem, self.diversity, int(request["alternatives"]), request["total"], self.prover
        )
        if not self.solutions.sets:
            if self.solutions.stop in {Stop.INFEASIBLE, Stop.EXHAUSTED}:  # else nothing was claimed
                yield _nothing(again)
            return
        value = self._total(self.solutions)
        bounds = _beside(value, self.solutions)
        if self.solutions.proved:
            yield _compared("the total is optimal", value, again, self._total)
        elif bounds:
            yield _compared("bound of the total", min(bounds), again, self._total)

    def end_again(self) -> Iterator[Check]:
        """Prove that there is no further set, or none that is good enough."""
        if self.solutions.stop is Stop.INFEASIBLE:
            yield _nothing(self._next(self._before(len(self.solutions))))
        elif self.solutions.stop is Stop.EXHAUSTED and self.solutions.sets and self._within:
            least = floor_of(self._within, self.solutions[0].score)
            further = self._next(self._before(len(self.solutions)))
            yield _too_poor(further, least + CLOSE * abs(least))

    @property
    def _within(self) -> Mapping[str, Any]:
        return dict(self.solutions.request.get("within") or {})

    def _total(self, sets: Solutions) -> float:
        names = [subset.features for subset in sets]
        return total_of(self.problem, self.diversity, self.solutions.request, names)

    def _before(self, number: int) -> list[Names]:
        known = [tuple(subset) for subset in self.solutions.request.get("known", ())]
        return [*known, *(subset.features for subset in self.solutions.sets[:number])]

    def _next(self, known: Sequence[Names]) -> Solutions:
        diversity = DISTINCT if self.diversity is None else self.diversity
        return sequential(self.problem, diversity, 1 if known else 0, self.prover, known=known)


def _compared(claim: str, value: float, again: Solutions, worth: Callable[[Solutions], float]) -> Check:
    """Compare a value that is called optimal with what another solver finds and bounds."""
    slack = CLOSE * abs(value)
    if not again.sets:
        refuted = again.stop is Stop.INFEASIBLE
        return Check(claim, None, "the solver finds none at all" if refuted else f"it ended: {again.stop}")
    best = worth(again)
    if best > value + slack:
        names = "; ".join(listing(subset, 20) for subset in again)
        return Check(claim, False, f"{names} has {best!r}, the claim is {value!r}")
    bounds = _beside(best, again)
    if bounds and max(bounds) <= value + slack:
        return Check(claim, True, f"by {again.versions.get('solver')}")
    return Check(claim, None, f"{again.versions.get('solver')} did not settle it")


def _beside(value: float, sets: Solutions) -> list[float]:
    """Return the bounds of sets, as bounds beside a value that they have together."""
    return [sum_rounded_up([value, one.bound, -one.score]) for one in sets if one.bound is not None]


def _too_poor(further: Solutions, least: float) -> Check:
    claim = "no further set is good enough"
    if further.stop is Stop.INFEASIBLE:
        return Check(claim, True, "there is none at all")
    if further.sets and further[0].score >= least:
        return Check(claim, False, f"{listing(further[0], 20)} has {further[0].score!r}")
    bound = further[0].bound if further.sets else None
    return Check(claim, True if bound is not None and bound < least else None)


def _nothing(again: Solutions) -> Check:
    claim = "there is no further set"
    if again.sets:
        return Check(claim, False, "; ".join(listing(subset, 20) for subset in again))
    return Check(claim, True if again.stop is Stop.INFEASIBLE else None, f"stop: {again.stop}")
