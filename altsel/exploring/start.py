"""What a client is told first: names and kinds, what can be chosen, and the question to begin with."""

from __future__ import annotations

from typing import Any

from altsel._version import __version__
from altsel.errors import printable
from altsel.exploring.criteria import GIVEN, Criteria
from altsel.exploring.settings import MOST_SETS, Settings
from altsel.exploring.subject import Subject

USUAL_SIZE = 5
"""Features of the first sets: small sets are found at once, and read at a glance."""


def start_of(subject: Subject, criteria: Criteria) -> dict[str, Any]:
    """Return all that a client needs to show a question and to change it."""
    data = subject.data
    return {
        "version": __version__,
        "names": list(subject.names),
        "shown": [printable(name) for name in subject.names],
        "members": {
            str(subject.number[name]): [printable(one) for one in names[1:]]
            for name, names in subject.members.items()
            if name in subject.number
        },
        "aliases": {
            str(subject.number[name]): list(names[1:])
            for name, names in subject.members.items()
            if name in subject.number
        },
        "kinds": None if data is None else [str(data.kinds[name]) for name in subject.names],
        "target": None if subject.target is None else printable(subject.target),
        "rows": None if data is None else len(data.y),
        "dropped": 0 if data is None else data.dropped,
        "held": 0 if subject.held is None else len(subject.held.y),
        "task": None if data is None else data.task.value,
        "constant": [] if data is None else [printable(name) for name in data.constant],
        "objectives": [
            {
                "name": name,
                "measure": criteria.default_measure(name),
                "measured": criteria.takes_measure(name),
            }
            for name in criteria.objectives
        ],
        "measures": list(criteria.measures),
        "kept_rules": subject.words_of_rules(),
        "most_sets": MOST_SETS,
        "criterion": None if subject.problem is None else printable(subject.problem.objective.name),
        "has_origin": subject.origin is not None,
        "settings": first_settings(subject).model_dump(),
    }


def first_settings(subject: Subject) -> Settings:
    """Return the question to begin with."""
    if subject.problem is not None:
        low, high = subject.problem.sizes
        return Settings(objective=GIVEN, smallest=low, largest=high)
    size = min(USUAL_SIZE, len(subject.names))
    return Settings(smallest=size, largest=size)
