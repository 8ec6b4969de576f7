"""The columns themselves: how relevant they are, how classes spread over them, how they go together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from altsel._types import FloatArray
from altsel.data.permuting import permuted
from altsel.report.spread import SPREAD, groups_of, spread_over
from altsel.results.solutions import Solutions
from altsel.runtime.on_demand import OnDemand
from altsel.stats.dependence.association import Association
from altsel.stats.dependence.in_parts import columns_of

if TYPE_CHECKING:
    from altsel.data.dataset import Dataset
    from altsel.report.parts import Numbers

distances: Any = OnDemand("scipy.spatial.distance")
hierarchy: Any = OnDemand("scipy.cluster.hierarchy")

BARS = 40
"""Features whose relevance is shown: the chosen ones first, then the most relevant others."""
PAIRED = 30
"""Features on the map of associations."""
TARGETS = 19
"""Permuted targets for the level of noise: what none of them reaches has p <= .05."""
CELLS = 10_000_000
"""Cells of a table up to which the level of noise is found."""


def columns_shown(found: Solutions, numbers: Numbers, data: Dataset | None) -> dict[str, Any] | None:
    """Return what pictures of columns show: those of set 0 first, then those in most sets; None without data.

    Everything is measured by `altsel.measures.association` on the rows of the page.
    """
    if data is None or not found.sets:
        return None
    chosen = [name for name in by_use(found) if name in data.kinds]
    if not chosen:
        return None
    groups = groups_of(data)
    return {
        "relevances": _relevances(chosen, numbers, data),
        "groups": list(groups.names),
        "spread": [
            {"feature": numbers([name])[0], **spread_over(data, name, groups)}
            for name in chosen[:SPREAD]  # the page stays small, however many features there are
        ],
        "pairs": _pairs(chosen[:PAIRED], numbers, data),
    }


def by_use(found: Solutions) -> list[str]:
    """Return the features of any set: those of set 0, then the others by the number of sets that hold them.

    Examples
    --------
    >>> from altsel import Dice, Problem, Univariate, sequential
    >>> by_use(sequential(Problem(Univariate([3, 2, 2, 1]), k=2), Dice(0.5), alternatives=1))
    ['x0', 'x1', 'x2']
    """
    counts: dict[str, int] = {}
    for one in found:
        for name in one:
            counts[name] = counts.get(name, 0) + 1
    first = list(found[0])
    return [*first, *sorted(counts.keys() - set(first), key=lambda name: (-counts[name], name))]


def _relevances(chosen: Sequence[str], numbers: Numbers, data: Dataset) -> dict[str, Any]:
    """Return the association of features with the target, and the most that permuted targets give any."""
    measure = Association()
    values = measure.relevance(data)
    of = dict(zip(data.features, values.tolist(), strict=True))
    kept = set(chosen)
    rest = sorted(
        (name for name in of if name not in kept and name in numbers.of), key=lambda name: -of[name]
    )
    shown = [*chosen[:BARS], *rest][:BARS]
    noise = None
    if data.X.size <= CELLS:
        noise = max(float(measure.relevance(permuted(data, (0, t))).max()) for t in range(TARGETS))
    return {
        "targets": TARGETS,
        "noise": noise,
        "more": len(of) - len(shown),
        "rows": [
            [numbers([name])[0], round(of[name], 6)] for name in sorted(shown, key=lambda name: -of[name])
        ],
    }


def _pairs(chosen: Sequence[str], numbers: Numbers, data: Dataset) -> dict[str, Any] | None:
    """Return the association of each pair, in an order that puts alike features side by side."""
    if len(chosen) < 2:
        return None
    place = {name: j for j, name in enumerate(data.features)}
    indices = np.array(sorted(place[name] for name in chosen))
    table = Association().redundancy(columns_of(data, indices))
    order = _alike_together(table)
    names = [data.features[indices[j]] for j in order]
    return {
        "features": numbers(names),
        "values": [[round(float(table[i, j]), 3) for j in order] for i in order],
    }


def _alike_together(table: FloatArray) -> list[int]:
    """Order features by average linkage of 1 - association (Sokal and Michener 1958)."""
    apart = np.clip(1 - (table + table.T) / 2, 0, None)
    np.fill_diagonal(apart, 0)
    joined = hierarchy.linkage(distances.squareform(apart, checks=False), "average")
    return [int(j) for j in hierarchy.leaves_list(joined)]
