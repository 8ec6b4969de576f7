"""What the JSON of solutions leaves out, and what must fit together in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from altsel.errors import listing
from altsel.results.dual import Dual
from altsel.results.feature_set import FeatureSet
from altsel.results.members import Members, first_fault_of
from altsel.results.text import json_text


def without_repeats(plain: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is empty, and the names of single sets, which all sets have."""
    for one in plain["sets"]:
        del one["members"]
        if not one["spent"]:
            del one["spent"]
    if plain["dual"] is None:
        del plain["dual"]
    return plain


def faults(
    universe: Sequence[str],
    sets: Sequence[FeatureSet],
    members: Members,
    dual: Dual | None,
    request: Mapping[str, Any],
) -> Iterator[str]:
    """Yield what does not fit together in solutions that were read."""
    try:
        json_text(dict(request))
    except ValueError:
        yield "request: numbers must be finite"
    if wrong := first_fault_of(members, universe):
        yield f"members: {wrong}"
    named = {name for one in (dual.failed if dual else ()) for name in (*one.removed, *one.left)}
    if strange := sorted(named.difference(universe)):
        yield f"dual: the universe has no {listing(strange)}"
    for number, subset in enumerate(sets):
        if len(set(subset.features)) < len(subset.features):
            yield f"sets[{number}]: a feature comes twice"
        if strange := sorted(set(subset.features).difference(universe)):
            yield f"sets[{number}]: the universe has no {listing(strange)}"
