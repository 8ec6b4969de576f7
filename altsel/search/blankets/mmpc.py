"""Max-min parents and children, and the Markov blanket made of them: MMPC and MMMB."""

from __future__ import annotations

from altsel.results.solutions import Solutions
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours
from altsel.search.blankets.spouses import Options, neighbours_and_spouses, neighbours_only
from altsel.stats.independence.protocol import Independence


def max_min(near: Neighbours) -> None:
    """Admit the candidate whose weakest association is strongest; then look back (UV eq. 49 to 51)."""
    left = near.associated()
    while left:
        best = min(left, key=near.weakest.of)  # of equal ones the first
        left.remove(best)
        near.search.admit(best)
        for given in near.subsets(best):
            for name in near.separate(left, given):
                left.remove(name)
    near.eliminate([])


def mmpc(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    symmetric: bool = False,
    limits: Limits | None = None,
) -> Solutions:
    """Find parents and children by the max-min heuristic (MMPC).

    Forward: ``argmax_X min_{S' of S} assoc(X; T | S')`` over the candidates that no subset of the
    members S separates; an association is the stronger, the smaller its p (then the larger the statistic).
    The unified view prints information for it, which features of many values have more of.
    Backward: members that a subset of the others separates are removed.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    max_conditioning
        Largest subset tried; None: any size, which may take exponential time.
    symmetric
        Whether a neighbour must have the target among its own neighbours. Without this
        correction a descendant of a child can stay, as in UV figure 6.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set of parents and children, ``proof=TESTED``, with the set that separates each
        rejected feature in ``verdicts``.

    Raises
    ------
    ArgumentError
        If an argument is out of its range.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.2; Tsamardinos, Brown and Aliferis, Machine Learning 65 (2006).

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> found = mmpc(DSeparation(graph, "y"))[0]
    >>> found.features, found.rejected["far"].given
    (('cause', 'effect'), ('cause',))
    """
    return neighbours_only(test, alpha, limits, max_min, Options("MMPC", max_conditioning, symmetric))


def mmmb(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    symmetric: bool = True,
    limits: Limits | None = None,
) -> Solutions:
    """Find the Markov blanket by MMPC around the target and around its neighbours (MMMB).

    Y in the neighbours of a neighbour X is a spouse if ``I(T; Y | S) = 0`` for some S and
    ``I(T; Y | S + X) > 0``.

    Parameters
    ----------
    test, alpha, max_conditioning, limits
        As for `mmpc`.
    symmetric
        As for `mmpc`; needed for correctness here.

    Returns
    -------
    Solutions
        One set; ``parents_and_children`` and ``spouses`` apart.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.2, equation 52 and theorem 5.6; Peña, Nilsson, Björkegren and Tegnér,
    International Journal of Approximate Reasoning 45 (2007), on the need of symmetry.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> found = mmmb(DSeparation(graph, "y"))[0]
    >>> found.parents_and_children, found.spouses
    (('cause', 'effect'), ('other',))
    """
    return neighbours_and_spouses(test, alpha, limits, max_min, Options("MMMB", max_conditioning, symmetric))
