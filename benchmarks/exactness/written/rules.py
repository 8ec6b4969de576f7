"""A user's rules at random, each with what it means: read and evaluated apart from altsel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any

from benchmarks.exactness.criteria import Value, name, names
from benchmarks.exactness.rules_drawn import Ground
from benchmarks.exactness.written.curved import CURVED
from benchmarks.exactness.written.deciding import Verdict, decide
from benchmarks.exactness.written.forms import draw_form, draw_names
from benchmarks.exactness.written.helpers import HELPERS
from benchmarks.exactness.written.linear import Of, Say, draw_constant, draw_moved, draw_quality, draw_row
from benchmarks.exactness.written.logic import BEYOND
from benchmarks.exactness.written.products import draw_function, draw_pairs, draw_switched
from benchmarks.exactness.written.reading import Reading


@dataclass(frozen=True, eq=False)
class Written:
    """A rule of the user's own.

    Attributes
    ----------
    kind
        What it says, and in which form.
    function
        The rule, as altsel takes it.
    n
        Number of features.
    on_quality
        Whether it may name the quality.
    """

    kind: str
    function: Callable[..., Any]
    n: int
    on_quality: bool = True
    _known: dict[Any, Verdict] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def reading(self) -> Reading:
        """What it says, read once."""
        return Reading(self.function, [name(i) for i in range(self.n)])

    def verdict(self, mask: int, value: Value) -> Verdict:
        """Return whether a set keeps the rule, by brute force."""
        key = mask, value.score
        if key not in self._known:
            self._known[key] = decide(self.reading, [frozenset(names(mask))], value.score)
        return self._known[key]

    def build(self) -> Callable[..., Any]:
        """Return the rule as altsel takes it."""
        return self.function


KINDS: dict[str, tuple[int, Callable[[Random, Ground], Say]]] = {
    "row": (10, draw_row),
    "quality": (12, draw_quality),
    "constant": (4, draw_constant),
    "moved": (6, draw_moved),
    "products": (10, draw_pairs),
    "switched amount": (8, draw_switched),
    "function": (10, draw_function),
    **{kind: (5, draw) for kind, draw in HELPERS.items()},
    **{kind: (5, draw) for kind, draw in CURVED.items()},
    **{kind: (9, draw) for kind, draw in BEYOND.items()},
}
"""How often each kind of rule is drawn, and how."""


def draw_written(rng: Random, ground: Ground, number: int) -> Written:
    """Draw a rule of the user's own."""
    kind = rng.choices(list(KINDS), [often for often, _ in KINDS.values()])[0]
    form_name, form = draw_form(rng)
    say, labels = KINDS[kind][1](rng, ground), draw_names(rng)

    def rule(b: Any) -> Any:
        taken: Iterator[str] = iter(labels)
        of = Of(b.x, getattr(b, "size", None), getattr(b, "quality", None))
        said = say(b, of, taken)
        return form(b, replace(said, feature=of.first), taken)

    rule.__name__ = rule.__qualname__ = f"rule_{number}_{kind.replace(' ', '_')}"
    return Written(f"{kind}, {form_name}", rule, ground.criterion.n)
