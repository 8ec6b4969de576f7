"""Choose among solutions: the cheapest, or those without some features."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from math import isfinite

from altsel.errors import ArgumentError, listing
from altsel.results.solutions import FeatureSet, Solutions


def cheapest(found: Solutions, costs: Mapping[str, float]) -> Solutions:
    """Give the solutions that cost least: ``min_S sum_{j in S} c_j``.

    Parameters
    ----------
    found
        The solutions of any search.
    costs
        Cost of each feature; one that is not named costs nothing.

    Returns
    -------
    Solutions
        All of the least cost, in their order; `cost` gives it.

    Raises
    ------
    ArgumentError
        If there are no solutions, or a cost is no number or names no feature.

    Examples
    --------
    >>> import networkx as nx
    >>> import altsel
    >>> found = altsel.tmfbs(altsel.DSeparation(nx.DiGraph([("a", "y"), ("b", "y")]), "y"))
    >>> cheapest(found, {"a": 2.0, "b": 1.0})[0].features
    ('a', 'b')
    """
    if not found.sets:
        raise ArgumentError("there are no solutions to choose from")
    unknown = [name for name in costs if name not in found.universe]
    if unknown:
        raise ArgumentError(f"costs name {listing(unknown)}, which are no features")
    totals = [cost(one, costs) for one in found]
    least = min(totals)
    slack = 1e-9 * max(abs(least), 1.0)
    kept = tuple(one for one, total in zip(found, totals, strict=True) if total <= least + slack)
    return replace(found, sets=kept)


def cost(one: FeatureSet, costs: Mapping[str, float]) -> float:
    """Sum the costs of a set's features.

    Raises
    ------
    ArgumentError
        If a cost is no finite number.

    Examples
    --------
    >>> from altsel import FeatureSet, Proof
    >>> cost(FeatureSet(("a", "b"), 1.0, Proof.TESTED), {"a": 2.0})
    2.0
    """
    for name, penalty in costs.items():
        if isinstance(penalty, bool) or not isinstance(penalty, (int, float)) or not isfinite(penalty):
            raise ArgumentError(f"the cost of {name!r} is {penalty!r}; use a number")
    return float(sum(costs.get(name, 0.0) for name in one))


def without(found: Solutions, sensitive: Collection[str]) -> Solutions:
    """Give the solutions that have none of some features.

    Parameters
    ----------
    found
        The solutions of any search.
    sensitive
        Features that must not be used.

    Returns
    -------
    Solutions
        Those without them, in their order; possibly none.

    Raises
    ------
    ArgumentError
        If a name is no feature.

    Examples
    --------
    >>> import networkx as nx
    >>> import altsel
    >>> found = altsel.tmfbs(altsel.DSeparation(nx.DiGraph([("a", "y"), ("b", "y")]), "y"))
    >>> len(without(found, ["a"]))
    0
    """
    if isinstance(sensitive, str):
        raise ArgumentError(f"sensitive={sensitive!r} is one name; give a list of names")
    unknown = [name for name in sensitive if name not in found.universe]
    if unknown:
        raise ArgumentError(f"there is no feature {listing(unknown)}")
    return replace(found, sets=tuple(one for one in found if not set(one) & set(sensitive)))
