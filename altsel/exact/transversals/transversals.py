"""All minimal transversals of some sets as one object: counted, ordered, drawn from, without listing them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random

from altsel.errors import ArgumentError, checked_integer
from altsel.exact.transversals import bounds, by_model, costs, counting, front
from altsel.exact.transversals.bounds import WIDTH
from altsel.exact.transversals.construction import MOST_NODES, diagram_of
from altsel.exact.transversals.costs import Priced, exact_costs
from altsel.exact.transversals.diagram import UNIT, Diagram, DiagramTooLargeError
from altsel.exact.transversals.hypergraph import Names, checked_removals, is_minimal_transversal
from altsel.exact.transversals.most_different import DifferentPair, fewest_shared, most_dissimilar
from altsel.solvers import Solver


@dataclass(frozen=True, eq=False)
class Transversals:
    """The family of all minimal transversals of some sets.

    A transversal has a feature of every set; minimal is one of which nothing can be left out. Without a set
    to be met the empty one is the only one; an empty set leaves none.

    Parameters
    ----------
    removals
        The sets to be met; only the minimal ones are kept.
    order
        All features, in the order in which sets are given; default: those of the removals, as they occur.
    most_nodes
        Nodes that the diagram may have while it is made: time and memory grow with it.

    Raises
    ------
    ArgumentError
        If the removals are no sets of names, or the order lacks one of them.

    Examples
    --------
    Twenty pairs of copies:

    >>> found = Transversals([[f"a{j}", f"b{j}"] for j in range(20)])
    >>> found.count(), found.counts_by_feature()["a0"], found.sizes()
    (1048576, 524288, {20: 1048576})
    >>> cost = {name: int(name[1:]) + (name[0] == "a") for name in found.order}
    >>> best = found.cheapest(cost)
    >>> best.cost, best.features[:3]
    (190.0, ('b0', 'b1', 'b2'))

    References
    ----------
    Knuth, TAOCP 4A (2011), 7.1.4, family algebra; Toda (2013), Fast compression of large-scale hypergraphs
    for solving combinatorial problems; Berge, Hypergraphs (1989), chapter 2.
    """

    removals: tuple[Names, ...]
    order: Names = ()
    most_nodes: int = MOST_NODES

    def __init__(
        self,
        removals: Iterable[Iterable[str]],
        order: Iterable[str] | None = None,
        most_nodes: int = MOST_NODES,
    ) -> None:
        sets, names = checked_removals(removals, order)
        checked_integer("most_nodes", most_nodes, 3)
        for name, value in (("removals", sets), ("order", names), ("most_nodes", most_nodes)):
            object.__setattr__(self, name, value)

    @cached_property
    def fits(self) -> bool:
        """Whether the diagram of all sets stays within its number of nodes; it is made to see."""
        try:
            self.__dict__["diagram"] = diagram_of(self.removals, self.most_nodes)
        except DiagramTooLargeError:
            return False
        return True

    @cached_property
    def diagram(self) -> Diagram:
        """The graph whose paths are the sets.

        Raises
        ------
        DiagramTooLargeError
            If it needs more nodes than it may have: so does all that is asked of it, but for what a
            solver answers instead.
        """
        if self.fits:
            found: Diagram = self.__dict__["diagram"]
            return found
        raise DiagramTooLargeError(f"the diagram needs more than {self.most_nodes:,} nodes")

    @property
    def indispensable(self) -> Names:
        """Features of every set: a set to be met has no other one."""
        alone = {subset[0] for subset in self.removals if len(subset) == 1}
        return self._sort(alone)

    @property
    def replaceable(self) -> Names:
        """Features of some sets and not of all: those of minimal sets to be met that have others."""
        if () in self.removals:
            return ()
        return self._sort({name for subset in self.removals if len(subset) > 1 for name in subset})

    def count(self) -> int:
        """Return the number of sets."""
        return self._below[self.diagram.root]

    def bounds(self, width: int = WIDTH) -> tuple[int, int]:
        """Return a lower and an upper bound on the number of sets; the number twice where the diagram fits.

        Parameters
        ----------
        width
            Nodes of one level that are followed: more are closer, and take longer.
        """
        checked_integer("width", width, 1)
        return (self.count(), self.count()) if self.fits else bounds.bounds(self.removals, width)

    def share_bounds(self, width: int = WIDTH) -> dict[str, tuple[float, float]]:
        """Return bounds on the share of sets that have each feature; equal where the diagram fits.

        Parameters
        ----------
        width
            As in `bounds`; the time of two such counts for each feature that is like no other one.
        """
        checked_integer("width", width, 1)
        if self.fits:
            total = max(self.count(), 1)
            return {name: (held / total, held / total) for name, held in self.counts_by_feature().items()}
        return dict.fromkeys(self.order, (0.0, 0.0)) | bounds.shares(self.removals, width)

    def counts_by_feature(self) -> dict[str, int]:
        """Return in how many sets each feature is, 0 for one in none."""
        return dict.fromkeys(self.order, 0) | counting.memberships(self.diagram)

    def sizes(self) -> dict[int, int]:
        """Return the number of sets of each size, the smallest first."""
        return counting.sizes(self.diagram)

    def contains(self, names: Collection[str]) -> bool:
        """Return whether a set is one of the family."""
        return is_minimal_transversal(names, self.removals)

    def __iter__(self) -> Iterator[Names]:
        """Yield all sets, one by one."""
        diagram = self.diagram
        waiting: list[tuple[int, Names]] = [(diagram.root, ())]
        while waiting:
            node, taken = waiting.pop()
            if node == UNIT:
                yield self._sort(taken)
            elif node > UNIT:
                waiting.append((diagram.low[node], taken))
                waiting.append((diagram.high[node], (*taken, diagram.features[diagram.levels[node]])))

    def in_order(self, cost: Mapping[str, float], solver: Solver | None = None) -> Iterator[Priced]:
        """Yield sets by ascending cost, ``sum_{j in S} c_j``, none made before it is asked for.

        Parameters
        ----------
        cost
            Of each feature that is in a set; of any sign. A float is the decimal number that it prints as.
        solver
            Solves where the diagram does not fit; default: that of ``solvers.toml``.

        Raises
        ------
        ArgumentError
            If the cost of a feature is missing or no finite number.
        SolverError, OutOfTimeError, KeyboardInterrupt
            If a solver has to be asked and does not prove its answer, or a clock ends it.
        """
        exact = exact_costs(cost, self._named)
        found: Iterator[tuple[Collection[str], int]]
        if self.fits:
            found = costs.in_order(self.diagram, exact)
        else:
            found = by_model.in_order(self.removals, exact, solver)
        return (Priced(self._sort(names), exact.value(units)) for names, units in found)

    def cheapest(self, cost: Mapping[str, float], solver: Solver | None = None) -> Priced | None:
        """Return the set of the least cost; None if there is no set. Arguments as `in_order`."""
        return next(self.in_order(cost, solver), None)

    def front(self, cost: Mapping[str, float]) -> tuple[Priced, ...]:
        """Return, smallest first, the sets that no other beats in both size and cost, one of each size.

        Where the diagram does not fit, by two solves for each.
        """
        exact = exact_costs(cost, self._named)
        found: Iterable[tuple[Collection[str], int]]
        found = front.front(self.diagram, exact) if self.fits else by_model.front(self.removals, exact)
        return tuple(Priced(self._sort(names), exact.value(units)) for names, units in found)

    def sample(self, number: int, random: Random) -> list[Names]:
        """Draw sets, each with the same probability, and independently: one may come twice.

        Raises
        ------
        ArgumentError
            If there is no set to draw, or the number is none.
        """
        checked_integer("number", number, 0)
        if number and not self.count():
            raise ArgumentError("there is no set to draw: an empty set cannot be met")
        ranks = [random.randrange(self.count()) for _ in range(number)]
        return [self._sort(counting.set_of_rank(self.diagram, rank, self._below)) for rank in ranks]

    def most_different(self, by: str = "shared", solver: Solver | None = None) -> DifferentPair | None:
        """Return two sets that differ the most, proved; None if there are no two. The diagram is not needed.

        Parameters
        ----------
        by
            ``"shared"``: the fewest features in common. ``"dissimilarity"``: the largest Dice and Jaccard
            dissimilarity, which the same pair has; longer, unless two sets are disjoint.
        solver
            The solver; default: that of ``solvers.toml``.

        Raises
        ------
        SolverError, OutOfTimeError, KeyboardInterrupt
            If the solver does not prove its answer, or a clock ends it.
        """
        searches = {"shared": fewest_shared, "dissimilarity": most_dissimilar}
        if by not in searches:
            raise ArgumentError(f"by={by!r}; use 'shared' or 'dissimilarity'")
        pair = searches[by](self.removals, solver)
        if pair is None:
            return None
        return DifferentPair(*(self._sort(names) for names in (*pair, pair[0] & pair[1])))

    @property
    def _named(self) -> list[str]:
        """The features of the sets to be met, as they occur."""
        return list(dict.fromkeys(name for subset in self.removals for name in subset))

    @cached_property
    def _below(self) -> list[int]:
        return counting.below(self.diagram)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.order)}

    def _sort(self, names: Collection[str]) -> Names:
        return tuple(sorted(names, key=self._place.__getitem__))

    def __repr__(self) -> str:
        return f"<Transversals of {len(self.removals)} sets over {len(self.order)} features>"
