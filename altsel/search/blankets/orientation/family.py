"""Sides of the members of all blankets of a family, learned together."""

from __future__ import annotations

from dataclasses import replace

from altsel.errors import of_kind
from altsel.results.feature_set import FeatureSet
from altsel.results.solutions import Solutions
from altsel.runtime.clock import OutOfTimeError
from altsel.search.blankets.orientation.background import Background
from altsel.search.blankets.orientation.neighbourhood import Neighbourhood
from altsel.search.blankets.orientation.orientation import (
    Around,
    Known,
    copies_of,
    local_search,
    oriented,
    refuse_another_target,
)
from altsel.stats.independence.counted import Counted
from altsel.stats.independence.protocol import Independence

REMEMBERED = 100_000
"""Answers of tests that blankets share."""


def with_orientation(
    found: Solutions,
    test: Independence,
    alpha: float = 0.05,
    *,
    background: Background | None = None,
    hidden: bool = False,
    around: Around | None = None,
) -> Solutions:
    """Add the sides of its members to every blanket of a result: parent, child, spouse, or not told.

    As `orientation` of each blanket, while answers of tests are shared. Features that are in other blankets
    only are left out where it is learned around a variable: they stand for members, and would separate these
    from the target.

    Parameters
    ----------
    found
        Solutions of a search for blankets of the test's target.
    test, alpha, background, hidden, around
        As for `orientation`.

    Returns
    -------
    Solutions
        The same, each set with its ``orientation``; None for those that a clock left no time for.

    Raises
    ------
    ArgumentError
        As for `orientation`.

    Examples
    --------
    >>> import networkx as nx
    >>> from altsel.blankets import iamb
    >>> from altsel.independence import DSeparation
    >>> graph = nx.DiGraph([("rain", "wet"), ("tap", "wet"), ("wet", "slip"), ("ice", "slip")])
    >>> test = DSeparation(graph, "wet")
    >>> sides = with_orientation(iamb(test), test)[0].orientation
    >>> sides.named("parent"), sides.named("child")
    (('rain', 'tap'), ('slip',))
    """
    of_kind("found", found, Solutions, "solutions of a search for blankets")
    search = local_search(test, alpha, around, background, hidden=hidden)
    refuse_another_target(found, test)
    search = replace(search, test=Counted(test, REMEMBERED))
    known: dict[Known, Neighbourhood] = {}
    sets: list[FeatureSet] = []
    try:
        for one in found:
            sides = oriented(one, replace(search, known=known, copies=copies_of(one, found)))
            sets.append(replace(one, orientation=sides))
    except OutOfTimeError:  # what was learned stays
        sets += found.sets[len(sets) :]
    return replace(found, sets=tuple(sets))
