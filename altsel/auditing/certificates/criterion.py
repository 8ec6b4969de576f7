"""A criterion as a certificate states it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from altsel._types import FloatArray
from altsel.auditing.certificates.lines import hexadecimal
from altsel.auditing.certificates.rows import Rows
from altsel.auditing.certificates.tree import Bounds


@dataclass(frozen=True, eq=False)
class Stated:
    """A criterion as a certificate states it.

    Attributes
    ----------
    lines
        Its numbers, by the sizes of sets whose they are; those of the same name are stated once.
    bounds
        What bounds sets of a size, for a limit, rows, and the name of what leaves refer to.
    terms
        Size of the numbers that a score is made of, which its rounding goes by.
    least
        No set scores less.
    hint
        What the checker is told of a set to find its score; None: nothing is needed.
    exact
        The exact score of a set by these numbers; None: `most` tells enough.
    unit
        At most what a unit of the score is of what is bounded, by the size; 0: penalties are left out.
    most
        What a set scores at most, and the data of a bound that shows it, or None if the checker is to look at
        the set; None: what it scores exactly.
    """

    lines: dict[int, tuple[str, dict[str, Any]]]
    bounds: Callable[[int, float, Rows, str], Bounds]
    terms: float = 1.0
    least: float = -inf
    hint: Callable[[list[int]], list[Any] | None] = lambda members: None
    exact: Callable[[list[int]], Fraction] | None = None
    unit: Callable[[int], float] = lambda size: 1.0
    most: Callable[[list[int]], tuple[float, list[Any] | None]] | None = None

    @property
    def kind(self) -> str:
        """What the checker calls it."""
        return next(str(line["kind"]) for _, line in self.lines.values())


def of_all_sizes(sizes: range, line: dict[str, Any]) -> dict[int, tuple[str, dict[str, Any]]]:
    """Name the numbers that hold for sets of every size."""
    return dict.fromkeys(sizes, ("score", line))


def lower(table: FloatArray, diagonal: int = 0) -> list[list[str]]:
    """Write the lower triangle of a symmetric table, with its diagonal or without."""
    return [hexadecimal(row[: i + diagonal]) for i, row in enumerate(table)]
