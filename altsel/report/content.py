"""What a page shows, as plain data: features are numbers, so that a name is written once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from altsel._version import __version__
from altsel.errors import of_kind, printable
from altsel.report import evidence, prediction, request, sets
from altsel.report.audited import audited
from altsel.report.certificate import certificate_of
from altsel.report.columns_of_table import columns_shown
from altsel.report.contradictions import refuse_contradictions
from altsel.report.front import front_of, sets_of
from altsel.report.graph import graph_of
from altsel.report.importance import importance_of
from altsel.report.parts import Numbers, Parts
from altsel.report.proof import proved
from altsel.report.same_data import refuse_other_data
from altsel.report.same_search import refuse_another_search
from altsel.report.score_cards import cards_of
from altsel.report.sides import sides_of
from altsel.report.studied import studied
from altsel.report.summary import summary_of
from altsel.results.front import Front
from altsel.results.performance import Performance
from altsel.results.solutions import Solutions
from altsel.results.solutions_text import names_target
from altsel.results.stability import Stability
from altsel.results.stop import ENDS
from altsel.results.study import Study
from altsel.results.text import number_of


def content(found: Solutions | Front, parts: Parts) -> tuple[dict[str, Any], str]:
    """Gather all that a page shows, and the JSON that can be downloaded from it.

    Raises
    ------
    ArgumentError
        If a part is of the wrong kind, or of other sets.
    DataError
        If the data are not those of the search, or what is given contradicts itself.
    """
    of_kind("found", found, Solutions | Front, "the result of a search")
    _checked(parts)
    given, front, alone = found, parts.front, isinstance(found, Front)
    if isinstance(found, Front):
        found, front = sets_of(found), found
    refuse_contradictions(found, front)
    refuse_other_data(found, parts)
    refuse_another_search(found, parts)
    numbers = Numbers(found.universe)
    tested = evidence.evidence_of(found, parts.data, parts.holdout, other_data=parts.other_data)
    measured = prediction.columns(found, parts)
    graph, paths = graph_of(found)
    proof = proved(given, parts)
    return {
        **_summary(found, dated=parts.dated),
        "file": "front.json" if alone else "found.json",
        "names": [printable(name) for name in found.universe],
        "members": {
            str(numbers.of[unit]): [printable(name) for name in names[1:]]
            for unit, names in found.members.items()
        },
        "sets": [numbers(one) for one in found],
        "columns": sets.columns(found) + evidence.columns(found, tested) + measured,
        "proofs": sets.proofs(found),
        "paths": paths,
        "graph": graph,
        "importance": importance_of(found, numbers, parts),
        "cards": cards_of(found, parts),
        "substitutions": evidence.substitutions_of(found, numbers, tested),
        "taxonomy": evidence.taxonomy_of(numbers, tested),
        "equivalence": evidence.equivalence_of(tested),
        "sides": sides_of(found, numbers),
        "certificate": certificate_of(found, numbers),
        "proof": proof,
        "study": studied(parts.study),
        "summary": summary_of(found, numbers, parts, tested, (proof, audited(given, parts))),
        "table": columns_shown(found, numbers, parts.data),
        "discarded": evidence.discarded(found, numbers),
        "performance": prediction.performance_of(parts.performance),
        "stability": prediction.stability_of(parts, numbers),
        "front": None if front is None else front_of(front, found, numbers, parts.called("front")),
        **request.requested(found, front=alone),
    }, given.to_json(None)


def _checked(parts: Parts) -> None:
    from altsel.data.dataset import Dataset  # noqa: PLC0415  (heavy)

    kinds: Mapping[str, tuple[Any, str]] = {
        "data": (Dataset, "a Dataset"),
        "holdout": (Dataset, "a Dataset"),
        "performance": (Performance, "what altsel.performance returned"),
        "stability": (Stability, "what altsel.stability returned"),
        "front": (Front, "what altsel.pareto_front returned"),
        "study": (Study, "what altsel.study returned"),
    }
    for name, (kind, such_as) in kinds.items():
        of_kind(name, getattr(parts, name), kind | None, such_as)


def _summary(found: Solutions, *, dated: bool) -> dict[str, Any]:
    """Report what was found, for what and at what cost."""
    count = number_of(len(found), "feature set")
    return {
        "title": count + (f" for {found.target}" if found.target else ""),
        "target": None if found.target is None else printable(found.target),
        "names_target": names_target(found),
        "criterion": printable(found.criterion),
        "search": printable(found.search),
        "stop": found.stop.value,
        "ended": ENDS[found.stop],
        "cost": found.effort.with_memory() if dated else found.effort.message(),
        "seed": found.seed,
        "date": datetime.now(UTC).date().isoformat() if dated else None,
        "version": __version__,
        "versions": {printable(name): printable(text) for name, text in found.versions.items()},
    }
