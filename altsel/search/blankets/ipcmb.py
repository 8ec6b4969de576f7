"""Backward search for parents and children, level by level, and the Markov blanket made of them: IPC-MB."""

from __future__ import annotations

from itertools import combinations

from altsel.results.solutions import Solutions
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours
from altsel.search.blankets.spouses import Options, neighbours_and_spouses
from altsel.stats.independence.protocol import Independence


def level_by_level(near: Neighbours) -> None:
    """Begin with all candidates; remove what sets of 0, 1, 2, … of the others separate.

    Features leave at once, sets of the strongest come first: of two that separate each other one stays.
    """
    near.found.extend(near.associated())
    size = 1
    while size < len(near.found) and (near.max_conditioning is None or size <= near.max_conditioning):
        for given in combinations(near.able(), size):
            if all(name in near.found for name in given):
                for name in near.separate(near.found, given):
                    near.found.remove(name)
        size += 1


def ipcmb(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    limits: Limits | None = None,
) -> Solutions:
    """Find the Markov blanket by backward search for parents and children (IPC-MB).

    Level by level, for sizes 0, 1, 2, …: ``I(Y; T | S') = 0`` for a set S' of that size removes Y.
    Symmetry and spouses are checked in the neighbours of the neighbours. Where the data do not
    suffice for a test nothing is removed, so the number of tests can explode on few rows: see
    `Limits`.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    max_conditioning
        Largest set tried; None: any size, which may take exponential time.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set; ``parents_and_children`` and ``spouses`` apart.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.2; Fu and Desmarais, Canadian AI 2008.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> ipcmb(DSeparation(graph, "y"))[0].features
    ('cause', 'effect', 'other')
    """
    options = Options("IPC-MB", max_conditioning, symmetric=True)
    return neighbours_and_spouses(test, alpha, limits, level_by_level, options)
