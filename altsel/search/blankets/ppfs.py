"""PPFS: take what is dependent by itself, then remove what is independent given the rest."""

from __future__ import annotations

from altsel.results.solutions import Solutions
from altsel.search.blankets.blanket_search import BlanketSearch, begin
from altsel.search.blankets.grow_shrink import shrink
from altsel.search.blankets.limits import Limits
from altsel.stats.independence.protocol import Independence


def ppfs(test: Independence, alpha: float = 0.05, *, limits: Limits | None = None) -> Solutions:
    """Take all features that are dependent by themselves, then remove those that are not given the rest.

    Growth: ``S = {X : p(T; X) <= alpha}``. Shrink, in one pass from the least important feature, the one of
    the largest p in growth: X leaves S at once if ``p(T; X | S without X) > alpha``. The importance of
    a feature is ``-log p`` of its last test, ``-verdict.log_p``.

    With `altsel.independence.PredictivePermutation` it is the algorithm of the paper; any other test will do.
    A feature that depends on the target only given others, such as the other parent of a child, is not found.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``; of two copies of one feature, one.

    Raises
    ------
    ArgumentError
        If alpha or the limits are wrong, or the test's p cannot be as small as alpha.

    References
    ----------
    Hassan, Paik, Khare and Hassan (2021), algorithm 2 with the improved shrink phase.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.stats.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> ppfs(DSeparation(graph, "y"))[0].features  # not ("cause", "effect", "other")
    ('cause', 'effect')
    """
    search = begin(test, alpha, limits)
    with search.limited():
        grow_by_themselves(search)
        shrink(search)
    return search.solutions(f"PPFS, alpha={alpha:g}")


def grow_by_themselves(search: BlanketSearch) -> None:
    """Admit what is dependent given nothing but features forced in; the least important first."""
    names = sorted(search.candidates)  # so that equal features are ranked by name
    answers = search.results(names, search.forced)
    search.keep(answers, search.forced)
    dependent = answers.dependent(search.alpha)
    for j in answers.order()[::-1].tolist():
        if dependent[j]:
            search.admit(answers.candidates[j])
