"""Simultaneous search around one target only: STMB."""

from __future__ import annotations

from altsel.results.feature_set import Role
from altsel.results.solutions import Solutions
from altsel.search.blankets.blanket_search import begin
from altsel.search.blankets.grow_shrink import shrink
from altsel.search.blankets.ipcmb import level_by_level
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours, checked_conditioning, subsets
from altsel.stats.independence.protocol import Independence


def stmb(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    limits: Limits | None = None,
) -> Solutions:
    """Find the Markov blanket without searching around the neighbours (STMB).

    Parents and children as in `ipcmb`, but false ones stay at first. Spouses come from all other
    features: X through Y if ``I(T; X | S) = 0`` and ``I(T; X | S + Y) > 0``. If a subset of the
    neighbours and X separates Y, both leave; Y may come back as a spouse. Last, spouses and then
    neighbours leave that are independent given all the others.

    The blanket as a whole is exact under faithfulness. A spouse that is also the target's descendant may be
    among the parents and children: it leaves them only if one feature that it connects, besides the
    neighbours, is enough to separate it.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    max_conditioning
        Largest subset tried in the search for neighbours; None: any size.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set; ``parents_and_children`` and ``spouses`` apart, up to such descendants.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.2; Gao and Ji, IEEE Transactions on Cybernetics 47 (2017).

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> stmb(DSeparation(graph, "y"))[0].spouses
    ('other',)
    """
    search = begin(test, alpha, limits)
    near = Neighbours(search, checked_conditioning(max_conditioning))
    spouses: list[str] = []
    with search.limited():
        level_by_level(near)
        through: dict[str, list[str]] = {name: [] for name in near.found if name not in search.forced}
        for name in list(near.separated):
            _connect(near, through, name)
        todo = list(through)
        while todo:
            neighbour = todo.pop(0)
            if _explained(near, neighbour, through[neighbour]):
                near.found.remove(neighbour)
                del through[neighbour]
                _connect(near, through, neighbour)  # no neighbour, but perhaps a spouse
                todo = list(through)
        spouses.extend(dict.fromkeys(name for mates in through.values() for name in mates))
        spouses[:] = [name for name in spouses if name not in near.found]
        shrink(search, spouses, near.found)
        shrink(search, near.found, spouses)
    gamma = "none" if max_conditioning is None else str(max_conditioning)
    return search.solutions(f"STMB, alpha={alpha:g}, max_conditioning={gamma}", Role.NEIGHBOUR, spouses)


def _connect(near: Neighbours, through: dict[str, list[str]], name: str) -> None:
    """Enter a separated feature with each neighbour that connects it to the target."""
    given = near.separated[name]
    for neighbour, mates in through.items():
        if neighbour not in given and near.search.dependent(name, (*given, neighbour)):
            mates.append(name)


def _explained(near: Neighbours, neighbour: str, mates: list[str]) -> bool:
    """Return whether a neighbour is separated by a subset of the others and one feature it connects."""
    others = [name for name in near.able() if name != neighbour]
    return any(
        near.separate([neighbour], given)
        for mate in mates
        for given in subsets([*others, mate], near.max_conditioning, mate)
    )
