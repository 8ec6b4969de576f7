"""The columns of a scan as its first passes saw them: kinds, levels, edges of bins, the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd

from altsel._types import FloatArray, IntArray
from altsel.data import columns
from altsel.data.columns import MODERATE
from altsel.data.kinds import Declared, in_order
from altsel.data.scanning.coding import Coding
from altsel.data.scanning.decoding import ValueType
from altsel.data.scanning.survey import MOST_LEVELS, Survey, Tally
from altsel.data.schema import FEW_LEVELS, OF_TARGETS, Kind, Summary, Task, declared, is_discrete
from altsel.data.target import checked_task
from altsel.errors import ArgumentError, DataError, did_you_mean


@dataclass(frozen=True, eq=False)
class Layout:
    """Columns, the last of which is the target.

    Attributes
    ----------
    columns
        Features in the order of the data, then the target.
    task, target_kind
        What the target is.
    constant
        Names of constant columns, which are left out.
    bins
        Bins of equal frequency that numbers are cut into; None: they are not.
    """

    columns: tuple[Coding, ...]
    task: Task
    target_kind: Kind
    constant: tuple[str, ...]
    bins: int | None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of features and target."""
        return tuple(one.name for one in self.columns)

    @property
    def target(self) -> str:
        """Name of the target."""
        return self.names[-1]

    @property
    def declared_kinds(self) -> dict[str, Kind | list[Any]]:
        """Kinds as ``Dataset`` takes them, so that it takes other rows for the same."""
        own = {one.name: list(one.levels or ()) if one.ordered else one.kind for one in self.columns[:-1]}
        goal = self.columns[-1]
        if goal.ordered:
            own[goal.name] = list(goal.levels or ())
        elif self.target_kind in OF_TARGETS:
            own[goal.name] = self.target_kind
        return own

    @cached_property
    def coded(self) -> IntArray:
        """Which columns have levels or bins."""
        return np.array([j for j, one in enumerate(self.columns) if one.size], dtype=np.int64)

    @cached_property
    def numeric(self) -> IntArray:
        """Which columns are numbers, or levels in order."""
        return np.array([j for j, one in enumerate(self.columns) if one.numeric], dtype=np.int64)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of levels of each column; 0 of a number that is not cut."""
        return np.array([one.size for one in self.columns], dtype=np.int64)

    def plain(self) -> dict[str, Any]:
        """Return all of it as JSON holds it."""
        return {
            "columns": [one.plain() for one in self.columns],
            "task": self.task,
            "target_kind": self.target_kind,
            "constant": list(self.constant),
            "bins": self.bins,
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Layout:
        """Return the layout that `plain` wrote."""
        made = tuple(Coding.of(one) for one in plain["columns"])
        task, kind = Task(plain["task"]), Kind(plain["target_kind"])
        return cls(made, task, kind, tuple(plain["constant"]), plain["bins"])


def summary_of(name: str, tally: Tally) -> Summary:
    """Return what the rules of `altsel.data.schema` know of a column."""
    if tally.value_type is ValueType.LABELS:
        labels = pd.Series(list(tally.levels or ()), name=name, dtype=object)
        return columns.summary_of(columns.normal(labels.astype("category")))
    more = tally.levels is None
    number = tally.most if tally.levels is None else len(tally.levels)
    return Summary(name, number, more, tally.integral, tally.low)


def listed(column: Summary, tally: Tally, values: Sequence[Any]) -> Summary:
    """Return the summary of a column whose values are listed from the lowest to the highest."""
    if tally.levels is None:
        raise _too_many(column)
    found = tally.levels if tally.value_type is ValueType.LABELS else _numbers(tally)
    levels = tuple(in_order(column.name, found, values))
    return replace(column, categories=levels, ordered=True)


def layout(
    survey: Survey,
    target: str,
    task: Task | str | None,
    kinds: Mapping[str, Declared],
    edges: Mapping[str, FloatArray],
    bins: int | None,
) -> Layout:
    """Decide on kinds, task and levels, as `Dataset` does.

    Parameters
    ----------
    survey
        What the first pass saw.
    target, task, kinds
        As of ``Dataset``.
    edges
        Edges of the numbers that are cut into bins.
    bins
        Number of bins, or None.

    Raises
    ------
    DataError
        If there are no rows, no feature is usable, or the target has one value.
    ArgumentError
        If a kind or the task does not go with its column.
    """
    if not survey.rows:
        dropped = f": every one of {survey.dropped:,} rows has a missing value" if survey.dropped else ""
        raise DataError(f"no rows{dropped}")
    tallies = survey.tallies
    table = {name: summary_of(name, tally) for name, tally in tallies.items()}
    constant = [name for name, column in table.items() if column.values < 2 and name != target]
    unknown = [name for name in kinds if name not in table]
    if unknown:
        raise ArgumentError(
            f"kinds names {unknown[0]!r}, which is no column{did_you_mean(unknown[0], table)}"
        )
    given: dict[str, Any] = {}
    for name, kind in kinds.items():
        if name in constant:
            raise ArgumentError(f"kinds names {name!r}, which is not a usable feature")
        given[name] = kind
        if isinstance(kind, (list, tuple)):
            table[name], given[name] = listed(table[name], tallies[name], kind), Kind.ORDINAL
    goal = table.pop(target)
    settled, kind_of_target = checked_task(goal, task, given.pop(target, None))
    found = [
        coding(
            column,
            declared(given[name], column) if name in given else column.kind,
            tallies[name],
            survey.rows,
            edges.get(name),
        )
        for name, column in table.items()
        if name not in constant
    ]
    single = [one.name for one in found if one.size == 1]
    found = [one for one in found if one.size != 1]
    if not table:
        raise DataError(f"no data: {survey.rows} rows and 0 features")
    if not found:
        raise DataError("no usable feature: every column is constant")
    classes = settled is not Task.REGRESSION
    found.append(coding(goal, kind_of_target, tallies[target], survey.rows, edges.get(target), classes))
    return Layout(tuple(found), settled, kind_of_target, (*constant, *single), bins)


def coding(
    column: Summary,
    kind: Kind,
    tally: Tally,
    rows: int,
    edges: FloatArray | None,
    classes: bool | None = None,
) -> Coding:
    """Describe one column; `classes` says of the target whether it holds them."""
    name = column.name
    if not (is_discrete(column, kind) if classes is None else classes):
        return Coding(name, kind, tally.value_type, None, edges, _centre(tally, rows), scale=scale_of(tally))
    if tally.levels is None:
        raise _too_many(column, classes is not None)
    levels = column.categories
    if levels is None:
        numbers = _numbers(tally)
        return Coding(
            name, kind, tally.value_type, numbers, None, _centre(tally, rows), scale=scale_of(tally)
        )
    rank = {str(level): code for code, level in enumerate(levels)}
    total = sum(rank[_same(value, rank)] * count for value, count in tally.levels.items())
    return Coding(name, kind, tally.value_type, levels, None, total / rows, column.ordered)


def _too_many(column: Summary, target: bool = False) -> ArgumentError:
    """Return the error of a column with more values than are counted, as levels or as classes."""
    rest = (
        "classes; it is a number: task='regression', or another kind"
        if target
        else "the levels of a feature: leave it out (drop=), or give another kind"
    )
    return ArgumentError(f"{column.name!r} has more than {column.values:,} values, too many for {rest}")


def _numbers(tally: Tally) -> tuple[Any, ...]:
    """Return the numbers that occur, in order and of one type."""
    number = float if tally.value_type is ValueType.NUMBERS else int
    return tuple(sorted(map(number, tally.levels or ())))


def _centre(tally: Tally, rows: int) -> float:
    """Return the mean of numbers, or the middle of their range where they are too large to be summed."""
    return tally.total / rows if isfinite(tally.total) else tally.low / 2 + tally.high / 2


def scale_of(tally: Tally) -> float:
    """Return the power of two that numbers of extreme size are multiplied by, so that squares are numbers."""
    power = int(np.frexp(max(abs(tally.low), abs(tally.high)))[1])
    return float(np.ldexp(1.0, -power)) if abs(power) > MODERATE else 1.0


def _same(value: Any, rank: Mapping[str, int]) -> str:
    text = str(value)
    return text if text in rank else str(int(value))


def surveyed_levels(
    names: Sequence[str], target: str, task: Task | str | None, kinds: Mapping[str, Declared]
) -> dict[str, int]:
    """Return up to how many levels of each column are counted, if it holds numbers."""
    wide = {
        name
        for name, kind in kinds.items()
        if isinstance(kind, (list, tuple)) or str(kind) == Kind.CATEGORICAL
    }
    if task in {Task.BINARY, Task.MULTICLASS}:
        wide.add(target)
    return {name: MOST_LEVELS if name in wide else FEW_LEVELS for name in names}
