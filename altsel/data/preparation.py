"""From a table as it was read to the features and the target that are used, and what was done on the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from altsel._types import BoolArray
from altsel.data import columns
from altsel.data.cleaning import Cleaning
from altsel.data.conversion import DATES, NUMERIC, Conversion, is_conversion
from altsel.data.files.inference import only_rows
from altsel.data.files.names import refuse_unnamed
from altsel.data.files.raw_table import RawTable
from altsel.data.findings import Effect, Finding
from altsel.data.findings.numerals import LIMITS
from altsel.data.findings.recognition import without_columns
from altsel.data.findings.rows import copied_rows
from altsel.data.findings.telling import told
from altsel.data.frames import as_frame, raw_table, without
from altsel.data.intake.normal_table import normal_table
from altsel.data.kinds import Declared
from altsel.data.missing_levels import MissingLevel, finding, with_missing_levels
from altsel.data.missing_values import columns_missing, rows_to_use
from altsel.data.reading import HOW_WRITTEN, Reading
from altsel.data.schema import Kind
from altsel.data.target import split
from altsel.errors import ArgumentError, DataError, did_you_mean, of_kind


@dataclass(frozen=True, eq=False)
class Intake:
    """A table on its way into a `Dataset`; each step returns it as it is after that.

    Attributes
    ----------
    X, y, declared, cleaning, reading
        What a user gives: table, target or its name, kinds, what is taken of the table, how its file is read.
    raw
        The table as it was read.
    table, target
        The columns that are left, and the target once it was split off.
    findings, dropped, conversions
        As of `Dataset`.
    levels
        How columns become categories of which one level is what is missing.
    """

    X: Any
    y: Any
    declared: Mapping[str, Any]
    cleaning: Cleaning
    reading: Reading | None
    raw: RawTable = field(default_factory=lambda: RawTable(pd.DataFrame()))
    table: pd.DataFrame = field(default_factory=pd.DataFrame)
    target: pd.Series[Any] = field(default_factory=lambda: pd.Series(dtype=float))
    findings: tuple[Finding, ...] = ()
    dropped: int = 0
    conversions: Mapping[str, Conversion] = field(default_factory=dict)
    levels: Mapping[str, MissingLevel] = field(default_factory=dict)

    def __post_init__(self) -> None:
        of_kind("reading", self.reading, Reading | None, HOW_WRITTEN)
        if not isinstance(self.declared, Mapping):
            raise ArgumentError(f"kinds={self.declared!r}; give kinds by name: {{'zip': 'categorical'}}")

    @property
    def keep(self) -> tuple[str, ...]:
        """Names of columns that are features whatever they hold."""
        return (*self.cleaning.keep, *map(str, self.declared))

    @property
    def left_out(self) -> list[str]:
        """Names of the columns that were recognised as no features."""
        return [name for one in self.findings if one.effect is Effect.LEFT_OUT for name in one.columns]

    @property
    def kinds(self) -> dict[str, Declared]:
        """Kinds that were declared, but for what text was read as."""
        return {
            name: Kind.CONTINUOUS if isinstance(kind, str) and kind in {NUMERIC, *LIMITS} else kind
            for name, kind in self.declared.items()
            if not (isinstance(kind, str) and kind in DATES)
            and (name != self.target.name or name not in self.conversions)
            and name not in self.levels
        }

    def read(self, drop: Collection[str] = ()) -> Intake:
        """Read the table, without the columns to leave out."""
        raw = raw_table(as_frame(self.X) if isinstance(self.X, Mapping) else self.X, self.reading, drop)
        return replace(self, raw=replace(raw, frame=without(raw.frame, drop)))

    def choose_columns(self) -> Intake:
        """Leave out columns that are no features, by what they hold in all rows."""
        frame, keep, y = self.raw.frame, self.keep, self.y
        _refuse_unknown_names(frame, self.cleaning)
        target = [y] if isinstance(y, str) else []
        found = self.raw.recognised(y if target else None, keep, columns_only=True)
        left = without_columns(frame, [one for one in found if one.effect is Effect.LEFT_OUT])
        gappy = columns_missing(left, self.cleaning.most_missing, [*keep, *target])
        left = without_columns(left, gappy)
        gone = {name for gap in gappy for name in gap.columns}
        findings = (*(one for one in found if not gone & {*one.columns}), *gappy)
        refuse_unnamed(left, [name for name in self.raw.unnamed if name not in keep])
        if not left.shape[1] - (y in left if target else 0) and frame.shape[1] > len(target):
            raise DataError(f"no usable feature: {told(findings)[0]}")
        return replace(self, table=left, findings=findings)

    def split_target(self) -> Intake:
        """Split the target off."""
        table, target = split(self.table, self.y, self.X)
        return replace(self, table=table, target=target)

    def choose_rows(self) -> Intake:
        """Refuse or drop rows that miss a value; numbers of a file are read as if they had not been there."""
        hints = [f"{one.message} {one.fix}" for one in self.findings if one.kind == "None as category"]
        rows, lost = rows_to_use(self._of_rows(), self.target, self.cleaning, hints)
        return self if rows is None else self._of(rows, lost)

    def _of_rows(self) -> pd.DataFrame:
        """Return the columns whose missing values cost a row."""
        if self.cleaning.missing == "category" and not self.levels:
            return self.table.iloc[:, :0]
        return self.table.drop(columns=[name for name in self.levels if name in self.table])

    def with_target(self) -> Intake:
        """Drop the rows that have no target; other values stay missing."""
        rows = self.target.notna().to_numpy()
        return self if rows.all() else self._of(rows, [])

    def _of(self, rows: BoolArray, lost: Collection[Finding]) -> Intake:
        """Return some of the rows; `lost` says why the others are not used."""
        table, target = self.table, self.target
        if self.raw.from_file:
            form = self.reading or Reading()
            table, target = only_rows(table, rows, form), only_rows(target.to_frame(), rows, form).iloc[:, 0]
        else:
            table, target = table[rows].reset_index(drop=True), target[rows].reset_index(drop=True)
        found = (*self.findings, *lost)
        return replace(self, table=table, target=target, findings=found, dropped=int((~rows).sum()))

    def normalise(self) -> Intake:
        """Bring columns to the types that are used, by these rows alone, and leave out copies of rows."""
        table, target, done = with_conversions(self.table, self.target, self.declared, self.raw.decimal)
        gappy = table
        table, levels = with_missing_levels(
            table, self.declared, self.levels, self.cleaning.missing == "category"
        )
        table, target = normal_table(table), columns.normal(target)
        if self.cleaning.unique_rows:
            table, target = _distinct(table, target)
        found = (*self.findings, *finding(gappy, levels))
        return replace(self, table=table, target=target, conversions=done, levels=levels, findings=found)


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


def _refuse_unknown_names(frame: pd.DataFrame, cleaning: Cleaning) -> None:
    absent = [name for name in cleaning.keep if name not in frame.columns]
    if absent:
        hint = did_you_mean(absent[0], frame.columns)
        raise ArgumentError(f"keep: there is no column {absent[0]!r}{hint}")
