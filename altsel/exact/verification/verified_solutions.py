"""What was requested of a search, and the check of its answer before it leaves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from altsel.errors import SolverError, listing
from altsel.exact.verification.dissimilarity_checks import distances
from altsel.exact.verification.verifier import Verifier
from altsel.models.dissimilarity import refuse_no_dissimilarity
from altsel.models.dissimilarity_data import plain_dissimilarity
from altsel.models.objective import Objective
from altsel.models.problem import Problem
from altsel.models.rule import title_of
from altsel.models.soft_diversity import is_soft
from altsel.results.feature_set import FeatureSet, Proof


@dataclass(frozen=True)
class Request:
    """A search and its arguments, but for the problem.

    Attributes
    ----------
    search
        Name of the search.
    diversity
        How different sets must be; None if they need not be.
    known
        Sets to differ from that were there before.
    together
        Whether all pairs must differ, not each set from those before it.
    options
        What else was requested, as plain data.
    """

    search: str
    diversity: Any = None
    known: Sequence[Collection[str]] = ()
    together: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.diversity is not None:
            checked_diversity(self.diversity)

    def plain(self, problem: Problem) -> dict[str, Any]:
        """Write the question as plain data, as a file of solutions holds it."""
        objective = problem.objective
        return {
            "search": self.search,
            **self.options,
            "k": list(problem.sizes),
            "criterion": plain_criterion(objective),
            "diversity": plain_diversity(self.diversity),
            "known": [list(subset) for subset in self.known],
            "rules": [plain_rule(rule) for rule in problem.subject_to],
            "across": [plain_rule(rule) for rule in problem.across],
            "data": objective.fingerprint,
        }


def checked_diversity(diversity: object) -> None:
    """Raise an ArgumentError if something does not say how sets must differ."""
    refuse_no_dissimilarity(diversity.distance if is_soft(diversity) else diversity)


def plain_criterion(objective: Objective) -> dict[str, Any]:
    """Write a criterion's kind and parameters as plain data; not its numbers."""
    return {"name": type(objective).__name__, **objective.settings}


def plain_diversity(diversity: Any) -> dict[str, Any] | None:
    """Write how different sets must be as plain data."""
    if diversity is None:
        return None
    measure = getattr(diversity, "distance", diversity)
    kind = type(diversity).__name__ if is_soft(diversity) else "Each"
    penalty = {"penalty": diversity.penalty} if kind == "Penalised" else {}
    return {"kind": kind, **plain_dissimilarity(measure), **penalty}


def plain_rule(rule: Any) -> dict[str, Any]:
    """Write a rule as a file of rules has it; a function of the user's own by its name only."""
    data = getattr(rule, "data", None)
    return data if data is not None else {"function": title_of(rule)}


def verify(verifier: Verifier, request: Request, sets: Sequence[FeatureSet], engine: str) -> None:
    """Check sizes, rules, distances, scores and bounds of an answer.

    Raises
    ------
    SolverError
        If a check fails; it names the set, the check and the engine.
    """
    for number, subset in enumerate(sets):
        for check in verifier.of(subset):
            if check.holds is False:
                raise SolverError(
                    f"solver {engine!r}: set {number} ({listing(subset)}) fails a check: {check.claim}: "
                    f"{check.found}; the numbers may range too widely for it"
                )
    refuse_worse_first(verifier.problem, request, sets, engine)
    joint = verifier.across([*request.known, *sets]) if sets else None
    checks = [] if joint is None else [joint]
    if request.diversity is not None:
        checks += distances(request.diversity, sets, request.known, request.together)
    for check in checks:
        if check.holds is False:
            raise SolverError(
                f"solver {engine!r}: the sets fail a check: {check.claim}: {check.found}; "
                "the numbers may range too widely for it"
            )


def refuse_worse_first(problem: Problem, request: Request, sets: Sequence[FeatureSet], engine: str) -> None:
    """Refuse a set called optimal if a later one is better: that one could have come in its place.

    So it is of searches one after another, where every set must differ from those before for itself.

    Raises
    ------
    SolverError
        Names both sets.
    """
    if request.together or problem.across or is_soft(request.diversity):
        return
    best = None
    for number, subset in reversed(list(enumerate(sets))):
        least = subset.score + 1e-6 * abs(subset.score)
        if best is not None and subset.proof is Proof.OPTIMAL and best.score > least:
            raise SolverError(
                f"solver {engine!r}: set {number} ({listing(subset)}) is called optimal, yet a later one "
                f"({listing(best)}) is better"
            )
        if best is None or subset.score > best.score:
            best = subset
