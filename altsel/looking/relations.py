"""What columns have to do with the target and with each other: leaks, copies, dependence that is bias."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import erfc, log, sqrt
from typing import Any

import numpy as np
import pandas as pd

from altsel.data.columns import codes, is_discrete, normal
from altsel.data.copies import copies
from altsel.data.dataset import Dataset
from altsel.data.findings.finding import Effect, Finding, options
from altsel.data.kinds import without_orders
from altsel.data.near_copies import NEAR
from altsel.data.preparation import with_conversions
from altsel.data.schema import FEW_LEVELS
from altsel.data.table_file import TableFile
from altsel.errors import AltselError, listing
from altsel.stats.corrections import benjamini_hochberg
from altsel.stats.dependence.association import Association

NEARLY = 0.95
"""Association with the target from which a column is said to all but tell it."""
BY_CHANCE = 0.05
"""Least p of an association that is called chance."""
SHOWS = 0.05
"""Share of false discoveries among the columns that miss values and are said to tell of the target."""
BIAS = 0.1
"""Share of the target that chance explains, from which it is said."""


def associations(data: Dataset) -> dict[str, float]:
    """Return the association of each feature with the target, in [0, 1]: the default measure of searches."""
    return dict(zip(data.features, Association().relevance(data).tolist(), strict=True))


def p_of(association: float, rows: int) -> float:
    """Return the two-sided p-value that an association stands for, see `Association`."""
    return erfc(sqrt(max(association, 0.0) * max(rows - 1, 0) / 2))


def told_by_gappy(frame: pd.DataFrame, target: str, table: TableFile) -> dict[str, float]:
    """Return the association with the target of columns that miss values, of those that tell something.

    The value of a column in the rows that have one, and whether there is one, are measured apart; what shows
    more counts, by p-values corrected for the number of columns. A column that cannot be read tells nothing.

    Parameters
    ----------
    frame
        The columns that are used, and the target.
    target
        Name of the target.
    table
        How they are read.
    """
    arguments = table.arguments()
    kinds, decimal = arguments["kinds"], arguments["reading"].decimal
    frame = frame[frame[target].notna()]
    goal = _as_read(frame[target], kinds, decimal)
    found, log_p = {}, []
    for name in map(str, frame.columns):
        there = frame[name].notna()
        if goal is None or there.all():
            continue
        values = _as_read(frame.loc[there, name], kinds, decimal)
        told = [_told(there.astype(float), goal)]
        told += [] if values is None else [_told(values, goal[there])]
        found[name] = max(told, key=lambda one: -one[1])[0]
        log_p.append(log(max(min(2 * min(p for _, p in told), 1.0), 1e-300)))
    shown = benjamini_hochberg(np.array(log_p)) < log(SHOWS)
    return {name: found[name] for name, shows in zip(found, shown.tolist(), strict=True) if shows}


def _as_read(column: pd.Series[Any], kinds: Mapping[str, Any], decimal: str) -> pd.Series[Any] | None:
    """Return a column without gaps as it is read, None if it cannot be."""
    own = {name: kind for name, kind in kinds.items() if name == column.name}
    empty = pd.Series(dtype=float)
    try:
        part, _, _ = with_conversions(column.to_frame(), empty, own, decimal)
        return normal(without_orders(part, empty, own)[0][column.name])
    except AltselError:
        return None


def _told(column: pd.Series[Any], goal: pd.Series[Any]) -> tuple[float, float]:
    """Return the association of two columns, and its p-value."""
    if column.nunique() < 2 or goal.nunique() < 2:
        return 0.0, 1.0
    found = Association()(column, goal)
    return found, p_of(found, len(goal))


def leaks(data: Dataset, associated: Mapping[str, float]) -> Iterator[Finding]:
    """Yield features that determine the target, then those that all but do."""
    for name in data.determining:
        message = f"{name!r} gives the target away: it is {data.target!r} written otherwise"
        yield _to_drop("leak", [name], [name], message, Effect.PROPOSED)
    for name, value in associated.items():
        if value >= NEARLY and name not in data.determining:
            message = (
                f"{name!r} all but gives the target away (association {value:.3f}): is it known before "
                f"{data.target!r} is?"
            )
            yield _to_drop("leak", [name], [name], message)


def nearly_told_by(data: Dataset, names: Iterable[str]) -> list[str]:
    """Return which of a few features all but give the target away; what determines it is told on reading."""
    measure = Association()
    return [
        name for name in names if name not in data.determining and measure(data.X[name], data.y) >= NEARLY
    ]


def alike(data: Dataset) -> Iterator[Finding]:
    """Yield groups of columns that are copies of each other, then the columns that nearly are."""
    groups = copies(data.X, data.kinds)
    for group in groups:
        message = f"{listing(group)} are copies, equal, scaled or recoded: one feature with several names"
        yield _to_drop("copies", group, group[1:], message, Effect.REMARK)
    held = {name for group in groups for name in group[1:]}
    near = [(name, like) for name, like, _ in data.near_copies if not {name, like} & held]
    if near:
        pairs = ", ".join(f"{name!r} of {like!r}" for name, like in near[:3])
        more = f" and {len(near) - 3} more" if len(near) > 3 else ""
        message = f"columns nearly are copies of others (|r| of at least {NEAR}): {pairs}{more}"
        names, fix = tuple(dict.fromkeys(name for name, _ in near)), f"--group-above {NEAR}"
        yield Finding("near copies", names, message, fix, f"data.grouped({NEAR})", Effect.REMARK)


def biased(data: Dataset, associated: Mapping[str, float]) -> Iterator[Finding]:
    """Yield categories of so many levels that chance alone explains a tenth of the target or more."""
    for name in data.features:
        column = data.X[name]
        levels = column.nunique()
        if levels <= FEW_LEVELS or not is_discrete(column, data.kinds[name]):
            continue
        share = by_chance(data, levels)
        if share < BIAS:
            continue
        p, what = p_of(associated[name], len(data.y)), "information" if data.discrete_target else "variance"
        shows = (
            f"and it shows no more (p = {p:.2g})"
            if p >= BY_CHANCE
            else f"yet it shows more (p = {p:.2g}); measures other than the default rank it too high"
        )
        explained = f"chance gives its {levels:,} levels {100 * share:.0f} % of the target's {what}"
        yield _to_drop("many levels", [name], [name], f"{name!r}: {explained}, {shows}")


def by_chance(data: Dataset, levels: int) -> float:
    """Return the share of the target that so many levels explain in the mean if they are independent of it.

    Of n rows and C classes: information of ``(levels - 1)(C - 1) / 2n`` nats, at most the entropy of the
    target (Miller, Information Theory in Psychology, 1955); of numbers ``(levels - 1) / (n - 1)`` of the
    variance.
    """
    rows = len(data.y)
    if not data.discrete_target:
        return (levels - 1) / (rows - 1)
    shares = np.bincount(codes(data.y)) / rows
    entropy = -float((shares * np.log(shares)).sum())
    return min((levels - 1) * (len(shares) - 1) / (2 * rows * entropy), 1.0)


def _to_drop(
    kind: str, columns: Sequence[str], drop: Sequence[str], message: str, effect: Effect = Effect.WARNING
) -> Finding:
    return Finding(kind, tuple(columns), message, options("drop", [*drop]), f"drop={[*drop]!r}", effect)
