"""Samples of known independences: ``behind -> y``, ``behind -> null``, ``y -> true``, and ``noise``."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

Columns = Literal["numbers", "categories", "mixed"]
NULL, TRUE, BEHIND, NOISE = "null", "true", "behind", "noise"
"""Features: independent given `BEHIND`; dependent given it; what explains; independent of all."""


def sample(columns: Columns, rows: int, random: np.random.Generator) -> dict[str, Any]:
    """Draw columns by name, the target is ``y``; of mixed ones `NULL` and `TRUE` are numbers."""
    if columns == "numbers":
        return _numbers(rows, random)
    parts = _categories(rows, random)
    if columns == "mixed":
        parts[NULL], parts[TRUE] = (_number_of(parts[name], random) for name in (BEHIND, "y"))
    return parts


def _numbers(rows: int, random: np.random.Generator) -> dict[str, Any]:
    behind, *errors = random.normal(size=(5, rows))
    y = behind + errors[0]
    return {
        NULL: behind + errors[1],
        TRUE: y + errors[2],
        BEHIND: behind,
        NOISE: errors[3],
        "y": y,
    }


def _categories(rows: int, random: np.random.Generator) -> dict[str, Any]:
    words = np.array(["u", "v", "w"])
    behind, other, third, fourth, noise = random.integers(0, 3, (5, rows))
    y = np.where(random.random(rows) < 0.5, behind, other)
    null = np.where(random.random(rows) < 0.6, behind, third)
    true = np.where(random.random(rows) < 0.6, y, fourth)
    parts = {NULL: null, TRUE: true, BEHIND: behind, NOISE: noise, "y": y}
    return {name: words[value] for name, value in parts.items()}


def _number_of(words: Any, random: np.random.Generator) -> Any:
    return (words == "u") * 1.0 + random.normal(size=len(words))
