"""PPFS: take what is dependent by itself, then remove what is independent given the rest."""

from __future__ import annotations

import logging
from math import inf

from altsel.results.solutions import Solutions
from altsel.runtime.clock import clock
from altsel.search.blankets.blanket_search import BlanketSearch, begin
from altsel.search.blankets.grow_shrink import shrink
from altsel.search.blankets.limits import Limits
from altsel.stats.independence.protocol import Independence, TestResults, joined

logger = logging.getLogger("altsel.search")

AT_ONCE = 8
"""Candidates tested between two looks at the clock, if there is a limit."""


def ppfs(test: Independence, alpha: float = 0.05, *, limits: Limits | None = None) -> Solutions:
    """Take all features that are dependent by themselves, then remove those that are not given the rest.

    Growth: ``S = {X : p(T; X) <= alpha}``. Shrink, in one pass from the least important feature, the one of
    the largest p in growth: X leaves S at once if ``p(T; X | S without X) > alpha``. The importance of
    a feature is ``-log p`` of its last test, ``-verdict.log_p``.

    Any test will do; that of the paper is in `PredictivePermutation` until 2.0. Of features with the same p,
    the one whose effect is fewer standard errors from 0 counts as less important (the paper does not say).
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
    >>> from altsel.independence import DSeparation
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
    limited = clock().left < inf or search.limits.max_tests is not None
    size = AT_ONCE if limited and getattr(search.test, "separable", True) else max(len(names), 1)
    parts: list[TestResults] = []
    try:
        for first in range(0, len(names), size):
            parts.append(search.results(names[first : first + size], search.forced))
            search.keep(parts[-1], search.forced)
            logger.info(
                "%s: %d of %d features tested", search.test.target, min(first + size, len(names)), len(names)
            )
    finally:  # what was tested when the time is up is in the result
        answers = joined(parts)
        dependent = answers.dependent(search.alpha)
        search.members += [answers.candidates[j] for j in answers.order()[::-1].tolist() if dependent[j]]
