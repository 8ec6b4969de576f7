"""Interleaved parents and children, and the Markov blanket made of them: HITON-PC and HITON-MB."""

from __future__ import annotations

from altsel.results.solutions import Solutions
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours
from altsel.search.blankets.spouses import Options, neighbours_and_spouses, neighbours_only
from altsel.stats.independence.protocol import Independence


def interleaved(near: Neighbours) -> None:
    """Admit candidates by marginal association, and look back after each one (UV eq. 53 and 54)."""
    left = near.associated()
    while left:
        best = left.pop(0)
        near.search.admit(best)
        near.eliminate(left, containing=best)


def hiton_pc(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    symmetric: bool = False,
    limits: Limits | None = None,
) -> Solutions:
    """Find parents and children by the interleaved max heuristic (HITON-PC).

    Candidates are admitted by ascending p given nothing (the unified view prints descending ``I(X; T)``,
    which features of many values have more of); after each admission, candidates and
    members with ``I(Y; T | S') = 0`` for a subset S' of the other members leave for good. All
    candidates are tested against a new subset at once, not one by one when their turn comes: fewer
    calls, the same tests.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    max_conditioning
        Largest subset tried; None: any size, which may take exponential time.
    symmetric
        Whether a neighbour must have the target among its own neighbours.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set of parents and children, ``proof=TESTED``.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.2; Aliferis, Tsamardinos and Statnikov, AMIA 2003.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> hiton_pc(DSeparation(graph, "y"))[0].features
    ('cause', 'effect')
    """
    return neighbours_only(test, alpha, limits, interleaved, Options("HITON-PC", max_conditioning, symmetric))


def hiton_mb(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    symmetric: bool = True,
    limits: Limits | None = None,
) -> Solutions:
    """Find the Markov blanket by HITON-PC around the target and around its neighbours (HITON-MB).

    Parameters
    ----------
    test, alpha, max_conditioning, limits
        As for `hiton_pc`.
    symmetric
        As for `hiton_pc`; needed for correctness here.

    Returns
    -------
    Solutions
        One set; ``parents_and_children`` and ``spouses`` apart.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.2; Aliferis et al., Journal of Machine Learning Research 11 (2010).

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> hiton_mb(DSeparation(graph, "y"))[0].spouses
    ('other',)
    """
    options = Options("HITON-MB", max_conditioning, symmetric)
    return neighbours_and_spouses(test, alpha, limits, interleaved, options)
