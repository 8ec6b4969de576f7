"""Solutions as JSON, and back."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from altsel.errors import DataError, listing, of_kind
from altsel.results.members import first_fault_of
from altsel.results.reading import not_json_of
from altsel.results.text import json_text

if TYPE_CHECKING:
    from altsel.results.solutions import Solutions


def write(found: Solutions, indent: int | None) -> str:
    """Write everything; names that stand for the same feature once for all sets."""
    plain = {**asdict(found), "versions": dict(found.versions), "request": dict(found.request)}
    for one in plain["sets"]:
        del one["members"]
        if not one["spent"]:
            del one["spent"]
    if found.dual is None:
        del plain["dual"]
    return json_text(plain, indent)


def read(cls: type[Solutions], text: str) -> Solutions:
    """Read what `write` wrote; see `Solutions.from_json`."""
    of_kind("text", text, str | bytes, "the JSON of Solutions")
    try:
        found: Solutions = _reader(cls).validate_json(text, strict=True)
    except ValidationError as fault:
        raise not_json_of("Solutions", text, fault) from fault
    try:
        json_text(dict(found.request))
    except ValueError as fault:
        raise DataError("not the JSON of Solutions: request: numbers must be finite") from fault
    wrong = first_fault_of(found.members, found.universe)
    if wrong is not None:
        raise DataError(f"not the JSON of Solutions: members: {wrong}")
    named = {name for one in (found.dual.failed if found.dual else ()) for name in (*one.removed, *one.left)}
    if not named <= set(found.universe):
        strange = sorted(named.difference(found.universe))
        raise DataError(f"not the JSON of Solutions: dual: the universe has no {listing(strange)}")
    for number, subset in enumerate(found.sets):
        strange = sorted(set(subset.features).difference(found.universe))
        repeated = len(set(subset.features)) < len(subset.features)
        if strange or repeated:
            message = "a feature comes twice" if repeated else f"the universe has no {listing(strange)}"
            raise DataError(f"not the JSON of Solutions: sets[{number}]: {message}")
    return found


@cache
def _reader(cls: type[Solutions]) -> TypeAdapter[Any]:
    return TypeAdapter(cls)
