"""What can replace a feature, when there are several solutions, and what is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import coo_array, triu

from altsel.errors import of_kind
from altsel.results.comparison import lost, smallest_p
from altsel.results.solutions import Solutions
from altsel.runtime.memory import require
from altsel.stats.equivalence import SetTest

Way = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A feature, what leaves along with it, and what enters."""
ROWS = 256
"""Sets that are compared with all others at once."""
PER_REST = 250
"""Bytes that a set without one of its features takes; found by measuring."""
PER_WAY = 650
"""Bytes that a way takes, as a row of the table too; found by measuring."""


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
    of_kind("found", found, Solutions, "the Solutions of a search")
    of_kind("compare", compare, SetTest | None, "a test of equivalence of altsel.comparison")
    rows: list[tuple[Any, ...]] = [
        (name, (), (other,), sum(name in subset for subset in found), None, None)
        for name in found.universe
        if any(name in subset for subset in found)
        for other in found.members.get(name, ())[1:]
    ]
    for (name, leaving, entering), seen in _ways(found).items():
        loss, p = _loss(found, compare, seen.first)
        rows.append((name, leaving, entering, seen.pairs, loss, p))
    columns = ["feature", "along with", "replaced by", "sets", "loss", "p"]
    return pd.DataFrame(rows, columns=columns).astype({"loss": float, "p": float})


def exchanges(found: Solutions) -> Counter[tuple[str, str]]:
    """Count for pairs of features the sets with one that are there with the other in its place, too.

    Other than `substitutions` does, which looks at the nearest sets only, be they a feature smaller.

    Examples
    --------
    >>> import altsel
    >>> problem = altsel.Problem(altsel.Univariate([5, 4, 3, 1]), k=2)
    >>> exchanges(altsel.near_optimal(problem, altsel.AbsoluteLoss(1)))
    Counter({('x1', 'x2'): 1})
    """
    index = {name: j for j, name in enumerate(found.universe)}
    require(PER_REST * sum(map(len, found)), "exchanges of features", "give fewer sets")
    rests: dict[int, int] = {}
    rows, columns = [], []
    for places in {frozenset(index[name] for name in one) for one in found}:
        whole = sum(1 << j for j in places)
        for j in places:
            rows.append(rests.setdefault(whole ^ (1 << j), len(rests)))
            columns.append(j)
    # Sets that leave the same rest differ by one exchange: of features i and j there are sum_r e_ri e_rj.
    entering = coo_array(
        (np.ones(len(rows), dtype=np.int64), (rows, columns)), (len(rests), len(index))
    ).tocsr()
    both = triu(entering.T @ entering, 1).tocoo()
    pairs = zip(both.row.tolist(), both.col.tolist(), both.data.tolist(), strict=True)
    return Counter({(found.universe[i], found.universe[j]): count for i, j, count in pairs})


@dataclass
class _Seen:
    """How many pairs of solutions show a way to replace a feature, and the first of them."""

    first: tuple[int, int]
    pairs: int = 0


def _ways(found: Solutions) -> dict[Way, _Seen]:
    """Find the ways to replace every feature, in the order of the features."""
    sets = [frozenset(subset) for subset in found]
    index = {name: j for j, name in enumerate(found.universe)}
    held = np.zeros((len(sets), len(index)), dtype=bool)
    for i, subset in enumerate(sets):
        held[i, [index[name] for name in subset]] = True
    ways: dict[str, dict[Way, _Seen]] = {name: {} for name in found.universe}
    for i, differ in enumerate(_differing(held)):
        for name in sets[i]:
            counts = np.where(held[:, index[name]], np.inf, differ)
            if (least := counts.min()) < np.inf:
                for j in np.flatnonzero(counts == least).tolist():
                    leaving = tuple(sorted(sets[i] - sets[j] - {name}, key=index.__getitem__))
                    entering = tuple(sorted(sets[j] - sets[i], key=index.__getitem__))
                    ways[name].setdefault((name, leaving, entering), _Seen((i, j))).pairs += 1
        if i % ROWS == 0:
            require(PER_WAY * sum(map(len, ways.values())), "ways to replace features", "give fewer sets")
    return {way: seen for own in ways.values() for way, seen in own.items()}


def _differing(held: npt.NDArray[np.bool_]) -> Iterator[npt.NDArray[np.float32]]:
    """Count for each set the features that are in one of it and another only: ``|a| + |b| - 2 |a & b|``."""
    members = held.astype(np.float32)  # products of floats are fast, and whole numbers exact
    sizes = members.sum(axis=1)
    for first in range(0, len(held), ROWS):
        some = slice(first, first + ROWS)
        yield from sizes[some, None] + sizes[None, :] - 2 * members[some] @ members.T


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
