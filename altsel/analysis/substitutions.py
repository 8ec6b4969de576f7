"""What can replace a feature, when there are several solutions, and what is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altsel.results.comparison import lost, smallest_p
from altsel.results.solutions import Solutions
from altsel.stats.equivalence import SetTest

Way = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A feature, what leaves along with it, and what enters."""


def substitutions(found: Solutions, compare: SetTest | None = None) -> pd.DataFrame:
    """Tabulate what replaces every replaceable feature, at what loss.

    For every solution S with a feature, the solutions without it that differ least from S say what
    enters for it, and what leaves along with it. What goes by several names, where data were `grouped`, can
    be replaced by each of the others.

    Parameters
    ----------
    found
        The solutions of any search.
    compare
        A test of equivalence, for loss and p; default: what the search said of a pair, if anything.

    Returns
    -------
    pandas.DataFrame
        One row for each feature and way to replace it: ``feature``, ``along with``,
        ``replaced by`` (tuples of names), ``sets`` (how many pairs of solutions say so), ``loss``
        and ``p`` of the first pair. Other names of a feature come first; then ``sets`` counts the solutions
        with it, and neither loss nor p is known.

    Examples
    --------
    >>> import numpy as np
    >>> import altsel
    >>> random = np.random.default_rng(0)
    >>> a, b = random.normal(size=(2, 200))
    >>> data = altsel.Dataset({"a": a, "twice": 2 * a + 1, "b": b}, a + b + random.normal(size=200))
    >>> found = altsel.blankets.tmfbs(altsel.independence.PartialCorrelation(data))
    >>> substitutions(found)[["feature", "replaced by"]].values.tolist()
    [['a', ('twice',)], ['twice', ('a',)]]
    """
    rows: list[tuple[Any, ...]] = [
        (name, (), (other,), sum(name in subset for subset in found), None, None)
        for name in found.universe
        if any(name in subset for subset in found)
        for other in found.members.get(name, ())[1:]
    ]
    for (name, leaving, entering), pairs in _ways(found).items():
        loss, p = _loss(found, compare, pairs[0])
        rows.append((name, leaving, entering, len(pairs), loss, p))
    columns = ["feature", "along with", "replaced by", "sets", "loss", "p"]
    return pd.DataFrame(rows, columns=columns).astype({"loss": float, "p": float})


def _ways(found: Solutions) -> dict[Way, list[tuple[int, int]]]:
    """Find the ways to replace every feature, and the pairs of solutions that show each."""
    sets = [frozenset(subset) for subset in found]
    index = {name: j for j, name in enumerate(found.universe)}
    held = np.zeros((len(sets), len(index)), dtype=bool)
    for i, subset in enumerate(sets):
        held[i, [index[name] for name in subset]] = True
    differ = _differing(held)
    ways: dict[Way, list[tuple[int, int]]] = {}
    for name, column in zip(found.universe, held.T, strict=True):
        without = np.flatnonzero(~column)
        if not len(without):
            continue
        for i in np.flatnonzero(column).tolist():
            counts = differ[i, without]
            for j in without[counts == counts.min()].tolist():
                leaving = tuple(sorted(sets[i] - sets[j] - {name}, key=index.__getitem__))
                entering = tuple(sorted(sets[j] - sets[i], key=index.__getitem__))
                ways.setdefault((name, leaving, entering), []).append((i, j))
    return ways


def _differing(held: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """Count the features that are in one of two sets only: ``|a| + |b| - 2 |a & b|``."""
    members = held.astype(np.float32)  # products of floats are fast, and whole numbers exact
    sizes = members.sum(axis=1)
    return np.asarray(sizes[:, None] + sizes[None, :] - 2 * members @ members.T, dtype=np.float32)


def _loss(
    found: Solutions, compare: SetTest | None, pair: tuple[int, int]
) -> tuple[float | None, float | None]:
    first, second = found[pair[0]], found[pair[1]]
    if compare is not None:
        message = compare(first.features, second.features)
        return message.difference, message.p
    other, sign = (second, 1.0) if pair[0] == 0 else (first, -1.0)
    if 0 not in pair or not other.comparisons:
        return None, None
    loss = lost(other.comparisons)
    return None if loss is None else sign * loss, smallest_p(other.comparisons)
