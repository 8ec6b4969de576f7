"""What a search was asked, and the check of its answer before it leaves."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from altsel.errors import SolverError, listing
from altsel.result import FeatureSet, Proof
from altsel.verification import Check, Verifier, distances

BOUND = 1e-9
"""Relative difference by which a bound may lie below a score: rounding."""


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
        What else was asked, as plain data.
    """

    search: str
    diversity: Any = None
    known: Sequence[Collection[str]] = ()
    together: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)


def verify(verifier: Verifier, request: Request, sets: Sequence[FeatureSet], engine: str) -> None:
    """Check sizes, rules, distances, scores and bounds of an answer.

    Raises
    ------
    SolverError
        If a check fails; it names the set, the check and the engine.
    """
    for number, one in enumerate(sets):
        for check in of_a_set(verifier, one):
            if check.holds is False:
                raise SolverError(
                    f"solver {engine!r}: set {number} ({listing(one)}) fails a check: {check.claim}: "
                    f"{check.found}; the numbers may range too widely for it"
                )
    joint = verifier.across([*request.known, *sets])
    checks = [] if joint is None else [joint]
    if request.diversity is not None:
        checks += distances(request.diversity, sets, request.known, request.together)
    for check in checks:
        if check.holds is False:
            raise SolverError(
                f"solver {engine!r}: the sets fail a check: {check.claim}: {check.found}; "
                "the numbers may range too widely for it"
            )


def of_a_set(verifier: Verifier, one: FeatureSet) -> Iterator[Check]:
    """Check one set by itself: the cheap checks, which no search leaves out."""
    size = verifier.sizes(one.features)
    yield size
    if size.holds is False and one.features and not all(f in verifier.problem.place for f in one):
        return
    yield verifier.conditions(one.features)
    yield verifier.score(one.features, one.score)
    yield from verifier.rules(one.features)
    if one.bound is not None:
        good = one.bound >= one.score - BOUND * abs(one.score)
        yield Check("bound at or above the score", good, "" if good else f"{one.bound!r} < {one.score!r}")
    if one.proof is Proof.OPTIMAL:
        met = one.bound is not None and abs(one.bound - one.score) <= BOUND * abs(one.score)
        yield Check("an optimal set's bound is its score", met, "" if met else f"bound {one.bound!r}")
