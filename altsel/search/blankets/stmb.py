"""Simultaneous search around one target only: STMB."""

from __future__ import annotations

from collections.abc import Iterator

from altsel.results.solutions import Solutions
from altsel.search.blankets.connected_spouses import ConnectedSpouses, found_with_spouses
from altsel.search.blankets.ipcmb import level_by_level
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import subsets
from altsel.search.blankets.spouses import Options
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
    options = Options("STMB", max_conditioning, symmetric=True)
    return found_with_spouses(test, alpha, limits, options, _simultaneous)


def _simultaneous(both: ConnectedSpouses) -> None:
    """Find neighbours, spouses through each, and remove neighbours that one of their spouses explains."""
    near = both.near
    level_by_level(near)
    both.through.update({name: [] for name in near.found if name not in near.search.forced})
    for name in list(near.separated):
        both.connect(name)
    todo = list(both.through)
    while todo:
        neighbour = todo.pop(0)
        if both.separated(neighbour, _explaining(both, neighbour)):
            both.leave(neighbour)
            todo = list(both.through)


def _explaining(both: ConnectedSpouses, neighbour: str) -> Iterator[tuple[str, ...]]:
    """Yield subsets of the other neighbours and one feature that a neighbour connects."""
    others = [name for name in both.near.able() if name != neighbour]
    for mate in both.through[neighbour]:
        yield from subsets([*others, mate], both.near.max_conditioning, mate)
