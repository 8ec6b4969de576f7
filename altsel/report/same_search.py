"""Whether what was measured of a search is of the one that found the solutions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from altsel.analysis.repeated_search import same_sets
from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions
from altsel.results.text import json_text

if TYPE_CHECKING:
    from altsel.report.parts import Parts


def refuse_another_search(found: Solutions, parts: Parts) -> None:
    """Refuse a stability, or a performance of repeated searches, of another search than the solutions.

    Both say what was requested where a command measured them. A stability has the sets of all rows too.

    Raises
    ------
    ArgumentError
        Names the part.
    """
    stability, performance = parts.stability, parts.performance
    if stability is not None:
        another = _is_another(stability.request, found) or not (
            parts.other_data or same_sets(stability.reference, found)
        )
        _refuse(another, parts.called("stability"), "altsel.stability of the search that found these sets")
    if performance is not None and performance.repeated:
        another = _is_another(performance.request, found)
        _refuse(another, parts.called("performance"), "altsel.performance with the search of these sets")


def _refuse(another: bool, name: str, fix: str) -> None:
    if another:
        raise ArgumentError(f"{name} is of another search than the solutions: give {fix}")


def _is_another(request: Mapping[str, Any], found: Solutions) -> bool:
    """Return whether both say what was requested, and not the same; of the data fingerprints tell."""
    one, other = (
        json_text({key: value for key, value in known.items() if key != "data"}, None)
        for known in (request, found.request)
    )
    return bool(request) and bool(found.request) and one != other
