"""A table with gaps as it is read: columns chosen and brought to normal types, values still missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from altsel.data.cleaning import Cleaning
from altsel.data.columns import refuse_infinite
from altsel.data.dataset import Dataset, of_columns
from altsel.data.findings.telling import reasons, told
from altsel.data.kinds import Declared
from altsel.data.preparation import Intake
from altsel.data.reading import Reading
from altsel.data.schema import Task
from altsel.errors import DataWarning, list_of_names
from altsel.runtime.caller import quietly, warn_caller


@dataclass(frozen=True, eq=False)
class GappedTable:
    """Features with missing values, and the target of the rows that have one.

    Attributes
    ----------
    X, y
        Columns of normal types; the target has no gaps.
    task, kinds
        What was declared.
    absent
        Why other columns are no features, by name.
    """

    X: pd.DataFrame
    y: pd.Series[Any]
    task: Task | str | None
    kinds: Mapping[str, Declared]
    absent: Mapping[str, str]

    def alone(self, name: str, kinds: Mapping[str, Declared], task: Task | str | None) -> Dataset:
        """Return one column as a data set, in the rows that have it; kinds of others are left out."""
        some = self.X[name].notna()
        own = {one: kind for one, kind in kinds.items() if one in {name, str(self.y.name)}}
        made: Dataset = quietly(of_columns, self.X.loc[some, [name]], self.y[some], task, own)
        return made


def gapped_table(  # noqa: PLR0913  (options of a table)
    X: Any,
    y: Any,
    task: Task | str | None = None,
    *,
    kinds: Mapping[str, Declared] | None = None,
    drop: Collection[str] = (),
    reading: Reading | None = None,
    keep: Collection[str] = (),
    most_missing: float | None = None,
    unique_rows: bool = False,
) -> GappedTable:
    """Read a table as `altsel.Dataset` does, but for its missing values, which stay; arguments as there.

    Raises
    ------
    DataError, ArgumentError
        As of `altsel.Dataset`.

    Warns
    -----
    DataWarning
        Of columns left out.

    Examples
    --------
    >>> read = gapped_table({"a": [1.0, None, 3.0], "b": ["x", None, "y"]}, [0, 1, None])
    >>> len(read.y), read.X.isna().sum().tolist()
    (2, [1, 1])
    """
    drop = list_of_names("drop", drop)
    cleaning = Cleaning("error", keep, 1.0, most_missing, unique_rows)
    made = Intake(X, y, {} if kinds is None else kinds, cleaning, reading).read(drop).choose_columns()
    made = made.split_target().with_target().normalise()
    refuse_infinite(made.table)
    for message in told(made.findings):
        warn_caller(message, DataWarning)
    return GappedTable(made.table, made.target, task, made.kinds, reasons(made.findings, drop, ()))
