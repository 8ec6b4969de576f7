"""How different sets must be, as solutions state it."""

from __future__ import annotations

from typing import Any

from altsel.errors import ArgumentError, DataError
from altsel.models.dissimilarity_data import made_dissimilarity
from altsel.models.soft_diversity import Average, Penalised
from altsel.results.request import read_request
from altsel.results.solutions import Solutions


def diversity_of(plain: dict[str, Any] | None) -> Any:
    """Build the diversity that plain data state."""
    if plain is None:
        return None
    try:
        measure = made_dissimilarity(plain)
        if measure is None:
            raise ArgumentError(f"the solutions differ by {plain.get('measure')!r}; give the diversity")
        if plain["kind"] == "Penalised":
            return Penalised(measure, plain["penalty"])
        return Average(measure) if plain["kind"] == "Average" else measure
    except KeyError as fault:
        raise DataError(f"the diversity of the solutions lacks {fault}") from fault
    except TypeError as fault:  # parameters of another measure
        raise DataError(f"the diversity of the solutions: {fault}") from fault


def diversity_asked(found: Solutions) -> Any:
    """Return the diversity of a search: as it was given, or as the solutions state it."""
    if found.asked is not None and found.asked[1] is not None:
        return found.asked[1]
    return diversity_of(read_request(found.request).get("diversity"))
