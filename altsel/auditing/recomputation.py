"""What an audit computes again: sizes, rules, distances, scores, order, gaps, how a search ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from altsel.auditing.reproof import floor_of, total_of
from altsel.errors import listing
from altsel.exact.verification.dissimilarity_checks import distances
from altsel.exact.verification.verified_solutions import plain_criterion, plain_diversity, plain_rule
from altsel.exact.verification.verifier import CLOSE, Check, Verifier
from altsel.models.problem import Problem
from altsel.models.soft_diversity import SoftDiversity, penalty_paid
from altsel.results.feature_set import Proof
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop

TOGETHER = {"simultaneous", "satisfying_together", "most_different_together", "wrapper_together"}

ROUNDED = 1e-15
"""Relative rounding of a bound and a score, which a small difference of them is made of."""


@dataclass(frozen=True)
class Case:
    """One audit: the answer, and what was requested."""

    solutions: Solutions
    problem: Problem
    diversity: Any
    request: dict[str, Any]
    verifier: Verifier = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "verifier", Verifier(self.problem))

    @property
    def search(self) -> str:
        """Name of the search."""
        return str(self.request.get("search", "sequential"))

    @property
    def known(self) -> list[tuple[str, ...]]:
        """The sets that were there before."""
        return [tuple(subset) for subset in self.request.get("known", ())]

    @property
    def names(self) -> list[tuple[str, ...]]:
        """The features of every set."""
        return [subset.features for subset in self.solutions]

    def question(self) -> Iterator[Check]:
        """Check that the answer is one to this question."""
        if not self.request:
            yield Check(
                "the solutions say what was requested", None, "they do not; they are from an older version"
            )
        elif "search" not in self.request:
            yield Check("the solutions say which search found them", False, "they do not")
        objective: Any = self.problem.objective
        claims: list[tuple[str, Any, Any]] = [
            (
                "the features are those of the problem",
                list(self.solutions.universe),
                list(objective.features),
            ),
            ("the members are the problem's", dict(self.solutions.members), dict(objective.members)),
            ("the criterion is the problem's", self.solutions.criterion, objective.name),
            ("the target is the problem's", self.solutions.target, getattr(objective, "target", None)),
            ("the seed is the problem's", self.solutions.seed, getattr(objective, "seed", None)),
        ]
        if self.request:
            claims += [
                ("the sizes are the problem's", self.request.get("k"), list(self.problem.sizes)),
                (
                    "the diversity is the one requested",
                    self.request.get("diversity"),
                    plain_diversity(self.diversity),
                ),
                (
                    "the parameters of the criterion",
                    self.request.get("criterion"),
                    plain_criterion(objective),
                ),
                *(
                    (f"the rules {where} are the problem's", self.request.get(key), _plain_rules(rules))
                    for key, where, rules in (
                        ("rules", "on each set", self.problem.subject_to),
                        ("across", "across sets", self.problem.across),
                    )
                ),
            ]
        if self.request.get("data") and getattr(objective, "fingerprint", None):
            claims.append(("the data are those of the search", self.request["data"], objective.fingerprint))
        for claim, stated, wanted in claims:
            yield Check(claim, stated == wanted, "" if stated == wanted else f"{short(stated)} there")

    def sets(self) -> Iterator[Check]:
        """Check every set by itself."""
        for number, subset in enumerate(self.solutions):
            ordered = (
                all(f in self.problem.index for f in subset)
                and self.problem.ordered(subset) == subset.features
            )
            yield Check(f"set {number}: features in the order of the data", ordered)
            for check in self.verifier.of(subset):
                yield Check(f"set {number}: {check.claim}", check.holds, check.found)
            if subset.proof is Proof.TESTED:
                yield Check(f"set {number}: {subset.proof}", False, "no test was made")

    def between(self) -> Iterator[Check]:
        """Check what holds between sets: distances, rules across them, order, totals."""
        known = [f for one in [*self.names, *self.known] for f in one]
        if any(f not in self.problem.index for f in known):
            return
        if self.diversity is not None:
            yield from distances(self.diversity, self.names, self.known, self.search in TOGETHER)
        joint = self.verifier.across([*self.known, *self.names])
        if joint is not None:
            yield joint
        scores = [subset.score for subset in self.solutions]
        if self.search in {"simultaneous", "near_optimal"} and not self.problem.across:
            falls = all(a >= b for a, b in pairwise(scores))
            yield Check("sets in falling order of score", falls, "" if falls else listing(scores))
        if (
            self.search == "sequential"
            and not isinstance(self.diversity, SoftDiversity)
            and not self.problem.across
        ):
            yield from self._none_better(scores)
        yield from self._gaps()
        yield from self._good_enough(scores)

    def _none_better(self, scores: Sequence[float]) -> Iterator[Check]:
        """Check that no set proved optimal is worse than one after it, which was to be had too."""
        for number, subset in enumerate(self.solutions):
            if subset.proof is Proof.OPTIMAL:
                later = max(scores[number:])
                good = later <= subset.score + CLOSE * abs(subset.score)
                yield Check(f"set {number}: no later set is better", good, "" if good else f"{later!r}")

    def _gaps(self) -> Iterator[Check]:
        """Check that gap and bound of every set belong together."""
        if self.search == "simultaneous" and self.solutions.sets:
            total = total_of(self.problem, self.diversity, self.request, self.names)
        for number, subset in enumerate(self.solutions):
            if subset.bound is None or subset.gap is None:
                continue
            if self.search == "simultaneous":
                value = total
            else:
                value = subset.score - penalty_paid(
                    self.diversity, [(s, subset.features) for s in [*self.known, *self.names[:number]]]
                )
            right = (subset.bound - subset.score) / abs(value) if value else 0.0
            hidden = ROUNDED * (abs(subset.bound) + abs(subset.score)) / abs(value) if value else 0.0
            good = abs(subset.gap - right) <= 1e-6 * max(right, CLOSE) + hidden
            found = "" if good else f"{subset.gap!r}; by bound and score {right!r}"
            yield Check(f"set {number}: gap by bound and score", good, found)

    def _good_enough(self, scores: Sequence[float]) -> Iterator[Check]:
        """Check that sets are within a loss of the best, or of enough quality."""
        within, least = self.request.get("within"), self.request.get("least")
        if within and scores:
            least = floor_of(within, self.request.get("best", scores[0]))
        if least is not None and scores:
            good = min(scores) >= least - CLOSE * max(abs(least), *map(abs, scores))
            yield Check(f"every score at least {least:.9g}", good, "" if good else f"{min(scores)!r}")

    def ends(self) -> Iterator[Check]:
        """Check that the reason for the end goes with the search and the number of sets."""
        stop, count = self.solutions.stop, len(self.solutions)
        listed = self.search == "near_optimal"
        wanted = self.request.get("limit" if listed else "alternatives")
        if wanted is not None:
            wanted += 0 if listed or (self.known and self.search == "sequential") else 1
        none = not count if listed or self.search in TOGETHER else count != wanted
        good = {Stop.EXHAUSTED: listed and count > 0, Stop.INFEASIBLE: none}.get(stop, True)
        yield Check(f"{self.search} may end so", good, "" if good else f"{count} sets, stop {stop}")
        if wanted is None:
            return
        good = count == wanted if stop is Stop.COUNT else count <= wanted
        found = "" if good else f"{count}, stop {stop}"
        yield Check(f"{wanted} sets, or fewer and another stop than count", good, found)


def _plain_rules(rules: Sequence[Any]) -> list[dict[str, Any]]:
    return [plain_rule(rule) for rule in rules]


def short(value: Any) -> str:
    """Write a value in less than 80 characters."""
    text = repr(value)
    return text if len(text) < 80 else f"{text[:77]}..."
