"""Rules that are functions of a set, or bound a second criterion; and statements that are not taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import pyomo.environ as pyo
from pyomo.gdp import Disjunction

import altsel
from benchmarks.exactness.criteria import AnyCriterion, Value, name, names
from benchmarks.exactness.draws import threshold
from benchmarks.exactness.rules import RELATIVE
from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.written.deciding import Verdict
from benchmarks.exactness.written.own_criteria import OwnCriterion, draw_own


@dataclass(frozen=True, eq=False)
class Predicated:
    """A function of a set as a rule.

    Attributes
    ----------
    kind
        What it says.
    function
        Of a tuple of names.
    monotone
        What is declared of it.
    """

    kind: str
    function: Callable[[tuple[str, ...]], Any]
    monotone: str | None
    on_quality: bool = False

    def verdict(self, mask: int, value: Value) -> Verdict:
        """Return what the function says."""
        del value
        return bool(self.function(names(mask)))

    def build(self) -> Any:
        """Return the rule as altsel takes it."""
        return altsel.domain.predicate(self.function, name=self.kind, monotone=self.monotone)


def draw_predicate(rng: Random, ground: Ground) -> Predicated:
    """Draw a function of a set, of which some is declared to be monotone."""
    n = ground.criterion.n
    hidden = {name(i): rng.randint(0, 5) for i in range(n)}
    group = {name(i): rng.choice("abc") for i in range(n)}
    sums = sorted({sum(hidden[f] for f in names(mask)) for mask in ground.masks})
    least = rng.choice(sums)
    number, seed = rng.randint(1, 3), rng.getrandbits(20)
    kinds: dict[str, tuple[Callable[[tuple[str, ...]], Any], str | None]] = {
        "light": (lambda s: sum(hidden[f] for f in s) <= least, "down"),
        "heavy": (lambda s: np.bool_(sum(hidden[f] for f in s) >= least), "up"),
        "no pair of one group": (lambda s: len({group[f] for f in s}) == len(s), "down"),
        "many groups": (lambda s: len({group[f] for f in s}) >= number, "up"),
        "even": (lambda s: sum(hidden[f] for f in s) % 2 == 0, None),
        "arbitrary": (lambda s: hash((seed, tuple(int(f[1:]) for f in s))) % 3 > 0, None),
        "never": (lambda s: False, rng.choice(["down", "up", None])),
    }
    kind = rng.choice([*list(kinds)[:-1], *list(kinds)[:-1], *kinds])
    function, direction = kinds[kind]
    return Predicated(f"predicate, {kind}", function, direction if rng.random() < 0.6 else None)


@dataclass(frozen=True, eq=False)
class Second:
    """A second criterion within ends."""

    criterion: Any
    low: float | None
    high: float | None
    on_quality: bool = False
    _made: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def kind(self) -> str:
        """What it says."""
        sides = [
            side for side, end in (("from below", self.low), ("from above", self.high)) if end is not None
        ]
        return f"second criterion, {self.criterion.kind}, {' and '.join(sides)}"

    def verdict(self, mask: int, value: Value) -> Verdict:
        """Return whether the other formula is within the ends."""
        del value
        other = self.criterion.value(mask)
        if other.feasible is not True:
            return False if other.feasible is False else None
        ends = [end for end in (self.low, self.high) if end is not None]
        hair = RELATIVE * max([1.0, abs(other.score), *map(abs, ends)])
        misses = [] if self.low is None else [self.low - other.score]
        misses += [] if self.high is None else [other.score - self.high]
        return None if abs(max(misses)) <= hair else max(misses) <= 0

    def build(self) -> Any:
        """Return the rule as altsel takes it."""
        if "made" not in self._made:
            self._made["made"] = altsel.domain.criterion(
                self.criterion.build(), at_least=self.low, at_most=self.high
            )
        return self._made["made"]


def draw_second(rng: Random, ground: Ground, draw: Callable[[Random, int], AnyCriterion]) -> Second:
    """Draw ends for a second criterion."""
    n = ground.criterion.n
    criterion: Any = draw_own(rng, n, 0.0) if rng.random() < 0.3 else draw(rng, n)
    values = [criterion.value(mask) for mask in ground.masks]
    scores = [one.score for one in values if one.feasible] or [0.0]
    low, high = sorted([threshold(rng, scores, 0.1), threshold(rng, scores, 0.1)])
    side = rng.choice(["below", "above", "both"])
    return Second(criterion, None if side == "above" else low, None if side == "below" else high)


def _objective(b: Any) -> Any:
    b.aim = pyo.Objective(expr=b.x["x0"])
    return b.x["x0"] <= 1


def _root_of_own(b: Any) -> Any:
    b.u = pyo.Var(bounds=(0, 4))
    return [pyo.sqrt(b.u) <= 1, b.u >= b.x["x0"]]


def _product_of_own(b: Any) -> Any:
    b.u, b.v = pyo.Var(bounds=(0, 4)), pyo.Var(bounds=(0, 4))
    return [b.u * b.v <= 1, b.u >= b.x["x0"]]


def _product_without_bounds(b: Any) -> Any:
    b.u = pyo.Var()
    return [b.u * b.x["x0"] <= 1, b.u >= b.x["x1"]]


def _disjunction_without_bounds(b: Any) -> Any:
    b.u = pyo.Var()
    b.either = Disjunction(expr=[[b.u <= 1], [b.x["x0"] == 0]])
    return b.u >= 2 * b.x["x1"]


def _changes_size(b: Any) -> Any:
    b.size.set_value(b.x["x0"])
    return b.x["x0"] <= 1


def _adds_to_the_model(b: Any) -> Any:
    b.model().more = pyo.Constraint(expr=b.x["x0"] == 0)
    return b.x["x0"] <= 1


def _lost(b: Any) -> None:
    pyo.Constraint(expr=b.x["x0"] == 0)


def _only_a_variable(b: Any) -> Any:
    return pyo.Var(bounds=(0, 1))


REFUSED: tuple[Callable[[Any], Any], ...] = (
    _objective,
    _root_of_own,
    _product_of_own,
    _product_without_bounds,
    _disjunction_without_bounds,
    _changes_size,
    _adds_to_the_model,
    _lost,
    lambda b: b.x["x0"] + b.x["x1"],
    lambda b: 3,
    lambda b: "x0 <= 1",
    lambda b: [b.x["x0"] <= 1, None],
    lambda b: b.x["no such feature"] <= 1,
    lambda b: 1 / 0,
)
"""Rules that must be refused by name."""


@dataclass(frozen=True, eq=False)
class Untaken:
    """A rule that must be refused by name."""

    function: Callable[[Any], Any]
    kind: str = "not taken"
    on_quality: bool = False

    def verdict(self, mask: int, value: Value) -> Verdict:
        """Return nothing: it is not known."""
        del mask, value
        return None

    def build(self) -> Any:
        """Return the rule as altsel takes it."""
        return self.function


def draw_untaken(rng: Random) -> Untaken:
    """Draw a rule that must be refused."""
    function = rng.choice(REFUSED)

    def rule(b: Any) -> Any:
        return function(b)

    rule.__name__ = f"untaken_{REFUSED.index(function)}"
    return Untaken(rule)


Conditions = Sequence[Predicated | Second | Untaken]
__all__ = ["Conditions", "OwnCriterion", "draw_predicate", "draw_second", "draw_untaken"]
