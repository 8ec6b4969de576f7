"""Incremental association: IAMB, Inter-IAMB, Fast-IAMB and KIAMB."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from altsel.errors import ArgumentError, checked_integer, no_negative
from altsel.results.solutions import Solutions
from altsel.results.stop import Stop
from altsel.search.blankets.blanket_search import BlanketSearch, begin, logger
from altsel.search.blankets.forward_backward import (
    BackwardPhase,
    OrderVariables,
    checked_phases,
    dependent_by_p,
    remove_least_dependent,
)
from altsel.search.blankets.limits import Limits
from altsel.stats.independence.protocol import Independence, suffices


def iamb(
    test: Independence,
    alpha: float = 0.05,
    *,
    order_variables: OrderVariables = dependent_by_p,
    backward_phase: BackwardPhase = remove_least_dependent,
    limits: Limits | None = None,
) -> Solutions:
    """Add the most associated candidate given all members, again and again, then remove false positives.

    Forward: the candidate X dependent given the members S with the least p. Backward: the member Y
    with the weakest dependence given the others leaves while that is independence,
    ``argmin I(Y; T | S without Y)``, and the rest is tested anew. Where the data do not suffice
    for a test, a candidate is not added and a member not removed.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    order_variables
        Ranks the dependent candidates: `dependent_by_p`, which finds more true features in small samples;
        `dependent_by_information`, equation 47 as printed; or `dependent_by_association`,
        the statistic for each degree of freedom.
    backward_phase
        Removes members: `remove_least_dependent` (equation 48), or `shrink`, one after another in the
        order of admission, with fewer tests.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``; ``effort.tests`` counts tests.

    Raises
    ------
    ArgumentError
        If alpha or the limits are wrong.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.1, equations 47 and 48; Tsamardinos, Aliferis and Statnikov,
    FLAIRS 2003.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> iamb(DSeparation(graph, "y"))[0].features
    ('cause', 'effect', 'other')
    """
    checked_phases(order_variables, backward_phase)
    search = begin(test, alpha, limits)
    with search.limited():
        while ranked := list(order_variables(search)):
            search.admit(ranked[0])
        backward_phase(search)
    return search.solutions(f"IAMB, alpha={alpha:g}")


def inter_iamb(
    test: Independence,
    alpha: float = 0.05,
    *,
    order_variables: OrderVariables = dependent_by_p,
    backward_phase: BackwardPhase = remove_least_dependent,
    limits: Limits | None = None,
) -> Solutions:
    """IAMB that removes false positives after every feature it adds, so that sets stay small.

    Tests of finite samples may contradict each other and bring the same set again; the search then
    ends, with ``stop=LIMIT``.

    Parameters
    ----------
    test, alpha, order_variables, backward_phase, limits
        As for `iamb`.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``.

    References
    ----------
    Yu, Liu and Li (2021), section 5.3.1, theorem 5.4.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> inter_iamb(DSeparation(nx.DiGraph([("y", "effect"), ("other", "effect")]), "y"))[0].features
    ('effect', 'other')
    """
    checked_phases(order_variables, backward_phase)
    search = begin(test, alpha, limits)
    seen: set[frozenset[str]] = set()
    with search.limited():
        while (ranked := list(order_variables(search))) and not _repeats(search, seen):
            search.admit(ranked[0])
            backward_phase(search)
    return search.solutions(f"Inter-IAMB, alpha={alpha:g}")


def kiamb(
    test: Independence,
    alpha: float = 0.05,
    *,
    share: float = 0.8,
    random_state: int = 0,
    limits: Limits | None = None,
) -> Solutions:
    """IAMB that admits the best of a random part of the dependent candidates (KIAMB).

    Of c candidates that are dependent given the members, ``max(1, floor(share c))`` are drawn, and that with
    the least p is admitted. With a share of 1 this is `iamb`; with 0 a random candidate is admitted. Other
    seeds may find other blankets where there are several: `tmfbs` and `tie_star` find all.

    Parameters
    ----------
    test, alpha, limits
        As for `iamb`.
    share
        Part of the candidates that is drawn, from 0 to 1 (the K of its authors).
    random_state
        Seed of the draws.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``.

    References
    ----------
    Peña, Nilsson, Björkegren and Tegnér, International Journal of Approximate Reasoning 45 (2007), table 5.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> kiamb(DSeparation(graph, "y"), share=0.5, random_state=1)[0].features
    ('cause', 'effect', 'other')
    """
    no_negative("share", share)
    if share > 1:
        raise ArgumentError(f"share={share:g}; use a part of the candidates, from 0 to 1")
    random = np.random.default_rng(checked_integer("random_state", random_state, 0))
    search = begin(test, alpha, limits)
    with search.limited():
        while ranked := dependent_by_p(search, search.open()):
            drawn = random.choice(len(ranked), max(1, int(share * len(ranked))), replace=False)
            search.admit(ranked[drawn.min()])
        remove_least_dependent(search)
    found = search.solutions(f"KIAMB, alpha={alpha:g}, share={share:g}")
    return replace(found, seed=random_state)


def fast_iamb(
    test: Independence,
    alpha: float = 0.05,
    *,
    order_variables: OrderVariables = dependent_by_p,
    backward_phase: BackwardPhase = remove_least_dependent,
    limits: Limits | None = None,
) -> Solutions:
    """IAMB that adds all dependent candidates at once, as long as there are rows enough to test given them.

    Each round ranks the candidates given the members, adds them in that order while the next one
    could still be tested reliably given those added (five rows a cell of the table, or a coefficient
    of the model; other tests: while they can test at all), and then removes false positives.

    Parameters
    ----------
    test, alpha, order_variables, backward_phase, limits
        As for `iamb`.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``; ``stop=LIMIT`` if the rounds repeat themselves.

    References
    ----------
    Yaramakala and Margaritis, ICDM 2005.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> fast_iamb(DSeparation(nx.DiGraph([("y", "effect"), ("other", "effect")]), "y"))[0].features
    ('effect', 'other')
    """
    checked_phases(order_variables, backward_phase)
    search = begin(test, alpha, limits)
    seen: set[frozenset[str]] = set()
    with search.limited():
        while (ranked := list(order_variables(search))) and not _repeats(search, seen):
            search.admit(ranked[0])
            for name in ranked[1:]:
                if not suffices(search.test, name, search.members):
                    break
                search.admit(name)
            backward_phase(search)
    return search.solutions(f"Fast-IAMB, alpha={alpha:g}")


def _repeats(search: BlanketSearch, seen: set[frozenset[str]]) -> bool:
    """Return whether the members were the same before: then the tests contradict each other."""
    state = frozenset(search.members)
    if state in seen:
        logger.info("the tests contradict each other: %s came twice", sorted(state))
        search.stop = Stop.LIMIT
        return True
    seen.add(state)
    return False
