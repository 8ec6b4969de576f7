"""On which side of the target the members of a blanket are, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from typing import Any

import pandas as pd

from altsel.display.dot import quoted
from altsel.display.renderers import renderer
from altsel.errors import ArgumentError
from altsel.results.base import Readable


class Side(StrEnum):
    """What a member of a blanket is to the target.

    Examples
    --------
    >>> [side.value for side in Side]
    ['parent', 'child', 'spouse', 'adjacent to a latent', 'adjacent, side not told']
    """

    PARENT = "parent"
    CHILD = "child"
    SPOUSE = "spouse"
    LATENT = "adjacent to a latent"
    ADJACENT = "adjacent, side not told"


@dataclass(frozen=True)
class OrientedMember:
    """A member of a blanket, and what it is to the target.

    Attributes
    ----------
    feature
        Its name.
    side
        Parent, child, spouse; a neighbour by a hidden common cause; or a neighbour whose side is not told.
    why
        In words: what was tested, or known before.
    given
        What separates the variables of the test; None where none was made.
    p
        Of the test that separates them.
    through
        Of a spouse: the children that it shares with the target.

    Examples
    --------
    >>> OrientedMember("ice", Side.SPOUSE, "a cause of slip", through=("slip",)).side.value
    'spouse'
    """

    feature: str
    side: Side
    why: str
    given: tuple[str, ...] | None = None
    p: float | None = None
    through: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edge:
    """An edge of the local graph.

    Attributes
    ----------
    start, end
        Its variables.
    kind
        ``"->"``: the first causes the second; ``"<->"``: a hidden variable causes both; ``"o->"``: the second
        is no cause of the first; ``"--"``: not told.

    Examples
    --------
    >>> Edge("rain", "wet", "->").end
    'wet'
    """

    start: str
    end: str
    kind: str


@dataclass(frozen=True)
class Orientation(Readable):
    """The members of a blanket with their sides, and the graph around the target.

    Attributes
    ----------
    target
        Name of the target.
    members
        Those of the blanket, in its order.
    edges
        Of the graph as far as it was learned.
    learned
        Variables around which it was learned, the target first.
    hidden
        Whether hidden common causes were taken to be possible.
    tests
        Number of tests.

    Examples
    --------
    >>> rain = OrientedMember("rain", Side.PARENT, "rain and tap are independent given nothing")
    >>> found = Orientation("wet", (rain,), (Edge("rain", "wet", "->"),), ("wet",), False, 12)
    >>> found.named("parent"), found["rain"].side is Side.PARENT
    (('rain',), True)
    """

    target: str
    members: tuple[OrientedMember, ...]
    edges: tuple[Edge, ...]
    learned: tuple[str, ...]
    hidden: bool
    tests: int

    _called = "orientation"

    def __getitem__(self, feature: str) -> OrientedMember:
        for one in self.members:
            if one.feature == feature:
                return one
        raise ArgumentError(f"{feature!r} is no member of the blanket")

    def named(self, side: Side | str) -> tuple[str, ...]:
        """Name the members of a side, such as ``"parent"``."""
        return tuple(one.feature for one in self.members if one.side == Side(side))

    def to_frame(self) -> pd.DataFrame:
        """Tabulate the members: side, p and the test that says so."""
        rows: list[Mapping[str, Any]] = [
            {"feature": one.feature, "side": one.side.value, "p": one.p, "why": one.why}
            for one in self.members
        ]
        return pd.DataFrame(rows, columns=["feature", "side", "p", "why"]).set_index("feature")

    def to_dot(self) -> str:
        """Write the local graph in the DOT language."""
        tail = {"<->": "normal", "o->": "odot"}
        lines = [f"  {quoted(self.target)} [style=bold];"]
        for edge in self.edges:
            ends = "none" if edge.kind == "--" else "normal"
            start = tail.get(edge.kind, "none")
            arrow = f"{quoted(edge.start)} -> {quoted(edge.end)}"
            lines.append(f"  {arrow} [dir=both, arrowhead={ends}, arrowtail={start}];")
        return "\n".join(["digraph {", *lines, "}"]) + "\n"

    def __str__(self) -> str:
        return str(renderer("text", self)(self))


def p_of(log_p: float | None) -> float | None:
    """Return p of its logarithm."""
    return None if log_p is None else exp(log_p)
