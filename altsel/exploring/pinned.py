"""Two sets side by side: what is swapped, how alike the swapped features are, and which predicts better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from altsel.analysis.equivalence import equivalence
from altsel.analysis.performance import performance
from altsel.errors import ArgumentError
from altsel.exploring.plain import finite, plain_estimate
from altsel.exploring.problems import dissimilarity_of
from altsel.exploring.settings import Settings
from altsel.results.stop import Stop
from altsel.runtime.clock import STOPPED

if TYPE_CHECKING:
    from altsel.exploring.session import Session

FOLDS = 10
"""Folds that models are judged on."""


def compared(session: Session, settings: Settings, message: Mapping[str, Any]) -> dict[str, Any]:
    """Compare two sets, given by the places of their features in ``pinned``.

    Raises
    ------
    ArgumentError
        If these are not two sets of features.
    """
    first, second = _two_sets(message.get("pinned"), session.subject.names)
    gone = [name for name in first if name not in second]
    come = [name for name in second if name not in first]
    problem = session.problems.of(settings).problem
    table = session.criteria.associations([*gone, *come])
    made: dict[str, Any] = {
        "scores": [finite(problem.objective.checked_score(problem.mask(one))) for one in (first, second)],
        "gone": session.subject.numbers(gone),
        "come": session.subject.numbers(come),
        "both": session.subject.numbers([name for name in first if name in second]),
        "dissimilarity": finite(dissimilarity_of(settings)(first, second)),
        "alike": None
        if table is None
        else [[finite(float(table[i, len(gone) + j])) for j in range(len(come))] for i in range(len(gone))],
        "performance": None,
        "equivalence": None,
    }
    if session.subject.data is not None and message.get("tested", True):
        made |= _tested(session, first, second)
    return made


def _two_sets(given: Any, names: Sequence[str]) -> list[tuple[str, ...]]:
    right = (
        isinstance(given, Sequence) and len(given) == 2 and all(isinstance(one, Sequence) for one in given)
    )
    if not right or not all(type(j) is int and 0 <= j < len(names) for one in given for j in one):
        raise ArgumentError("pinned: give two lists of places of features")
    if not all(one and len(set(one)) == len(one) for one in given):
        raise ArgumentError("pinned: give at least one feature in each set, and each once")
    return [tuple(names[j] for j in one) for one in given]


def _tested(session: Session, first: tuple[str, ...], second: tuple[str, ...]) -> dict[str, Any]:
    """Judge both sets on the same folds, and test whether they are equivalent."""
    data = session.subject.data
    assert data is not None
    try:
        scored = performance([first, second], data, cv=FOLDS)
        evidence = equivalence([first, second], data)
    except STOPPED:
        return {"stop": Stop.INTERRUPT.value}
    pair = evidence.pairs[0]
    return {
        "performance": {
            "scoring": scored.scoring,
            "models": scored.models,
            "sets": [plain_estimate(one.score) for one in scored.sets],
            "difference": plain_estimate(scored.sets[1].difference),
            "all": plain_estimate(scored.all_features),
            "none": plain_estimate(scored.no_features),
        },
        "equivalence": {
            "equivalent": pair.equivalent,
            "words": evidence.equivalent_text(pair),
            "tests": [
                {"name": name, "p": finite(p)} for name, p in zip(evidence.tests, pair.adjusted, strict=True)
            ],
            "alpha": evidence.alpha,
        },
    }
