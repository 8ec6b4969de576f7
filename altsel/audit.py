"""Audit of solutions: everything that can be computed again is, and claims can be proved a second time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from altsel.clock import limited
from altsel.errors import ArgumentError, listing
from altsel.models.alternatives import Dice, Jaccard
from altsel.models.lenient import Average, Lenient, Penalised, paid
from altsel.models.problem import Problem
from altsel.reproof import floor_of, proofs, total_of
from altsel.result import Proof, Solutions, Stop
from altsel.search.run import SolverLike
from altsel.search.verified import plain_diversity
from altsel.verification import CLOSE, Check, Verifier, distances

TOGETHER = {"simultaneous", "satisfying_together", "most_different_together", "wrapper_together"}
MEASURES: dict[str, Callable[[float], Any]] = {"Dice": Dice, "Jaccard": Jaccard}


@dataclass(frozen=True)
class Audit:
    """What an audit looked at, and what it found.

    Attributes
    ----------
    checks
        Every check, with what was found.
    """

    checks: tuple[Check, ...]

    @property
    def refuted(self) -> tuple[Check, ...]:
        """The claims that do not hold."""
        return tuple(check for check in self.checks if check.holds is False)

    @property
    def open(self) -> tuple[Check, ...]:
        """The claims that could not be settled."""
        return tuple(check for check in self.checks if check.holds is None)

    @property
    def verdict(self) -> str:
        """``"refuted"``, ``"not settled"`` or ``"confirmed"``."""
        return "refuted" if self.refuted else "not settled" if self.open else "confirmed"

    def __str__(self) -> str:
        counts = f"{len(self.checks)} checks, {len(self.refuted)} refuted, {len(self.open)} not settled"
        return "\n".join([*map(str, self.checks), f"{self.verdict}: {counts}"])


def audit(
    solutions: Solutions,
    problem: Problem,
    diversity: Any = None,
    *,
    prove: SolverLike = None,
    time_limit: float | None = None,
) -> Audit:
    """Check solutions against what was wanted of them, without trusting how they were found.

    Sizes, rules (each on a block made for the purpose), rules across sets, dissimilarities as exact
    fractions, scores by the formula, order, bounds and gaps are computed again.

    Parameters
    ----------
    solutions
        The answer of any search by optimisation.
    problem
        What was wanted of every set.
    diversity
        `Dice`, `Jaccard`, `Average` or `Penalised`; default: what the solutions say was asked.
    prove
        A solver or a profile's name: prove optimality and "no further set" again by it. Choose another
        than the one that answered.
    time_limit
        Seconds for these proofs.

    Returns
    -------
    Audit
        ``str()`` tells every check in words.

    Raises
    ------
    ArgumentError, ConfigurationError
        If an argument is wrong.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> problem = Problem(Univariate([5, 4, 2, 1]), k=2)
    >>> found = sequential(problem, Dice(0.5), alternatives=1)
    >>> audit(found, problem, Dice(0.5), prove="highs").verdict
    'confirmed'
    >>> better = replace(found[1], features=("x0", "x3"))
    >>> print(*audit(replace(found, sets=(found[0], better)), problem, Dice(0.5)).refuted)
    WRONG set 1: score 7: the formula gives 6.0
    """
    asked = dict(solutions.request)
    if diversity is None:
        diversity = diversity_of(asked.get("diversity"))
    case = _Case(solutions, problem, diversity, asked)
    checks = [*case.question(), *case.sets(), *case.between(), *case.ends()]
    if prove is not None and not any(check.holds is False for check in checks):
        with limited(time_limit):
            checks += proofs(solutions, problem, diversity, prove)
    return Audit(tuple(checks))


def diversity_of(plain: dict[str, Any] | None) -> Any:
    """Make the diversity that plain data state."""
    if plain is None:
        return None
    if plain.get("measure") not in MEASURES:
        raise ArgumentError(f"the solutions were kept apart by {plain.get('measure')!r}; give the diversity")
    measure = MEASURES[plain["measure"]](plain["tau"])
    if plain["kind"] == "Penalised":
        return Penalised(measure, plain["price"])
    return Average(measure) if plain["kind"] == "Average" else measure


@dataclass(frozen=True)
class _Case:
    """One audit: the answer, and what was asked."""

    solutions: Solutions
    problem: Problem
    diversity: Any
    asked: dict[str, Any]
    verifier: Verifier = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "verifier", Verifier(self.problem))

    @property
    def search(self) -> str:
        return str(self.asked.get("search", "sequential"))

    @property
    def known(self) -> list[tuple[str, ...]]:
        return [tuple(one) for one in self.asked.get("known", ())]

    @property
    def names(self) -> list[tuple[str, ...]]:
        return [one.features for one in self.solutions]

    def question(self) -> Iterator[Check]:
        """Check that the answer is one to this question."""
        if not self.asked:
            yield Check(
                "the solutions say what was asked", None, "they do not; they are from an older version"
            )
        objective: Any = self.problem.objective
        told: list[tuple[str, Any, Any]] = [
            (
                "the features are those of the problem",
                list(self.solutions.universe),
                list(objective.features),
            ),
            ("the criterion is the problem's", self.solutions.criterion, objective.name),
        ]
        if self.asked:
            told += [
                ("the sizes are the problem's", self.asked.get("k"), list(self.problem.sizes)),
                (
                    "the diversity is the one asked",
                    self.asked.get("diversity"),
                    plain_diversity(self.diversity),
                ),
            ]
        if self.asked.get("data") and getattr(objective, "fingerprint", None):
            told.append(("the data are those of the search", self.asked["data"], objective.fingerprint))
        for claim, stated, wanted in told:
            yield Check(claim, stated == wanted, "" if stated == wanted else f"{_short(stated)} there")

    def _diversity(self) -> Any:
        return plain_diversity(self.diversity)

    def sets(self) -> Iterator[Check]:
        """Check every set by itself."""
        for number, one in enumerate(self.solutions):
            for check in self.verifier.of(one):
                yield Check(f"set {number}: {check.claim}", check.holds, check.found)

    def between(self) -> Iterator[Check]:
        """Check what holds between sets: distances, rules across them, order, totals."""
        known = [f for one in [*self.names, *self.known] for f in one]
        if any(f not in self.problem.place for f in known):
            return
        if self.diversity is not None:
            yield from distances(self.diversity, self.names, self.known, self.search in TOGETHER)
        joint = self.verifier.across([*self.known, *self.names])
        if joint is not None:
            yield joint
        scores = [one.score for one in self.solutions]
        if self.search in {"simultaneous", "near_optimal"} and not self.problem.across:
            falls = all(a >= b for a, b in pairwise(scores))
            yield Check("sets in falling order of score", falls, "" if falls else listing(scores))
        if (
            self.search == "sequential"
            and not isinstance(self.diversity, Lenient)
            and not self.problem.across
        ):
            yield from self._none_better(scores)
        yield from self._gaps()
        yield from self._good_enough(scores)

    def _none_better(self, scores: Sequence[float]) -> Iterator[Check]:
        """Check that no set proved optimal is worse than one after it, which was to be had too."""
        for number, one in enumerate(self.solutions):
            if one.proof is Proof.OPTIMAL:
                later = max(scores[number:])
                good = later <= one.score + CLOSE * abs(one.score)
                yield Check(f"set {number}: no later set is better", good, "" if good else f"{later!r}")

    def _gaps(self) -> Iterator[Check]:
        """Check that gap and bound of every set belong together."""
        if self.search == "simultaneous" and self.solutions.sets:
            total = total_of(self.problem, self.diversity, self.asked, self.names)
        for number, one in enumerate(self.solutions):
            if one.bound is None or one.gap is None:
                continue
            if self.search == "simultaneous":
                value = total
            else:
                value = one.score - paid(
                    self.diversity, [(s, one.features) for s in [*self.known, *self.names[:number]]]
                )
            right = (one.bound - one.score) / abs(value) if value else 0.0
            good = abs(one.gap - right) <= 1e-6 * max(right, CLOSE)
            found = "" if good else f"{one.gap!r}; by bound and score {right!r}"
            yield Check(f"set {number}: gap by bound and score", good, found)

    def _good_enough(self, scores: Sequence[float]) -> Iterator[Check]:
        """Check that sets are within a loss of the best, or of enough quality."""
        within, least = self.asked.get("within"), self.asked.get("least")
        if within and scores:
            least = floor_of(within, scores[0])
        if least is not None and scores and self.search != "most_different_together":
            good = min(scores) >= least - CLOSE * max(abs(least), *map(abs, scores))
            yield Check(f"every score at least {least:.9g}", good, "" if good else f"{min(scores)!r}")

    def ends(self) -> Iterator[Check]:
        """Check that the reason for the end goes with the number of sets."""
        wanted = self.asked.get("alternatives")
        if wanted is None:
            return
        wanted += 0 if self.known and self.search == "sequential" else 1
        stop, count = self.solutions.stop, len(self.solutions)
        good = count == wanted if stop is Stop.COUNT else count <= wanted
        yield Check(f"{wanted} sets, or a reason why not", good, "" if good else f"{count}, stop {stop}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 80 else f"{text[:77]}..."
