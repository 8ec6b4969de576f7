"""Parents and children, and spouses through each as soon as it is there: BAMB and EEMB."""

from __future__ import annotations

from collections.abc import Iterable

from altsel.results.solutions import Solutions
from altsel.search.blankets.connected_spouses import ConnectedSpouses, found_with_spouses
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import subsets
from altsel.search.blankets.spouses import Options
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
    options = Options("BAMB", max_conditioning, symmetric=True)
    return found_with_spouses(test, alpha, limits, options, _balanced)


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
    options = Options("EEMB", max_conditioning, symmetric=True)
    return found_with_spouses(test, alpha, limits, options, _added_first)


def _balanced(both: ConnectedSpouses) -> None:
    """Look back after each admission."""
    for candidate in both.near.associated():
        if _admitted(both, candidate):
            _look_back(both, [candidate])


def _added_first(both: ConnectedSpouses) -> None:
    """Look back when all candidates were looked at."""
    for candidate in both.near.associated():
        _admitted(both, candidate)
    _look_back(both, list(both.through))


def _admitted(both: ConnectedSpouses, name: str) -> bool:
    """Admit a candidate if no subset of the neighbours separates it; else it may be a spouse."""
    near = both.near
    if both.separated(name, near.subsets()):
        both.connect(name)
        return False
    near.search.admit(name)
    both.through[name] = []
    for other in list(near.separated):
        both.connect(other, [name])
    return True


def _look_back(both: ConnectedSpouses, children: Iterable[str]) -> None:
    """Remove spouses through some neighbours, then neighbours, that subsets of all separate."""
    near = both.near
    for child in children:
        mates = both.through[child]
        for mate in list(mates):
            others = [name for name in dict.fromkeys([*near.able(), *mates]) if name != mate]
            if both.separated(mate, subsets(others, near.max_conditioning, child)):
                mates.remove(mate)
    for name in [one for one in near.found if one in both.through]:
        others = [other for other in dict.fromkeys([*near.able(), *both.spouses]) if other != name]
        if both.separated(name, subsets(others, near.max_conditioning)):
            both.leave(name)
