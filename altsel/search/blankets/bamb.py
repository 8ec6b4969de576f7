"""Parents and children, and spouses through each as soon as it is there: BAMB and EEMB."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from altsel.results.feature_set import Role
from altsel.results.solutions import Solutions
from altsel.search.blankets.blanket_search import begin
from altsel.search.blankets.grow_shrink import shrink
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours, checked_conditioning, subsets
from altsel.stats.independence.protocol import Independence


def bamb(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    limits: Limits | None = None,
) -> Solutions:
    """Find the Markov blanket, and look back at both kinds of members after each admission (BAMB).

    Candidates come by ascending p given nothing. X leaves if ``I(T; X | Z) = 0`` for a subset Z of the
    neighbours; else it is one, and Y, separated by Z', is a spouse through it if
    ``I(T; Y | Z' + X) > 0``. Then spouses through X leave that a subset of the neighbours and of the other
    spouses through X separates, and neighbours that a subset of the neighbours and all spouses separates.
    Last, spouses and then neighbours leave that are independent given all the others, which is not in the
    paper: with it the blanket as a whole is exact under faithfulness. A spouse that is also the target's
    descendant may be among the neighbours, as in `stmb`.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    max_conditioning
        Largest subset tried; None: any size, which may take exponential time.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``; ``parents_and_children`` and ``spouses`` apart, up to such descendants.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Ling, Yu, Wang, Liu, Ding and Wu, ACM Transactions on Intelligent Systems and Technology 10 (2019).

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> bamb(DSeparation(graph, "y"))[0].spouses
    ('other',)
    """
    return _found(test, alpha, limits, "BAMB", max_conditioning)


def eemb(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    limits: Limits | None = None,
) -> Solutions:
    """Find the Markov blanket: admit neighbours and spouses first, look back afterwards (EEMB).

    As `bamb`, but members are looked at again only when all candidates were: fewer tests, larger sets
    meanwhile.

    Parameters
    ----------
    test, alpha, max_conditioning, limits
        As for `bamb`.

    Returns
    -------
    Solutions
        One set, as of `bamb`.

    References
    ----------
    Wang, Ling, Yu and Wu, Information Sciences 509 (2020).

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> eemb(DSeparation(graph, "y"))[0].features
    ('cause', 'effect', 'other')
    """
    return _found(test, alpha, limits, "EEMB", max_conditioning)


@dataclass
class _Both:
    """Neighbours, and the spouses through each of them."""

    near: Neighbours
    through: dict[str, list[str]] = field(default_factory=dict)

    @property
    def spouses(self) -> list[str]:
        """All spouses that are no neighbours."""
        every = dict.fromkeys(name for mates in self.through.values() for name in mates)
        return [name for name in every if name not in self.near.found]

    def admit(self, name: str) -> bool:
        """Admit a candidate if no subset of the neighbours separates it; else it may be a spouse."""
        near = self.near
        if any(near.separate([name], given) for given in near.subsets()):
            self.connect(name)
            return False
        near.search.admit(name)
        self.through[name] = []
        for other in list(near.separated):
            self.connect(other, [name])
        return True

    def connect(self, name: str, neighbours: Iterable[str] | None = None) -> None:
        """Enter a separated feature with each neighbour that connects it to the target; default: all."""
        given = self.near.separated[name]
        for neighbour in self.through if neighbours is None else neighbours:
            if neighbour not in given and self.near.search.dependent(name, (*given, neighbour)):
                self.through[neighbour].append(name)

    def look_back(self, children: Iterable[str]) -> None:
        """Remove spouses through some neighbours, then neighbours, that subsets of all separate."""
        near = self.near
        for child in children:
            for mate in list(self.through[child]):
                mates = [name for name in self.through[child] if name != mate]
                others = dict.fromkeys([*near.able(), *mates])
                others.pop(mate, None)
                if self._separated(mate, subsets(list(others), near.max_conditioning, child)):
                    self.through[child].remove(mate)
        for name in [one for one in near.found if one in self.through]:
            others = dict.fromkeys([*near.able(), *self.spouses])
            others.pop(name, None)
            if self._separated(name, subsets(list(others), near.max_conditioning)):
                near.found.remove(name)
                del self.through[name]
                self.connect(name)

    def _separated(self, name: str, sets: Iterable[tuple[str, ...]]) -> bool:
        return any(self.near.separate([name], given) for given in sets)


def _found(
    test: Independence, alpha: float, limits: Limits | None, name: str, max_conditioning: int | None
) -> Solutions:
    search = begin(test, alpha, limits)
    both = _Both(Neighbours(search, checked_conditioning(max_conditioning)))
    spouses: list[str] = []
    with search.limited():
        for candidate in both.near.associated():
            if both.admit(candidate) and name == "BAMB":
                both.look_back([candidate])
        if name == "EEMB":
            both.look_back(list(both.through))
        spouses.extend(both.spouses)
        shrink(search, spouses, both.near.found)
        shrink(search, both.near.found, spouses)
    gamma = "none" if max_conditioning is None else str(max_conditioning)
    title = f"{name}, alpha={alpha:g}, max_conditioning={gamma}"
    return search.solutions(title, Role.NEIGHBOUR, spouses)
