"""Columns that are one feature under several names: copies, near copies, or groups that a user names."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray
from altsel.data.columns import Kind, codes, is_discrete, level_numbers, moderate, numbers
from altsel.errors import ArgumentError, did_you_mean, listing

Groups = Mapping[str, Collection[str]] | Collection[Collection[str]]
"""Names that belong together: lists of them, or lists by a title."""
CLOSE = 1e-9
"""Share of their range by which numbers may be off a line and still count as recoded."""
CLASSES = {Kind.CATEGORICAL, Kind.BINARY}
MEASURED = {Kind.CONTINUOUS, Kind.INTEGER, Kind.COUNT, Kind.BINARY}
"""Kinds whose correlation says how near columns are to copies."""
PRODUCTS = 4e9
"""Products up to which all pairs are looked at for a note."""
BLOCK = 1024
"""Columns whose correlations with all others are held at a time."""


def copies(table: pd.DataFrame, kinds: Mapping[str, Kind]) -> list[list[str]]:
    """Group the columns that are equal, or recoded, in the order of the table; groups of one are left out.

    Recoded are categories and columns of two values if their values go with each other one to one; numbers
    if they are ``a + b x`` up to 1e-9 of their range and tie the same rows, both treated as discrete or
    neither; ordinal columns if their ranks are the same or reversed.

    Examples
    --------
    >>> table = pd.DataFrame({"c": [20.0, 25.5, 31.0], "sex": [0, 1, 1], "f": [68.0, 77.9, 87.8]})
    >>> copies(table, {"c": Kind.CONTINUOUS, "sex": Kind.BINARY, "f": Kind.CONTINUOUS})
    [['c', 'f']]
    """
    found: dict[Hashable, list[list[str]]] = {}
    ends: dict[Hashable, list[str]] = {}
    for name in map(str, table):
        if kinds[name] in CLASSES:
            _put(found, ("classes", _digest(pd.factorize(codes(table[name]))[0])), name)
        else:  # sorted only if the smallest and the largest number of another column are in the same rows
            values = numbers(table[name])
            scale = "ranks" if kinds[name] is Kind.ORDINAL else is_discrete(table[name], kinds[name])
            extremes = frozenset((int(values.argmin()), int(values.argmax())))
            ends.setdefault((scale, extremes), []).append(name)
    for names in ends.values():
        for name in names if len(names) > 1 else ():
            ordinal = kinds[name] is Kind.ORDINAL
            scale = "ranks" if ordinal else is_discrete(table[name], kinds[name])
            _put(found, (scale, _digest(_ranks(table[name]))), name, None if ordinal else table)
    return _in_order([group for groups in found.values() for group in groups], table)


def near_copies(table: pd.DataFrame, kinds: Mapping[str, Kind], bound: float) -> list[list[str]]:
    """Group columns of numbers so that all pairs of a group are correlated: ``|r| >= bound``.

    Complete linkage of the distances ``1 - |r|``, cut at ``1 - bound``: the nearest two groups are joined
    as long as their least similar columns are still that similar. It is done within each connected component
    of the graph of pairs with ``|r| >= bound``, which no group can leave; ties go by the order of the table.

    Sources: Sørensen, Biologiske Skrifter 5 (1948); Müllner, arXiv:1109.2378 (2011), as in
    ``scipy.cluster.hierarchy``.

    Examples
    --------
    >>> rows = np.arange(50.0)
    >>> table = pd.DataFrame({"a": rows, "b": np.sin(rows), "c": rows + np.sin(rows) / 10})
    >>> near_copies(table, dict.fromkeys(table, Kind.CONTINUOUS), 0.999)
    [['a', 'c']]
    """
    names = [str(name) for name in table if kinds[str(name)] in MEASURED]
    scaled = standardised(table[names])
    return [[names[j] for j in group] for group in _linked(scaled, bound)]


def likenesses(table: pd.DataFrame, kinds: Mapping[str, Kind], bound: float) -> list[tuple[str, str, float]]:
    """Return columns that nearly are copies, the first column each resembles, and ``|r|``.

    All pairs are looked at where that takes `PRODUCTS` at most, else neighbouring columns.
    """
    names = [str(name) for name in table if kinds[str(name)] in MEASURED]
    scaled = standardised(table[names])
    first: dict[int, tuple[int, float]] = {}
    if len(table) * len(names) ** 2 <= PRODUCTS:
        for block in pairs_above(scaled, bound):
            for i, j, r in zip(*map(np.ndarray.tolist, block), strict=True):
                first.setdefault(j, (i, r))
    else:
        near = np.abs((scaled[:, 1:] * scaled[:, :-1]).sum(axis=0))
        first = {int(j) + 1: (int(j), float(near[j])) for j in np.flatnonzero(near >= bound)}
    return [(names[j], names[i], min(r, 1.0)) for j, (i, r) in sorted(first.items())]


def pairs_above(scaled: FloatArray, bound: float) -> Iterator[tuple[Any, Any, FloatArray]]:
    """Yield indices i < j and correlations of columns with ``|r| >= bound``, a block of i at a time."""
    for first in range(0, scaled.shape[1], BLOCK):
        r = np.abs(scaled[:, first : first + BLOCK].T @ scaled[:, first:])
        i, j = np.nonzero(r >= bound)
        later = j > i
        yield i[later] + first, j[later] + first, r[i[later], j[later]]


def standardised(table: pd.DataFrame) -> FloatArray:
    """Return columns with mean 0 and sum of squares 1, so that their products are correlations."""
    values = moderate(np.column_stack([np.zeros((len(table), 0)), *(numbers(table[name]) for name in table)]))
    values = values - values.mean(axis=0)
    return np.asarray(values / np.sqrt((values**2).sum(axis=0)))


def _linked(scaled: FloatArray, bound: float) -> Iterator[list[int]]:
    from scipy.cluster.hierarchy import fcluster, linkage  # noqa: PLC0415  (takes long to import)
    from scipy.sparse import coo_array  # noqa: PLC0415
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    number = scaled.shape[1]
    found = [np.stack([i, j]) for i, j, _ in pairs_above(scaled, bound)]
    i, j = np.concatenate([np.zeros((2, 0), dtype=np.int64), *found], axis=1)
    graph = coo_array((np.ones(len(i), dtype=bool), (i, j)), shape=(number, number))
    component = connected_components(graph, directed=False)[1]
    for one in np.flatnonzero(np.bincount(component) > 1):
        members = np.flatnonzero(component == one)
        distance = 1 - np.minimum(np.abs(scaled[:, members].T @ scaled[:, members]), 1)
        np.fill_diagonal(distance, 0)
        tree = linkage(squareform((distance + distance.T) / 2, checks=False), "complete")
        label = fcluster(tree, 1 - bound, "distance")
        for group in np.unique(label):
            if (label == group).sum() > 1:
                yield members[label == group].tolist()


def named(groups: Groups, unit: Mapping[str, str], target: str, constant: Collection[str]) -> list[list[str]]:
    """Check the groups that a user names, and return them by columns.

    Parameters
    ----------
    groups
        The groups. A title that is the name of a member puts that one first.
    unit
        The column of every name that may be used, in the order of the data.
    target, constant
        Names that are no features.

    Raises
    ------
    ArgumentError
        Names the group or the feature, and says what is wrong.
    """
    if isinstance(groups, str) or not isinstance(groups, Collection):
        raise ArgumentError(f"grouped({groups!r}): give a bound such as 0.999, or lists of names")
    checked = []
    owner: dict[str, str] = {}
    place = {name: j for j, name in enumerate(unit)}
    titled = groups.items() if isinstance(groups, Mapping) else ((None, group) for group in groups)
    for title, group in titled:
        if isinstance(group, str) or not isinstance(group, Collection):
            raise ArgumentError(f"grouped: {group!r} is no group; give a list of names: [{str(group)!r}]")
        label = repr(title) if title is not None else f"[{listing(group)}]"
        if not group:
            raise ArgumentError(f"grouped: the group {label} is empty; leave it out")
        if len(set(group)) < len(group):
            raise ArgumentError(f"grouped: the group {label} has a name twice")
        for name in group:
            column = _column(name, label, unit, target, constant)
            if owner.setdefault(column, label) != label:
                raise ArgumentError(
                    f"grouped: {name!r} is in the groups {owner[column]} and {label}; join them, or leave it "
                    "out of one"
                )
        first = unit[str(title)] if title in group else None
        checked.append(sorted({unit[name] for name in group}, key=lambda name: (name != first, place[name])))
    return checked


def checked_bound(bound: Any) -> float:
    """Return the least correlation of a group, or raise an ArgumentError."""
    number = isinstance(bound, (int, float, np.number)) and not isinstance(bound, bool)
    if not number or not 0 < bound <= 1:
        raise ArgumentError(
            f"grouped(bound={bound!r}): use a correlation above 0 and of at most 1: 1.0 groups copies, 0.999 "
            "near copies"
        )
    return float(bound)


def checked_costs(costs: Mapping[str, float], known: Collection[str]) -> Mapping[str, float]:
    """Return costs by name, or raise an ArgumentError that names what is none."""
    if not isinstance(costs, Mapping):
        raise ArgumentError(f"costs={costs!r}; give costs by name: {{'age': 2.0}}")
    for name, cost in costs.items():
        if name not in known:
            raise ArgumentError(f"costs name {name!r}, which is no feature{did_you_mean(str(name), known)}")
        if isinstance(cost, bool) or not isinstance(cost, (int, float, np.number)) or not isfinite(cost):
            raise ArgumentError(f"the cost of {name!r} is {cost!r}; use a number")
    return costs


def united(
    groups: Iterable[Sequence[str]],
    members: Mapping[str, tuple[str, ...]],
    costs: Mapping[str, float] | None,
    order: Sequence[str],
) -> dict[str, tuple[str, ...]]:
    """Return the members of every unit by its representative: the cheapest column, or the first given.

    Parameters
    ----------
    groups
        Columns that belong together; each in one group at most.
    members
        The members that columns have already.
    costs
        Cost of each name; one that is not named costs nothing. None: there are no costs.
    order
        The columns in the order of the data.
    """
    units = dict(members)
    place = {name: j for j, name in enumerate(order)}
    for group in groups:
        parts = {column: units.pop(column, (column,)) for column in group}
        first = next(iter(parts))
        if costs is not None:
            dues = {column: min(costs.get(name, 0.0) for name in part) for column, part in parts.items()}
            first = min(parts, key=lambda column: (dues[column], place[column]))
        rest = sorted((column for column in parts if column != first), key=place.__getitem__)
        units[first] = tuple(name for column in [first, *rest] for name in parts[column])
    return {name: units[name] for name in order if len(units.get(name, ())) > 1}


def _column(name: Any, label: str, unit: Mapping[str, str], target: str, constant: Collection[str]) -> str:
    if name == target:
        raise ArgumentError(f"grouped: {name!r} of the group {label} is the target; leave it out")
    if name in constant:
        raise ArgumentError(f"grouped: {name!r} of the group {label} is constant, no feature; leave it out")
    if name not in unit:
        raise ArgumentError(
            f"grouped: there is no feature {name!r}, of the group {label}{did_you_mean(str(name), unit)}"
        )
    return unit[name]


def _put(
    found: dict[Hashable, list[list[str]]], key: Hashable, name: str, table: pd.DataFrame | None = None
) -> None:
    """Put a column into the first group of its key; with a table only if it is on a line with that."""
    groups = found.setdefault(key, [])
    for group in groups:
        if table is None or _on_a_line(numbers(table[group[0]]), numbers(table[name])):
            group.append(name)
            return
    groups.append([name])


def _on_a_line(x: FloatArray, y: FloatArray) -> bool:
    x, y = moderate(x), moderate(y)
    low, high = int(x.argmin()), int(x.argmax())
    reach = y[high] - y[low]
    off = y - y[low] - (x - x[low]) * (reach / (x[high] - x[low]))
    return bool(np.abs(off).max() <= CLOSE * abs(reach))


def _ranks(column: pd.Series[Any]) -> Any:
    """Return the distinct values numbered in their order, or in the reverse one, whichever begins lower."""
    ranks = level_numbers(numbers(column))
    turned = ranks.max() - ranks
    differ = np.flatnonzero(ranks != turned)
    return turned if len(differ) and turned[differ[0]] < ranks[differ[0]] else ranks


def _digest(values: Any) -> bytes:
    return sha256(np.ascontiguousarray(values, dtype=np.int64).tobytes()).digest()


def _in_order(groups: list[list[str]], table: pd.DataFrame) -> list[list[str]]:
    place = {str(name): j for j, name in enumerate(table)}
    several = [sorted(group, key=place.__getitem__) for group in groups if len(group) > 1]
    return sorted(several, key=lambda group: place[group[0]])
