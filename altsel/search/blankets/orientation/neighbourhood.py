"""Neighbours of a variable among the members of its blanket, and what separates it from all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from altsel.runtime.clock import clock
from altsel.stats.independence.protocol import Independence


@dataclass(frozen=True, eq=False)
class Separation:
    """A set that separates two variables, and the logarithm of p in that test; None: it was not tested."""

    given: frozenset[str]
    log_p: float | None


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """What was learned around one variable.

    Attributes
    ----------
    node
        The variable.
    blanket
        Its Markov blanket.
    neighbours
        Members that no set of other members separates from it.
    separations
        What separates it from the other members.
    tests
        Number of tests that it took.
    """

    node: str
    blanket: tuple[str, ...]
    neighbours: frozenset[str]
    separations: dict[str, Separation]
    tests: int = 0

    def separation(self, other: str) -> Separation | None:
        """Return what separates the variable from another one; None if nothing does.

        Of one outside the blanket the blanket does.
        """
        if other in self.neighbours:
            return None
        return self.separations.get(other, Separation(frozenset(self.blanket), None))


def neighbourhood(
    test: Independence, blanket: Sequence[str], alpha: float, max_conditioning: int | None
) -> Neighbourhood:
    """Test which members of a blanket are neighbours.

    In a graph without hidden variables, and in one with (a maximal ancestral graph), two variables that are
    no neighbours are separated by a set of members of the blanket of either: the nodes joined to it in the
    moral graph of the ancestors of both.

    Parameters
    ----------
    test
        Bound to the variable.
    blanket
        Its members.
    alpha
        Level of the tests.
    max_conditioning
        Largest set to condition on; None: any.
    """
    left, found, tests = list(blanket), dict[str, Separation](), 0
    largest = len(blanket) - 1 if max_conditioning is None else min(max_conditioning, len(blanket) - 1)
    for size in range(largest + 1):
        for given in combinations(blanket, size):
            candidates = [name for name in left if name not in given]
            if candidates:
                clock().check()
                answers, tests = test(candidates, given), tests + len(candidates)
                for name, separated, log_p in zip(
                    candidates, answers.independent(alpha), answers.log_p, strict=True
                ):
                    if separated:
                        left.remove(name)
                        found[name] = Separation(frozenset(given), float(log_p))
    return Neighbourhood(test.target, tuple(blanket), frozenset(left), found, tests)
