"""Max-min search that looks back after every admission, and the Markov blanket made of it: PCMB."""

from __future__ import annotations

from altsel.results.solutions import Solutions
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours
from altsel.search.blankets.spouses import Options, neighbours_and_spouses
from altsel.stats.independence.protocol import Independence


def get_pcd(near: Neighbours) -> None:
    """Find parents, children and perhaps other descendants (GetPCD).

    Each round tests candidates and members given the subsets that hold the last one admitted: those
    without it were tried in an earlier round.
    """
    left = near.associated()
    while left:
        best = min(left, key=near.weakest.of)  # of equal ones the first
        left.remove(best)
        near.search.admit(best)
        near.eliminate(left, containing=best)


def pcmb(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    limits: Limits | None = None,
) -> Solutions:
    """Find the Markov blanket by parents and children that are checked from both sides (PCMB).

    GetPCD: again and again, candidates X with ``I(X; T | Z) = 0`` for a subset Z of the members S leave;
    ``argmax_X min_{Z of S} I(X; T | Z)`` is admitted; members that a subset of the others separates leave.
    GetPC keeps the X of GetPCD(T) with T in GetPCD(X). PCMB adds the spouses: Y in GetPC(X), X in
    GetPC(T), with ``I(T; Y | Z) = 0`` for some Z and ``I(T; Y | Z + X) > 0``. This is exact with a
    perfect test of a faithful distribution and `max_conditioning` of None.

    As printed, all members that are found independent in one round leave together. Here they leave one
    after another, so that of two that separate each other one stays; theory knows no such pair.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    max_conditioning
        Largest subset tried; None: any size, as printed, which may take exponential time.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``; ``parents_and_children`` and ``spouses`` apart.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Peña, Nilsson, Björkegren and Tegnér, International Journal of Approximate Reasoning 45 (2007),
    tables 2 to 4; named in Yu, Liu and Li (2021), section 2.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> found = pcmb(DSeparation(graph, "y"))[0]
    >>> found.parents_and_children, found.spouses
    (('cause', 'effect'), ('other',))
    """
    options = Options("PCMB", max_conditioning, symmetric=True)
    return neighbours_and_spouses(test, alpha, limits, get_pcd, options)
