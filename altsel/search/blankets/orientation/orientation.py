"""Which members of a blanket are parents, which children: local learning around the target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from altsel.errors import ArgumentError, checked_integer, flags, level, listing, of_kind
from altsel.results.feature_set import FeatureSet
from altsel.results.orientation import Edge, Orientation, OrientedMember, Side, p_of
from altsel.results.solutions import Solutions
from altsel.search.blankets.iamb import iamb
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.orientation.background import Background
from altsel.search.blankets.orientation.marks import Marks, Reason
from altsel.search.blankets.orientation.neighbourhood import Neighbourhood, neighbourhood
from altsel.stats.independence.protocol import Independence, checked_test

Learner = Callable[..., Solutions]
Known = tuple[str, frozenset[str]]
"""A variable, and the copies that were left out as it was learned around."""


@dataclass(frozen=True)
class Around:
    """How `orientation` learns around variables.

    Parameters
    ----------
    most
        Number of variables to learn around at most, the target among them.
    max_conditioning
        Largest set of members conditioned on; None: any, which may take exponential time. With a limit a
        spouse may be taken for a neighbour.
    learner
        Finds the blankets of other variables: ``learner(test, alpha, limits=…)``.

    Raises
    ------
    ArgumentError
        If a number is no integer, or too small, or the learner cannot be called.

    Examples
    --------
    >>> Around(most=5).max_conditioning
    3
    """

    most: int = 20
    max_conditioning: int | None = 3
    learner: Learner = iamb

    def __post_init__(self) -> None:
        checked_integer("most", self.most, 1)
        if self.max_conditioning is not None:
            checked_integer("max_conditioning", self.max_conditioning, 0)
        of_kind("learner", self.learner, Callable, "a learner such as altsel.blankets.iamb")


def orientation(
    found: Solutions | FeatureSet,
    test: Independence,
    alpha: float = 0.05,
    *,
    background: Background | None = None,
    hidden: bool = False,
    around: Around | None = None,
) -> Orientation:
    """Find on which side of the target the members of a blanket are, by learning around them.

    1. Members that some set of other members separates from the target are spouses; the others are
    neighbours. 2. If b is a neighbour of a and c, and what separates a and c does not have b, b is no cause
    of either (a collider). 3. Rules follow from these: no other colliders, no cycles. 4. The same
    is learned around the neighbours, and while a side is open, around the nearest variables that may tell it.

    Nothing is guessed: of graphs that fit the tests as well, the sides in which they differ are *not told*.
    Without hidden variables an edge that points nowhere else points to the other end; where colliders say of
    both ends that neither causes the other, a hidden variable causes both.

    Parameters
    ----------
    found
        A blanket of the test's target, or solutions, of which the first is taken; features of the others
        only, which stand for members, are left out. Of all blankets of a family: `with_orientation`.
    test
        The test that found it.
    alpha
        Level of the tests.
    background
        What is known before: tiers, forbidden and required edges.
    hidden
        Whether hidden common causes are possible. Then "parent" is said of what has a directed path
        to the target, and less is told.
    around
        How the same is learned around other variables, and around how many; default: ``Around()``.

    Returns
    -------
    Orientation
        Members with their sides and the tests that say so; the local graph; ``tests``.

    Raises
    ------
    ArgumentError
        If an argument is out of its range, a member or a name of the background is no variable, or the
        features of a blanket are not those of the test.

    Notes
    -----
    Faithfulness is assumed: what is independent is separated in the graph. C. Wang, Y. Zhou, Q. Zhao and
    Z. Geng, *Discovering and orienting the edges connected to a target variable in a DAG via a sequential
    local learning approach* (2014); C. Meek (1995), rules 1 to 3; J. Zhang (2008), rules 1 to 3 and 8. That
    two variables which are no neighbours are separated by members of the blanket of either: J. Pearl (1988),
    and T. Richardson and P. Spirtes (2002) with hidden variables.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.blankets import iamb
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("rain", "wet"), ("tap", "wet"), ("wet", "slip"), ("ice", "slip")])
    >>> test = DSeparation(graph, "wet")
    >>> sides = orientation(iamb(test), test)
    >>> sides.named("parent"), sides.named("child"), sides.named("spouse")
    (('rain', 'tap'), ('slip',), ('ice',))
    """
    of_kind("found", found, Solutions | FeatureSet, "solutions of a search for blankets")
    search = local_search(test, alpha, around, background, hidden=hidden)
    if isinstance(found, Solutions):
        return oriented(_first(found, test), replace(search, copies=copies_of(found[0], found)))
    return oriented(found, search)


def local_search(
    test: Independence, alpha: float, around: Around | None, background: Background | None, *, hidden: bool
) -> LocalSearch:
    """Check arguments, and begin to learn around the target."""
    checked_test(test)
    level("alpha", alpha)
    flags(hidden=hidden)
    of_kind("around", around, Around | None, "altsel.blankets.Around(most=…)")
    of_kind("background", background, Background | None, "altsel.blankets.Background(tiers=…)")
    known = background or Background()
    known.check((*test.features, test.target))
    return LocalSearch(test, alpha, around or Around(), known, hidden)


def oriented(found: FeatureSet, search: LocalSearch) -> Orientation:
    """Learn around the members of a blanket, and say on which side each is."""
    if unknown := [name for name in found.features if name not in search.test.features]:
        raise ArgumentError(f"the test has no features {listing(unknown)}; is it of other data?")
    marks = search.run(found.features)
    return _told(marks, search.test.target, found.features, search)


def copies_of(one: FeatureSet, found: Solutions) -> frozenset[str]:
    """Return the features of other blankets only, which stand for members of this one."""
    return frozenset(name for other in found for name in other if name not in one)


def _first(found: Solutions, test: Independence) -> FeatureSet:
    if not len(found):
        raise ArgumentError("there is no blanket in these solutions")
    refuse_another_target(found, test)
    return found[0]


def refuse_another_target(found: Solutions, test: Independence) -> None:
    """Raise an ArgumentError if blankets and test are not of one target."""
    if found.target != test.target:
        raise ArgumentError(f"the blanket is of {found.target!r}, and the test of {test.target!r}")


@dataclass(eq=False)
class LocalSearch:
    """Learns around the target, and then around the nearest variables that may tell an open side."""

    test: Independence
    alpha: float
    around: Around
    background: Background
    hidden: bool
    learned: dict[str, Neighbourhood] = field(default_factory=dict, init=False)
    copies: frozenset[str] = frozenset()  # which stand for members: with them nothing is separated from these
    known: dict[Known, Neighbourhood] = field(default_factory=dict)  # for other blankets, too
    tests: int = field(default=0, init=False)

    def run(self, members: Sequence[str]) -> Marks:
        """Learn until nothing is open at the target, or nothing nearby may tell."""
        target = self.test.target
        self._learn(target, members)
        while True:
            marks = Marks(self.learned, self.hidden, self.background)
            nearest = self._next(marks) if len(self.learned) < self.around.most else None
            if nearest is None:
                return marks
            self._learn(nearest, None)

    def _next(self, marks: Marks) -> str | None:
        """Return the nearest variable that is not learned around, a neighbour or one that open edges lead to.

        Around neighbours whose side is told, too: their colliders may contradict it.
        """
        target = self.test.target
        near = sorted(marks.neighbours(target), key=lambda name: not marks.is_open(target, name))
        if new := [name for name in near if name not in self.learned]:
            return new[0]
        reached, layer = {target}, [target]
        while layer:
            further = []
            for node in layer:
                for other in marks.neighbours(node):
                    if other not in reached and marks.is_open(node, other):
                        reached.add(other)
                        further.append(other)
            if new := [name for name in further if name not in self.learned]:
                return new[0]
            layer = further
        return None

    def _learn(self, node: str, members: Sequence[str] | None) -> None:
        if members is None and (node, self.copies) in self.known:
            self.learned[node] = self.known[node, self.copies]
            return
        bound = self.test if node == self.test.target else self.test.with_target(node)
        other = members is None
        if members is None:
            apart = {"limits": Limits(exclude=sorted(self.copies))} if self.copies else {}
            found = self.around.learner(bound, self.alpha, **apart)
            self.tests += found.effort.tests
            members = found[0].features if len(found) else ()
        self.learned[node] = own = neighbourhood(bound, members, self.alpha, self.around.max_conditioning)
        self.tests += own.tests
        if other:
            self.known[node, self.copies] = own


def _told(marks: Marks, target: str, members: Sequence[str], search: LocalSearch) -> Orientation:
    told = tuple(_member(marks, target, name) for name in members)
    pairs = sorted({tuple(sorted(pair)) for pair in marks.edges})
    edges = tuple(_edge(marks, one, other) for one, other in pairs)
    return Orientation(target, told, edges, tuple(search.learned), search.hidden, search.tests)


def _edge(marks: Marks, one: str, other: str) -> Edge:
    into = [(a, b) in marks.arrows for a, b in ((other, one), (one, other))]  # at one, at other
    if all(into):
        return Edge(one, other, "<->")
    if not any(into):
        return Edge(one, other, "--")
    start, end = (one, other) if into[1] else (other, one)
    return Edge(start, end, "->" if marks.causes(start, end) else "o->")


def _member(marks: Marks, target: str, name: str) -> OrientedMember:
    if (target, name) not in marks.edges:
        return _spouse(marks, target, name)
    at_target, at_member = marks.arrows.get((name, target)), marks.arrows.get((target, name))
    if at_target and at_member:
        words = f"{_words(at_target)}; and {_words(at_member)}"
        return replace(_of(name, Side.LATENT, at_target), why=words)
    if marks.causes(name, target):
        return _of(name, Side.PARENT, marks.tails.get((target, name)) or at_target)
    if marks.causes(target, name):
        return _of(name, Side.CHILD, marks.tails.get((name, target)) or at_member)
    told = at_member or at_target
    if told is None:
        return OrientedMember(name, Side.ADJACENT, "no test tells")
    return _of(name, Side.ADJACENT, told)


def _spouse(marks: Marks, target: str, name: str) -> OrientedMember:
    found = marks.separation(target, name)
    through = tuple(
        child
        for child in marks.neighbours(target)
        if (name, child) in marks.edges and (target, child) in marks.arrows
    )
    given = None if found is None else tuple(sorted(found.given))
    words = "no neighbour" if given is None else f"independent of {target} given {_given(given)}"
    if through:
        words += f", and a cause of {', '.join(through)}"
    return OrientedMember(name, Side.SPOUSE, words, given, p_of(found.log_p if found else None), through)


def _of(name: str, side: Side, reason: Reason | None) -> OrientedMember:
    assert reason is not None
    return OrientedMember(name, side, _words(reason), reason.given, p_of(reason.log_p))


def _words(reason: Reason) -> str:
    a, b, c, d = (*reason.about, "", "")[:4]
    apart = f"{a} and {c} are independent given {_given(reason.given or ())}"
    return {
        "background": f"known before: {b} is no cause of {a}",
        "collider": f"{apart}, without {b}: {b} causes neither",
        "no collider": f"{apart}, with {b}, which is no cause of {a}",
        "no cycle": f"{a} comes before {b}, and {b} before {c}",
        "two ways": f"{a} and {c} cause {b}, and {apart}, with {d}",
    }[reason.rule]


def _given(names: Sequence[str]) -> str:
    return ", ".join(names) if names else "nothing"
