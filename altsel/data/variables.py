"""Features and target with what is known of them: kinds, task and classes, inferred or declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from altsel.data.columns import levels, refuse_infinite, summary_of
from altsel.data.findings import Finding
from altsel.data.findings.telling import told
from altsel.data.intake.checks import Traits
from altsel.data.kinds import Declared, overridden, without_orders
from altsel.data.schema import Kind, Task
from altsel.data.target import checked_task
from altsel.errors import DataError


@dataclass(frozen=True, eq=False)
class Variables:
    """Features, of which none is constant, and the target; attributes as of `altsel.Dataset`."""

    X: pd.DataFrame
    y: pd.Series[Any]
    task: Task
    kinds: Mapping[str, Kind]
    target_kind: Kind
    classes: tuple[Any, ...]
    constant: tuple[str, ...]

    @classmethod
    def of(
        cls,
        table: pd.DataFrame,
        target: pd.Series[Any],
        kinds: Mapping[str, Declared],
        task: Task | str | None,
        findings: tuple[Finding, ...] = (),
    ) -> Variables:
        """Decide by the rules of `altsel.data.schema` on columns of normal types, none of which is missing.

        Raises
        ------
        DataError
            If values are infinite, the target has one value only, or no feature is usable; `findings` say
            why others are none.
        ArgumentError
            If a kind or the task is unknown, or does not go with its column.
        """
        traits = Traits.of(table)
        refuse_infinite(table.loc[:, traits.infinite])
        refuse_infinite(target.to_frame())
        constant = tuple(map(str, table.columns[traits.constant]))
        table = table.loc[:, ~traits.constant] if constant else table
        if not table.shape[1]:
            left = "".join(f"; {one}" for one in told(findings)[:1])
            why = "there is one row only" if len(target) == 1 else "every column is constant"
            raise DataError(f"no usable feature: {why}{left}")
        inferred = dict(zip(table.columns, traits.kinds[~traits.constant].tolist(), strict=True))
        table, target, declared = without_orders(table, target, kinds)
        found, kind = checked_task(summary_of(target), task, declared.pop(str(target.name), None))
        known = overridden(inferred, declared, table)
        classes = () if found is Task.REGRESSION else levels(target)
        return cls(table, target, found, known, kind, classes, constant)
