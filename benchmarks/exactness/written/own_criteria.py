"""Criteria of the user's own as a campaign sees them: known by their formula; some wrong on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import numpy as np

from benchmarks.exactness.criteria import Value, members
from benchmarks.exactness.written.objectives import (
    Conditional,
    Coverage,
    Exchanged,
    Form,
    Own,
    Pairs,
    Poorest,
    Products,
    Root,
    Sized,
    Sum,
)

SCALE = 20.0
"""What scores are of the order of: measure of their rounding."""

FAULTS: dict[type[Own], tuple[str, ...]] = {
    Sum: ("weights", "express"),
    Pairs: ("express",),
    Products: (),
    Form: ("quadratic", "express"),
    Coverage: ("rises",),
    Poorest: ("express",),
    Root: ("add_cut",),
    Sized: ("express",),
    Conditional: ("lenient", "strict"),
    Exchanged: ("weights", "scores", "exchanged", "most"),
}
"""The criteria, and in what they may be wrong."""


@dataclass(frozen=True, eq=False)
class OwnCriterion:
    """A criterion of the user's own, as a campaign sees it: known by its formula.

    Attributes
    ----------
    objective
        As altsel takes it.
    fault
        In what it is wrong.
    """

    objective: Own
    fault: str = ""
    size: str = "ordinary"
    _known: dict[int, Value] = field(default_factory=dict, init=False, repr=False)

    @property
    def kind(self) -> str:
        """What it is."""
        return f"{self.objective.name}{', wrong' if self.fault else ''}"

    @property
    def n(self) -> int:
        """Number of features."""
        return len(self.objective.features)

    def value(self, mask: int) -> Value:
        """Evaluate the formula on a set, given by bits."""
        if mask not in self._known:
            chosen = np.zeros(self.n, dtype=bool)
            chosen[members(mask)] = True
            feasible = self.objective.is_feasible(chosen)
            self._known[mask] = Value(float(self.objective.score(chosen)), SCALE, feasible)
        return self._known[mask]

    def build(self) -> Own:
        """Return altsel's objective."""
        return self.objective


def draw_own(rng: Random, n: int, wrong: float) -> OwnCriterion:
    """Draw a criterion of the user's own; some wrong."""
    kind = rng.choice(list(FAULTS))
    fault = rng.choice(FAULTS[kind]) if FAULTS[kind] and rng.random() < wrong else ""
    made = type(kind.__name__, (kind,), {"fault": fault})(rng, n)
    return OwnCriterion(made, fault)
