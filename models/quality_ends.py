"""What the quality of a set surely lies between: for rules that are stated where it is a variable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from altsel.models.problem import Problem

MARGIN = 1e-6
"""Share of the ends by which they are moved out: the model's quality is rounded."""
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


def ends_of_quality(problem: Problem) -> Ends:
    """Return what the quality of sets lies between by the model of its criterion; None if unknown."""
    from pyomo.contrib.fbbt.fbbt import compute_bounds_on_expr  # noqa: PLC0415  (with the first model)

    from altsel.models.problem import Problem, model_of_sets  # noqa: PLC0415  (it states rules itself)

    model = model_of_sets(Problem(problem.objective, problem.k))
    low, high = compute_bounds_on_expr(model.sets[0].quality)
    margin = MARGIN * max(1.0, abs(low or 0.0), abs(high or 0.0))
    return (None if low is None else low - margin), (None if high is None else high + margin)
