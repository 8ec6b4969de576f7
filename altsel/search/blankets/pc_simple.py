"""Parents and children by levels, where all that a level separates leave together: PC-simple."""

from __future__ import annotations

from itertools import combinations

from altsel.results.solutions import Solutions
from altsel.search.blankets.limits import Limits
from altsel.search.blankets.parents_and_children import Neighbours
from altsel.search.blankets.spouses import Options, neighbours_only
from altsel.stats.independence.protocol import Independence


def leaving_together(near: Neighbours) -> None:
    """Keep what no set of m others of the active set separates, for m = 0, 1, 2 and so on.

    Unlike in IPC-MB, the active set changes only between levels, so the order of the columns is no matter.
    """
    near.found.extend(near.associated())
    size = 1
    while size < len(near.found) and (near.max_conditioning is None or size <= near.max_conditioning):
        active = list(near.found)
        staying = list(active)
        for given in combinations(near.able(), size):
            for name in near.separate(staying, given):
                staying.remove(name)
        near.found[:] = staying
        size += 1


def pc_simple(
    test: Independence,
    alpha: float = 0.05,
    *,
    max_conditioning: int | None = 3,
    symmetric: bool = False,
    limits: Limits | None = None,
) -> Solutions:
    """Find parents and children by sets of growing size, all of a level at once (PC-simple).

    ``A_0 = {X : I(X; T) > 0}`` and ``A_m = {X in A_{m-1} : I(X; T | Z) > 0 for all Z of m others in
    A_{m-1}}``, until ``|A_m| <= m + 1``. What leaves at a level is still conditioned on at that level. So the
    result does not depend on the order of the columns, but two features that tell the same of the
    target separate each other and both leave; each is then named as what separates the other.

    For a response without effects among the features (a regression) and a partially faithful
    distribution the result is the active set of the linear model. In a network it holds all parents
    and children, and perhaps other descendants of the target, which `symmetric` removes.

    Parameters
    ----------
    test
        A test bound to the target; the paper's is `PartialCorrelation`.
    alpha
        Level of the tests.
    max_conditioning
        Largest set tried; None: any size, as printed, which may take exponential time.
    symmetric
        Whether a neighbour must have the target among its own neighbours; not part of the paper.
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
    Bühlmann, Kalisch and Maathuis, Biometrika 97 (2010), algorithm 1; named in Yu, Liu and Li (2021),
    section 2.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> found = pc_simple(DSeparation(graph, "y"))[0]
    >>> found.features, found.rejected["far"].given
    (('cause', 'effect'), ('cause',))
    """
    options = Options("PC-simple", max_conditioning, symmetric)
    return neighbours_only(test, alpha, limits, leaving_together, options)
