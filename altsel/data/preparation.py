"""From a table as it was read to the features and the target that are used, and what was done on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from altsel.data import columns
from altsel.data.cleaning import Cleaning
from altsel.data.columns import Kind
from altsel.data.conversion import DATES, NUMERIC, Conversion, is_conversion
from altsel.data.files.inference import only_rows
from altsel.data.files.names import refuse_unnamed
from altsel.data.files.raw_table import RawTable
from altsel.data.findings import Effect, Finding
from altsel.data.findings.numerals import LIMITS
from altsel.data.findings.recognition import without_columns
from altsel.data.findings.rows import copied_rows
from altsel.data.findings.telling import told
from altsel.data.intake.normal_table import normal_table
from altsel.data.kinds import Declared
from altsel.data.missing_values import columns_missing, rows_to_use
from altsel.data.reading import Reading
from altsel.data.target import split
from altsel.errors import ArgumentError, DataError, did_you_mean


@dataclass(frozen=True, eq=False)
class Prepared:
    """Features and target in the types that are used, without missing values.

    Attributes
    ----------
    table, target
        Features and target.
    kinds
        Kinds that were declared, but for what text was read as.
    conversions
        How text was read as numbers, by name.
    findings
        What was recognised in the table.
    dropped
        How many rows were dropped for missing values.
    """

    table: pd.DataFrame
    target: pd.Series[Any]
    kinds: Mapping[str, Declared]
    conversions: Mapping[str, Conversion]
    findings: tuple[Finding, ...] = ()
    dropped: int = 0

    @property
    def left_out(self) -> list[str]:
        """Names of the columns that were recognised as no features."""
        return [name for one in self.findings if one.effect is Effect.LEFT_OUT for name in one.columns]


def prepared(
    raw: RawTable,
    y: Any,
    X: Any,
    kinds: Mapping[str, Declared],
    cleaning: Cleaning,
    reading: Reading | None = None,
) -> Prepared:
    """Leave out what is no feature, drop rows with missing values, then bring columns to their types.

    Parameters
    ----------
    raw
        The table as it was read, without what the user leaves out.
    y, X
        The target, or its name; what the table was made from.
    kinds
        Kinds that were declared.
    cleaning
        What is taken of the table.
    reading
        How the file is written.

    Raises
    ------
    DataError, ArgumentError
        If the table cannot be used, or a name is none of its columns.
    """
    # 1. columns that are no features, by what they hold in all rows
    _refuse_unknown_names(raw.frame, cleaning)
    target = y if isinstance(y, str) else None
    keep = (*cleaning.keep, *map(str, kinds))
    found = list(raw.recognised(target, keep, columns_only=True))
    left = without_columns(raw.frame, [one for one in found if one.effect is Effect.LEFT_OUT])
    gappy = columns_missing(left, cleaning.most_missing, [*keep, *([target] if target else [])])
    left = without_columns(left, gappy)
    found = [one for one in found if not {*one.columns} & {name for gap in gappy for name in gap.columns}]
    refuse_unnamed(left, [name for name in raw.unnamed if name not in keep])
    if not left.shape[1] - (target in left) and raw.frame.shape[1] > 1 - (target is None):
        raise DataError(f"no usable feature: {told([*found, *gappy])[0]}")
    # 2. rows that miss a value in what is left
    table, goal = split(left, y, X)
    hints = [f"{one.message} {one.fix}" for one in found if one.kind == "None as category"]
    rows, lost = rows_to_use(table, goal, cleaning, hints)
    dropped = 0 if rows is None else int((~rows).sum())
    if rows is not None:
        if raw.from_file:
            form = reading or Reading()
            table, goal = only_rows(table, rows, form), only_rows(goal.to_frame(), rows, form).iloc[:, 0]
        else:
            table, goal = table[rows].reset_index(drop=True), goal[rows].reset_index(drop=True)
    # 3. types, of these rows alone
    table, goal, done = with_conversions(table, goal, kinds, raw.decimal)
    table, goal = normal_table(table), columns.normal(goal)
    if cleaning.unique_rows:
        table, goal = _distinct(table, goal)
    rest = {
        name: _plain(kind)
        for name, kind in kinds.items()
        if not _is_date(kind) and (name != goal.name or name not in done)
    }
    return Prepared(table, goal, rest, done, (*found, *gappy, *lost), dropped)


def with_conversions(
    table: pd.DataFrame, goal: pd.Series[Any], kinds: Mapping[str, Any], decimal: str
) -> tuple[pd.DataFrame, pd.Series[Any], dict[str, Conversion]]:
    """Read columns of text as the numbers that they are declared to be; return also how."""
    done = {}
    for name, kind in kinds.items():
        if not is_conversion(kind) or (name not in table and name != goal.name):
            continue
        column = goal if name == goal.name else table[name]
        how = Conversion.of(column, kind, decimal)
        made = how(column)
        if made is column:
            continue
        done[name] = how
        if name == goal.name:
            goal = made
        else:
            table = table.assign(**{name: made})
    return table, goal, done


def _distinct(table: pd.DataFrame, goal: pd.Series[Any]) -> tuple[pd.DataFrame, pd.Series[Any]]:
    kept = ~copied_rows(pd.concat([table, goal], axis=1))
    if kept.all():
        return table, goal
    made = table[kept].reset_index(drop=True), goal[kept].reset_index(drop=True)
    return normal_table(made[0]), columns.normal(made[1])


def _is_date(kind: Any) -> bool:
    return isinstance(kind, str) and kind in DATES


def _plain(kind: Declared) -> Declared:
    return Kind.CONTINUOUS if isinstance(kind, str) and kind in {NUMERIC, *LIMITS} else kind


def _refuse_unknown_names(frame: pd.DataFrame, cleaning: Cleaning) -> None:
    absent = [name for name in cleaning.keep if name not in frame.columns]
    if absent:
        hint = did_you_mean(absent[0], frame.columns)
        raise ArgumentError(f"keep: there is no column {absent[0]!r}{hint}")
