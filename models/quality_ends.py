"""What the quality of a set surely lies between: for rules that are stated where it is a variable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Ends = tuple[float | None, float | None]
GIVEN = "of the set"
"""Under this name a rule's block keeps what it may name: components of its own may have the same names."""


def note_given(block: Any, given: Mapping[str, Any]) -> None:
    """Note on a rule's block what stands for the set."""
    block.__dict__[GIVEN] = dict(given)


def note_ends(quality: Any, ends: Callable[[], Ends]) -> None:
    """Note how to find what a variable that stands for the quality lies between: it takes a model."""
    quality.parent_block().__dict__["ends_of_quality"] = ends


def bound_quality(block: Any) -> None:
    """Bound the variable that stands for the quality on a rule's block, where that is known how."""
    quality = getattr(block.__dict__.get(GIVEN, {}).get("quality"), "expr", None)
    if quality is None or not getattr(quality, "is_variable_type", bool)() or quality.lb is not None:
        return
    ends = quality.parent_block().__dict__.get("ends_of_quality")
    if ends is not None:
        low, high = ends()
        quality.setlb(low)
        quality.setub(high)
