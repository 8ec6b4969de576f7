"""What difference costs: a front as points, and the sets on it as solutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altsel.errors import ArgumentError, printable
from altsel.results.front import Front
from altsel.results.solutions import Solutions

if TYPE_CHECKING:
    from altsel.report.parts import Numbers


def front_of(front: Front, found: Solutions, numbers: Numbers, name: str = "front") -> dict[str, Any]:
    """Return the points, the share of the best quality that each loses, and which sets are known.

    Raises
    ------
    ArgumentError
        If a set on the front has features that the solutions do not have, or the front is of another
        question: other sizes, criterion or rules.
    """
    _refuse_another_question(front, found, name)
    numbers.known(name, (feature for point in front for one in point.found for feature in one))
    numbers.known(name, (feature for one in front.reference for feature in one))
    index = {frozenset(one): i for i, one in enumerate(found)}
    return {
        "measure": printable(front.measure),
        "quality": printable(front.quality),
        "proved": front.proved,
        "stop": front.stop.value,
        "reference": [numbers(one) for one in front.reference],
        "points": [
            {
                "x": point.dissimilarity,
                "y": point.quality,
                "lost": front.lost(point),
                "proved": point.found.proved,
                "sets": [numbers(one) for one in point.found],
                "known": [index.get(frozenset(one)) for one in point.found],
            }
            for point in front
        ],
    }


QUESTION = {
    "k": "sizes",
    "criterion": "criterion",
    "rules": "rules",
}
"""What a request says of the question, and in words."""


def _refuse_another_question(front: Front, found: Solutions, name: str) -> None:
    """Refuse a front that cannot stand beside the solutions, as far as both say what was requested."""
    asked = front[0].found.request if len(front) else {}
    other = [
        said
        for key, said in QUESTION.items()
        if {key} <= asked.keys() & found.request.keys() and asked[key] != found.request[key]
    ]
    if "criterion" not in other and len(front) and front.quality != found.criterion:
        other.append("criterion")  # its name says the measure too
    if other:
        raise ArgumentError(
            f"{name} is of other {' and '.join(other)} than the solutions: give a front of the same problem"
        )


def sets_of(front: Front) -> Solutions:
    """Return the sets on a front as solutions, in its order, each once."""
    sets = {frozenset(one): one for point in front for one in point.found}
    names = [name for point in front for name in point.found.universe]
    names += [name for one in front.reference for name in one]
    first = front[0].found if len(front) else None
    return Solutions(
        tuple(sets.values()),
        front.stop,
        tuple(dict.fromkeys(names)),
        front.quality,
        front.target,
        "front: what a set loses by being different",
        versions={} if first is None else first.versions,
        request={"data": front.data} if first is None else {**first.request, "data": front.data},
        members={} if first is None else first.members,
    )
