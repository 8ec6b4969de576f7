"""Ends of edges: which variables cause their neighbours, and which do not, by what separates others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from altsel.search.blankets.orientation.background import Background
from altsel.search.blankets.orientation.neighbourhood import Neighbourhood, Separation

Pair = tuple[str, str]


@dataclass(frozen=True)
class Reason:
    """Why an end of an edge is known.

    Attributes
    ----------
    rule
        ``"collider"``, ``"no collider"``, ``"no cycle"``, ``"two ways"`` or ``"background"``.
    about
        The variables it is about.
    given
        What separates the first and the last of these; None where nothing was tested.
    log_p
        Natural logarithm of p in the test that separates them; None if it was not tested by itself.
    """

    rule: str
    about: tuple[str, ...]
    given: tuple[str, ...] | None = None
    log_p: float | None = None


@dataclass(eq=False)
class Marks:
    """Edges around learned variables, and what is known of their ends.

    An arrow at the end b of an edge of a and b: b is no cause of a. A tail there: b is a cause of a. Without
    hidden variables an edge whose end b has an arrow has a tail at a, unless tests contradict each other.

    Parameters
    ----------
    learned
        What was learned, by variable.
    hidden
        Whether there may be hidden common causes.
    background
        What is known before.

    Attributes
    ----------
    edges
        Pairs of neighbours, both ways.
    arrows, tails
        Ends that are known: (a, b) stands for the end b of the edge of a and b; why.
    """

    learned: Mapping[str, Neighbourhood]
    hidden: bool
    background: Background
    edges: set[Pair] = field(default_factory=set, init=False)
    arrows: dict[Pair, Reason] = field(default_factory=dict, init=False)
    tails: dict[Pair, Reason] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for node, own in self.learned.items():
            for other in own.neighbours:
                if other not in self.learned or node in self.learned[other].neighbours:
                    self.edges |= {(node, other), (other, node)}
        self._background()
        self._colliders()
        while self._follow():
            pass

    def neighbours(self, node: str) -> list[str]:
        """Return the other ends of a variable's edges."""
        return sorted(b for a, b in self.edges if a == node)

    def separation(self, one: str, other: str) -> Separation | None:
        """Return what separates two variables; None if they are neighbours, or that is not known."""
        for a, b in ((one, other), (other, one)):
            if a in self.learned and (found := self.learned[a].separation(b)) is not None:
                return found
        return None

    def is_open(self, one: str, other: str) -> bool:
        """Return whether a side of an edge is not told: an end without a mark, or both."""
        marked = [pair in self.arrows or pair in self.tails for pair in ((one, other), (other, one))]
        return not (all(marked) if self.hidden else any(marked))

    def causes(self, one: str, other: str) -> bool:
        """Return whether an edge points from the first to the second."""
        if self.hidden:
            return (other, one) in self.tails and (one, other) in self.arrows
        return (one, other) in self.arrows and (other, one) not in self.arrows

    def _background(self) -> None:
        for one, other in sorted(self.edges):
            if self.background.is_no_cause(other, one):
                self.arrows.setdefault((one, other), Reason("background", (one, other)))
            if (one, other) in self.background.required:
                self.tails.setdefault((other, one), Reason("background", (one, other)))

    def _triples(self) -> Iterator[tuple[str, str, str, Separation]]:
        """Yield a, b, c where b is a neighbour of both others, which are separated, in one order."""
        for b in sorted({a for a, _ in self.edges}):
            for a, c in combinations(self.neighbours(b), 2):
                if (a, c) not in self.edges and (found := self.separation(a, c)) is not None:
                    yield a, b, c, found

    def _colliders(self) -> None:
        """Find b that what separates a and c does not have: it is no cause of either."""
        for a, b, c, found in self._triples():
            if b not in found.given:
                why = Reason("collider", (a, b, c), tuple(sorted(found.given)), found.log_p)
                for other in (a, c):
                    if (b, other) not in self.tails or self.tails[b, other].rule != "background":
                        self._arrow(other, b, why)

    def _arrow(self, one: str, other: str, why: Reason) -> bool:
        """Put an arrow at the end ``other``, unless there is a mark already."""
        if (one, other) in self.arrows or (one, other) in self.tails:
            return False
        self.arrows[one, other] = why
        return True

    def _tail(self, one: str, other: str, why: Reason) -> bool:
        """Put a tail at the end ``other``, unless there is a mark already."""
        if (one, other) in self.arrows or (one, other) in self.tails:
            return False
        self.tails[one, other] = why
        return True

    def _follow(self) -> bool:
        """Apply the rules of Meek (1995), or Zhang (2008), once; return whether any told something."""
        return any([self._no_collider(), self._no_cycle(), self._two_ways()])

    def _no_collider(self) -> bool:
        """R1: a points into b, and b is no collider of a and c, so b causes c."""
        new = False
        for first, b, last, found in self._triples():
            for a, c in ((first, last), (last, first)):
                if b in found.given and (a, b) in self.arrows and self._free(b, c):
                    why = Reason("no collider", (a, b, c), tuple(sorted(found.given)), found.log_p)
                    new |= self._arrow(b, c, why)
                    new |= self.hidden and self._tail(c, b, why)
        return new

    def _free(self, one: str, other: str) -> bool:
        """Return whether an edge may still point from the first to the second."""
        if self.hidden:
            return (other, one) not in self.arrows and (one, other) not in self.tails
        return (one, other) not in self.arrows and (other, one) not in self.arrows

    def _no_cycle(self) -> bool:
        """R2: a causes b, which causes c; so c is no cause of a. With hidden variables one may only point."""
        new = False
        for a, c in sorted(self.edges):
            for b in sorted({*self.neighbours(a)} & {*self.neighbours(c)}):
                both = self.causes(a, b) and self.causes(b, c)
                if self.hidden:
                    into = (a, b) in self.arrows and (b, c) in self.arrows
                    both = into and (self.causes(a, b) or self.causes(b, c))
                if both and (self.hidden or self._free(a, c)):
                    why = Reason("no cycle", (a, b, c))
                    new |= self._arrow(a, c, why)
                    if self.hidden and self.causes(a, b) and self.causes(b, c):
                        new |= self._tail(c, a, why)  # R8
        return new

    def _two_ways(self) -> bool:
        """R3: a and c point into b, and d, a neighbour of b, is no collider of both: b does not cause d."""
        new = False
        for a, d, c, found in self._triples():
            if d not in found.given or any((x, d) in self.arrows for x in (a, c)):
                continue
            for b in sorted({*self.neighbours(a)} & {*self.neighbours(c)} & {*self.neighbours(d)}):
                if (a, b) in self.arrows and (c, b) in self.arrows and (self.hidden or self._free(d, b)):
                    new |= self._arrow(d, b, Reason("two ways", (a, b, c, d), tuple(sorted(found.given))))
        return new
