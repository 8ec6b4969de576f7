"""Grow-Shrink: add whatever is dependent given the members, then remove what is not."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from altsel.errors import ArgumentError
from altsel.results.solutions import Solutions
from altsel.search.blankets.blanket_search import BlanketSearch, begin, checked_search
from altsel.search.blankets.limits import Limits
from altsel.stats.independence.base import innermost
from altsel.stats.independence.partial_correlation import PartialCorrelation
from altsel.stats.independence.protocol import Independence, backward

logger = logging.getLogger("altsel.search")

CandidateOrder = Literal["association", "columns"]


def grow_shrink(
    test: Independence,
    alpha: float = 0.05,
    *,
    candidate_order: CandidateOrder | None = None,
    limits: Limits | None = None,
) -> Solutions:
    """Grow a set while some candidate is dependent given it, then shrink it.

    The first candidate with ``p(T; X | S) <= alpha`` is added, until there is none. Then the first member
    with ``p(T; Y | S without Y) > alpha`` is removed, until there is none: of the result each member is
    dependent given all others.

    Parameters
    ----------
    test
        A test bound to the target.
    alpha
        Level of the tests.
    candidate_order
        Which candidates come first; the algorithm leaves it open. ``"association"``: those with the strongest
        marginal association, and after each the search goes on with the next, in passes: in tables members
        divide the rows, so that strong ones should be few and early. ``"columns"``: in the order of the data,
        from the first one again after each, as bnlearn does; where all rows serve every test, whatever is
        given, more of the candidates admitted by chance then leave, but the result depends on the order of
        the columns. Default: columns for partial correlations, else association.
    limits
        Features forced in or left out, and limits.

    Returns
    -------
    Solutions
        One set, ``proof=TESTED``.

    Raises
    ------
    ArgumentError
        If alpha, the order or the limits are wrong.

    References
    ----------
    Margaritis and Thrun, Advances in Neural Information Processing Systems 12 (2000).

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("cause", "y"), ("y", "effect"), ("other", "effect"), ("far", "cause")])
    >>> grow_shrink(DSeparation(graph, "y"))[0].features
    ('cause', 'effect', 'other')
    """
    if candidate_order not in (None, *get_args(CandidateOrder)):
        raise ArgumentError(
            f"candidate_order must be 'association', 'columns' or None, not {candidate_order!r}"
        )
    search = begin(test, alpha, limits)
    by_columns = isinstance(innermost(test), PartialCorrelation)
    order = candidate_order or ("columns" if by_columns else "association")
    with search.limited():
        if order == "columns":
            _grow_from_the_first(search)
            _shrink_from_the_first(search)
        else:
            grow(search)
            _shrink_in_passes(search)
    return search.solutions(f"grow-shrink, candidates by {order}, alpha={alpha:g}")


def _grow_from_the_first(search: BlanketSearch) -> None:
    """Add the first candidate that is dependent given the members, until there is none."""
    while left := search.open():
        answers = search.results(left, search.members)
        found = np.flatnonzero(answers.dependent(search.alpha))
        looked = int(found[0]) + 1 if len(found) else len(left)
        search.keep(answers.first(looked), search.members)
        if not len(found):
            return
        search.admit(left[looked - 1])


def _shrink_from_the_first(search: BlanketSearch) -> None:
    """Remove the first member that is independent given the others, until there is none."""
    while search.members:
        answers = search.each_given_the_others()
        leaving = [
            name
            for name, out in zip(answers.candidates, answers.independent(search.alpha), strict=True)
            if out
        ]
        if not leaving:
            return
        search.members.remove(leaving[0])


def _shrink_in_passes(search: BlanketSearch) -> None:
    size = -1
    while size != len(search.members):
        size = len(search.members)
        shrink(search)


def grow(search: BlanketSearch) -> None:
    """Add candidates that are dependent given the members, until a pass adds none."""
    if not search.open():
        return
    answers = search.results(search.open(), search.forced)
    ordered = [answers.candidates[j] for j in answers.order().tolist()]
    size = -1
    while size != len(search.members):
        size = len(search.members)
        _one_pass(search, [name for name in ordered if name not in search.members])


def _one_pass(search: BlanketSearch, left: list[str]) -> None:
    """Go through candidates once; the next dependent one is looked for among more and more at a time.

    Tests answer for many candidates at little more cost than for one, but what is asked beyond the next
    dependent one is asked again: twice as many each time wastes at most as much as is needed.
    Where p depends on what is tested at once, that is all that is left of the pass.
    """
    separable, at_once = getattr(search.test, "separable", True), 1
    while left:
        answers = search.results(left[:at_once] if separable else left, search.members)
        found = np.flatnonzero(answers.dependent(search.alpha))
        looked = int(found[0]) + 1 if len(found) else len(answers.candidates)
        search.keep(answers.first(looked), search.members)
        at_once = max(1, looked) if len(found) else 2 * at_once
        if len(found):
            search.admit(answers.candidates[looked - 1])
        left = left[looked:]


def shrink(search: BlanketSearch, names: list[str] | None = None, others: Sequence[str] = ()) -> None:
    """Remove members, or other names, one by one that are independent given all that are left, in one pass.

    A member is never tested given one that was removed before it, nor without one that is still
    there: of two copies, one stays.

    Parameters
    ----------
    search
        The state of the search: its test, level, members and candidates.
    names
        What is removed from, in place; default: the members.
    others
        Given in every test, besides the names.

    Examples
    --------
    >>> import numpy as np
    >>> from altsel import Dataset, blankets, independence
    >>> random = np.random.default_rng(0)
    >>> a, b, c = random.normal(size=(3, 200))
    >>> data = Dataset({"a": a, "b": b, "c": c}, a - b + random.normal(size=200))
    >>> test = independence.PartialCorrelation(data)
    >>> blankets.forward_backward(test, backward_phase=shrink)[0].features
    ('a', 'b')
    """
    checked_search(search)
    names = search.members if names is None else names
    free = [name for name in names if name not in search.forced]
    given = [*(name for name in names if name in search.forced), *others]
    tested = backward(search.test, free, given, search.alpha)
    for name in free:
        rest = [*(other for other in names if other != name), *others]
        search.budget.add(1)
        answer = next(tested)
        search.keep(answer, rest)
        if answer.independent(search.alpha)[0]:
            names.remove(name)
            logger.info("%s: %s left; %d tests", search.test.target, name, search.budget.tests)
