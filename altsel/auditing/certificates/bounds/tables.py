"""Scores of sets, one by one: nothing bounds them but a look at each."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from altsel.auditing.certificates.lines import Writer
from altsel.auditing.certificates.prices import Leaf
from altsel.auditing.certificates.tree import Linear


@dataclass(eq=False)
class TableBounds:
    """A criterion that is known by its score of each set; see `altsel.auditing.certificates.tree.Bounds`."""

    target: float

    rounding: ClassVar[float] = 0.0
    each: ClassVar[float] = inf

    def state(self, writer: Writer) -> None:
        """Write nothing: the scores are the question."""

    def linear(self, leaf: Leaf, state: Any) -> Linear:
        """Refuse: all sets of a tree are looked at."""
        raise NotImplementedError
